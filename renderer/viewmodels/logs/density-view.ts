/** The strip of lines by time: bars, ticks, and what it says in one sentence. */
import { formatCount, formatDurationMs } from '#shared/text/format.ts';
import { timeOfDay } from '../times.ts';
import { isoAt } from './line-rows.ts';

export interface DensityColumns {
  readonly errors: Uint32Array;
  readonly warnings: Uint32Array;
  readonly others: Uint32Array;
}

export interface DensityScene extends DensityColumns {
  /** Most lines in one bucket. */
  readonly peak: number;
  /** Most lines of one series in one bucket: the height of the strip. */
  readonly tallest: number;
  readonly peakAt: number;
  readonly ticks: readonly { readonly share: number; readonly label: string }[];
  /** One sentence: range, peak, where. */
  readonly words: string;
  readonly peakWords: string;
}

interface DensitySpan {
  readonly originNs: string;
  readonly fromNs: number;
  readonly toNs: number;
}

/** Steps of a time axis in seconds. */
const STEPS_S = [
  1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200,
  86_400, 604_800,
];

export function densityScene(columns: DensityColumns, span: DensitySpan, widthPx: number): DensityScene {
  let peak = 0;
  let peakAt = 0;
  let tallest = 0;
  for (let i = 0; i < columns.errors.length; i += 1) {
    const lines = totalAt(columns, i);
    tallest = Math.max(tallest, columns.errors[i] ?? 0, columns.warnings[i] ?? 0, columns.others[i] ?? 0);
    if (lines <= peak) continue;
    peak = lines;
    peakAt = i;
  }
  const bucketMs = (span.toNs - span.fromNs) / Math.max(1, columns.errors.length) / 1e6;
  const peakWords = peak === 0 ? '' : `peak ${formatCount(peak)} lines in ${formatDurationMs(Math.max(1, bucketMs))}`;
  const at = timeOfDay(isoAt(span.originNs, span.fromNs + peakAt * bucketMs * 1e6));
  return {
    ...columns,
    peak,
    tallest,
    peakAt,
    ticks: timeTicks(span, widthPx),
    peakWords,
    words: peak === 0 ? 'No lines in this range.' : `Lines by time: ${peakWords} at ${at}.`,
  };
}

export const totalAt = ({ errors, warnings, others }: DensityColumns, i: number): number =>
  (errors[i] ?? 0) + (warnings[i] ?? 0) + (others[i] ?? 0);

/** Round moments, about one every 140 px. */
function timeTicks(span: DensitySpan, widthPx: number): readonly { readonly share: number; readonly label: string }[] {
  const lengthS = (span.toNs - span.fromNs) / 1e9;
  if (!(lengthS > 0)) return [];
  const wanted = lengthS / Math.max(1, widthPx / 140);
  const step = STEPS_S.find((candidate) => candidate >= wanted) ?? 604_800;
  const origin = BigInt(span.originNs);
  const stepNs = BigInt(Math.max(1, Math.round(step * 1e9)));
  const start = origin + BigInt(Math.round(span.fromNs));
  const first = start + ((stepNs - (((start % stepNs) + stepNs) % stepNs)) % stepNs);
  const ticks: { share: number; label: string }[] = [];
  for (let at = first; ticks.length < 40; at += stepNs) {
    const ns = Number(at - origin);
    if (ns > span.toNs) break;
    const text = timeOfDay(isoAt(span.originNs, ns));
    const label = step >= 60 ? text.slice(0, -7) : step >= 1 ? text.slice(0, -4) : text;
    ticks.push({ share: (ns - span.fromNs) / (span.toNs - span.fromNs), label });
  }
  return ticks;
}
