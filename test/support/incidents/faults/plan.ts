/** What a fault does to the programs, what its culprit prints, and what is true about it. */

import type { Cause, Outcome, Stage } from '#shared/model/finding.ts';
import type { Collected } from '../collected.ts';
import type { Action, Phase, Program } from '../loop.ts';
import type { Random } from '../random.ts';
import type { IncidentSpec, Provable } from '../spec.ts';
import type { Topology } from '../topology.ts';

export interface FaultContext {
  readonly spec: IncidentSpec;
  readonly topology: Topology;
  readonly programs: readonly Program[];
  readonly random: Random;
}

/** A Python traceback: lines between the header and the final line, and the final line. */
export interface Raised {
  readonly rank: number;
  readonly frames: readonly string[];
  readonly final: string;
}

export interface FaultPlan {
  readonly programs: readonly Program[];
  readonly truth: {
    readonly outcome: Outcome;
    readonly alsoRight: readonly Outcome[];
    readonly firstRanks: readonly number[];
    readonly stages: readonly Stage[];
    readonly causes: readonly Cause[];
    /** Index of the node whose Pod is at fault. */
    readonly node: number | undefined;
    /** What the evidence in the bundle can prove. Argued from what evidence proves, in the docstring of each kind. */
    readonly proof: Proof;
  };
  /** For programs that end in `raise`. */
  readonly raised?: Raised;
  /** For programs that end in `vanish`: the process was killed by the kernel for its memory. */
  readonly outOfMemory?: { readonly rank: number };
  /** The Pod of this node is told to go at the moment its first rank reaches `hang`. */
  readonly evictedNode?: number;
  /** The Pod of this node never starts. */
  readonly missingNode?: number;
  /** The hung rank holds the interpreter lock: it writes no dump and prints nothing. */
  readonly holdsLock?: boolean;
  /** Nobody's gloo sockets get through: every rank fails while the group is made. */
  readonly noMesh?: boolean;
  /** A waiting program wraps the time-out into an error of its own. */
  readonly wraps?: boolean;
  /** The node of this rank loses its file server. */
  readonly fileServerGone?: { readonly rank: number };
}

export type Proof = (bundle: Collected) => Provable;

/** All or nothing. */
export const provenBy =
  (whole: (bundle: Collected) => boolean): Proof =>
  (bundle) =>
    whole(bundle) ? 'answer' : 'nothing';

const nodeOf = (bundle: Collected, rank: number): number => bundle.topology.ranks[rank]?.place.index ?? -1;

/** What only the rank's own output says: its traceback, its last words. Without it at most its Pod can be told. */
export const ownOutputTells =
  (rank: number): Proof =>
  (bundle) =>
    bundle.heard(rank) ? 'answer' : podByExclusion(rank)(bundle);

/** What only the launcher of the rank's node says: how its process ended. Without it at most its Pod can be told. */
export const launcherTells =
  (rank: number): Proof =>
  (bundle) =>
    bundle.launcher(nodeOf(bundle, rank)) ? 'answer' : podByExclusion(rank)(bundle);

/**
 * A process ended and its Pod's log is not there. If every rank of the other Pods is shown to have waited in a call, none of them was
 * first; if what they saw of it was a closed connection, and not only a call that did not end, then a process ended and the network is
 * not to blame. Both together leave the ranks of that one Pod, and nothing tells them apart.
 */
export const podByExclusion =
  (rank: number): Proof =>
  (bundle) => {
    const node = nodeOf(bundle, rank);
    const outside = bundle.ranks.filter((other) => nodeOf(bundle, other) !== node);
    return outside.length > 0 && outside.every(bundle.shown) && bundle.peerEndSeen ? 'group' : 'nothing';
  };

/**
 * A rank lives and does not make its next call. Its own recorder shows that it is in no call, and one other rank shows the call in which
 * it is missed. Without its recorder its silence must speak, and silence accuses only where everybody else is shown to wait. Without its
 * log there is no silence either: that it did not come and that the network failed them all looks the same to the others. Its recorder may
 * be silent in its stead: a rank that waits writes it like the others, and where those of all others are there, some from its own Pod among
 * them, that it has none says that it did not wait.
 */
