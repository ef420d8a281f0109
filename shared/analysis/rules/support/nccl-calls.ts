/** NCCL's log of calls by communicator, and where members of one differ. Holds no conclusions of its own. */
import type { PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { PlacedOf } from './events.ts';
import { rankOfProcess } from './hosts.ts';

type Call = PlacedOf<'nccl-collective'>;

/** One communicator in one process. */
export interface Caller {
  /** Empty if the lines do not tell it. */
  readonly host: string;
  readonly pid: number | undefined;
  readonly rank: number | undefined;
  /** By number; several calls may be made under one. */
  readonly calls: ReadonlyMap<number, readonly Call[]>;
}

export interface Communicator {
  readonly nranks: number;
  readonly callers: readonly Caller[];
}

/** Members that made the same call, and what it was. */
export interface Side {
  readonly callers: readonly Caller[];
  readonly words: string;
  readonly op: string;
  readonly datatype: number | undefined;
  readonly root: number | undefined;
}

export interface Difference {
  readonly opCount: number;
  /** Larger sides first. */
  readonly sides: readonly Side[];
}

/** Calls whose partners are not all members. */
const PAIRWISE: ReadonlySet<string> = new Set(['Send', 'Recv']);

/** Joined by id where init lines tell it, else by size, if it is that of the job and leaves no doubt. Those with one member are left out. */
export function communicatorsOf(
  calls: readonly Call[],
  inits: readonly PlacedOf<'nccl-init'>[],
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Communicator[] {
  const ids = new Map<string, string>();
  for (const { event } of inits) {
    const { host, pid, comm, commId } = event.body;
    if (comm !== undefined && commId !== undefined) ids.set(`${host} ${pid} ${comm}`, commId);
  }
  const perProcess = new Map<string, Call[]>();
  for (const call of calls) {
    const { host, pid, comm } = call.event.body;
    if (pid === undefined) continue;
    const key = `${host} ${pid} ${comm}`;
    const list = perProcess.get(key);
    if (list) list.push(call);
    else perProcess.set(key, [call]);
  }
  const joined = new Map<string, { nranks: number; callers: Caller[] }>();
  for (const [key, list] of perProcess) {
    const [first] = list;
    const nranks = first?.event.body.nranks;
    if (first === undefined || nranks === undefined || list.some(({ event }) => PAIRWISE.has(event.body.op))) continue;
    const id = ids.get(key);
    const group = id === undefined ? `size ${nranks}` : `id ${id}`;
    const { host, pid } = first.event.body;
    const caller: Caller = {
      host: first.node ?? host ?? '',
      pid,
      rank: rankOfProcess(first, host, pid, events, rankMap),
      calls: byNumber(list),
    };
    const known = joined.get(group);
    if (known) known.callers.push(caller);
    else joined.set(group, { nranks, callers: [caller] });
  }
  const largest = rankMap.worldSize ?? largestOf(calls, inits);
  return [...joined]
    .filter(
      ([group, { nranks, callers }]) =>
        callers.length > 1 && (group.startsWith('id ') || (nranks === largest && isOne(nranks, callers))),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, communicator]) => communicator);
}

/** Members of the largest communicator that is told of: smaller ones of one size may be several. */
function largestOf(calls: readonly Call[], inits: readonly PlacedOf<'nccl-init'>[]): number {
  const sizes = [...calls, ...inits].map(({ event }) => event.body.nranks ?? 0);
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

/** Without ids: each process has one of that size, and there are not more processes than members. */
function isOne(nranks: number, callers: readonly Caller[]): boolean {
  const processes = new Set(callers.map(({ host, pid }) => `${host} ${pid}`));
  return processes.size === callers.length && callers.length <= nranks && callers.length * 2 > nranks;
}

function byNumber(list: readonly Call[]): Map<number, Call[]> {
  const calls = new Map<number, Call[]>();
  for (const call of list) {
    const { opCount } = call.event.body;
    const same = calls.get(opCount);
    if (same) same.push(call);
    else calls.set(opCount, [call]);
  }
  return calls;
}

/** The lowest number under which two members made one call each, and not the same. */
export function firstDifference({ callers }: Communicator): Difference | undefined {
  const numbers = [...new Set(callers.flatMap(({ calls }) => [...calls.keys()]))].sort((a, b) => a - b);
  for (const opCount of numbers) {
    const made = callers.flatMap((caller) => {
      const calls = caller.calls.get(opCount);
      return calls === undefined ? [] : [{ caller, calls }];
    });
    if (made.length < 2 || made.some(({ calls }) => calls.length !== 1)) continue;
    const sides = new Map<string, { callers: Caller[]; call: Call }>();
    for (const { caller, calls } of made) {
      const [call] = calls;
      if (call === undefined) continue;
      const { op, count, datatype, root } = call.event.body;
      const key = `${op} ${count} ${datatype} ${root}`;
      const side = sides.get(key);
      if (side) side.callers.push(caller);
      else sides.set(key, { callers: [caller], call });
    }
    if (sides.size > 1)
      return {
        opCount,
        sides: [...sides]
          .sort(([a, x], [b, y]) => y.callers.length - x.callers.length || (a < b ? -1 : 1))
          .map(([, side]) => toSide(side)),
      };
  }
  return undefined;
}

function toSide({ callers, call }: { readonly callers: readonly Caller[]; readonly call: Call }): Side {
  const { op, count, datatype, root } = call.event.body;
  const words = `${op} of ${count ?? '?'}${datatype === undefined ? '' : ` × ${TYPES[datatype] ?? `type ${datatype}`}`}${root === undefined || !ROOTED.has(op) ? '' : ` from root ${root}`}`;
  return { callers, words, op, datatype, root };
}

/** Only these have a root that means something. */
const ROOTED: ReadonlySet<string> = new Set(['Broadcast', 'Bcast', 'Reduce']);
/** NCCL's numbers of types. */
const TYPES = ['int8', 'uint8', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'float32', 'float64', 'bfloat16'];
