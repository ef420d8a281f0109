/**
 * The records of one group as blocks and rows: every record of every member is looked at once. O(records).
 */

import { STATE_COMPLETED, STATE_STARTED } from '../../analysis/collectives/dump-view.ts';
import type { Member } from '../../analysis/collectives/groups.ts';
import type { GroupPositions } from '../../analysis/collectives/positions.ts';
import { CELL_STATES } from '../../model/divergence-table.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import { type BlockMaker, Column, doubles, ints } from './pool.ts';
import {
  BLOCK_CALLS,
  type CallContent,
  type GroupRows,
  ROW_DIFFERENCES,
  type RowDifference,
  type Tracks,
} from './types.ts';

const COMPLETED = CELL_STATES.indexOf('completed');
const ENDED = CELL_STATES.indexOf('ended');
const WAITING = CELL_STATES.indexOf('waiting');
const ENQUEUED = CELL_STATES.indexOf('enqueued');

/** What reading one rank's dump needs, made once a rank. */
export interface DumpReader {
  readonly content: (row: number, p2p: boolean) => number;
  /** ns from the origin to the raw stamp; NaN = absent. Exact below 2^53. */
  readonly createdNs: (row: number) => number;
  readonly completedNs: (row: number) => number;
  /** Added to a raw time to correct it; 0 where the clock is not known. */
  readonly shiftNs: number;
}

/** Reads 64-bit stamps as doubles relative to `originNs` without making a bigint a record. */
export function stampReader(column: BigInt64Array, originNs: bigint): (row: number) => number {
  const halves = new Int32Array(column.buffer, column.byteOffset, column.length * 2);
  const low0 = Number(BigInt.asUintN(32, originNs));
  const high0 = Number(originNs >> 32n);
  const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  return (row) => {
    const [a, b] = [halves[2 * row] ?? 0, halves[2 * row + 1] ?? 0];
    const low = (little ? a : b) >>> 0;
    const high = little ? b : a;
    if (low === 0 && high === 0) return Number.NaN;
    return (high - high0) * 4_294_967_296 + (low - low0);
  };
}

/** Rows by sequence number, dense as long as numbers are. */
class RowTable {
  readonly seq = new Column(doubles);
  readonly parts = new Column(ints);
  readonly firstNs = new Column(doubles);
  readonly firstMember = new Column(ints);
  readonly longestMs = new Column(doubles);
  readonly content = new Column(ints);
  /** Bits of what was seen: states, and which kinds of difference. */
  readonly states = new Column(ints);
  readonly unlike = new Column(ints);
  private readonly index = new Map<number, number>();
  /** Members mostly go through the same calls: the row behind the last one is the likeliest. */
  private last = -1;

  rowOf(seq: number): number {
    const next = this.last + 1;
    if (next < this.seq.length && this.seq.at(next) === seq) {
      this.last = next;
      return next;
    }
    const known = this.index.get(seq);
    if (known !== undefined) {
      this.last = known;
      return known;
    }
    const row = this.seq.length;
    this.last = row;
    this.index.set(seq, row);
    this.seq.push(seq);
    this.parts.push(0);
    this.firstNs.push(Number.NaN);
    this.firstMember.push(-1);
    this.longestMs.push(Number.NaN);
    this.content.push(-1);
    this.states.push(0);
    this.unlike.push(0);
    return row;
  }
}

const UNLIKE_OP = 1;
const UNLIKE_SIZE = 2;
const UNLIKE_DTYPE = 4;

export class GroupRecords {
  private readonly where: GroupPositions;
  private readonly blocks: BlockMaker;
  private readonly contents: readonly CallContent[];
  private readonly start = new Column(ints, 64);
  private readonly blockNo = new Column(doubles, 256);
  private readonly block = new Column(ints, 256);
  private readonly base = new Column(ints, 256);
  private readonly table = new RowTable();
  private readonly partContents = new Map<string, number>();

  constructor(where: GroupPositions, blocks: BlockMaker, contents: readonly CallContent[]) {
    this.where = where;
    this.blocks = blocks;
    this.contents = contents;
    this.start.push(0);
  }

  /** Members in the order of the group's columns; undefined: no dump. */
  add(index: number, member: Member | undefined, reader: DumpReader | undefined): void {
    const { local } = member ?? {};
    if (member !== undefined && reader !== undefined && local !== undefined)
      this.read(index, member, reader, ascending(local.rows, local.seqs));
    this.start.push(this.block.length);
  }

  /** A call that only counters tell of. */
  mention(seq: number | undefined): void {
    if (seq !== undefined && seq >= 0 && Number.isSafeInteger(seq)) this.table.rowOf(seq);
  }

  tracks(): Tracks {
    return {
      start: this.start.done(),
      blockNo: this.blockNo.done(),
      block: this.block.done(),
      base: this.base.done(),
    };
  }

  /** `missingAbove`: the least number that some member with a known place has reached; `known` false: no places to compare. */
  rows(missingAbove: number, settled: boolean): GroupRows {
    const { table } = this;
    const order = Int32Array.from({ length: table.seq.length }, (_, i) => i).sort(
      (a, b) => table.seq.at(a) - table.seq.at(b),
    );
    const pick = <T extends Float64Array | Uint8Array | Int32Array | Float32Array>(
      into: T,
      from: { at(i: number): number },
    ): T => {
      for (let i = 0; i < order.length; i++) into[i] = from.at(order[i] ?? 0);
      return into;
    };
    const n = order.length;
    const differs = new Uint8Array(n);
    for (let i = 0; i < n; i++)
      differs[i] = ROW_DIFFERENCES.indexOf(this.difference(order[i] ?? 0, missingAbove, settled));
    return {
      seq: pick(new Float64Array(n), table.seq),
      parts: pick(new Uint8Array(n), { at: (i) => Math.min(255, table.parts.at(i)) }),
      firstNs: pick(new Float64Array(n), table.firstNs),
      firstMember: pick(new Int32Array(n), table.firstMember),
      longestMs: pick(new Float32Array(n), table.longestMs),
      differs,
    };
  }

