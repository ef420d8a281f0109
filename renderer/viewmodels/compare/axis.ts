/** The common axis of two cases: signed seconds around the moment that they are aligned by. */
import { stepFor } from '../timeline/axis.ts';
import type { TimeSpan } from '../timeline/span.ts';
import { formatSignedNs } from '../times.ts';

const S = 1e9;
/** At least `minPx` apart; 0 is among them if the span holds it. */
export function relativeTicks(
  span: TimeSpan,
  widthPx: number,
  minPx: number,
): readonly { readonly at: number; readonly label: string }[] {
  if (widthPx < minPx) return [];
  const step = stepFor(span, widthPx, minPx);
  const ticks: { at: number; label: string }[] = [];
  for (let at = Math.ceil(span.from / step) * step; at <= span.to; at += step)
    ticks.push({ at: at === 0 ? 0 : at, label: at === 0 ? '0' : relativeLabel(at, step) });
  return ticks;
}

export function relativeLabel(at: number, step: number): string {
  const digits = step >= S ? 0 : step >= 1e6 ? 3 : 6;
  return formatSignedNs(BigInt(Math.round(at)), digits);
}

/** Calls shown before 0 at first: enough to see the pace that ends there, few enough to read their names. */
const CALLS_BEFORE = 7;

/**
 * What is shown at first: some calls before the zero and half as much again after it, as far as either case goes; at the first stamp, where
 * nothing lies before, only after it. `paceNs`: the slower usual time from call to call; null = not known: two thirds behind the zero, at most
 * ten minutes.
 */
export function firstSpan(whole: TimeSpan, paceNs: number | null, atStart = false): TimeSpan {
  const length = Math.min(whole.to - whole.from, paceNs === null ? 600 * S : paceNs * CALLS_BEFORE * 2.5);
  const from = Math.max(whole.from, atStart ? -length / 20 : -length * (paceNs === null ? 1 / 3 : 0.4));
  return { from, to: Math.max(Math.min(whole.to, from + length), from + 1e6) };
}
