/** The common axis of two cases: signed seconds around the moment that they are aligned by. */
import type { TimeSpan } from '../timeline/span.ts';
import { formatSignedNs } from '../times.ts';

const S = 1e9;
const STEPS = [
  1e3,
  1e4,
  1e5,
  1e6,
  2e6,
  5e6,
  1e7,
  2e7,
  5e7,
  1e8,
  2e8,
  5e8,
  S,
  2 * S,
  5 * S,
  10 * S,
  15 * S,
  30 * S,
  60 * S,
  120 * S,
  300 * S,
  600 * S,
  1800 * S,
  3600 * S,
  7200 * S,
  21_600 * S,
  86_400 * S,
] as const;

/** At least `minPx` apart; 0 is among them if the span holds it. */
export function relativeTicks(
  span: TimeSpan,
  widthPx: number,
  minPx: number,
): readonly { readonly at: number; readonly label: string }[] {
  if (widthPx < minPx) return [];
  const least = ((span.to - span.from) * minPx) / widthPx;
  const step = STEPS.find((one) => one >= least) ?? 604_800 * S;
  const ticks: { at: number; label: string }[] = [];
  for (let at = Math.ceil(span.from / step) * step; at <= span.to; at += step)
    ticks.push({ at: at === 0 ? 0 : at, label: at === 0 ? '0' : relativeLabel(at, step) });
  return ticks;
}

export function relativeLabel(at: number, step: number): string {
  const digits = step >= S ? 0 : step >= 1e6 ? 3 : 6;
  return formatSignedNs(BigInt(Math.round(at)), digits);
}

/** What is shown at first: two thirds behind the zero, as far as either case goes, at most ten minutes. */
export function firstSpan(whole: TimeSpan): TimeSpan {
  const length = Math.min(whole.to - whole.from, 600 * S);
  const from = Math.max(whole.from, -length / 3);
  return { from, to: Math.max(Math.min(whole.to, from + length), from + 1e6) };
}