  private difference(row: number, missingAbove: number, settled: boolean): RowDifference {
    const unlike = this.table.unlike.at(row);
    if ((unlike & UNLIKE_OP) !== 0) return 'op';
    if ((unlike & UNLIKE_SIZE) !== 0) return 'size';
    if ((unlike & UNLIKE_DTYPE) !== 0) return 'dtype';
    if (this.table.seq.at(row) > missingAbove) return settled ? 'tail' : 'missing';
    const states = this.table.states.at(row);
    const over = (states & ((1 << COMPLETED) | (1 << ENDED))) !== 0;
    const open = (states & ((1 << WAITING) | (1 << ENQUEUED))) !== 0;
    return over && open ? (settled ? 'tail' : 'state') : 'none';
  }

  private read(index: number, member: Member, reader: DumpReader, at: Ascending): void {
    const { dump } = member.view;
    const open = this.where.byRank.get(member.rank)?.open?.seq;
    const stateOf = stateReader(dump, reader, this.where.endsOnly, open);
    let blockNo = -1;
    let base = 0;
    let before = -1;
    let part = 0;
    for (let i = 0; i < at.rows.length; i++) {
      const row = at.rows[i] ?? 0;
      const seq = at.seqs[i] ?? -1;
      if (seq < 0 || !Number.isSafeInteger(seq)) continue;
      const no = Math.floor(seq / BLOCK_CALLS);
      if (no !== blockNo) {
        this.closeBlock(blockNo, base);
        blockNo = no;
        base = row;
      }
      part = seq === before ? part + 1 : 0;
      before = seq;
      const content = reader.content(row, false);
      const state = stateOf(row, seq);
      this.blocks.add(seq - no * BLOCK_CALLS, content, state, row - base);
      this.count(index, { row, seq, part, content, state }, reader);
    }
    this.closeBlock(blockNo, base);
  }

  private closeBlock(blockNo: number, base: number): void {
    if (blockNo < 0) return;
    this.blockNo.push(blockNo);
    this.block.push(this.blocks.close());
    this.base.push(base);
  }

  private count(
    index: number,
    one: {
      readonly row: number;
      readonly seq: number;
      readonly part: number;
      readonly content: number;
      readonly state: number;
    },
    reader: DumpReader,
  ): void {
    const { table } = this;
    const at = table.rowOf(one.seq);
    if (table.parts.at(at) < one.part + 1) table.parts.set(at, one.part + 1);
    table.states.set(at, table.states.at(at) | (1 << one.state));
    const created = reader.createdNs(one.row) + reader.shiftNs;
    if (!(table.firstNs.at(at) <= created) && !Number.isNaN(created)) {
      table.firstNs.set(at, created);
      table.firstMember.set(at, index);
    }
    const took = (reader.completedNs(one.row) - reader.createdNs(one.row)) / 1e6;
    if (took >= 0 && !(table.longestMs.at(at) >= took)) table.longestMs.set(at, took);
    const expected = one.part === 0 ? table.content.at(at) : (this.partContents.get(`${one.seq} ${one.part}`) ?? -1);
    if (expected < 0) {
      if (one.part === 0) table.content.set(at, one.content);
      else this.partContents.set(`${one.seq} ${one.part}`, one.content);
    } else if (expected !== one.content) table.unlike.set(at, table.unlike.at(at) | this.unlike(expected, one.content));
  }

  private unlike(a: number, b: number): number {
    const [x, y] = [this.contents[a], this.contents[b]];
    if (x === undefined || y === undefined || x.op !== y.op) return UNLIKE_OP;
    return x.sizeId !== y.sizeId ? UNLIKE_SIZE : UNLIKE_DTYPE;
  }
}

interface Ascending {
  readonly rows: ArrayLike<number>;
  readonly seqs: ArrayLike<number>;
}

/** Rows by sequence number; as they are in all files that a recorder wrote. */
function ascending(rows: Int32Array, seqs: Float64Array): Ascending {
  let sorted = true;
  for (let i = 1; i < seqs.length && sorted; i++) sorted = (seqs[i] ?? 0) >= (seqs[i - 1] ?? 0);
  if (sorted) return { rows, seqs };
  const order = rows.map((_, i) => i).sort((a, b) => (seqs[a] ?? 0) - (seqs[b] ?? 0) || a - b);
  return { rows: order.map((i) => rows[i] ?? 0), seqs: Float64Array.from(order, (i) => seqs[i] ?? -1) };
}

function stateReader(
  dump: FlightRecorderDump,
  reader: DumpReader,
  endsOnly: boolean,
  open: number | undefined,
): (row: number, seq: number) => number {
  const { state, retired } = dump.columns;
  return (row, seq) => {
    const ended = endsOnly
      ? retired[row] === 1
      : state[row] === STATE_COMPLETED || !Number.isNaN(reader.completedNs(row));
    if (ended) return endsOnly ? ENDED : COMPLETED;
    return state[row] === STATE_STARTED || open === undefined || seq <= open ? WAITING : ENQUEUED;
  };
}
