/**
 * Recorder dumps as the C++ writer makes them, quickly: a job of many ranks whose rings have wrapped. All ranks wait in the last
 * all_reduce of the default group but one, which never came to it. The same numbers give the same bytes.
 *
 *   groups: 0 = all, tp = 8 neighbours, dp = every eighth rank
 *
 * As a rule all ring buffers begin at the same call, and nearly all columns of two ranks are equal. `uneven`: each begins somewhere else, as
 * where ranks record other numbers of calls, so that of 417 ranks no two have a column of calls in common, and of more every 417th.
 */
import { Buffer } from 'node:buffer';

const TP = 8;
const STACKS = 24;
const STACK_DEPTH = 30;
const BASE_NS = 1_795_979_461_000_000_000n;

/** Strings are memoised by value; of containers only those that are used again. */
class CppPickle {
  #bytes = Buffer.alloc(1 << 20);
  #at = 0;
  #memo = 0;
  readonly #strings = new Map<string, number>();
  /** Offsets of the 8 bytes of each stamp. */
  readonly stamps: number[] = [];

  #room(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = Buffer.alloc((this.#bytes.length + size) * 2);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
  op(...bytes: number[]): void {
    this.#room(bytes.length);
    for (const byte of bytes) this.#bytes[this.#at++] = byte;
  }
  int(value: number | bigint): void {
    this.#room(10);
    if (typeof value === 'number' && value >= 0 && value < 256) this.op(0x4b, value);
    else if (typeof value === 'number' && value >= 0 && value < 65_536) this.op(0x4d, value & 255, value >> 8);
    else if (typeof value === 'number') {
      this.op(0x4a);
      this.#at = this.#bytes.writeInt32LE(value, this.#at);
    } else {
      this.op(0x8a, 8);
      this.#at = this.#bytes.writeBigInt64LE(value, this.#at);
    }
  }
  text(value: string): void {
    const known = this.#strings.get(value);
    if (known !== undefined) {
      this.get(known);
      return;
    }
    const size = Buffer.byteLength(value);
    this.#room(size + 10);
    this.op(0x58);
    this.#at = this.#bytes.writeUInt32LE(size, this.#at);
    this.#at += this.#bytes.write(value, this.#at);
    this.#strings.set(value, this.put());
  }
  put(): number {
    const index = this.#memo++;
    if (index < 256) this.op(0x71, index);
    else this.op(0x72, index & 255, (index >> 8) & 255, (index >> 16) & 255, index >>> 24);
    return index;
  }
  get(index: number): void {
    if (index < 256) this.op(0x68, index);
    else this.op(0x6a, index & 255, (index >> 8) & 255, (index >> 16) & 255, index >>> 24);
  }
  open(kind: 'list' | 'dict'): void {
    this.op(kind === 'list' ? 0x5d : 0x7d, 0x28);
  }
  end(kind: 'list' | 'dict'): void {
    this.op(kind === 'list' ? 0x65 : 0x75);
  }
  /** A value that differs by rank: where it stands is remembered. */
  stamp(value: bigint): void {
    this.stamps.push(this.#at + 2);
    this.int(value);
  }
  get size(): number {
    return this.#at;
  }
  /** Memo index by text. */
  get texts(): ReadonlyMap<string, number> {
    return this.#strings;
  }
  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }
  take(from = 0): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, from, this.#at);
  }
}

interface GroupOfRank {
  readonly name: string;
  readonly desc: string;
  readonly ranks: readonly number[];
  seq: number;
}

export interface BenchJob {
  readonly ranks: number;
  /** Of each rank; where rings are uneven, of all of them on average. */
  readonly entries: number;
  readonly uneven?: boolean;
}

/** Rings begin up to so many calls before and after the place where they would begin if they were even, in steps of one. */
const SPREAD = 208;

/** First call of a rank's ring; even rings begin at 0. */
const firstOf = (rank: number, { uneven }: BenchJob): number =>
  uneven === true ? ((rank * 97) % (2 * SPREAD + 1)) - SPREAD : 0;
/** Before it no rank knows a call. */
const beginOf = ({ uneven }: BenchJob): number => (uneven === true ? -SPREAD : 0);

/** The rank that never came to the last call. */
export const culpritOf = (job: BenchJob): number => Math.floor(job.ranks * 0.6);

