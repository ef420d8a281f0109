/**
 * One group as a table: rows are calls, columns are sets of ranks with identical content.
 *
 *   around        rows near the call in which they part; sets by all these rows
 *   all           every call; sets by the rows in which anything differs, so that scrolling does not change them
 *   differences   the same sets, only the rows that differ
 *
 * O(members × (rows sent + rows that differ, at most KEY_ROWS)).
 */
import type { Difference, GroupAnswer, ShowMode, TableRow } from './answers.ts';
import { CellReader, isByLog, STATE_CODE } from './cells.ts';
import { CellTable, type Foldable, foldRanks } from './fold.ts';
import { clockQuality, headOf, isTold, lookOf, namedRanks, openTransfers, waitsHere, withClocks } from './members.ts';
import { transferSection } from './transfers.ts';
import { type CollectiveGroup, type CollectivesView, ROW_DIFFERENCES } from './types.ts';

export interface GroupQuestion {
  readonly mode: ShowMode;
  readonly hideEqual: boolean;
  /** The call to look at; null = the one in which they part. */
  readonly seq: number | null;
  readonly from: number;
  readonly rows: number;
  readonly split: readonly number[];
}

/** Rows around the call that is looked at. */
const BEFORE = 18;
const AFTER = 14;
/** Calls behind the newest one, which nobody has enqueued. */
const BEYOND = 2;
/** Rows that sets are told apart by where all rows are shown. */
const KEY_ROWS = 64;
const MAX_DIFFERENCES = 200;
const SURE_DIFFERENCES = 10;

interface Line {
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
  /** Position in the stored rows; -1 = a call that nobody has enqueued. */
  readonly at: number;
}

export function groupTable(view: CollectivesView, group: CollectiveGroup, asked: GroupQuestion): GroupAnswer {
  const reader = new CellReader(group, view.pool);
  const all = linesOf(group);
  const differences = differencesOf(group, all);
  const focusSeq = asked.seq ?? focusOf(group, differences);
  const shown = choose(group, all, asked, focusSeq);
  const window = shown.slice(asked.from, asked.from + asked.rows);
  const keys = asked.mode === 'around' ? shown : keyLines(group, all);
  const folded = foldRanks(foldables(view, group, reader, keys), asked.split, view);
  const table = new CellTable();
  const cells = table.read(folded.members, window.length, (member, row, out) => {
    const line = window[row];
    if (line === undefined) return;
    const record = reader.record(member, line.seq, line.part);
    out.state = reader.state(member, line.seq, record);
    out.content = reader.content(record);
  });
  const transfers = transferSection(view.contents, group, folded.members, table);
  return {
    group: headOf(group, STATE_CODE.waiting),
    originNs: view.originNs,
    clocks: view.clocks,
    sets: folded.sets,
    moreRanks: folded.moreRanks,
    moreSets: folded.moreSets,
    rows: withClocks(
      view,
      window.map((line) => rowOf(group, line)),
    ),
    cells,
    contents: table.contents().flatMap((id) => view.contents[id] ?? []),
    total: shown.length,
    from: asked.from,
    focus: focusSeq === undefined ? -1 : shown.findIndex((line) => line.seq === focusSeq),
    differences: differences.slice(0, MAX_DIFFERENCES),
    differencesTotal: differences.length,
    transfers: transfers === undefined ? undefined : { ...transfers, rows: withClocks(view, transfers.rows) },
    ...clockQuality(view, group.members),
  };
}

function linesOf(group: CollectiveGroup): Line[] {
  const { seq, parts } = group.rows;
  const lines: Line[] = [];
  for (let at = 0; at < seq.length; at++) {
    const count = Math.max(1, parts[at] ?? 1);
    for (let part = 0; part < count; part++) lines.push({ seq: seq[at] ?? 0, part, parts: count, at });
  }
  const last = seq[seq.length - 1];
  if (last !== undefined) for (let i = 1; i <= BEYOND; i++) lines.push({ seq: last + i, part: 0, parts: 1, at: -1 });
  return lines;
}

