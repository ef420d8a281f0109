/**
 * What of an incident's evidence came into the bundle, said in facts and not in files: what a kind of fault asks to say whether its
 * deciding evidence survived. Nothing here knows our readers or rules.
 */
import type { Aftermath, StoryLine } from './aftermath/story.ts';
import type { Attempts } from './attempts.ts';
import { SECOND } from './clock.ts';
import type { Taking } from './taking.ts';
import type { Topology } from './topology.ts';

export interface Collected {
  readonly ranks: readonly number[];
  /** The worker's own output, to its end, is in the bundle. */
  readonly heard: (rank: number) => boolean;
  /** The output of the node's launcher, to its end, is in the bundle. */
  readonly launcher: (node: number) => boolean;
  /** The rank's recorder was written and collected. */
  readonly dumped: (rank: number) => boolean;
  /**
   * There is something of this rank that shows what it waits for: its recorder, or its own words about the call that did not end. A rank
   * that its launcher ended first has said nothing, whether its log is there or not.
   */
  readonly shown: (rank: number) => boolean;
  /** The rank says itself that it finished. Of Lightning's ranks only the first does. */
  readonly saysFinished: (rank: number) => boolean;
  /** Each Pod as the API stores it: phase, exit codes, conditions, and those of the container's run before the present one. */
  readonly podObjects: boolean;
  /** The table of `get pods`: phase and reason in a word, of the present run only. */
  readonly podTable: boolean;
  readonly events: boolean;
  /** The kernel's log of the node, and what tells which Pod its cgroups are. */
  readonly kernelOfPods: boolean;
  /** The node's log is in the bundle and reaches to about its taking: the leases of the nodes say that moment to ten seconds. */
  readonly reachesTaking: (rank: number) => boolean;
  /** Lines stamped by the runtime, and the leases of the nodes: how long after the last line the bundle was taken, by the same clocks. */
  readonly momentOfTaking: boolean;
  /** The first that any rank says of the failure is that a peer's connection closed: some process ended, and no time limit had passed. */
  readonly peerEndSeen: boolean;
  readonly topology: Topology;
}

/** Between two renewals of a lease. */
const LEASE_NS = 10 * SECOND;

const CLOSED =
  /raised the following async exception: NCCL error: remote|Connection closed by peer|Connection reset by peer/;

/** What a process says of a call that did not end, in torch's own words. */
const WAITED =
  /Watchdog caught|raised the following async exception|Timed out waiting|Connection closed by peer|Connection reset by peer/;

/** Of one attempt. A launcher and its workers write into one Pod's log, or into files that are collected together. */
export function collectedOf(
  attempts: Attempts,
  which: 0 | 1,
  taking: Taking,
  dumpFiles: ReadonlySet<number>,
): Collected {
  const [first, second] = attempts;
  const { scene, aftermath } = which === 1 && second !== undefined ? second : first;
  const { spec, topology } = scene;
  const missing = spec.missing ?? {};
  const told = new Set(
    aftermath.lines.flatMap(({ node, rank, atNs, text }) =>
      rank !== undefined && atNs <= taking.tailNs(node) && WAITED.test(text) ? [rank] : [],
    ),
  );
  // A log that was taken early and lost no line by that is the same file as one that was taken at the end.
  const cut = (missing.tailsOfNodes ?? []).filter((node) =>
    aftermath.lines.some((line) => line.node === node && line.atNs > taking.tailNs(node) && line.atNs <= taking.endNs),
  );
  const lost = new Set([...(missing.logsOfNodes ?? []), ...cut]);
  const launcher = (node: number): boolean => taking.hasAttempt(which) && !lost.has(node);
  // Files of torchrun in a container that is gone are gone with it.
  const ownFiles = which === 1 || !(spec.layout === 'torchrun' && spec.restart?.by === 'kubelet');
  const heard = (rank: number): boolean => ownFiles && launcher(topology.ranks[rank]?.place.index ?? -1);
  const later = second?.aftermath.dumps ?? new Map<number, number>();
  const dumped = (rank: number): boolean => dumpFiles.has(rank) && later.has(rank) === (which === 1);
  return {
    ranks: topology.ranks.map(({ rank }) => rank),
    heard,
    launcher,
    dumped,
    shown: (rank) => (heard(rank) && told.has(rank)) || dumped(rank),
    saysFinished: (rank) => heard(rank) && (spec.appLog !== 'lightning' || rank === 0),
    podObjects: missing.podYaml !== true,
    podTable: spec.layout === 'capture' && (second === undefined || which === 1),
    events: missing.events !== true,
    kernelOfPods: missing.kernelLog !== true && (missing.podYaml !== true || spec.layout === 'cri'),
    reachesTaking: (rank) => {
      const node = topology.ranks[rank]?.place.index ?? -1;
      return heard(rank) || (cut.includes(node) && taking.endNs - taking.tailNs(node) < LEASE_NS);
    },
    momentOfTaking: missing.leases !== true && ['kubectl', 'prefixed', 'cri', 'plxlogs'].includes(spec.layout),
    peerEndSeen: firstWordsAreOfAnEnd(aftermath, heard),
    topology,
  };
}

function firstWordsAreOfAnEnd(aftermath: Aftermath, heard: (rank: number) => boolean): boolean {
  let first: StoryLine | undefined;
  for (const line of aftermath.lines)
    if (line.rank !== undefined && heard(line.rank) && WAITED.test(line.text) && line.atNs < (first?.atNs ?? Infinity))
      first = line;
  return first !== undefined && CLOSED.test(first.text);
}
