/** Sets of ranks as people type them: `37, 40-47`. */
import { rankSet } from './rank-set.ts';

/** Far above any job; keeps `0-999999999` from filling memory. */
const MAX_RANK = 1_000_000;

/** Sorted ranks of `37, 40-47` (commas or spaces, `-` or an en dash); null if the text is anything else. Empty text: no rank. */
export function parseRanks(text: string): number[] | null {
  const ranks: number[] = [];
  const parts = text
    .replace(/\s*[-–]\s*/g, '-')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  for (const part of parts) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
    if (!match) return null;
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (to < from || to > MAX_RANK || ranks.length + (to - from) > MAX_RANK) return null;
    for (let rank = from; rank <= to; rank += 1) ranks.push(rank);
  }
  return rankSet(ranks);
}

/** Runs of neighbours, `to` inside: [[37, 37], [40, 47]]. Input sorted. */
export function rankRuns(ranks: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const rank of ranks) {
    const last = runs.at(-1);
    if (last && last[1] === rank - 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs;
}

/** `37,40-47`: short, without spaces, read by `parseRanks`. */
export function writeRanks(ranks: readonly number[]): string {
  return rankRuns(ranks)
    .map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
    .join(',');
}
