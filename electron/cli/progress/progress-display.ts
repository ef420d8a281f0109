import type { JobState } from '#shared/model/job.ts';
import { progressLine, progressParts } from './progress-line.ts';

export interface ProgressDisplay {
  show(state: JobState): void;
  /** Removes what is still on the screen; safe to call twice. */
  end(): void;
}

export interface ErrorStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[K';
/** Plain lines come at least this far apart: a log of a CI run should not fill with them. */
const PLAIN_EVERY_MS = 5000;

export const silentDisplay: ProgressDisplay = { show: () => undefined, end: () => undefined };

/** A bar that redraws itself on a terminal. */
export function barDisplay(stream: ErrorStream, unicode: boolean): ProgressDisplay {
  let drawn = false;
  return {
    show(state) {
      if (state.kind !== 'running') return;
      stream.write(`${CLEAR_LINE}${progressLine(state, { width: stream.columns || 80, unicode })}`);
      drawn = true;
    },
    end() {
      if (drawn) stream.write(CLEAR_LINE);
      drawn = false;
    },
  };
}

/** A line now and then where there is no terminal; nothing at all for imports that are over before the first is due. */
export function plainDisplay(stream: ErrorStream, now: () => number): ProgressDisplay {
  let lastMs = now();
  return {
    show(state) {
      if (state.kind !== 'running' || now() - lastMs < PLAIN_EVERY_MS) return;
      lastMs = now();
      stream.write(`${Math.floor(state.fraction * 100)} %, ${progressParts(state).join(', ')}\n`);
    },
    end: () => undefined,
  };
}
