/**
 * The rank that a dump's file name claims.
 *
 *   nccl_trace_rank_12 → 12    _dump_3 → 3    rank_7.json → 7    nccl_trace_rank_host4_9 → 9    fr_rank_3_20260107153000 → 3
 *
 * Trailing digits count, one known ending aside. A number too large for a rank is a time stamp: then `rank_N` inside the
 * name is taken. Undefined if nothing fits. The caller checks it against the ranks of the dump's groups.
 */
const ENDINGS = /\.(?:pickle|pkl|json|bin|dump|trace|txt|log|dat)$/i;
const TRAILING = /(\d{1,20})$/;
const NAMED = /rank[_-]?(\d{1,7})(?!\d)/gi;
/** Larger than any job: chosen, not measured. */
const MAX_RANK = 1_000_000;

export function rankOfName(path: string): number | undefined {
  const base = path.slice(path.lastIndexOf('/') + 1).slice(-255);
  const trailing = TRAILING.exec(base) ?? TRAILING.exec(base.replace(ENDINGS, ''));
  const last = trailing?.[1] === undefined ? undefined : Number(trailing[1]);
  if (last !== undefined && last <= MAX_RANK) return last;
  let named: number | undefined;
  for (const match of base.matchAll(NAMED)) named = Number(match[1]);
  return named !== undefined && named <= MAX_RANK ? named : undefined;
}

/** True if a name looks like a dump's: needed for files without content only. */
export const isDumpName = (path: string): boolean =>
  /(?:(?:nccl|comm_lib|fr)_trace|_dump_|fr_rank|flight.?recorder)[^/]{0,200}\d$/i.test(path.slice(-300));
