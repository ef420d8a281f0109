/**
 * The first call at which members of a group did different things: another operation, another size, another type.
 *
 *          #31         #32            #33
 *   0      all_reduce  all_gather     barrier
 *   1      all_reduce  all_gather     barrier
 *   6      all_reduce  all_gather     all_reduce      ← op, ranks [6]
 *
 * Only calls that two members or more still hold are compared: "not recorded" is not "did not join". A difference that
 * everybody left behind (a later call agrees and has ended everywhere) did no harm and is not reported: unequal parts
 * are legal for some operations, and what they may be is not recorded.
 * The majority's value is expected, the others deviate; without a majority the sides are listed. Members that the dumps do not show vote by
 * their time-out lines (`votes.ts`), and where the group has others of its kind, their members by the same call there (`kin.ts`). O(entries of these groups).
 */

import { nameRanks } from '../../lib/rank-set.ts';
import type { StackFrame } from '../../model/events.ts';
import type { Divergence, DivergenceKind } from '../../model/facts.ts';
import { type CallKeys, type Column, columnOf } from './call-columns.ts';
import { type CallKey, callText, callView } from './calls.ts';
import { splitOp } from './dump-view.ts';
import type { LoggedTimeout } from './from-logs.ts';
import type { Member } from './groups.ts';
import { kinVoices } from './kin.ts';
import { type GroupPositions, hasEnded } from './positions.ts';
import { type SideCall, sideOfLine } from './votes.ts';

interface Slot {
  holders: number;
  readonly first: number;
  same: boolean;
  /** Ended on every holder, and every holder has gone on. */
  left: boolean;
}

/**
 * Finds the first difference of a group that still matters; undefined if there is none. `known`: per rank, see `columnOf`. `lines`: by rank,
 * the call of this group in which it timed out by its own words. `kin`: other groups of its kind.
 */
export function findMismatch(
  where: GroupPositions,
  keys: CallKeys,
  known: (rank: number) => Map<string, number>,
  lines: ReadonlyMap<number, LoggedTimeout> = new Map(),
  kin: readonly GroupPositions[] = [],
): Divergence | undefined {
  const columns = where.group.members.map((member) => columnOf(member, keys, known(member.rank)));
  const slots = new Map<number, Slot>();
  for (const column of columns) fillSlots(slots, column, where);
  let left = -1;
  for (const [seq, slot] of slots) if (slot.holders >= 2 && slot.same && slot.left && seq > left) left = seq;
  const differing: number[] = [];
  for (const [seq, slot] of slots) if (!slot.same && seq > left) differing.push(seq);
  differing.sort((a, b) => a - b);
  const [seq] = differing;
  if (seq === undefined) return undefined;
  const voices = kin.length === 0 ? new Map() : kinVoices(columns, kin, seq, keys, known);
  return describe(where, columns, seq, { keys, lines, kin: voices });
}

function fillSlots(slots: Map<number, Slot>, column: Column, where: GroupPositions): void {
  const { view } = column.member;
  const newest = view.dump.columns.length - 1;
  for (let i = 0; i < column.seqs.length; i++) {
    const seq = column.seqs[i] ?? 0;
    const key = column.keys[i] ?? 0;
    const row = column.rows[i] ?? 0;
    const left = hasEnded(view, row, where.endsOnly) && (!where.endsOnly || row < newest);
    const slot = slots.get(seq);
    if (slot === undefined) slots.set(seq, { holders: 1, first: key, same: true, left });
    else {
      slot.holders++;
      slot.same &&= slot.first === key;
      slot.left &&= left;
    }
  }
}

interface Side {
  readonly key: CallKey;
  readonly ranks: number[];
  /** Ranks on this side by a line only; not among `ranks`. */
  readonly voices: number[];
  /** Ranks of other groups of one kind that made this call there. */
  readonly kin: readonly number[];
  readonly member: Member;
  readonly row: number;
}

interface Known {
  readonly keys: CallKeys;
  readonly lines: ReadonlyMap<number, LoggedTimeout>;
  readonly kin: ReadonlyMap<number, readonly number[]>;
}

