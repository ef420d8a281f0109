/** Ranks of a job and their calls in true time, and what each rank's recorder holds of them in the end. */
import type { MemberCalls, Transfer } from '#shared/analysis/clocks/evidence/reduce-group.ts';
import type { Random } from '../incidents/random.ts';
import type { NodeClock } from './node-clock.ts';

export interface JobSpec {
  readonly ranks: number;
  readonly nodeOf: (rank: number) => number;
  /** Members of each group. */
  readonly groups: readonly (readonly number[])[];
  /** Groups called in each step, in program order; a group stands here as often as it is called. */
  readonly step: readonly number[];
  readonly steps: number;
  /** Sends between ranks at the beginning of each step, in program order, by the group that counts them. */
  readonly transfers?: readonly { readonly from: number; readonly to: number; readonly group: number }[];
  readonly transferComputeNs?: number;
  /** Computing before each call, ns, and before the first one of a step in addition. */
  readonly computeNs: number;
  readonly stepComputeNs?: number;
  /** Steps that the host may be ahead of the device; 0 = it waits at the end of each step. */
  readonly ahead: number;
  readonly pollNs: number;
  /** Newest entries that a rank's ring keeps, over all groups. */
  readonly ring: number;
  readonly missingDumps: number;
  /** Blocking calls without times of completion, as gloo's. */
  readonly blocking?: boolean;
  /** The last rank to enter the last call comes so much after the others; it is then never over. */
  readonly lastMarginNs?: number;
  /** This rank's numbers are one too high. */
  readonly shifted?: number;
}

export interface JobRun {
  /** Calls of each group, by members that have a dump. */
  readonly groups: readonly (readonly MemberCalls[])[];
  readonly transfers: readonly Transfer[];
  /** True moment of the incident. */
  readonly incidentNs: number;
  readonly lastRank: number;
  /** What each rank wrote when it entered the last call; NaN for ranks that are no member. */
  readonly enteredNs: Float64Array;
}

interface Entry {
  readonly seq: number;
  readonly created: number;
  readonly ended: number;
}

interface State {
  readonly host: Float64Array;
  readonly device: Float64Array;
  readonly ends: Float64Array[];
  readonly entries: Map<number, Entry[]>[];
  readonly sends: {
    readonly group: number;
    readonly from: number;
    readonly to: number;
    readonly sent: number;
    readonly received: number;
  }[];
}

export function runJob(spec: JobSpec, clocks: readonly NodeClock[], random: Random): JobRun {
  const state: State = {
    host: new Float64Array(spec.ranks),
    device: new Float64Array(spec.ranks),
    ends: [],
    entries: Array.from({ length: spec.ranks }, () => new Map()),
    sends: [],
  };
  const numbers = new Int32Array(spec.groups.length);
  for (let s = 0; s < spec.steps; s++) {
    const slow = random.chance(0.1) ? random.int(0, spec.ranks - 1) : -1;
    const extra = (spec.stepComputeNs ?? 0) * random.between(0.95, 1.1);
    for (let rank = 0; rank < spec.ranks; rank++) state.device[rank] = (state.device[rank] ?? 0) + extra;
    for (const one of spec.transfers ?? []) transfer(spec, state, one, random);
    for (const group of spec.step) {
      numbers[group] = (numbers[group] ?? 0) + 1;
      call(spec, state, { group, seq: numbers[group] ?? 0, slow, random });
    }
    state.ends.push(state.device.slice());
    for (let rank = 0; rank < spec.ranks; rank++) {
      const seen = state.ends[s - spec.ahead]?.[rank];
      if (seen !== undefined) state.host[rank] = Math.max(state.host[rank] ?? 0, seen + random.between(0, 1e6));
    }
  }
  const last = lastCall(spec, state, numbers, random);
  const dump = drawDumps(spec, random);
  const transferGroups = new Map<number, Set<number>>();
  for (const { group, from, to } of spec.transfers ?? [])
    transferGroups.set(group, (transferGroups.get(group) ?? new Set()).add(from).add(to));
  const all = [...spec.groups.entries(), ...[...transferGroups].map(([group, ranks]) => [group, [...ranks]] as const)];
  const recorded = all.map(([group, members]) =>
    members.flatMap((rank) => {
      const clock = clocks[spec.nodeOf(rank)];
      if (!dump[rank] || clock === undefined) return [];
      return [
        record(spec, {
          rank,
          group,
          entries: state.entries[rank]?.get(group) ?? [],
          clock,
          incidentNs: last.at,
          random: random.fork(`${rank}/${group}`),
        }),
      ];
    }),
  );
  const enteredNs = last.entered.map((t, rank) => clocks[spec.nodeOf(rank)]?.shows(t) ?? Number.NaN);
  const cut = cutRings(spec, recorded);
  const ofTransfers = new Map<string, MemberCalls>();
  for (const [i, [group]] of all.entries())
    if (transferGroups.has(group)) for (const calls of cut[i] ?? []) ofTransfers.set(`${group} ${calls.rank}`, calls);
  const groups = cut.slice(0, spec.groups.length);
  return { groups, transfers: pairUp(state, ofTransfers), incidentNs: last.at, lastRank: last.rank, enteredNs };
}

