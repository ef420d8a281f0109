/** Sets of global ranks as sorted arrays without repeats, and as people write them. */

/** Sorted ascending, without repeats. Empty in, empty out. */
export function rankSet(ranks: Iterable<number>): number[] {
  return [...new Set(ranks)].sort((a, b) => a - b);
}

/** `0–36, 38–87`: runs of three or more are joined by an en dash. Empty in: `none`. Input may be unsorted. */
export function formatRanks(ranks: Iterable<number>): string {
  const sorted = rankSet(ranks);
  if (sorted.length === 0) return 'none';
  const parts: string[] = [];
  let start = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && sorted[i] === (sorted[i - 1] ?? Number.NaN) + 1) continue;
    const run = sorted.slice(start, i);
    if (run.length > 2) parts.push(`${run[0]}–${run[run.length - 1]}`);
    else parts.push(...run.map(String));
    start = i;
  }
  return parts.join(', ');
}

/** `rank 3`, `ranks 3 and 5`, `ranks 0–36, 38–87`; `no rank` for an empty set. */
export function nameRanks(ranks: Iterable<number>): string {
  const sorted = rankSet(ranks);
  const [first, second] = sorted;
  if (first === undefined) return 'no rank';
  if (second === undefined) return `rank ${first}`;
  if (sorted.length === 2) return `ranks ${first} and ${second}`;
  return `ranks ${formatRanks(sorted)}`;
}

/** The same with a capital, for the start of a sentence. */
export function nameRanksAtStart(ranks: Iterable<number>): string {
  const name = nameRanks(ranks);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** True if every member of `part` is in `whole`. The empty set is in every set. */
export function isWithin(part: Iterable<number>, whole: Iterable<number>): boolean {
  const set = new Set(whole);
  for (const rank of part) if (!set.has(rank)) return false;
  return true;
}

/** Members of `a` that are not in `b`, sorted. */
export function without(a: Iterable<number>, b: Iterable<number>): number[] {
  const drop = new Set(b);
  return rankSet(a).filter((rank) => !drop.has(rank));
}
