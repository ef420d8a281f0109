import type { Result } from '#shared/lib/result.ts';
import type { Report } from '#shared/report/schema.ts';
import { productParts } from '../analysis/product-parts.ts';
import type { ImportListener } from '../import/import-progress.ts';
import { type ImportError, type ImportRequest, runImport } from '../import/run-import.ts';

/** An import that was started, wherever it runs. */
export interface RunningImport {
  /** Settles when everything is written or everything is removed. Never rejects. */
  readonly done: Promise<Result<Report, ImportError>>;
  /** Asks it to stop; `done` then becomes `cancelled` (or the result, if that came first). */
  cancel(): void;
}

export type StartImport = (request: ImportRequest, listener: ImportListener) => RunningImport;

/** Runs in this thread: for tests, and where no worker can be started. Long computations delay everything else. */
export const startImportHere: StartImport = (request, listener) => {
  const cancel = { aborted: false };
  return {
    done: runImport(request, { cancel, listener, now: () => performance.now() }, productParts()),
    cancel: () => {
      cancel.aborted = true;
    },
  };
};