function describe(
  where: GroupPositions,
  columns: readonly Column[],
  seq: number,
  { keys, lines, kin }: Known,
): Divergence {
  const sides = new Map<number, Side>();
  for (const column of columns) {
    const i = indexOf(column.seqs, seq);
    if (i < 0) continue;
    const id = column.keys[i] ?? 0;
    const side = sides.get(id);
    if (side !== undefined) side.ranks.push(column.member.rank);
    else {
      const key = keys.keys[id] ?? { op: '', sizes: '', dtypes: '' };
      sides.set(id, {
        key,
        ranks: [column.member.rank],
        voices: [],
        kin: kin.get(id) ?? [],
        member: column.member,
        row: column.rows[i] ?? 0,
      });
    }
  }
  const listed = [...sides.values()];
  const others = takeVotes(where, listed, seq, lines);
  const ordered = listed.sort((a, b) => sizeOf(b) - sizeOf(a) || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
  return verdictOn(where, ordered, seq, others);
}

const sizeOf = (side: Side): number => side.ranks.length + side.voices.length + side.kin.length;
const allOf = (side: Side): number[] => [...side.ranks, ...side.voices].sort((a, b) => a - b);

/** Puts each member that tells its call by a line only on its side; returns those that made yet another call. */
function takeVotes(
  where: GroupPositions,
  sides: readonly Side[],
  seq: number,
  lines: ReadonlyMap<number, LoggedTimeout>,
): { readonly rank: number; readonly line: LoggedTimeout }[] {
  const heard = new Set(sides.flatMap((side) => side.ranks));
  const calls = sides.map((side) => sideCall(side));
  const others: { readonly rank: number; readonly line: LoggedTimeout }[] = [];
  for (const [rank, line] of [...lines].sort(([a], [b]) => a - b)) {
    if (line.seq !== seq || heard.has(rank) || !where.group.ranks.includes(rank)) continue;
    const side = sideOfLine(calls, line);
    if (side === 'other') others.push({ rank, line });
    else if (side !== undefined) sides[side]?.voices.push(rank);
  }
  return others;
}

function verdictOn(
  where: GroupPositions,
  sides: readonly Side[],
  seq: number,
  others: readonly { readonly rank: number; readonly line: LoggedTimeout }[],
): Divergence {
  const { group } = where;
  const votes = sides.reduce((sum, side) => sum + sizeOf(side), others.length);
  const [largest] = sides;
  const majority = largest !== undefined && sizeOf(largest) * 2 > votes && sizeOf(largest) >= 2 ? largest : undefined;
  const voices = [...sides.flatMap((side) => side.voices), ...others.map(({ rank }) => rank)].sort((a, b) => a - b);
  const minority = sides.filter((side) => side !== majority);
  const kind = kindOf(sides);
  const views = (majority === undefined ? sides : [...minority, majority]).map((side) =>
    callView(side.member.view, side.row, seq, where.endsOnly, where.byRank.get(side.member.rank)?.open?.seq),
  );
  const texts = sides.map((side) => sideText(side));
  const parting = stacksPart(views[0]?.frames ?? [], views[views.length - 1]?.frames ?? []);
  const ranks =
    majority === undefined
      ? []
      : [...minority.flatMap((side) => allOf(side)), ...others.map(({ rank }) => rank)].sort((a, b) => a - b);
  return {
    group: group.id,
    seq,
    kind,
    ranks,
    sides: majority === undefined ? [...sides.map((side) => allOf(side)), ...others.map(({ rank }) => [rank])] : [],
    expected: majority === undefined ? (texts[0] ?? '') : sideText(majority),
    actual: (majority === undefined ? texts.slice(1) : minority.map((side) => sideText(side))).join(' / '),
    agreeing: majority === undefined ? [] : allOf(majority),
    calls: views,
    basis: 'dump',
    ...(voices.length === 0 ? {} : { voices }),
    why: argue(where, sides, majority, seq) + (parting === undefined ? '' : `; their stacks part at ${parting}`),
  };
}

function argue(where: GroupPositions, sides: readonly Side[], majority: Side | undefined, seq: number): string {
  const members = where.group.ranks.length;
  const holders = sides.reduce((sum, side) => sum + side.ranks.length, 0);
  const who =
    holders === members
      ? `all ${members} members hold call #${seq}`
      : `${holders} of ${members} members hold call #${seq} in their dumps`;
  const parts = sides.map(
    (side) =>
      `${side === majority && side.ranks.length > 1 ? `${side.ranks.length} ranks` : nameRanks(side.ranks)}: ${sideText(side)}`,
  );
  const told = sides.filter((side) => side.voices.length > 0);
  const lines = told.map((side) => `${nameRanks(side.voices)} on the side of ${nameRanks(side.ranks)}`).join(', ');
  const kin = sides.flatMap((side) =>
    side.kin.length === 0
      ? []
      : `; in the other groups of ${where.group.desc}, whose earlier calls are the same, ${nameRanks(side.kin)} made the call of ${nameRanks(side.ranks)}`,
  );
  return `${who}${lines === '' ? '' : `, and time-out lines put ${lines}`}${kin.join('')}; ${majority === undefined ? 'no side has a majority: ' : ''}${parts.join('; ')}`;
}

/** Where two stacks part, seen from the program's start: `train.py:199 train / train.py:182 train`; undefined if they are alike or absent. */
function stacksPart(a: readonly StackFrame[], b: readonly StackFrame[]): string | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  const name = (frame: StackFrame | undefined): string =>
    frame === undefined
      ? 'the end'
      : `${frame.file.slice(frame.file.lastIndexOf('/') + 1)}:${frame.line} ${frame.name}`;
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [left, right] = [a[a.length - i], b[b.length - i]];
    if (left?.file === right?.file && left?.line === right?.line && left?.name === right?.name) continue;
    return `${name(left)} / ${name(right)}`;
  }
  return undefined;
}

function kindOf(sides: readonly Side[]): DivergenceKind {
  const differ = (value: (key: CallKey) => string): boolean => new Set(sides.map((side) => value(side.key))).size > 1;
  if (differ((key) => key.op)) return 'op';
  return differ((key) => key.sizes) ? 'size' : 'dtype';
}

function sideText(side: Side): string {
  const { dump } = side.member.view;
  const c = dump.columns;
  const input = dump.strings[c.inputDtypes[side.row] ?? -1];
  const output = dump.strings[c.outputDtypes[side.row] ?? -1];
  return callText({ ...sideCall(side), dtypes: input !== undefined && input !== '' ? input : output });
}

function sideCall(side: Side): SideCall {
  const { dump } = side.member.view;
  const c = dump.columns;
  return {
    op: splitOp(dump.strings[c.op[side.row] ?? -1] ?? '').op,
    inputSizes: dump.shapes[c.inputSizes[side.row] ?? -1],
    outputSizes: dump.shapes[c.outputSizes[side.row] ?? -1],
  };
}

/** Position of `value` in ascending `values`, -1 if it is not there. */
function indexOf(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = values[middle] ?? 0;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