function groupsOf(rank: number, job: BenchJob): GroupOfRank[] {
  const tp = Math.floor(rank / TP);
  const range = (count: number, at: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => at(i));
  return [
    { name: '0', desc: 'default_pg', ranks: range(job.ranks, (i) => i), seq: 1000 },
    { name: String(1 + tp), desc: 'TENSOR_PARALLEL', ranks: range(TP, (i) => tp * TP + i), seq: 90_000 },
    {
      name: String(100_000 + (rank % TP)),
      desc: 'DATA_PARALLEL',
      ranks: range(job.ranks / TP, (i) => i * TP + (rank % TP)),
      seq: 5000,
    },
  ];
}

/** One rank's file. `job.ranks` must be a multiple of 8. */
export function benchDump(rank: number, job: BenchJob): Uint8Array {
  const out = new CppPickle();
  const groups = groupsOf(rank, job);
  out.op(0x80, 2);
  out.open('dict');
  writeHead(out, groups, rank === culpritOf(job), job);
  const { bytes, stamps, rank: other } = bodyOf(out, rank, groups, job);
  const body = new Uint8Array(bytes);
  const view = new DataView(body.buffer);
  const moved = skewOf(rank) - skewOf(other);
  for (const at of stamps) view.setBigInt64(at, view.getBigInt64(at, true) + moved, true);
  out.append(body);
  return out.take();
}

interface Body {
  readonly bytes: Uint8Array;
  readonly stamps: readonly number[];
  readonly rank: number;
}
const bodies = new Map<string, Body>();
/** Jobs of other sizes have other bodies: the last few are enough. */
const MAX_BODIES = 64;

/** The entries of all ranks whose texts stand at the same places of the memo are the same but for their times: written once, then moved in time. */
function bodyOf(head: CppPickle, rank: number, groups: readonly GroupOfRank[], job: BenchJob): Body {
  const roles = new Map(groups.map(({ name }, role) => [name, `group ${role}`]));
  const places = [...head.texts].map(([text, index]) => [
    roles.get(text) ?? (text.startsWith('[') ? '[]' : text),
    index,
  ]);
  const first = firstOf(rank, job);
  const key = JSON.stringify([job, first, rank === culpritOf(job), places]);
  const known = bodies.get(key);
  if (known !== undefined) return known;
  if (bodies.size >= MAX_BODIES) bodies.clear();
  const out = new CppPickle();
  out.op(0x80, 2);
  out.open('dict');
  writeHead(out, groups, rank === culpritOf(job), job);
  const from = out.size;
  const count = rank === culpritOf(job) ? job.entries - 1 : job.entries;
  const frames = new Map<number, number>();
  out.text('entries');
  out.open('list');
  for (let i = beginOf(job); i < first; i++) {
    const group = groups[groupAt(i, job.entries - 1)];
    if (group !== undefined) group.seq++;
  }
  for (let i = first; i < count; i++) writeEntry(out, i, rank, groups, { last: job.entries - 1, frames });
  out.end('list');
  out.end('dict');
  out.op(0x2e);
  const body = { bytes: out.take(from), stamps: out.stamps.map((at) => at - from), rank };
  bodies.set(key, body);
  return body;
}

/** By how much the calls of a rank come later than those of rank 0, ns. */
const skewOf = (rank: number): bigint => BigInt((rank * 7919) % 100_003);

/** Which group the i-th entry belongs to; the last one of the job is an all_reduce of everybody. */
const groupAt = (i: number, last: number): number => {
  const place = (i + 16 * SPREAD) % 16;
  return i === last || place === 0 ? 0 : place % 8 === 5 ? 2 : 1;
};

