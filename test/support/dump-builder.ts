/**
 * Recorder dumps of jobs that never ran: a small simulator executes one program a rank, and what each rank would have recorded
 * is written in the shape of any format version.
 *
 *   const job = sameProgram(4, [call('all_reduce', 8), call('barrier')]);
 *   job.programs[2] = [call('all_reduce', 8), 'stall'];
 *   const files = dumpFiles(simulate(job), { version: '2.10' });
 *
 * A collective completes when every member of its group stands at it with the same operation and size, after all earlier
 * ones of that group. `stall`: the rank stops. `hang`: its next call is its last that peers can finish; it finishes none itself.
 * A rank may have `ahead` calls open before it must wait (GPU work is queued; gloo: 0). Deterministic.
 */
import { Float, type PickleStyle, type Plain, Tuple, writePickle } from './pickle-writer.ts';

export interface SimulatedCall {
  readonly group: string;
  readonly op: string;
  readonly input: readonly (readonly number[])[];
  readonly output: readonly (readonly number[])[];
  readonly dtype: string;
  /** Peer inside the group of a point-to-point operation. */
  readonly peer: number | undefined;
  /** Compared with the others' calls before they complete together. */
  readonly key: string;
}
export type Step = SimulatedCall | 'stall' | 'hang';

export interface SimulatedGroup {
  readonly desc: string;
  readonly ranks: readonly number[];
}

export interface Job {
  readonly backend: 'nccl' | 'gloo';
  readonly groups: Record<string, SimulatedGroup>;
  /** One a rank. */
  readonly programs: Step[][];
  readonly ahead: number;
}

export interface CallOptions {
  readonly group?: string;
  readonly dtype?: string;
  readonly output?: readonly (readonly number[])[];
  readonly input?: readonly (readonly number[])[];
}

/** A collective with one input tensor of `size` elements (none: no tensor), output like input unless given. */
export function call(op: string, size?: number, options: CallOptions = {}): SimulatedCall {
  const input = options.input ?? (size === undefined ? [] : [[size]]);
  const output = options.output ?? input;
  const dtype = options.dtype ?? 'Float';
  return {
    group: options.group ?? '0',
    op,
    input,
    output,
    dtype,
    peer: undefined,
    key: `${op} ${JSON.stringify([input, output])} ${dtype}`,
  };
}
/** A call that completes with whatever the others pass: legal differences. */
export const anySize = (one: SimulatedCall): SimulatedCall => ({ ...one, key: one.op });
export const send = (peer: number, size = 16, group = '0'): SimulatedCall => ({
  ...call('send', size, { group }),
  peer,
});
export const recv = (peer: number, size = 16, group = '0'): SimulatedCall => ({
  ...call('recv', size, { group }),
  peer,
});

/** A job in which every rank runs `steps`, those of other groups left out; the default group is `0`. */
export function sameProgram(
  worldSize: number,
  steps: readonly Step[],
  options: Partial<Pick<Job, 'backend' | 'ahead' | 'groups'>> = {},
): Job {
  const ranks = Array.from({ length: worldSize }, (_, rank) => rank);
  const groups: Job['groups'] = { '0': { desc: 'default_pg', ranks }, ...options.groups };
  const joins = (step: Step, rank: number): boolean =>
    typeof step === 'string' || groups[step.group]?.ranks.includes(rank) === true;
  return {
    backend: options.backend ?? 'nccl',
    ahead: options.ahead ?? (options.backend === 'gloo' ? 0 : 2),
    groups,
    programs: ranks.map((rank) => steps.filter((step) => joins(step, rank))),
  };
}

/** `steps` repeated. */
export const times = (count: number, ...steps: readonly Step[]): Step[] =>
  Array.from({ length: count }, () => steps).flat();

export interface SimulatedRecord {
  readonly call: SimulatedCall;
  readonly seq: number;
  readonly p2pSeq: number;
  readonly opId: number;
  readonly created: number;
  completed: number | undefined;
}

export interface SimulatedRank {
  readonly rank: number;
  readonly records: SimulatedRecord[];
}

export interface SimulatedRun {
  readonly job: Job;
  readonly ranks: readonly SimulatedRank[];
}

