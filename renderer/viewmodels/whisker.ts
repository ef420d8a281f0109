/** Offsets of clocks as whiskers on one symmetric scale. */
import type { ClockRow } from './overview.ts';

export interface WhiskerShape {
  /** px from the left. */
  readonly low: number;
  readonly high: number;
  readonly likelyLow: number;
  readonly likelyHigh: number;
  readonly title: string;
}

/** Half the width of the scale in ms: the farthest finite bound. Null if no clock has an offset. */
export function whiskerScale(rows: readonly ClockRow[]): number | null {
  const ends = rows.flatMap((row) =>
    row.offset === null ? [] : [row.offset.estimate, row.offset.low, row.offset.high],
  );
  const finite = ends.filter((value): value is number => value !== null && Number.isFinite(value));
  return finite.length === 0 ? null : Math.max(1, ...finite.map(Math.abs));
}

/** Open sides reach the edge. Null for a clock without an offset. */
export function whiskerShape(row: ClockRow, scaleMs: number, widthPx: number): WhiskerShape | null {
  const { offset } = row;
  if (offset === null) return null;
  const x = (ms: number) => Math.round(((ms / scaleMs + 1) / 2) * (widthPx - 2)) + 1;
  const low = offset.low ?? -scaleMs;
  const high = offset.high ?? scaleMs;
  const sign = offset.estimate > 0 ? '+' : '';
  return {
    low: x(low),
    high: x(high),
    likelyLow: x(offset.likelyLow ?? low),
    likelyHigh: x(offset.likelyHigh ?? high),
    title: `${row.id}: ${sign}${Number(offset.estimate.toFixed(1))} ms, between ${offset.low === null ? 'open' : Number(low.toFixed(1))} and ${offset.high === null ? 'open' : Number(high.toFixed(1))} ms`,
  };
}

/** `−100 ms`, `+1.2 s`: an end of the scale. */
export function axisLabel(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const size = Math.abs(ms);
  return `${sign}${size >= 1000 ? `${Number((size / 1000).toFixed(1))} s` : `${Math.round(size)} ms`}`;
}
