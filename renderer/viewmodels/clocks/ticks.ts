/** Marks of an axis of offsets, ms, with their words. */

export interface OffsetTick {
  /** ms. */
  readonly at: number;
  readonly label: string;
}

const STEPS = [1, 2, 2.5, 3, 4, 5] as const;

/** At most `count` of them at round values inside [least, most], ascending; 0 is among them if it is inside. Empty if `most` is not above `least`. */
export function offsetTicks(least: number, most: number, count: number): readonly OffsetTick[] {
  const span = most - least;
  if (!(span > 0) || !Number.isFinite(span) || count < 1) return [];
  for (let power = Math.floor(Math.log10(span / count)); ; power++) {
    for (const digit of STEPS) {
      const step = digit * 10 ** power;
      const [from, to] = [Math.ceil(least / step), Math.floor(most / step)];
      if (to - from + 1 > count) continue;
      const values = Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step);
      const words = tickWords(values);
      return values.map((at, i) => ({ at, label: words[i] ?? '' }));
    }
  }
}

/** The topmost one carries the unit; seconds where milliseconds would be long numbers. Ascending, ms. */
export function tickWords(splits: readonly number[]): string[] {
  const inSeconds = splits.some((ms) => Math.abs(ms) >= 1000) && splits.every((ms) => Math.abs(ms % 100) < 1e-6);
  return splits.map((ms, i) => {
    const sign = ms > 0 ? '+' : ms < 0 ? '−' : '';
    const size = Number((Math.abs(ms) / (inSeconds ? 1000 : 1)).toFixed(3));
    return `${size === 0 ? '' : sign}${size}${i === splits.length - 1 ? (inSeconds ? ' s' : ' ms') : ''}`;
  });
}
