/**
 * A column of a program's log lines that may be its rank:
 *
 *   2026-11-29 19:11:07,741 | 0 | train.py:176 | rank 0 of 6 (local 0) pid 29903
 *   2026-11-29 19:11:13,687 | 0 | train.py:111 | step 4 loss 2.3016
 *
 * It is the rank if every line that announces a rank agrees with it; one that disagrees (a local rank, an epoch) refutes
 * it for good. A number that nobody announced says nothing. Learned line by line within one place.
 */

/** More announced ranks than this are not remembered. */
const MAX_RANKS = 100_000;
const COLUMN = /^\| ?(\d{1,7}) ?\|/;

export interface RankColumn {
  /** Value of the column in a message without its stamp; undefined if there is none. */
  read(text: string): number | undefined;
  /** The rank that a column value stands for; undefined while that is not known. */
  rankOf(value: number): number | undefined;
  /** Both in one, for ASCII text that begins at `at` and ends before a line feed or the last byte; -1 if there is none or it is not known. */
  rankIn(bytes: Uint8Array, at: number): number;
  /** A line that carries `value` (undefined = no column) announced `rank`. */
  announced(rank: number, value: number | undefined): void;
}

export function createRankColumn(): RankColumn {
  const ranks = new Set<number>();
  let refuted = false;
  let agreed = false;
  return {
    read(text) {
      if (refuted || text.charCodeAt(0) !== 124) return undefined;
      const match = COLUMN.exec(text);
      return match === null ? undefined : Number(match[1]);
    },
    rankOf(value) {
      return agreed && !refuted && ranks.has(value) ? value : undefined;
    },
    rankIn(bytes, at) {
      if (!agreed || refuted) return -1;
      const value = valueIn(bytes, at);
      return ranks.has(value) ? value : -1;
    },
    announced(rank, value) {
      if (ranks.size < MAX_RANKS) ranks.add(rank);
      if (value === undefined) return;
      if (value === rank) agreed = true;
      else refuted = true;
    },
  };
}

/** The value of COLUMN in bytes; -1 if there is none. */
function valueIn(bytes: Uint8Array, at: number): number {
  let next = bytes[at + 1] === 32 ? at + 2 : at + 1;
  const first = next;
  let value = 0;
  for (let digit = (bytes[next] ?? 0) - 48; digit >= 0 && digit <= 9; digit = (bytes[next] ?? 0) - 48) {
    value = value * 10 + digit;
    next += 1;
    if (next - first > 7) return -1;
  }
  if (next === first) return -1;
  if (bytes[next] === 32) next += 1;
  return bytes[next] === 124 ? value : -1;
}