function writeHead(out: CppPickle, groups: readonly GroupOfRank[], culprit: boolean, job: BenchJob): void {
  out.text('version');
  out.text('2.9');
  out.text('nccl_version');
  out.text('2.27.3');
  out.text('pg_config');
  out.open('dict');
  for (const group of groups) {
    out.text(group.name);
    out.open('dict');
    for (const [key, value] of [
      ['name', group.name],
      ['desc', group.desc],
      ['ranks', `[${group.ranks.join(', ')}]`],
    ] as const) {
      out.text(key);
      out.text(value);
    }
    out.end('dict');
  }
  out.end('dict');
  out.text('pg_status');
  out.open('dict');
  groups.forEach((group, id) => {
    let calls = 0;
    for (let i = beginOf(job); i < job.entries; i++) if (groupAt(i, job.entries - 1) === id) calls++;
    const last = group.seq + calls;
    out.text(String(id));
    out.open('dict');
    const enqueued = id === 0 && culprit ? last - 1 : last;
    for (const [key, value] of [
      ['last_enqueued_collective', enqueued],
      ['last_started_collective', -1],
      ['last_completed_collective', id === 0 ? last - 1 : last],
    ] as const) {
      out.text(key);
      out.int(value);
    }
    out.end('dict');
  });
  out.end('dict');
}

const CALLS = [
  { op: 'nccl:all_reduce', input: [25_165_824], output: [25_165_824] },
  { op: 'nccl:_all_gather_base', input: [4096, 1, 5120], output: [32_768, 1, 5120] },
  { op: 'nccl:_reduce_scatter_base', input: [32_768, 1, 5120], output: [4096, 1, 5120] },
];

interface EntryHow {
  readonly last: number;
  /** Memo index by frame. */
  readonly frames: Map<number, number>;
}

function writeEntry(out: CppPickle, i: number, rank: number, groups: readonly GroupOfRank[], how: EntryHow): void {
  const id = groupAt(i, how.last);
  const group = groups[id];
  const call = CALLS[id === 1 ? 1 + (i & 1) : 0];
  if (group === undefined || call === undefined) return;
  group.seq++;
  const created = BASE_NS + BigInt(i) * 1_700_003n + skewOf(rank);
  const done = i !== how.last;
  const field = (key: string, write: () => void): void => {
    out.text(key);
    write();
  };
  const sizes = (shape: readonly number[]) => (): void => {
    out.open('list');
    out.open('list');
    for (const size of shape) out.int(size);
    out.end('list');
    out.end('list');
  };
  const types = (): void => {
    out.open('list');
    out.text('BFloat16');
    out.end('list');
  };
  out.open('dict');
  field('record_id', () => out.int(70_000 + i));
  field('pg_id', () => out.int(id));
  field('process_group', () => {
    out.text(group.name);
    out.text(group.desc);
    out.op(0x86);
  });
  field('collective_seq_id', () => out.int(group.seq));
  field('p2p_seq_id', () => out.int(0));
  field('op_id', () => out.int(group.seq));
  field('profiling_name', () => out.text(call.op));
  field('time_created_ns', () => out.stamp(created));
  field('time_discovered_started_ns', () => out.op(0x4e));
  field('time_discovered_completed_ns', () => (done ? out.stamp(created + 900_000n) : out.op(0x4e)));
  field('input_sizes', sizes(call.input));
  field('input_dtypes', types);
  field('output_sizes', sizes(call.output));
  field('output_dtypes', types);
  field('state', () => out.text(done ? 'completed' : 'scheduled'));
  field('retired', () => out.op(done ? 0x88 : 0x89));
  field('timeout_ms', () => out.int(600_000));
  field('is_p2p', () => out.op(0x89));
  field('frames', () => writeStack(out, (i + STACKS * SPREAD) % STACKS, how.frames));
  field('thread_id', () => out.text('140213'));
  field('thread_name', () => out.text('pt_main_thread'));
  out.end('dict');
}

/** The outer two thirds of all stacks are the same frames, as in a training loop. */
function writeStack(out: CppPickle, stack: number, frames: Map<number, number>): void {
  out.open('list');
  for (let depth = 0; depth < STACK_DEPTH; depth++) {
    const frame = depth < STACK_DEPTH / 3 ? stack * 100 + depth : 10_000 + depth;
    const known = frames.get(frame);
    if (known !== undefined) {
      out.get(known);
      continue;
    }
    out.open('dict');
    out.text('name');
    out.text(`forward_${frame}`);
    out.text('filename');
    out.text(`/opt/train/lib/python3.12/site-packages/model/layers_${frame % 37}.py`);
    out.text('line');
    out.int(10 + (frame % 900));
    out.end('dict');
    frames.set(frame, out.put());
  }
  out.end('list');
}
