/**
 * One call of several ranks side by side: fields, and frames aligned from the outermost by their longest common beginning.
 *
 *   train.py:242 <module>        train.py:242 <module>         same
 *   train.py:188 fit_batch       train.py:140 save_checkpoint  ≠ first
 *
 * Values come from the dumps themselves. O(sides × frames).
 */
import { splitOp } from '../../analysis/collectives/dump-view.ts';
import { CELL_STATES, type CellState } from '../../model/divergence-table.ts';
import { DUMP_STATES, type FlightRecorderDump } from '../../model/flight-recorder.ts';
import { formatDurationMs } from '../../text/format.ts';
import type { CallAnswer, CallField, CallSide } from './answers.ts';
import { CellReader, STATE_CODE } from './cells.ts';
import { BLOCK_CALLS, type CollectiveGroup, type CollectivesView } from './types.ts';

export interface CallQuestion {
  readonly seq: number;
  readonly part: number;
  /** Ends of a transfer; null = a collective. */
  readonly pair: { readonly from: number; readonly to: number } | null;
  readonly ranks: readonly number[];
}

export interface LoadedEntry {
  /** Undefined for a log, and for a dump that cannot be had any more. */
  readonly dump: FlightRecorderDump | undefined;
  readonly path: string;
}

interface LoadedDump extends LoadedEntry {
  readonly dump: FlightRecorderDump;
}

/** Frames of one stack that are sent. */
const MAX_FRAMES = 120;
const MAX_TEXT = 2000;

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

interface Side {
  readonly rank: number;
  readonly state: CellState;
  readonly entry: number | undefined;
  readonly clock: number;
  readonly loaded: LoadedDump | undefined;
  readonly path: string | undefined;
  readonly line: number | undefined;
  /** Row of the call itself; else of the newest call of the rank in this group. */
  readonly row: number | undefined;
  readonly newest: { readonly row: number; readonly seq: number } | undefined;
  readonly frames: readonly Frame[];
}

/** `load`: undefined if there is no such entry. */
export function callDetail(
  view: CollectivesView,
  group: CollectiveGroup,
  asked: CallQuestion,
  load: (entry: number) => LoadedEntry | undefined,
): CallAnswer {
  const sides = asked.ranks.map((rank) => sideOf(view, group, asked, { rank, load }));
  const stacks = sides.map((side) => side.frames.slice(0, MAX_FRAMES));
  const compared = stacks.filter((frames) => frames.length > 0);
  const common = commonFrames(compared);
  const rows = stacks.reduce((most, frames) => Math.max(most, frames.length), 0);
  const { divergence } = group;
  return {
    group: group.id,
    seq: asked.seq,
    originNs: view.originNs,
    clocks: view.clocks,
    sides: sides.map(
      (side, i): CallSide => ({
        rank: side.rank,
        state: side.state,
        entry: side.entry,
        path: side.path,
        record: side.row ?? side.newest?.row,
        line: side.line,
        clock: side.clock,
        found: side.row !== undefined,
        frames: Array.from({ length: rows }, (_, at) => stacks[i]?.[at] ?? null),
        moreFrames: Math.max(0, side.frames.length - MAX_FRAMES),
      }),
    ),
    fields: fieldsOf(view, sides),
    firstDifference: compared.length > 1 && common < rows ? common : -1,
    divergence: divergence?.seq === asked.seq && !divergence.p2p ? divergence.kind : undefined,
  };
}

function sideOf(
  view: CollectivesView,
  group: CollectiveGroup,
  asked: CallQuestion,
  { rank, load }: { readonly rank: number; readonly load: (entry: number) => LoadedEntry | undefined },
): Side {
  const member = group.members.indexOf(rank);
  const place = view.ranks.find((one) => one.rank === rank);
  const reader = new CellReader(group, view.pool);
  const found =
    member < 0 ? undefined : asked.pair === null ? ofCall(reader, member, asked) : ofTransfer(group, member, asked);
  const logEntry = group.places.logEntry[member] ?? -1;
  const logLine = group.places.logLine[member] ?? -1;
  // A member that only the log tells of leads to its line, even if it left an empty dump.
  const entry = logEntry >= 0 ? logEntry : place?.entry;
  const known = entry === undefined ? undefined : load(entry);
  const loaded = known?.dump === undefined ? undefined : { dump: known.dump, path: known.path };
  const row = found?.row;
  return {
    rank,
    state: CELL_STATES[found?.state ?? STATE_CODE['no-dump']] ?? 'unknown',
    entry,
    path: known?.path,
    line: logLine > 0 ? logLine : undefined,
    clock: place?.clock ?? -1,
    loaded,
    row,
    newest: row !== undefined || asked.pair !== null || member < 0 ? undefined : newestOf(view, group, member),
    frames: loaded === undefined || row === undefined ? [] : framesAt(loaded.dump, row),
  };
}

interface Found {
  readonly row: number | undefined;
  readonly state: number;
}

function ofCall(reader: CellReader, member: number, { seq, part }: CallQuestion): Found {
  const record = reader.record(member, seq, part);
  return {
    row: record < 0 ? undefined : reader.dumpRow(member, seq, record),
    state: reader.state(member, seq, record),
  };
}

