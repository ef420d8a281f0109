/**
 * Times in words, the same for terminal, written reports and window. A time never stands alone: its bound, or the word raw, and the clock that
 * stamped it go with it. How a time itself is written is the reader's: it is passed in.
 */

import { plusMinus } from './clock-text.ts';
import { formatDurationMs } from './format.ts';

/** A moment of the bundle. */
export interface StampedTime {
  readonly time: string;
  /** ms; null = not bounded. */
  readonly boundMs: number | null;
  readonly timeBasis: 'raw' | 'corrected' | null;
  /** Id of the clock that stamped it; null = not known. */
  readonly clock: string | null;
}

/** `±38 ms`, `raw`, `reference clock`, `bound unknown`: what must stand beside a time. */
export function qualityWords({ boundMs, timeBasis }: Omit<StampedTime, 'time' | 'clock'>): string {
  if (timeBasis !== 'corrected') return 'raw';
  return boundMs === null ? 'bound unknown' : boundMs === 0 ? 'reference clock' : plusMinus(boundMs);
}

/** `±38 ms, clock of node-a`, `raw, clock of node-b`, `reference clock node-a`. */
export function clockWords(moment: Omit<StampedTime, 'time'>): string {
  const quality = qualityWords(moment);
  if (moment.clock === null) return `${quality}, clock not known`;
  return quality === 'reference clock' ? `${quality} ${moment.clock}` : `${quality}, clock of ${moment.clock}`;
}

interface SeenMoment extends StampedTime {
  readonly clock: string;
  readonly rank: number | null;
  readonly text: string;
}

export interface SeenBracket {
  readonly from: SeenMoment | null;
  readonly until: SeenMoment;
  readonly latenessMs: number;
}

export interface BracketWords {
  /** `2026-03-14T09:03:03.364Z (±38 ms, clock of node-a), its all_reduce #425 of default_pg`. */
  readonly after: string;
  readonly before: string;
  /** What the later end leaves open. */
  readonly late: string;
}

export function bracketWords(bracket: SeenBracket, timeText: (iso: string) => string): BracketWords {
  const { from, until } = bracket;
  const stamped = (moment: SeenMoment): string => `${timeText(moment.time)} (${clockWords(moment)})`;
  return {
    after: from === null ? 'nothing that it did before has a time' : `${stamped(from)}, ${signWords(from)}`,
    before: `${stamped(until)}, ${missWords(until)}`,
    late: lateWords(bracket),
  };
}

/** `its last sign, step 30`. */
export const signWords = ({ text }: Pick<SeenMoment, 'text'>): string => `its last sign, ${text}`;

/** `where rank 3 waits for it, all_reduce #31 of default_pg`. */
const missWords = ({ rank, text }: Pick<SeenMoment, 'rank' | 'text'>): string =>
  `where ${rank === null ? 'another' : `rank ${rank}`} waits for it, ${text}`;

const lateWords = ({ latenessMs }: Pick<SeenBracket, 'latenessMs'>): string =>
  `or up to ${formatDurationMs(latenessMs)} later: ranks of this job may come so late without a fault`;

/** On one line, for terminal and ticket. */
export function bracketLine(bracket: SeenBracket, timeText: (iso: string) => string): string {
  const { after, before, late } = bracketWords(bracket, timeText);
  return bracket.from === null
    ? `stalled before ${before} (${late}); ${after}`
    : `stalled between ${after}, and ${before} (${late})`;
}

/** The two times alone, for a narrow place: `stalled between A and B (±38 ms, clock of node-a)`. */
export function bracketTimes({ from, until }: SeenBracket, timeText: (iso: string) => string): string {
  const [a, b] = [from === null ? null : clockWords(from), clockWords(until)];
  const last = `${timeText(until.time)} (${b})`;
  if (from === null) return `stalled before ${last}`;
  return `stalled between ${timeText(from.time)}${a === b ? '' : ` (${a})`} and ${last}`;
}

interface ToldMoment {
  readonly at: {
    readonly time: string;
    readonly boundMs: number | null;
    readonly clock?: string | undefined;
    readonly timeBasis?: 'raw' | 'corrected' | undefined;
  } | null;
  readonly between?: SeenBracket | null | undefined;
}

/** When the first fault was, on one line: a stall lies between two seen moments, else the moment itself. Empty if neither is told. */
export function whenLine({ at, between }: ToldMoment, timeText: (iso: string) => string): string {
  // `at` of a stall is only where the bracket begins.
  if (between) return bracketLine(between, timeText);
  if (at === null) return '';
  const { time, boundMs, clock = null } = at;
  const timeBasis = at.timeBasis ?? (boundMs === null ? 'raw' : 'corrected');
  return `${timeText(time)} (${clockWords({ boundMs, timeBasis, clock })})`;
}
