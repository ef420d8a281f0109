/**
 * One rank's dump, sorted by process group: which rows belong to which group, which of them are point to point, and with
 * which counter its calls are compared.
 *
 * Writers differ: before 2.0 a group is known by its local id only; hook recorders (TorchComms) count
 * `collective_seq_id` through all groups of a process, so there the order inside the group takes its place.
 * O(entries).
 */
import { Recent, sameItems } from '../../lib/recent.ts';
import type { StackFrame } from '../../model/events.ts';
import type { DumpGroupStatus, FlightRecorderDump } from '../../model/flight-recorder.ts';
import { DUMP_STATES } from '../../model/flight-recorder.ts';
import type { RankedDump } from './input.ts';

export const STATE_COMPLETED = DUMP_STATES.indexOf('completed');
export const STATE_STARTED = DUMP_STATES.indexOf('started');

export interface LocalGroup {
  readonly pgId: string;
  readonly name: string;
  readonly desc: string;
  readonly backend: string | undefined;
  /** Rows of collectives and of point-to-point operations, in file order (oldest first). Other ranks may have the same arrays. */
  readonly rows: Int32Array;
  readonly p2pRows: Int32Array;
  /** Sequence number by which a row is compared; parallel to `rows`. */
  readonly seqs: Float64Array;
}

export interface DumpView {
  readonly rank: number;
  readonly dump: FlightRecorderDump;
  readonly groups: readonly LocalGroup[];
  readonly status: ReadonlyMap<string, DumpGroupStatus>;
  /** True if the ring lost nothing: the first record is the process's first. */
  readonly fromStart: boolean;
  /** Has neither entries nor counters: says nothing. */
  readonly blank: boolean;
  /** Frames by index into `stacks`, made once. */
  readonly frames: Map<number, readonly StackFrame[]>;
}

interface Draft extends Pick<LocalGroup, 'pgId' | 'name' | 'desc' | 'backend'> {
  readonly rows: number[];
  readonly p2pRows: number[];
}

/** Lists of rows that are compared with: several kinds of ranks, several groups each. Chosen. */
const MAX_RECENT = 64;

/** Ranks of one job have the same rows in the same groups: held once. */
class RowSharing {
  private readonly rows = new Recent<Int32Array>(sameItems, MAX_RECENT);
  private readonly seqs = new Recent<Float64Array>(sameItems, MAX_RECENT);

  rowsOf(rows: readonly number[]): Int32Array {
    return this.rows.of(Int32Array.from(rows));
  }
  seqsOf(seqs: readonly number[]): Float64Array {
    return this.seqs.of(Float64Array.from(seqs));
  }
}

const P2P = /(?:^|:)(?:send|recv) /;
const BACKEND = /^([A-Za-z0-9_.+-]{1,64}):/;

/** `nccl:all_reduce` → `nccl` and `all_reduce`. */
export function splitOp(text: string): { readonly backend: string | undefined; readonly op: string } {
  const match = BACKEND.exec(text);
  return match === null ? { backend: undefined, op: text } : { backend: match[1], op: text.slice(match[0].length) };
}

/** The operation of one row, without its backend. */
export function opAt(view: DumpView, row: number): string {
  return splitOp(view.dump.strings[view.dump.columns.op[row] ?? -1] ?? '').op;
}

/** A dump is looked at by several analyses and screens: its view is made once and lives as long as the dump. */
const viewOf = new WeakMap<FlightRecorderDump, DumpView>();

/** The views of all current dumps with a rank, sorted by rank. */
export function viewDumps(dumps: readonly RankedDump[]): DumpView[] {
  const views: DumpView[] = [];
  const sharing = new RowSharing();
  for (const { dump, rank, current } of dumps) {
    if (rank === undefined || !current) continue;
    const known = viewOf.get(dump);
    const view = known?.rank === rank ? known : viewDump(dump, rank, sharing);
    viewOf.set(dump, view);
    views.push(view);
  }
  return views.sort((a, b) => a.rank - b.rank);
}