interface Call {
  readonly group: number;
  readonly seq: number;
  readonly slow: number;
  readonly random: Random;
}

function call(spec: JobSpec, { host, device, entries }: State, { group, seq, slow, random }: Call): void {
  const members = spec.groups[group] ?? [];
  const created: number[] = [];
  let arrived = -Infinity;
  for (const rank of members) {
    const work = spec.computeNs * random.between(0.9, 1.1) * (rank === slow ? 1 + 4 * random.next() : 1);
    // Blocking programs compute on the host; others enqueue and let the device compute.
    const at = (host[rank] ?? 0) + (spec.blocking === true ? work : random.between(20e3, 300e3));
    host[rank] = at;
    created.push(at);
    const free = (device[rank] ?? 0) + (spec.blocking === true ? 0 : work);
    arrived = Math.max(arrived, at, free);
  }
  const over = arrived + random.between(0.2e6, 2e6);
  for (const [i, rank] of members.entries()) {
    const ended = over + random.between(0, 0.5e6);
    device[rank] = ended;
    if (spec.blocking === true) host[rank] = ended + random.between(10e3, 200e3);
    const own = entries[rank] ?? new Map<number, Entry[]>();
    const list = own.get(group);
    const entry = { seq, created: created[i] ?? 0, ended };
    if (list === undefined) own.set(group, [entry]);
    else list.push(entry);
  }
}

/** A send waits for its receive here; both are on the device's queue. */
function transfer(
  spec: JobSpec,
  { host, device, entries, sends }: State,
  { from, to, group }: NonNullable<JobSpec['transfers']>[number],
  random: Random,
): void {
  const posted = (rank: number): number => {
    const at = (host[rank] ?? 0) + random.between(20e3, 300e3);
    host[rank] = at;
    return at;
  };
  const work = (spec.transferComputeNs ?? 0) * random.between(0.9, 1.2);
  const [sent, received] = [posted(from), posted(to)];
  const ready = Math.max(sent, (device[from] ?? 0) + work);
  const over = Math.max(ready, received, device[to] ?? 0) + random.between(0.1e6, 1e6);
  const add = (rank: number, created: number): number => {
    const list = entries[rank]?.get(group) ?? [];
    entries[rank]?.set(group, list);
    const ended = over + random.between(0, 0.3e6);
    device[rank] = Math.max(device[rank] ?? 0, ended);
    list.push({ seq: list.length + 1, created, ended });
    return list.length;
  };
  sends.push({ group, from, to, sent: add(from, sent), received: add(to, received) });
}

/** Transfers of which both ends are still in the rings. */
function pairUp(state: State, calls: ReadonlyMap<string, MemberCalls>): Transfer[] {
  return state.sends.flatMap(({ group, from, to, sent, received }) => {
    const [sender, receiver] = [calls.get(`${group} ${from}`), calls.get(`${group} ${to}`)];
    if (sender === undefined || receiver === undefined) return [];
    const [i, j] = [sent - (sender.seq[0] ?? 0), received - (receiver.seq[0] ?? 0)];
    return i < 0 || j < 0 ? [] : [{ sender, sent: i, receiver, received: j }];
  });
}

