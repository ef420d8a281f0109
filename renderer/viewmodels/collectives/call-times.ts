/** Times of calls: nanoseconds after the case's origin as the engine sends them, in the basis that the user chose. */
import { epochNs, formatEpochNs } from '#shared/model/time.ts';
import { formatDurationMs } from '#shared/text/format.ts';
import type { CollectiveClock, StepTime } from '#shared/views/collectives/types.ts';
import { formatBound, timeOfDay } from '../times.ts';

export type Basis = 'raw' | 'corrected';

/** `10:28:25.456`; empty for a time that was not recorded. */
export function timeAt(originNs: string, ns: number): string {
  if (!Number.isFinite(ns)) return '';
  return timeOfDay(formatEpochNs(epochNs(BigInt(originNs) + BigInt(Math.round(ns))), 3));
}

/** A corrected time of `clock` in the basis asked for. A clock without an offset was never corrected. */
export const inBasis = (correctedNs: number, clock: CollectiveClock | undefined, basis: Basis): number =>
  basis === 'raw' ? correctedNs + (clock?.offsetMs ?? 0) * 1e6 : correctedNs;

/** A raw time of `clock` in the basis asked for. */
export const fromRaw = (rawNs: number, clock: CollectiveClock | undefined, basis: Basis): number =>
  basis === 'raw' ? rawNs : rawNs - (clock?.offsetMs ?? 0) * 1e6;

/** `±38 ms`, `raw`, or the word that its clock is not known. */
export function qualityOf(clock: CollectiveClock | undefined, basis: Basis): string {
  if (basis === 'raw') return 'raw';
  if (clock?.offsetMs === undefined) return 'raw, clock not known';
  if (clock.boundMs === 0) return 'reference clock';
  return clock.boundMs === undefined ? 'bound not known' : formatBound(clock.boundMs);
}

/** What stands below `First entered` for the whole column. */
export function columnQuality(rawRanks: number, boundMs: number | undefined, basis: Basis): string {
  if (basis === 'raw') return 'raw, clocks not aligned';
  if (rawRanks > 0 && boundMs === undefined) return 'raw, clocks not known';
  if (rawRanks > 0) return `corrected, ${rawRanks} raw`;
  return boundMs === undefined || boundMs === 0 ? 'corrected' : `corrected, ${formatBound(boundMs)}`;
}

export interface StepTimeText {
  readonly time: string;
  readonly quality: string;
  /** ISO 8601 UTC, in the same basis; null = not recorded. */
  readonly iso: string | null;
}

export function stepTimeText(at: StepTime | undefined, basis: Basis): StepTimeText {
  if (at === undefined) return { time: '', quality: 'time not recorded', iso: null };
  const shift = basis === 'raw' ? 0 : (at.offsetMs ?? 0);
  const ns = epochNs(BigInt(at.rawNs) - BigInt(Math.round(shift * 1e6)));
  return { time: timeOfDay(formatEpochNs(ns, 3)), quality: stepQuality(at, basis), iso: formatEpochNs(ns, 9) };
}

function stepQuality({ offsetMs, boundMs }: StepTime, basis: Basis): string {
  if (basis === 'raw' || offsetMs === undefined) return 'raw';
  if (boundMs === undefined) return 'bound not known';
  return boundMs === 0 ? '' : formatBound(boundMs);
}

/** `288 ms`, `0.4 ms`; `not done` where somebody is still inside, `no end time` where the recorder keeps none. */
export function longestText(longestMs: number, entered: boolean, open: boolean): string {
  if (Number.isFinite(longestMs))
    return longestMs < 1000 ? `${shortNumber(longestMs)} ms` : formatDurationMs(longestMs);
  if (!entered) return '';
  return open ? 'not done' : 'no end time';
}

const shortNumber = (value: number): string =>
  value < 10 ? String(Number(value.toFixed(1))) : String(Math.round(value));

/** Which of two raw times came first, by the widest their clocks may be off: never more than is known. */
export function orderOfRaw(
  a: { readonly ns: number; readonly clock: number },
  b: { readonly ns: number; readonly clock: number },
  clocks: readonly CollectiveClock[],
): { readonly word: 'certain' | 'undecided'; readonly text: string } {
  const [x, y] = [clocks[a.clock], clocks[b.clock]];
  if (a.clock === b.clock && a.clock >= 0) return { word: 'certain', text: gapText((b.ns - a.ns) / 1e6) };
  if (x?.offsetMs === undefined || y?.offsetMs === undefined || x.boundMs === undefined || y.boundMs === undefined)
    return { word: 'undecided', text: 'order not determined, clocks not known' };
  const gapMs = (b.ns - a.ns) / 1e6 - (y.offsetMs - x.offsetMs);
  const boundMs = x.boundMs + y.boundMs;
  if (Math.abs(gapMs) > boundMs) return { word: 'certain', text: gapText(gapMs) };
  return {
    word: 'undecided',
    text: `order not determined (gap ${formatDurationMs(Math.abs(gapMs))}, bound ${formatBound(boundMs).slice(1)})`,
  };
}

const gapText = (ms: number): string =>
  ms === 0 ? 'at the same time' : `${formatDurationMs(Math.abs(ms))} ${ms > 0 ? 'later' : 'earlier'}`;
