/**
 * The calls around the first divergence, for people: which sets of ranks behaved alike, and what each did at each call.
 *
 *            6         0–5, 7
 *   #31      ✓ A       ✓ A
 *   #32      – never   · waiting B         ← the divergence
 *
 * Members are folded by what they did in the shown rows, sizes compared by what has to agree (so all-to-all with own sizes stays one
 * column). O(entries of the group + members × rows).
 */

import {
  type CellState,
  type DivergenceTable,
  MAX_TABLE_COLUMNS,
  type TableCell,
  type TableColumn,
} from '../../model/divergence-table.ts';
import type { Divergence, GroupFact, MemberState } from '../../model/facts.ts';
import { callKey, callText, callView } from './calls.ts';
import { stateWithoutRecord } from './cell-state.ts';
import type { GroupPositions, Position } from './positions.ts';

const ROWS_BEFORE = 3;
const ROWS_AFTER = 2;
/** Longer call texts are cut: a list of thousands of tensors tells nobody more. */
const MAX_CALL_TEXT = 120;

interface Seen {
  readonly state: CellState;
  /** What has to agree, and what is shown of it. */
  readonly key: string;
  readonly text: string | undefined;
}

interface Draft {
  readonly ranks: number[];
  readonly seen: readonly Seen[];
  from: number | undefined;
  to: number | undefined;
}

/** Undefined for transfers (their numbers differ between the two ends) and where no member tells anything. */
export function divergenceTable(
  groups: readonly GroupPositions[],
  facts: readonly GroupFact[],
  first: Divergence | undefined,
): DivergenceTable | undefined {
  if (first === undefined || /^(?:send|recv) /.test(first.expected)) return undefined;
  const fact = facts.find((one) => one.id === first.group);
  if (fact === undefined) return undefined;
  const where = groups.find((one) => one.group.id === first.group);
  const states = new Map(fact.members.map((member) => [member.rank, member]));
  const rows = rowsAround(first.seq, fact);
  const drafts = new Map<string, Draft>();
  for (const rank of new Set([...fact.ranks, ...states.keys()])) {
    const at = where?.byRank.get(rank);
    const state = states.get(rank);
    const seen =
      where !== undefined && at !== undefined ? fromDump(where, at, rows) : rows.map((seq) => fromCounters(state, seq));
    const key = `${deviatesIn(first, rank)}\n${seen.map((one) => `${one.state} ${one.key}`).join('\n')}`;
    const draft = drafts.get(key) ?? { ranks: [], seen, from: undefined, to: undefined };
    drafts.set(key, draft);
    draft.ranks.push(rank);
    if (at?.oldest !== undefined && (draft.from === undefined || at.oldest < draft.from)) draft.from = at.oldest;
    if (at?.newest !== undefined && at.oldest !== undefined && (draft.to === undefined || at.newest > draft.to))
      draft.to = at.newest;
  }
  return settle(first, rows, [...drafts.values()]);
}

/** Whether a rank is what the divergence is about; without a majority every side but the largest is. */
function deviatesIn(first: Divergence, rank: number): boolean {
  return first.ranks.includes(rank) || first.sides.some((side, i) => i > 0 && side.includes(rank));
}

function rowsAround(seq: number, fact: GroupFact): number[] {
  let top = seq;
  let oldest = seq;
  for (const { newestSeq, oldestSeq } of fact.members) {
    top = Math.max(top, newestSeq ?? seq);
    oldest = Math.min(oldest, oldestSeq ?? seq);
  }
  const rows: number[] = [];
  for (let at = Math.max(oldest, seq - ROWS_BEFORE); at <= Math.min(top, seq + ROWS_AFTER); at++) rows.push(at);
  return rows;
}

function fromDump(where: GroupPositions, at: Position, rows: readonly number[]): Seen[] {
  const { view, local } = at.member;
  const [low, high] = [rows[0] ?? 0, rows[rows.length - 1] ?? 0];
  const rowOf = new Map<number, number>();
  for (let i = (local?.seqs.length ?? 0) - 1; i >= 0; i--) {
    const seq = local?.seqs[i] ?? -1;
    const row = local?.rows[i];
    if (row !== undefined && seq >= low && seq <= high) rowOf.set(seq, row);
  }
  return rows.map((seq): Seen => {
    const row = rowOf.get(seq);
    if (row === undefined) return { state: withoutRecord(at, seq), key: '', text: undefined };
    const call = callView(view, row, seq, where.endsOnly, at.open?.seq);
    const { op, sizes, dtypes } = callKey(view.dump, row);
    return { state: call.state, key: `${op} ${sizes} ${dtypes}`, text: callText(call) };
  });
}

function withoutRecord(at: Position, seq: number): CellState {
  const { basis, enqueued, done, open, oldest, member } = at;
  const cut = member.view.dump.truncatedAt !== undefined;
  return stateWithoutRecord({ basis, enqueued, done, open: open?.seq, oldest, cut }, seq);
}

/** A member of which only log lines tell, or nothing at all. */
function fromCounters(state: MemberState | undefined, seq: number): Seen {
  const none = (word: CellState): Seen => ({ state: word, key: '', text: undefined });
  if (state === undefined) return none('no-dump');
  const { waitsIn, lastCompleted, lastEnqueued } = state;
  if (waitsIn?.seq === seq) return { state: 'waiting', key: waitsIn.op, text: callText(waitsIn) };
  if (lastCompleted !== undefined && seq <= lastCompleted) return none('completed');
  if (lastEnqueued === undefined) return none('unknown');
  return none(seq > lastEnqueued ? 'never-enqueued' : 'enqueued');
}

function settle(first: Divergence, rows: readonly number[], drafts: readonly Draft[]): DivergenceTable | undefined {
  const bySize = [...drafts].sort((a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
  const isOdd = (draft: Draft): boolean => deviatesIn(first, draft.ranks[0] ?? -1);
  const isTold = (draft: Draft): boolean => draft.seen.some((one) => one.state !== 'no-dump');
  if (!bySize.some(isTold)) return undefined;
  const odd = bySize.filter(isOdd);
  const told = bySize.filter((draft) => !isOdd(draft) && isTold(draft));
  const silent = bySize.filter((draft) => !isOdd(draft) && !isTold(draft));
  const ordered = [...odd.slice(0, 1), ...told.slice(0, 1), ...odd.slice(1), ...told.slice(1), ...silent];
  const kept = ordered.slice(0, MAX_TABLE_COLUMNS);
  const calls: string[] = [];
  const indexOf = (text: string): number => {
    const cut = text.length > MAX_CALL_TEXT ? `${text.slice(0, MAX_CALL_TEXT - 1)}…` : text;
    const known = calls.indexOf(cut);
    return known >= 0 ? known : calls.push(cut) - 1;
  };
  const columns = kept.map((draft): TableColumn => {
    const deviates = isOdd(draft);
    const cells = draft.seen.map(
      (one, i): TableCell => ({
        state: one.state,
        call: one.text === undefined ? undefined : indexOf(one.text),
        deviates: deviates && rows[i] === first.seq,
      }),
    );
    const held = draft.from === undefined || draft.to === undefined ? undefined : { from: draft.from, to: draft.to };
    return { ranks: draft.ranks.sort((a, b) => a - b), deviates, held, cells };
  });
  const moreRanks = ordered.slice(MAX_TABLE_COLUMNS).reduce((sum, draft) => sum + draft.ranks.length, 0);
  return { group: first.group, seq: first.seq, rows: [...rows], columns, moreRanks, calls };
}
