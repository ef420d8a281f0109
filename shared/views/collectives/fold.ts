/** Ranks folded into sets that behave alike, and the cells of each set. O(members × rows). */
import type { RankSetColumn, SetCells, SetLook } from './answers.ts';
import { CELL_CONTENTS, CELL_DEVIATES, CELL_MIXED, NO_PART } from './answers.ts';
import { STATE_CODE } from './cells.ts';
import type { CollectiveRank, CollectivesView, DumpPresence } from './types.ts';

/** Sets that are shown; the smallest others are counted. */
const MAX_SETS = 8;
/** Ranks that a set is split into at once. */
const MAX_SPLIT = 16;

export interface Foldable {
  readonly rank: number;
  /** Equal keys are one set. */
  readonly key: string;
  readonly look: SetLook;
  /** False if no record and no line tells of it. */
  readonly told: boolean;
  /** Whether a record of it can be shown. */
  readonly held: boolean;
  readonly oldest: number;
  readonly newest: number;
  readonly byLog: boolean;
}

export interface Folded {
  readonly sets: readonly RankSetColumn[];
  /** Members of each set, positions in what was given. */
  readonly members: readonly Int32Array[];
  readonly moreRanks: number;
  readonly moreSets: number;
}

/** `split`: any rank of each set that is to be shown rank by rank. */
export function foldRanks(items: readonly Foldable[], split: readonly number[], view: CollectivesView): Folded {
  const byKey = new Map<string, number[]>();
  items.forEach((item, i) => {
    const list = byKey.get(item.key);
    if (list === undefined) byKey.set(item.key, [i]);
    else list.push(i);
  });
  const asked = new Set(split);
  const drafts = [...byKey.values()].flatMap((members) => splitSet(members, items, asked));
  const ordered = drafts.sort((a, b) => compareDrafts(a, b, items));
  const kept = keepImportant(ordered, items);
  const left = ordered.filter((draft) => !kept.includes(draft));
  const ranks = new Map(view.ranks.map((one) => [one.rank, one]));
  return {
    sets: kept.map((draft) => columnOf(draft, items, ranks)),
    members: kept.map((draft) => Int32Array.from(draft.members)),
    moreRanks: left.reduce((sum, draft) => sum + draft.members.length, 0),
    moreSets: left.length,
  };
}

interface Draft {
  readonly members: readonly number[];
  readonly split: boolean;
  /** Ranks of the set that it was split off from, or its own: parts stay where their set was. */
  readonly size: number;
}

function splitSet(members: readonly number[], items: readonly Foldable[], asked: ReadonlySet<number>): Draft[] {
  if (asked.size === 0 || members.length < 2 || !members.some((i) => asked.has(items[i]?.rank ?? -1)))
    return [{ members, split: false, size: members.length }];
  const single = members.slice(0, MAX_SPLIT).map((i): Draft => ({ members: [i], split: true, size: members.length }));
  return members.length > MAX_SPLIT
    ? [...single, { members: members.slice(MAX_SPLIT), split: true, size: members.length }]
    : single;
}

const ORDER: Readonly<Record<SetLook, number>> = { waits: 0, fine: 0, odd: 1, first: 1, silent: 2 };

function compareDrafts(a: Draft, b: Draft, items: readonly Foldable[]): number {
  const [x, y] = [items[a.members[0] ?? -1], items[b.members[0] ?? -1]];
  if (x === undefined || y === undefined) return 0;
  return ORDER[x.look] - ORDER[y.look] || b.size - a.size || x.rank - y.rank;
}

/** The named and odd ones stay whatever their size; so do split ones, which were asked for. */
function keepImportant(ordered: readonly Draft[], items: readonly Foldable[]): readonly Draft[] {
  if (ordered.length <= MAX_SETS) return ordered;
  const weight = (draft: Draft): number => {
    const look = items[draft.members[0] ?? -1]?.look;
    return look === 'first' ? 0 : draft.split ? 1 : look === 'odd' ? 2 : 3;
  };
  const best = [...ordered].sort((a, b) => weight(a) - weight(b) || b.members.length - a.members.length);
  const splits = ordered.filter((draft) => draft.split).length;
  const most = MAX_SETS + splits;
  const keep = new Set(best.slice(0, most));
  return ordered.filter((draft) => keep.has(draft));
}

