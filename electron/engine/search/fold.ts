/**
 * Rows of a list as they are shown: lines of one shape from different ranks or files within a second become one line and a row that
 * tells how many there are; a long silence becomes a row of its own.
 *
 *   12:13:41.206  r0   Watchdog caught collective operation timeout …
 *                 507 similar lines from 507 other ranks in 80 ms
 *   ─────────────  10 m 0.1 s without a matching line
 *
 * Never folded: lines of the ranks that the case names first, and lines of records. O(n · w), w = lines of one shape in a second.
 */
import type { MatchList } from './match-list.ts';

/** Chosen: watchdogs of one job bark within a fraction of it, repeated steps of one rank are further apart. */
const FOLD_NS = 1e9;
/** Fewer lines are as well shown. */
const FOLD_FROM = 3;
/** Shorter silences are no news. */
const GAP_NS = 30e9;

export type ListRow =
  | { readonly kind: 'line'; readonly at: number; readonly folded: boolean }
  | {
      readonly kind: 'fold';
      /** Position of the line that stands for all. */
      readonly head: number;
      readonly members: readonly number[];
      readonly open: boolean;
    }
  | { readonly kind: 'gap'; readonly fromNs: number; readonly toNs: number };

export interface FoldOptions {
  readonly fold: boolean;
  /** Ranks whose lines always stand for themselves. */
  readonly keep: ReadonlySet<number>;
  /** Keys of the lines whose members are shown. */
  readonly open: ReadonlySet<string>;
  readonly keyOf: (at: number) => string;
  readonly fileOf: (at: number) => number;
  /** Lines from here on have no time: no silence is measured between them. */
  readonly timedNs: number;
}

export function foldRows(list: MatchList, options: FoldOptions): readonly ListRow[] {
  const folded = new Uint8Array(list.count);
  const rows: ListRow[] = [];
  for (let at = 0; at < list.count; at += 1) {
    if (folded[at] === 1) continue;
    const gap = gapBefore(list, at, options.timedNs);
    if (gap !== undefined) rows.push(gap);
    rows.push({ kind: 'line', at, folded: false });
    const members = options.fold ? similarTo(list, at, folded, options) : [];
    if (members.length < FOLD_FROM) continue;
    const open = options.open.has(options.keyOf(at));
    rows.push({ kind: 'fold', head: at, members, open });
    for (const member of members) {
      folded[member] = 1;
      if (open) rows.push({ kind: 'line', at: member, folded: true });
    }
  }
  return rows;
}

function gapBefore(list: MatchList, at: number, timedNs: number): ListRow | undefined {
  if (at === 0) return undefined;
  const fromNs = list.keyNs[at - 1] ?? 0;
  const toNs = list.keyNs[at] ?? 0;
  return toNs - fromNs >= GAP_NS && toNs < timedNs ? { kind: 'gap', fromNs, toNs } : undefined;
}

function similarTo(
  list: MatchList,
  head: number,
  folded: Uint8Array,
  { keep, fileOf }: FoldOptions,
): readonly number[] {
  if (list.continues[head] === 1 || keep.has(list.rank[head] ?? -1)) return [];
  if (head + 1 < list.count && list.continues[head + 1] === 1) return [];
  const shape = list.shape[head];
  const until = (list.keyNs[head] ?? 0) + FOLD_NS;
  const members: number[] = [];
  const seen = new Set([printerOf(list, head, fileOf)]);
  for (let at = head + 1; at < list.count && (list.keyNs[at] ?? 0) <= until; at += 1) {
    if (list.shape[at] !== shape || folded[at] === 1 || list.continues[at] === 1 || keep.has(list.rank[at] ?? -1))
      continue;
    if (at + 1 < list.count && list.continues[at + 1] === 1 && list.block[at + 1] === list.block[at]) continue;
    const printer = printerOf(list, at, fileOf);
    // The same rank again is news: it is not folded away.
    if (seen.has(printer)) continue;
    seen.add(printer);
    members.push(at);
  }
  return members;
}

/** Lines whose rank is not known are told apart by their files alone. */
const printerOf = (list: MatchList, at: number, fileOf: (at: number) => number): string =>
  list.rank[at] === -1 ? `f${fileOf(at)}` : `r${list.rank[at]}`;