/** The call in which the job stays: all enter, one of them last, and nobody leaves. */
function lastCall(
  spec: JobSpec,
  { host, device, entries }: State,
  numbers: Int32Array,
  random: Random,
): { readonly at: number; readonly rank: number; readonly entered: Float64Array } {
  const group = spec.step[0] ?? 0;
  const members = spec.groups[group] ?? [];
  const rank = members[random.int(0, members.length - 1)] ?? 0;
  const entered = new Float64Array(spec.ranks).fill(Number.NaN);
  let newest = 0;
  for (const member of members) newest = Math.max(newest, host[member] ?? 0, device[member] ?? 0);
  for (const member of members) {
    const at =
      newest + (member === rank ? (spec.lastMarginNs ?? 0) : 0) - (member === rank ? 0 : random.between(0, 1e6));
    entered[member] = at;
    const list = entries[member]?.get(group) ?? [];
    entries[member]?.set(group, list);
    list.push({ seq: (numbers[group] ?? 0) + 1, created: at, ended: Number.NaN });
  }
  return { at: newest + (spec.lastMarginNs ?? 0), rank, entered };
}

function drawDumps({ ranks, missingDumps }: JobSpec, random: Random): readonly boolean[] {
  return Array.from({ length: ranks }, () => !random.chance(missingDumps));
}

interface Recording {
  readonly rank: number;
  readonly group: number;
  readonly entries: readonly Entry[];
  readonly clock: NodeClock;
  readonly incidentNs: number;
  readonly random: Random;
}

function record(spec: JobSpec, { rank, entries, clock, random }: Recording): MemberCalls {
  const n = entries.length;
  const shift = spec.shifted === rank ? 1 : 0;
  const made: MemberCalls = {
    rank,
    domain: spec.nodeOf(rank),
    seq: Float64Array.from(entries, ({ seq }) => seq + shift),
    call: new Int32Array(n),
    barrierLike: new Uint8Array(n).fill(1),
    created: Float64Array.from(entries, ({ created }) => clock.shows(created)),
    completed: new Float64Array(n).fill(Number.NaN),
    over: new Float64Array(n).fill(Number.NaN),
  };
  if (spec.blocking === true) {
    for (let i = 0; i + 1 < n; i++) made.over[i] = made.created[i + 1] ?? Number.NaN;
    return made;
  }
  // The watchdog's passes: it sleeps for the poll and then works for a time of its own; with a stall now and then.
  const work = random.between(0, 0.02);
  let pass = (entries[0]?.created ?? 0) + random.between(0, spec.pollNs);
  for (const [i, { ended }] of entries.entries()) {
    while (pass < ended) {
      pass += spec.pollNs * (1 + work + random.between(0, 0.005));
      if (random.chance(0.002)) pass += random.between(0.2e9, 3e9);
    }
    if (!Number.isNaN(ended)) made.completed[i] = clock.shows(pass) + i * 0.1;
  }
  return made;
}

/** Each rank keeps its newest entries over all groups. */
function cutRings(
  { ring, ranks }: JobSpec,
  groups: readonly (readonly MemberCalls[])[],
): readonly (readonly MemberCalls[])[] {
  const times: number[][] = Array.from({ length: ranks }, () => []);
  for (const members of groups) for (const { rank, created } of members) times[rank]?.push(...created);
  const from = times.map((all) => [...all].sort((a, b) => b - a)[ring - 1] ?? -Infinity);
  return groups.map((members) =>
    members.map((member) => {
      const first = member.created.findIndex((at) => at >= (from[member.rank] ?? -Infinity));
      const start = first < 0 ? member.created.length : first;
      return {
        ...member,
        seq: member.seq.subarray(start),
        call: member.call.subarray(start),
        barrierLike: member.barrierLike.subarray(start),
        created: member.created.subarray(start),
        completed: member.completed.subarray(start),
        over: member.over.subarray(start),
      };
    }),
  );
}
