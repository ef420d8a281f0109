/** Where an import was when it was last heard of: what a person needs to know if its thread dies. */
import type { JobPhase } from '#shared/model/job.ts';
import { formatBytes } from '#shared/text/format.ts';
import type { ImportListener } from '../import/import-progress.ts';

export class LastPlace {
  /** Passes everything on. */
  readonly listener: ImportListener;
  #phase: JobPhase = 'inventory';
  #path: string | undefined;
  #progress: Parameters<ImportListener['onProgress']>[0] | undefined;

  constructor(told: ImportListener) {
    this.listener = {
      ...bound(told),
      onPhase: (phase) => {
        this.#phase = phase;
        told.onPhase(phase);
      },
      onFile: (file) => {
        this.#path = file.path;
        told.onFile(file);
      },
      onProgress: (progress) => {
        this.#progress = progress;
        told.onProgress(progress);
      },
    };
  }

  /** `at or soon after the file "a/b.log" (files done: 3; 1.0 MiB of 2.0 MiB read)`. */
  words(): string {
    if (this.#phase === 'analysing' || this.#phase === 'finishing') return `while it was ${this.#phase}`;
    const { filesDone = 0, bytesDone = 0, bytesTotal = null } = this.#progress ?? {};
    const total = bytesTotal === null ? '' : ` of ${formatBytes(bytesTotal)}`;
    const file = this.#path === undefined ? 'before the first file' : `at or soon after the file "${this.#path}"`;
    return `${file} (files done: ${filesDone}; ${formatBytes(bytesDone)}${total} read)`;
  }
}

/** The optional ones, as methods of their own object. */
function bound(told: ImportListener): Pick<ImportListener, 'onSoFar' | 'onPaused' | 'askPassword'> {
  return {
    ...(told.onSoFar === undefined ? {} : { onSoFar: (soFar) => told.onSoFar?.(soFar) }),
    ...(told.onPaused === undefined ? {} : { onPaused: (paused) => told.onPaused?.(paused) }),
    askPassword: async (wrong) => (await told.askPassword?.(wrong)) ?? null,
  };
}