export const absenceShows = (rank: number): Proof =>
  provenBy((bundle) => {
    const others = bundle.ranks.filter((other) => other !== rank);
    if (bundle.dumped(rank)) return others.some((other) => bundle.shown(other));
    if (onlyOneWithoutDump(rank, bundle)) return true;
    return bundle.heard(rank) && others.every((other) => bundle.shown(other) || bundle.heard(other));
  });

export function onlyOneWithoutDump(rank: number, bundle: Collected): boolean {
  const node = nodeOf(bundle, rank);
  const others = bundle.ranks.filter((other) => other !== rank);
  return others.every(bundle.dumped) && others.some((other) => nodeOf(bundle, other) === node);
}

/**
 * A rank makes another call than its group. Its own call is shown (recorder or time-out line), and so are those of two others. With one
 * other there is no majority: the two calls contradict each other, that is proven, and who is right is not.
 */
export const majorityShows =
  (rank: number, group: readonly number[]): Proof =>
  (bundle) => {
    const others = group.filter((other) => other !== rank && bundle.shown(other)).length;
    if (!bundle.shown(rank) || others === 0) return 'nothing';
    return others >= 2 ? 'answer' : 'group';
  };

/**
 * Another size in a group of the data-parallel ranks. Where the group is a pair, the recorders of its sister groups, in which other ranks carry
 * out the same program, are witnesses too: their same call in the other size makes the majority that the pair has not.
 */
export const sizeShows =
  (rank: number, topology: Topology): Proof =>
  (bundle) => {
    const own = topology.dataOf(rank);
    const proven = majorityShows(rank, own.ranks)(bundle);
    if (proven !== 'group') return proven;
    const sisters = topology.ranks.filter((one) => !own.ranks.includes(one.rank) && bundle.dumped(one.rank));
    return sisters.length >= 2 ? 'answer' : 'group';
  };

/**
 * A rank leaves out a call and goes on. In a job of one group its next call meets the others' left-out one under the same number, and
 * time-out lines show both. In a job of several it may go on to a call of another group: there the others are missed as it is missed here, and
 * only the order of calls across groups, which recorders keep and time-out lines do not, tells who left one out.
 */
export const orderShows =
  (rank: number, topology: Topology): Proof =>
  (bundle) => {
    const groups = topology.groupsOf[rank]?.length ?? 1;
    const { ranks } = topology.world;
    return majorityShows(rank, ranks)(groups === 1 ? bundle : { ...bundle, shown: bundle.dumped });
  };

export const planTruth = (
  fault: { rank: number },
  topology: Topology,
  rest: Pick<FaultPlan['truth'], 'stages' | 'causes' | 'proof'>,
): FaultPlan['truth'] => ({
  outcome: 'named',
  alsoRight: [],
  firstRanks: [fault.rank],
  node: topology.ranks[fault.rank]?.place.index,
  ...rest,
});

/**
 * Replaces what the rank does from `phase` of `step` on. `edit` gets the actions of that phase (without its mark) and
 * everything after it. Throws if the program has no such phase: the incident's description does not fit its loop.
 */
export function editPhase(
  context: FaultContext,
  at: { readonly rank: number; readonly step: number; readonly phase: Phase },
  edit: (phase: readonly Action[], rest: readonly Action[]) => readonly Action[],
): Program[] {
  return context.programs.map((program, rank) => {
    if (rank !== at.rank) return program;
    const start = program.findIndex((a) => a.do === 'mark' && a.step === at.step && a.phase === at.phase);
    if (start < 0) throw new Error(`rank ${rank} has no ${at.phase} in step ${at.step}`);
    const length = program.slice(start + 1).findIndex((a) => a.do === 'mark');
    const end = length < 0 ? program.length : start + 1 + length;
    return [...program.slice(0, start + 1), ...edit(program.slice(start + 1, end), program.slice(end))];
  });
}
