/**
 * Gives years to stamps that lack one. A stamp takes the year nearest to a dated one of the same line, else to the last
 * dated one of the file; events from before the first dated line wait for it. If the file names no year at all they
 * leave with the stand-in UNKNOWN_YEAR, for whoever knows the rest of the bundle.
 */
import type { Draft } from './event-draft.ts';
import type { LogLine } from './log-line.ts';
import { type RawStamp, withYearNear } from './stamp.ts';

/** Events that wait for a year at most; then all leave without. */
const MAX_WAITING = 20_000;

export interface YearKeeper {
  /** Looks at a line's stamps and completes them if possible. */
  see(line: LogLine): void;
  /** A dated stamp met elsewhere (in a failure block). */
  learn(stamp: RawStamp): void;
  /** The outermost stamp of a line, dated: seconds since 1970. */
  learnSeconds(seconds: number): void;
  /** Hands the event on, now or once a year is known; order is kept. */
  pass(draft: Draft): void;
  settle(stamp: RawStamp): RawStamp;
  end(): void;
  /** Lines whose outermost stamp had no year. */
  yearless(): number;
  /** True once a dated stamp was met. */
  isKnown(): boolean;
}

export function createYearKeeper(emit: (draft: Draft) => void): YearKeeper {
  let known: number | undefined;
  let waiting: Draft[] = [];
  let givenUp = false;
  let yearless = 0;

  const settle = (stamp: RawStamp): RawStamp => (known === undefined ? stamp : withYearNear(stamp, known));

  const complete = (draft: Draft): Draft => {
    const outer = draft.origin.outer && settle(draft.origin.outer);
    const inner = draft.origin.inner && settle(draft.origin.inner);
    return outer === draft.origin.outer && inner === draft.origin.inner
      ? draft
      : { ...draft, origin: { ...draft.origin, outer, inner } };
  };

  const release = (): void => {
    const drafts = waiting;
    waiting = [];
    for (const draft of drafts) emit(complete(draft));
  };

  const learnSeconds = (seconds: number): void => {
    known = seconds;
    if (waiting.length > 0) release();
  };

  const learn = (stamp: RawStamp): void => {
    if (!stamp.yearless && stamp.kind !== 'boot') learnSeconds(stamp.seconds);
  };

  return {
    see(line) {
      const { outer } = line;
      if (outer === undefined) return;
      if (!outer.yearless) learn(outer);
      else {
        if (line.inner !== undefined && !line.inner.yearless) learn(line.inner);
        yearless += 1;
        if (known !== undefined) {
          line.outer = settle(outer);
          known = line.outer.seconds;
        }
      }
      if (line.inner?.yearless === true) line.inner = settle(line.inner);
    },
    learn,
    learnSeconds,
    pass(draft) {
      const incomplete = draft.origin.outer?.yearless === true && known === undefined && !givenUp;
      if (waiting.length === 0 && !incomplete) {
        emit(complete(draft));
        return;
      }
      waiting.push(draft);
      if (waiting.length >= MAX_WAITING) {
        givenUp = true;
        release();
      }
    },
    settle,
    end: release,
    yearless: () => yearless,
    isKnown: () => known !== undefined,
  };
}
