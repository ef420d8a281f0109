/**
 * Runs the programs in true time until nothing can move any more.
 *
 * Each rank has a CPU that enqueues and a device that works off its queue in order. A collective ends when every member
 * of its group has it at the head of the queue AND all mean the same call; a transfer ends when both ends have. Calls
 * that never end leave the state a real hang leaves: who enqueued what, who finished what, who waits for whom.
 *
 *     CPU     │enqueue 7│enqueue 8│ … sync: wait for the device
 *     device            │ 7 ──────────│ 8 ──(waits for rank 3)── …
 *
 * gloo blocks: there the CPU waits at every call. Cost O(calls).
 */
import type { CallSpec } from './calls.ts';
import { numelOf } from './calls.ts';
import type { Program } from './loop.ts';
import type { Backend } from './spec.ts';
import type { Topology } from './topology.ts';

export interface CallRecord {
  readonly spec: CallSpec;
  /** Position in the process, from 0. */
  readonly recordId: number;
  /** Per group, counts true collectives from 1; on a transfer, the number reached so far. */
  readonly seq: number;
  /** Per group, counts transfers from 1; on a collective, the number reached so far. */
  readonly p2pSeq: number;
  /** Per group, counts both. */
  readonly opId: number;
  readonly enqueuedNs: number;
  /** When the device had finished it; undefined = never. */
  doneNs: number | undefined;
}

export type RunEnd = 'finished' | 'blocked' | 'hang' | 'raise' | 'vanish' | 'leave';

export interface RankRun {
  readonly rank: number;
  readonly calls: CallRecord[];
  readonly lines: { readonly atNs: number; readonly level: 'INFO' | 'WARNING' | 'ERROR'; readonly text: string }[];
  end: RunEnd;
  /** For `leave`: the code of the process. */
  code: number;
  /** When the rank stopped acting: finished, raised, hung, or began to wait in vain. */
  endNs: number;
}

interface Meeting {
  readonly first: CallSpec;
  readonly members: { readonly rank: number; readonly call: CallRecord; readonly atNs: number }[];
  spoiled: boolean;
}

interface RankState extends RankRun {
  pc: number;
  cpuNs: number;
  /** Index of the device's next call. */
  head: number;
  deviceNs: number;
  readonly counters: Map<string, { seq: number; p2p: number; ops: number }>;
  /** The head call has been brought to its meeting. */
  presented: boolean;
  stopped: boolean;
}

export interface RunOptions {
  readonly backend: Backend;
  /** When each rank's program begins, ns. */
  readonly startNs: readonly number[];
}

export function run(topology: Topology, programs: readonly Program[], options: RunOptions): RankRun[] {
  const meetings = new Map<string, Meeting>();
  const states = programs.map((_, rank) => newState(rank, options.startNs[rank] ?? 0));
  const queue = states.map((state) => state.rank);
  while (queue.length > 0) {
    const rank = queue.pop();
    const state = rank === undefined ? undefined : states[rank];
    const program = rank === undefined ? undefined : programs[rank];
    if (state === undefined || program === undefined) continue;
    let moved = true;
    while (moved) {
      moved = advanceCpu(state, program, options.backend);
      moved = advanceDevice(state, { topology, meetings, states, queue }) || moved;
    }
  }
  for (const state of states) if (!state.stopped) settleBlocked(state);
  return states;
}

function newState(rank: number, startNs: number): RankState {
  return {
    rank,
    calls: [],
    lines: [],
    end: 'blocked',
    code: 0,
    endNs: startNs,
    pc: 0,
    cpuNs: startNs,
    head: 0,
    deviceNs: startNs,
    counters: new Map(),
    presented: false,
    stopped: false,
  };
}

/** Runs actions until the program ends or has to wait for the device. True if anything was done. */
function advanceCpu(state: RankState, program: Program, backend: Backend): boolean {
  let moved = false;
  while (!state.stopped) {
    const action = program[state.pc];
    if (action === undefined) {
      if (state.head < state.calls.length) return moved;
      stop(state, 'finished');
      return true;
    }
    const idle = state.head >= state.calls.length;
    const waits = action.do === 'sync' || (backend === 'gloo' && action.do !== 'mark');
    if (waits && !idle) return moved;
    if (waits) state.cpuNs = Math.max(state.cpuNs, state.deviceNs);
    moved = true;
    state.pc++;
    switch (action.do) {
      case 'compute':
        state.cpuNs += action.ns;
        break;
      case 'call':
        enqueue(state, action.call);
        break;
      case 'log':
        state.lines.push({ atNs: state.cpuNs, level: action.level, text: action.text });
        break;
      case 'leave':
        state.code = action.code;
        stop(state, action.do);
        return true;
      case 'hang':
      case 'raise':
      case 'vanish':
        stop(state, action.do);
        return true;
      default:
        break;
    }
  }
  return moved;
}

