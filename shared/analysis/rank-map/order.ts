/** Small orders and groupings that keep results independent of the order of files. */
import type { SourceRef } from '../../model/source-ref.ts';

/** By code units: the same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Position inside an entry: line number, byte or record. Lines and bytes of one entry are never mixed in practice. */
export function positionOf(source: SourceRef): number {
  switch (source.kind) {
    case 'line':
      return source.line;
    case 'byte':
      return source.byte;
    case 'record':
      return source.record;
    case 'entry':
      return 0;
  }
}

/** The list under a key, made on first use. */
export function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made: V[] = [];
  map.set(key, made);
  return made;
}

export const addTo = <K>(counts: Map<K, number>, key: K, more = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + more);

/** The key with the highest count; of equal ones the one that `before` puts first. Undefined for an empty map. */
export function mostFrequent<K>(
  counts: ReadonlyMap<K, number>,
  before: (a: K, b: K) => number,
): { readonly key: K; readonly count: number } | undefined {
  let best: { key: K; count: number } | undefined;
  for (const [key, count] of counts) {
    if (best === undefined || count > best.count || (count === best.count && before(key, best.key) < 0))
      best = { key, count };
  }
  return best;
}

/** The largest value, `none` for no values. Not by spreading: arguments are limited, lists from a bundle are not. */
export function maxOf(values: Iterable<number>, none: number): number {
  let max: number | undefined;
  for (const value of values) if (max === undefined || value > max) max = value;
  return max ?? none;
}

/** Sorted, without repeats. */
export const sortedNumbers = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b);

/** "0–3, 8": ranks for a person. */
export function rangesText(values: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < values.length; ) {
    let j = i;
    while (j + 1 < values.length && values[j + 1] === (values[j] ?? 0) + 1) j += 1;
    parts.push(i === j ? `${values[i]}` : `${values[i]}–${values[j]}`);
    i = j + 1;
  }
  return parts.join(', ');
}