function viewDump(dump: FlightRecorderDump, rank: number, sharing: RowSharing): DumpView {
  const { columns: c, strings } = dump;
  const kinds = strings.map((text) => ({ ...splitOp(text), p2p: P2P.test(text) }));
  const drafts = new Map<number, Draft[]>();
  const order: Draft[] = [];
  for (let row = 0; row < c.length; row++) {
    const op = c.op[row] ?? -1;
    const kind = kinds[op];
    if (op < 0 || kind === undefined) continue;
    const draft = draftOf(dump, row, drafts, order, kind.backend);
    if (c.isP2p[row] === 1 || kind.p2p) draft.p2pRows.push(row);
    else draft.rows.push(row);
  }
  const through = countsThroughGroups(dump, order);
  return {
    rank,
    dump,
    groups: order.map(
      (draft): LocalGroup => ({
        ...draft,
        rows: sharing.rowsOf(draft.rows),
        p2pRows: sharing.rowsOf(draft.p2pRows),
        seqs: sharing.seqsOf(seqsOf(dump, draft, through)),
      }),
    ),
    status: new Map(dump.status.map((one) => [one.pgId, one])),
    fromStart: c.length === 0 || (c.recordId[0] ?? -1) === 0,
    blank: c.length === 0 && dump.status.length === 0,
    frames: new Map(),
  };
}

function draftOf(
  dump: FlightRecorderDump,
  row: number,
  drafts: Map<number, Draft[]>,
  order: Draft[],
  backend: string | undefined,
): Draft {
  const { columns: c, strings } = dump;
  const pg = c.pgId[row] ?? -1;
  const list = drafts.get(pg) ?? [];
  drafts.set(pg, list);
  const pgId = strings[pg] ?? '';
  const name = strings[c.groupName[row] ?? -1] ?? pgId;
  const desc = strings[c.groupDesc[row] ?? -1] ?? '';
  const found = list.find((one) => one.name === name && one.desc === desc && one.backend === backend);
  if (found !== undefined) return found;
  const draft: Draft = { pgId, name, desc, backend, rows: [], p2pRows: [] };
  list.push(draft);
  order.push(draft);
  return draft;
}

/**
 * True if `collective_seq_id` counts through all groups of the process: two groups or more, no `pg_status`, and the
 * counter rises with every record, whichever group it belongs to.
 */
function countsThroughGroups(dump: FlightRecorderDump, groups: readonly Draft[]): boolean {
  if (groups.length < 2 || dump.status.length > 0) return false;
  let last = -1;
  for (let row = 0; row < dump.columns.length; row++) {
    if ((dump.columns.op[row] ?? -1) < 0) continue;
    const seq = dump.columns.collectiveSeq[row] ?? -1;
    if (seq <= last) return false;
    last = seq;
  }
  return true;
}

function seqsOf(dump: FlightRecorderDump, draft: Draft, through: boolean): number[] {
  const { collectiveSeq, opId, recordId } = dump.columns;
  if (!through) return draft.rows.map((row) => collectiveSeq[row] ?? -1);
  const perGroup = draft.rows.every((row, i) => i === 0 || (opId[row] ?? -1) > (opId[draft.rows[i - 1] ?? row] ?? -1));
  const same = draft.rows.every((row) => opId[row] === collectiveSeq[row]);
  if (perGroup && !same) return draft.rows.map((row) => opId[row] ?? -1);
  // Only a ring that lost nothing tells how many calls of the group came before.
  return (recordId[0] ?? -1) === 0 ? draft.rows.map((_, i) => i + 1) : draft.rows.map(() => -1);
}

/** Frames of a row, innermost first; empty without a stack. */
export function framesOf(view: DumpView, row: number): readonly StackFrame[] {
  const stack = view.dump.columns.stack[row] ?? -1;
  const known = view.frames.get(stack);
  if (known !== undefined) return known;
  const frames = [...(view.dump.stacks[stack] ?? [])].flatMap((index) => {
    const frame = view.dump.frames[index];
    return frame === undefined ? [] : [{ file: frame.file, line: frame.line, name: frame.name }];
  });
  view.frames.set(stack, frames);
  return frames;
}