interface RankState extends SimulatedRank {
  pc: number;
  stopped: boolean;
  /** Position in `records` from which nothing completes any more on this rank. */
  hungFrom: number;
  readonly counters: Map<string, { seq: number; p2p: number; op: number }>;
}

export function simulate(job: Job): SimulatedRun {
  const states: RankState[] = job.programs.map((_, rank) => ({
    rank,
    records: [],
    pc: 0,
    stopped: false,
    hungFrom: Number.POSITIVE_INFINITY,
    counters: new Map(),
  }));
  let tick = 0;
  for (let moved = true; moved; ) {
    moved = false;
    for (const state of states) if (issue(job, state, tick)) moved = true;
    if (complete(job, states, tick)) moved = true;
    tick++;
  }
  return { job, ranks: states };
}

function issue(job: Job, state: RankState, tick: number): boolean {
  const open = state.records.filter((record) => record.completed === undefined).length;
  const step = job.programs[state.rank]?.[state.pc];
  if (state.stopped || step === undefined || open > job.ahead) return false;
  state.pc++;
  if (step === 'stall') state.stopped = true;
  else if (step === 'hang') state.hungFrom = state.records.length;
  else {
    const counter = state.counters.get(step.group) ?? { seq: 0, p2p: 0, op: 0 };
    state.counters.set(step.group, counter);
    counter.op++;
    if (step.peer === undefined) counter.seq++;
    else counter.p2p++;
    state.records.push({
      call: step,
      seq: counter.seq,
      p2pSeq: counter.p2p,
      opId: counter.op,
      created: tick * 100 + state.rank,
      completed: undefined,
    });
  }
  return true;
}

/** Completes every call that can be completed now. */
function complete(job: Job, states: readonly RankState[], tick: number): boolean {
  let moved = false;
  for (const state of states) {
    for (const record of state.records) {
      if (record.completed !== undefined) continue;
      const parts =
        record.call.peer === undefined ? collectiveParts(job, states, record) : p2pParts(job, states, state, record);
      if (parts === undefined || !parts.every(({ state: other, record: one }) => reachable(other, one))) continue;
      for (const { state: other, record: one } of parts) {
        if (other.records.indexOf(one) >= other.hungFrom || one.completed !== undefined) continue;
        one.completed = tick * 100 + 50 + other.rank;
        moved = true;
      }
    }
  }
  return moved;
}

interface Part {
  readonly state: RankState;
  readonly record: SimulatedRecord;
}

/** True if the rank's device gets to this call: nothing older of the same group is open, and it hangs not before. */
function reachable(state: RankState, record: SimulatedRecord): boolean {
  if (state.records.indexOf(record) > state.hungFrom) return false;
  return state.records.every(
    (other) =>
      other === record ||
      other.call.group !== record.call.group ||
      other.completed !== undefined ||
      other.opId > record.opId ||
      other.call.peer !== record.call.peer,
  );
}

function collectiveParts(job: Job, states: readonly RankState[], record: SimulatedRecord): Part[] | undefined {
  const parts: Part[] = [];
  for (const rank of job.groups[record.call.group]?.ranks ?? []) {
    const state = states[rank];
    const own = state?.records.find(
      (one) => one.call.group === record.call.group && one.call.peer === undefined && one.seq === record.seq,
    );
    if (state === undefined || own === undefined || own.call.key !== record.call.key) return undefined;
    parts.push({ state, record: own });
  }
  return parts;
}

function p2pParts(
  job: Job,
  states: readonly RankState[],
  state: RankState,
  record: SimulatedRecord,
): Part[] | undefined {
  const ranks = job.groups[record.call.group]?.ranks ?? [];
  const peerRank = ranks[record.call.peer ?? -1];
  const local = ranks.indexOf(state.rank);
  const peer = peerRank === undefined ? undefined : states[peerRank];
  if (peer === undefined) return undefined;
  const same = (one: SimulatedRecord, op: string, other: number): boolean =>
    one.call.group === record.call.group && one.call.op === op && one.call.peer === other;
  const mine = state.records.filter((one) => same(one, record.call.op, record.call.peer ?? -1)).indexOf(record);
  const counterpart = peer.records.filter((one) => same(one, record.call.op === 'send' ? 'recv' : 'send', local))[mine];
  return counterpart === undefined
    ? undefined
    : [
        { state, record },
        { state: peer, record: counterpart },
      ];
}

// ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface DumpOptions {
  /** `list`: the bare list before 1.0. */
  readonly version?: string;
  /** Entries that the ring keeps. */
  readonly ring?: number;
  readonly onlyActive?: boolean;
  readonly status?: boolean;
  /** Members in `pg_config`: all, none listed (`[]`), or no `pg_config` at all. */
  readonly config?: 'full' | 'empty' | 'none';
  readonly frames?: boolean;
  readonly style?: PickleStyle | 'json';
}

const BASE_NS = 1_795_979_461_000_000_000n;
const NS_PER_TICK = 1_000_000n;
const time = (at: number | undefined): bigint | null => (at === undefined ? null : BASE_NS + BigInt(at) * NS_PER_TICK);

/** The dump of one rank as plain values, in the field order of the writer. */
export function dumpOf(run: SimulatedRun, rank: number, options: DumpOptions = {}): Plain {
  const { job } = run;
  const state = run.ranks[rank];
  const version = options.version ?? (job.backend === 'gloo' ? '2.10' : '2.9');
  const frames = new Map<string, Plain>();
  const ids = [...new Set(['0', ...Object.keys(job.groups).filter((name) => job.groups[name]?.ranks.includes(rank))])];
  const kept = (state?.records ?? []).map((record, id) => ({ record, id }));
  const visible = kept
    .filter(({ record }) => job.backend !== 'gloo' || record.call.peer === undefined)
    .slice(-(options.ring ?? 2000))
    .filter(({ record }) => options.onlyActive !== true || record.completed === undefined);
  const entries = visible.map(({ record, id }) =>
    entryOf(job, rank, record, id, { version, frames, withFrames: options.frames !== false, ids }),
  );
  if (version === 'list') return entries;
  const old = version.startsWith('1.');
  return {
    version,
    ...(options.config === 'none' || version === '1.0' || version === '1.1'
      ? {}
      : { pg_config: configOf(job, rank, ids, old, options.config ?? 'full') }),
    ...(old
      ? {}
      : { [version === '2.10' ? 'comm_lib_version' : 'nccl_version']: job.backend === 'gloo' ? '' : '2.27.3' }),
    ...(options.status === false || old ? {} : { pg_status: statusOf(state, ids) }),
    entries,
  };
}

function configOf(
  job: Job,
  rank: number,
  ids: readonly string[],
  old: boolean,
  config: 'full' | 'empty' | 'none',
): Plain {
  const gloo = job.backend === 'gloo';
  return new Map(
    ids.flatMap((name, id): [Plain, Plain][] => {
      const group = job.groups[name];
      if (group === undefined || (gloo && name !== '0') || !group.ranks.includes(rank)) return [];
      if (old) return [[id, [...group.ranks]]];
      const ranks = config === 'empty' ? '[]' : `[${group.ranks.join(', ')}]`;
      return [[gloo ? '' : name, { name: gloo ? '' : name, desc: gloo ? '' : group.desc, ranks }]];
    }),
  );
}

function statusOf(state: SimulatedRank | undefined, ids: readonly string[]): Plain {
  return Object.fromEntries(
    ids.map((name, id) => {
      const own = (state?.records ?? []).filter((record) => record.call.group === name);
      const number = (record: SimulatedRecord): number => (record.call.peer === undefined ? record.seq : record.p2pSeq);
      const done = own.filter((record) => record.completed !== undefined);
      const last = own[own.length - 1];
      const lastDone = done[done.length - 1];
      return [
        String(id),
        {
          last_enqueued_collective: last === undefined ? -1 : number(last),
          last_started_collective: -1,
          last_completed_collective: lastDone === undefined ? -1 : number(lastDone),
        },
      ];
    }),
  );
}

interface EntryHow {
  readonly version: string;
  readonly frames: Map<string, Plain>;
  readonly withFrames: boolean;
  readonly ids: readonly string[];
}