function enqueue(state: RankState, spec: CallSpec): void {
  const counter = state.counters.get(spec.group.name) ?? { seq: 0, p2p: 0, ops: 0 };
  state.counters.set(spec.group.name, counter);
  if (spec.p2p === undefined) counter.seq++;
  else counter.p2p++;
  counter.ops++;
  state.calls.push({
    spec,
    recordId: state.calls.length,
    seq: counter.seq,
    p2pSeq: counter.p2p,
    opId: counter.ops,
    enqueuedNs: state.cpuNs,
    doneNs: undefined,
  });
  // A call costs the CPU some microseconds; it also keeps enqueue times apart.
  state.cpuNs += 20_000;
}

interface World {
  readonly topology: Topology;
  readonly meetings: Map<string, Meeting>;
  readonly states: readonly RankState[];
  readonly queue: number[];
}

/** Brings the head call to its meeting; ends the meeting if it is complete. True if a call ended on this rank. */
function advanceDevice(state: RankState, world: World): boolean {
  const call = state.calls[state.head];
  if (call === undefined || state.presented) return false;
  // The work of a process that is gone is gone too; one that hangs or raises keeps its device busy.
  if (state.stopped && (state.end === 'vanish' || state.end === 'leave')) return false;
  state.presented = true;
  const key = meetingKey(call);
  const meeting = world.meetings.get(key) ?? { first: call.spec, members: [], spoiled: false };
  world.meetings.set(key, meeting);
  meeting.members.push({ rank: state.rank, call, atNs: Math.max(call.enqueuedNs, state.deviceNs) });
  if (!sameCall(meeting.first, call.spec)) meeting.spoiled = true;
  const expected = call.spec.p2p === undefined ? call.spec.group.ranks.length : 2;
  if (meeting.spoiled || meeting.members.length < expected) return false;
  const doneNs = Math.max(...meeting.members.map((member) => member.atNs)) + durationNs(call.spec);
  world.meetings.delete(key);
  for (const member of meeting.members) {
    const other = world.states[member.rank];
    if (other === undefined) continue;
    member.call.doneNs = doneNs;
    other.deviceNs = doneNs;
    other.head++;
    other.presented = false;
    if (other !== state) world.queue.push(other.rank);
  }
  return true;
}

function meetingKey(call: CallRecord): string {
  const { group, p2p } = call.spec;
  // Of one direction, the k-th send meets the k-th receive; here each end has one transfer a direction and step, so the
  // count of transfers between the two serves as k.
  return p2p === undefined ? `${group.name}#${call.seq}` : `${group.name}:${p2p.src}>${p2p.dst}#${transferIndex(call)}`;
}

/** A middle stage receives and sends once a step, an end stage does one of both: normalise to the step. */
function transferIndex(call: CallRecord): number {
  const { group, p2p } = call.spec;
  if (p2p === undefined) return 0;
  const self = call.spec.opType === 'SEND' ? p2p.src : p2p.dst;
  const middle = self > 0 && self < group.ranks.length - 1;
  return middle ? Math.ceil(call.p2pSeq / 2) : call.p2pSeq;
}

function sameCall(a: CallSpec, b: CallSpec): boolean {
  if (a.p2p !== undefined) return b.p2p !== undefined;
  if (a.opType !== b.opType || a.dtype !== b.dtype) return false;
  return a.opType === 'ALLTOALL_BASE' || numelOf(a.input) === numelOf(b.input);
}

/** Chosen, not measured: 20 µs and 100 GB/s. Only the order of magnitude matters. */
const durationNs = (call: CallSpec): number => 20_000 + Math.round((numelOf(call.input) * 4) / 100);

function stop(state: RankState, end: RunEnd): void {
  state.stopped = true;
  state.end = end;
  state.endNs = Math.max(state.cpuNs, end === 'finished' ? state.deviceNs : 0);
}

/** The program waits for a call that never ends: since when is the moment it was enqueued or reached. */
function settleBlocked(state: RankState): void {
  state.end = 'blocked';
  state.endNs = Math.max(state.cpuNs, state.calls[state.head]?.enqueuedNs ?? 0);
}

/** The oldest call that the device has not finished; undefined if there is none. */
export const pendingCall = (rankRun: RankRun): CallRecord | undefined =>
  rankRun.calls.find((call) => call.doneNs === undefined);