function differencesOf(group: CollectiveGroup, lines: readonly Line[]): Difference[] {
  const { divergence } = group;
  const found: Difference[] = [];
  lines.forEach((line, row) => {
    if (line.part > 0 || line.at < 0) return;
    const kind = ROW_DIFFERENCES[group.rows.differs[line.at] ?? 0] ?? 'none';
    const isFirst = divergence !== undefined && !divergence.p2p && divergence.seq === line.seq;
    if (kind === 'none' && !isFirst) return;
    found.push({ seq: line.seq, kind: isFirst ? kindOf(divergence.kind, kind) : kind, row, likelyConsequence: false });
  });
  const first = found.findIndex((one) => divergence !== undefined && one.seq === divergence.seq);
  if (found.length - Math.max(0, first) - 1 <= SURE_DIFFERENCES) return found;
  return found.map((one, i) => ({ ...one, likelyConsequence: i > Math.max(0, first) }));
}

const kindOf = (
  kind: 'missing' | 'op' | 'size' | 'dtype' | 'state' | 'order',
  seen: Difference['kind'],
): Difference['kind'] => (kind === 'order' ? (seen === 'none' ? 'op' : seen) : kind);

/** The call in which they part, else the first that differs for a reason, else the oldest open one, else the newest. */
function focusOf(group: CollectiveGroup, differences: readonly Difference[]): number | undefined {
  const { divergence, places } = group;
  if (divergence !== undefined && !divergence.p2p) return divergence.seq;
  const real = differences.find((one) => one.kind !== 'tail');
  if (real !== undefined) return real.seq;
  let open = Number.POSITIVE_INFINITY;
  for (const seq of places.open) if (seq < open) open = seq;
  if (Number.isFinite(open)) return open;
  return group.rows.seq[group.rows.seq.length - 1];
}

function choose(
  group: CollectiveGroup,
  all: readonly Line[],
  asked: GroupQuestion,
  focus: number | undefined,
): readonly Line[] {
  let lines = all;
  if (asked.mode === 'around' && focus !== undefined) {
    let at = all.findIndex((line) => line.seq >= focus);
    if (at < 0) at = all.length - 1;
    lines = all.slice(Math.max(0, at - BEFORE), at + AFTER);
  }
  if (asked.mode !== 'differences' && !asked.hideEqual) return lines;
  return lines.filter((line) => line.seq === focus || (line.at >= 0 && (group.rows.differs[line.at] ?? 0) !== 0));
}

function keyLines(group: CollectiveGroup, all: readonly Line[]): readonly Line[] {
  const differing = all.filter((line) => line.at >= 0 && (group.rows.differs[line.at] ?? 0) !== 0);
  return differing.length <= KEY_ROWS ? differing : differing.slice(0, KEY_ROWS);
}

function foldables(
  view: CollectivesView,
  group: CollectiveGroup,
  reader: CellReader,
  keys: readonly Line[],
): Foldable[] {
  const named = namedRanks(view, group);
  const open = openTransfers(group, STATE_CODE.waiting);
  return Array.from(group.members, (rank, m): Foldable => {
    const told = isTold(group, m);
    const waits = waitsHere(group, m, open);
    const look = lookOf(rank, told, waits, named);
    let key = `${look} ${isByLog(group, m) ? 'log' : ''}${open.has(m) ? ' transfer' : ''}`;
    if (told)
      for (const line of keys) {
        const record = reader.record(m, line.seq, line.part);
        key += ` ${reader.state(m, line.seq, record)}:${reader.content(record)}`;
      }
    return {
      rank,
      key,
      look,
      told,
      held: (group.tracks.start[m + 1] ?? 0) > (group.tracks.start[m] ?? 0),
      oldest: group.places.oldest[m] ?? Number.NaN,
      newest: group.places.enqueued[m] ?? Number.NaN,
      byLog: isByLog(group, m),
    };
  });
}

export function rowOf(group: CollectiveGroup, line: Line): TableRow {
  const { rows } = group;
  const { at } = line;
  return {
    seq: line.seq,
    part: line.part,
    parts: line.parts,
    pair: undefined,
    differs: at < 0 ? 'none' : (ROW_DIFFERENCES[rows.differs[at] ?? 0] ?? 'none'),
    firstNs: at < 0 ? Number.NaN : (rows.firstNs[at] ?? Number.NaN),
    firstRank: at < 0 ? -1 : (group.members[rows.firstMember[at] ?? -1] ?? -1),
    firstClock: -1,
    longestMs: at < 0 ? Number.NaN : (rows.longestMs[at] ?? Number.NaN),
    folded: 1,
  };
}