function ofTransfer({ p2p }: CollectiveGroup, member: number, { seq, pair }: CallQuestion): Found {
  for (let i = 0; p2p !== undefined && i < p2p.member.length; i++) {
    if (p2p.member[i] !== member || p2p.number[i] !== seq || p2p.from[i] !== pair?.from || p2p.to[i] !== pair?.to)
      continue;
    return { row: p2p.row[i], state: p2p.state[i] ?? STATE_CODE.unknown };
  }
  return { row: undefined, state: STATE_CODE.unknown };
}

function newestOf(view: CollectivesView, group: CollectiveGroup, member: number): Side['newest'] {
  const { start, block, base, blockNo } = group.tracks;
  const last = (start[member + 1] ?? 0) - 1;
  if (last < (start[member] ?? 0)) return undefined;
  const record = (view.pool.start[(block[last] ?? 0) + 1] ?? 0) - 1;
  return {
    row: (base[last] ?? 0) + (view.pool.row[record] ?? 0),
    seq: (blockNo[last] ?? 0) * BLOCK_CALLS + (view.pool.off[record] ?? 0),
  };
}

/** Outermost first. */
function framesAt(dump: FlightRecorderDump, row: number): Frame[] {
  const stack = dump.stacks[dump.columns.stack[row] ?? -1];
  const frames: Frame[] = [];
  for (const index of stack ?? []) {
    const frame = dump.frames[index];
    if (frame !== undefined)
      frames.push({ file: frame.file.slice(0, MAX_TEXT), line: frame.line, name: frame.name.slice(0, MAX_TEXT) });
  }
  return frames.reverse();
}

function commonFrames(stacks: readonly (readonly Frame[])[]): number {
  const [first, ...others] = stacks;
  if (first === undefined) return 0;
  let common = 0;
  while (common < first.length) {
    const frame = first[common];
    if (!others.every((frames) => sameFrame(frames[common], frame))) break;
    common++;
  }
  return common;
}

const sameFrame = (a: Frame | undefined, b: Frame | undefined): boolean =>
  a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.name === b.name;

interface Reading {
  readonly dump: FlightRecorderDump;
  readonly row: number;
}

function fieldsOf(view: CollectivesView, sides: readonly Side[]): CallField[] {
  const text = (name: string, read: (one: Reading) => string | null | undefined): CallField => {
    const values = sides.map(({ loaded, row }) =>
      loaded === undefined || row === undefined ? null : (read({ dump: loaded.dump, row })?.slice(0, MAX_TEXT) ?? null),
    );
    return { name, values, differs: differ(values) };
  };
  const origin = BigInt(view.originNs);
  const time = (name: string, column: 'createdNs' | 'startedNs' | 'completedNs'): CallField => {
    const times = sides.map(({ loaded, row }) => {
      const ns = loaded === undefined || row === undefined ? 0n : (loaded.dump.columns[column][row] ?? 0n);
      return ns === 0n ? null : Number(ns - origin);
    });
    return { name, values: times.map(() => null), differs: false, times };
  };
  const states = sides.map((side): string => side.state);
  const newest = sides.map(({ newest: at, loaded }) =>
    at === undefined || loaded === undefined ? null : `#${at.seq} ${opAt({ dump: loaded.dump, row: at.row })}`,
  );
  const fields: CallField[] = [
    text('op', opAt),
    text('input', ({ dump, row }) => tensors(dump, dump.columns.inputSizes[row], dump.columns.inputDtypes[row])),
    text('output', ({ dump, row }) => tensors(dump, dump.columns.outputSizes[row], dump.columns.outputDtypes[row])),
    { name: 'state', values: states, differs: differ(states) },
    { name: 'newest call', values: newest, differs: false },
    time('entered', 'createdNs'),
    time('started', 'startedNs'),
    time('completed', 'completedNs'),
    text('device time', ({ dump, row }) => milliseconds(dump.columns.durationMs[row])),
    text('timeout', ({ dump, row }) => milliseconds(dump.columns.timeoutMs[row])),
    text('recorder', ({ dump, row }) =>
      [
        DUMP_STATES[dump.columns.state[row] ?? 0] ?? 'unknown',
        dump.columns.retired[row] === 1 ? 'retired' : 'not retired',
      ].join(', '),
    ),
    text('op id', ({ dump, row }) => numberText(dump.columns.opId[row])),
    text('other', ({ dump, row }) => dump.strings[dump.columns.extra[row] ?? -1]),
  ];
  return fields.filter(
    (field) => field.values.some((value) => value !== null) || field.times?.some((one) => one !== null),
  );
}

/** `[[2,3]] Float`; null = neither is recorded. */
function tensors(dump: FlightRecorderDump, shapes: number | undefined, dtypes: number | undefined): string | null {
  const parts = [dump.shapes[shapes ?? -1], dump.strings[dtypes ?? -1]].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.length === 0 ? null : parts.join(' ');
}

const opAt = ({ dump, row }: Reading): string => splitOp(dump.strings[dump.columns.op[row] ?? -1] ?? '').op;
const numberText = (value: number | undefined): string | null =>
  value === undefined || Number.isNaN(value) || value < 0 ? null : String(value);
const milliseconds = (value: number | undefined): string | null => {
  const text = numberText(value);
  return text === null ? null : formatDurationMs(Number(text));
};

/** Only what is recorded on both sides can differ. */
function differ(values: readonly (string | null)[]): boolean {
  const told = values.filter((value) => value !== null);
  return told.length > 1 && told.some((value) => value !== told[0]);
}