function entryOf(job: Job, rank: number, record: SimulatedRecord, id: number, how: EntryHow): Plain {
  const { call: one } = record;
  const gloo = job.backend === 'gloo';
  const old = how.version === 'list' || how.version.startsWith('1.');
  const local = job.groups[one.group]?.ranks.indexOf(rank) ?? 0;
  const name =
    one.peer === undefined ? one.op : one.op === 'send' ? `send ${local}->${one.peer}` : `recv ${local}<-${one.peer}`;
  const done = record.completed !== undefined;
  return {
    ...(how.version === 'list' || how.version === '1.0' || how.version === '1.1' ? {} : { record_id: id }),
    pg_id: how.ids.indexOf(one.group),
    ...(old
      ? { seq_id: record.seq }
      : {
          process_group: new Tuple(one.group, job.groups[one.group]?.desc ?? 'undefined'),
          collective_seq_id: record.seq,
          p2p_seq_id: record.p2pSeq,
          op_id: record.opId,
          is_p2p: one.peer !== undefined,
        }),
    profiling_name: `${job.backend}:${name}`,
    time_created_ns: time(record.created),
    time_discovered_started_ns: null,
    time_discovered_completed_ns: gloo ? null : time(record.completed),
    ...(done && id % 7 === 3 && !gloo ? { duration_ms: new Float(1.25) } : {}),
    input_sizes: one.input,
    output_sizes: one.output,
    ...(old ? {} : { input_dtypes: one.input.map(() => one.dtype), output_dtypes: one.output.map(() => one.dtype) }),
    state: done && !gloo ? 'completed' : 'scheduled',
    retired: done,
    ...(old ? {} : { timeout_ms: 600_000 }),
    ...(how.withFrames ? { frames: [frameOf(how.frames, one.op), frameOf(how.frames, 'train')] } : {}),
    ...(old ? {} : { thread_name: 'pt_main', thread_id: '140' }),
  };
}

/** One object a frame, shared by all entries as the recorder does. */
function frameOf(frames: Map<string, Plain>, name: string): Plain {
  const known = frames.get(name);
  if (known !== undefined) return known;
  const frame = { name, filename: '/app/train.py', line: name.length * 10 };
  frames.set(name, frame);
  return frame;
}

/** JSON as the recorder writes it: keys sorted, 0 for unknown times, counters as text, no frames, no empty `entries`. */
function jsonOf(value: Plain, path: readonly string[] = []): string {
  if (value === null) return path[path.length - 1]?.startsWith('time_') === true ? '0' : 'null';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Float) return String(value.value);
  if (value instanceof Tuple) return `[${value.items.map((item) => jsonOf(item, path)).join(',')}]`;
  if (Array.isArray(value)) return `[${value.map((item: Plain) => jsonOf(item, path)).join(',')}]`;
  if (typeof value !== 'object')
    return JSON.stringify(path.some((key) => key === 'pg_status') && typeof value === 'number' ? String(value) : value);
  const pairs = value instanceof Map ? [...value] : Object.entries(value);
  const written = pairs
    .filter(
      ([key, item]) =>
        key !== 'frames' && item !== undefined && !(key === 'entries' && Array.isArray(item) && item.length === 0),
    )
    .map(([key, item]): [string, Plain] => [String(key), item as Plain])
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return `{${written.map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(item, [...path, key])}`).join(',')}}`;
}

export function encodeDump(dump: Plain, style: PickleStyle | 'json' = 'cpp'): Uint8Array {
  return style === 'json' ? new TextEncoder().encode(jsonOf(dump)) : writePickle(dump, style);
}

export interface DumpFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of all ranks but those in `without`, named as PyTorch does. */
export function dumpFiles(run: SimulatedRun, options: DumpOptions = {}, without: readonly number[] = []): DumpFile[] {
  return run.ranks
    .filter((state) => !without.includes(state.rank))
    .map((state) => ({
      path: `nccl_trace_rank_${state.rank}`,
      bytes: encodeDump(dumpOf(run, state.rank, options), options.style),
    }));
}
