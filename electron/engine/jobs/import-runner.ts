import { err, type Result } from '#shared/lib/result.ts';
import type { Report } from '#shared/report/schema.ts';
import { productParts } from '../analysis/product-parts.ts';
import { LocalControl } from '../import/import-control.ts';
import type { ImportListener } from '../import/import-progress.ts';
import { type ImportError, type ImportRequest, runImport } from '../import/run-import.ts';

/** An import that was started, wherever it runs. */
export interface RunningImport {
  /** Settles when everything is written, removed, or left. Never rejects. */
  readonly done: Promise<Result<Report, ImportError>>;
  /** Asks it to stop; `done` then becomes `cancelled` (or the result, if that came first). */
  cancel(): void;
  /** Stands still, or goes on; the listener is told when it does. */
  pause(on: boolean): void;
  /** Reads no further and makes a case of what was read. */
  stop(): void;
  /** Ends it where it stands, leaving what it wrote to be taken up again. To be called while it is paused. */
  leave(): void;
  /** What threads beside the importing one have done; known once `done` has settled. For the local log. */
  beside?(): WorkBeside;
}

export interface WorkBeside {
  /** Recorder dumps that were decoded. */
  readonly dumps: number;
  readonly unpackedBytes: number;
  /** Blocks of text and dumps that were compressed. */
  readonly blocks: number;
}

export type StartImport = (request: ImportRequest, listener: ImportListener) => RunningImport;

/** Runs in this thread: for tests, and where no worker can be started. Long computations delay everything else. */
export const startImportHere: StartImport = (request, listener) => {
  const control = new LocalControl();
  let leave: (result: Result<Report, ImportError>) => void = () => undefined;
  const left = new Promise<Result<Report, ImportError>>((resolve) => {
    leave = resolve;
  });
  const run = runImport(request, { cancel: control, listener, now: () => performance.now() }, productParts());
  return {
    done: Promise.race([run, left]),
    cancel: () => control.cancel(),
    pause: (on) => control.pause(on),
    stop: () => control.stop(),
    leave: () => leave(err({ code: 'cancelled', detail: '' })),
  };
};