function columnOf(
  { members, split }: Draft,
  items: readonly Foldable[],
  ranks: ReadonlyMap<number, CollectiveRank>,
): RankSetColumn {
  const own = members.flatMap((i) => items[i] ?? []);
  const places = own.flatMap((item) => ranks.get(item.rank) ?? []);
  const dumps = new Map<DumpPresence, number>();
  for (const { dump } of places) dumps.set(dump, (dumps.get(dump) ?? 0) + 1);
  const [first] = own;
  return {
    ranks: Int32Array.from(own, (item) => item.rank),
    look: first?.look ?? 'silent',
    rank: (own.find((item) => item.held) ?? first)?.rank ?? -1,
    node: common(places.map((place) => place.node)),
    pod: common(places.map((place) => place.pod)),
    gpu: common(places.map((place) => place.gpu)),
    dumps: [...dumps].map(([state, count]) => ({ state, ranks: count })).sort((a, b) => b.ranks - a.ranks),
    horizon: rangeOf(own.map((item) => item.oldest)),
    newest: rangeOf(own.map((item) => item.newest)),
    byLog: own.length > 0 && own.every((item) => item.byLog),
    split,
  };
}

function common(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : undefined;
}

function rangeOf(values: readonly number[]): { readonly from: number; readonly to: number } | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return to < from ? undefined : { from, to };
}

export type CellWriter = (member: number, row: number, out: { state: number; content: number }) => void;

/** Rows × sets from a reader of single cells, each call of `cell` once a member and row. */
export class CellTable {
  private readonly contentIndex = new Map<number, number>();
  private readonly used: number[] = [];

  /**
   * Cells of all sets for `rows` rows. `cell`: writes state and content of one member into `out`. `alike`: contents with equal
   * values agree; by default each only with itself.
   */
  read(
    members: readonly Int32Array[],
    rows: number,
    cell: CellWriter,
    alike: (content: number) => number = (content) => content,
  ): SetCells[] {
    const cells = members.map((list) => readSet(list, rows, cell, alike));
    markDeviating(cells, rows, alike);
    for (const one of cells)
      for (let row = 0; row < rows; row++) {
        const content = one.content[row] ?? -1;
        if (content >= 0) one.content[row] = this.indexOf(content);
      }
    return cells;
  }

  /** Ids of contents in the order of their positions in the cells. */
  contents(): readonly number[] {
    return this.used;
  }

  private indexOf(content: number): number {
    const known = this.contentIndex.get(content);
    if (known !== undefined) return known;
    const next = this.used.push(content) - 1;
    this.contentIndex.set(content, next);
    return next;
  }
}

function readSet(members: Int32Array, rows: number, cell: CellWriter, alike: (content: number) => number): SetCells {
  const out = {
    state: new Uint8Array(rows).fill(NO_PART),
    content: new Int32Array(rows).fill(-1),
    flags: new Uint8Array(rows),
    count: new Int32Array(rows),
    part: new Int32Array(rows),
  };
  const counts = new Int32Array(16);
  const one = { state: NO_PART, content: -1 };
  for (let row = 0; row < rows; row++) {
    counts.fill(0);
    let part = 0;
    for (const member of members) {
      one.state = NO_PART;
      one.content = -1;
      cell(member, row, one);
      if (one.state === NO_PART) continue;
      part++;
      counts[one.state] = (counts[one.state] ?? 0) + 1;
      if (one.content < 0) continue;
      if ((out.content[row] ?? -1) < 0) out.content[row] = one.content;
      else if (alike(out.content[row] ?? -1) !== alike(one.content))
        out.flags[row] = (out.flags[row] ?? 0) | CELL_CONTENTS;
    }
    out.part[row] = part;
    if (part === 0) continue;
    let best = STATE_CODE.unknown;
    for (let state = 0; state < counts.length; state++) if ((counts[state] ?? 0) > (counts[best] ?? 0)) best = state;
    out.state[row] = best;
    out.count[row] = counts[best] ?? 0;
    if ((counts[best] ?? 0) < part) out.flags[row] = (out.flags[row] ?? 0) | CELL_MIXED;
  }
  return out;
}

/** Against what most ranks that hold the call have made of it. */
function markDeviating(cells: readonly SetCells[], rows: number, alike: (content: number) => number): void {
  for (let row = 0; row < rows; row++) {
    const votes = new Map<number, number>();
    for (const { content, part } of cells) {
      const id = content[row] ?? -1;
      if (id >= 0) votes.set(alike(id), (votes.get(alike(id)) ?? 0) + (part[row] ?? 0));
    }
    if (votes.size < 2) continue;
    const total = [...votes.values()].reduce((sum, count) => sum + count, 0);
    // Without a majority nobody is expected: all sides are set apart.
    const [expected] = [...votes].find(([, count]) => count * 2 > total) ?? [-1];
    for (const { content, flags } of cells)
      if ((content[row] ?? -1) >= 0 && alike(content[row] ?? -1) !== expected)
        flags[row] = (flags[row] ?? 0) | CELL_DEVIATES;
  }
}
