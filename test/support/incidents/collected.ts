/**
 * What of an incident's evidence came into the bundle, said in facts and not in files: what a kind of fault asks to say whether its
 * deciding evidence survived. Nothing here knows our readers or rules.
 */
import type { Aftermath } from './aftermath/story.ts';
import type { IncidentSpec } from './spec.ts';
import type { Topology } from './topology.ts';

export interface Collected {
  readonly ranks: readonly number[];
  /** The worker's own output is in the bundle. */
  readonly heard: (rank: number) => boolean;
  /** The output of the node's launcher is in the bundle. */
  readonly launcher: (node: number) => boolean;
  /** The rank's recorder was written and collected. */
  readonly dumped: (rank: number) => boolean;
  /**
   * There is something of this rank that shows what it waits for: its recorder, or its own words about the call that did not end. A rank
   * that its launcher ended first has said nothing, whether its log is there or not.
   */
  readonly shown: (rank: number) => boolean;
  /** Each Pod as the API stores it: phase, exit codes, conditions. */
  readonly podObjects: boolean;
  /** The table of `get pods`: phase and reason in a word. */
  readonly podTable: boolean;
  readonly events: boolean;
  /** Lines stamped by the runtime, and the leases of the nodes: how long after the last line the bundle was taken, by the same clocks. */
  readonly momentOfTaking: boolean;
  readonly topology: Topology;
}

/** What a process says of a call that did not end, in torch's own words. */
const WAITED =
  /Watchdog caught|raised the following async exception|Timed out waiting|Connection closed by peer|Connection reset by peer/;

/** A launcher and its workers write into one Pod's log, or into files that are collected together. */
export function collectedOf(
  spec: IncidentSpec,
  topology: Topology,
  aftermath: Aftermath,
  dumps: ReadonlySet<number>,
): Collected {
  const told = new Set(
    aftermath.lines.flatMap(({ rank, text }) => (rank !== undefined && WAITED.test(text) ? [rank] : [])),
  );
  const missing = spec.missing ?? {};
  const lost = new Set(missing.logsOfNodes ?? []);
  const launcher = (node: number): boolean => !lost.has(node);
  const heard = (rank: number): boolean => launcher(topology.ranks[rank]?.place.index ?? -1);
  return {
    ranks: topology.ranks.map(({ rank }) => rank),
    heard,
    launcher,
    dumped: (rank) => dumps.has(rank),
    shown: (rank) => (heard(rank) && told.has(rank)) || dumps.has(rank),
    podObjects: missing.podYaml !== true,
    podTable: spec.layout === 'capture',
    events: missing.events !== true,
    momentOfTaking: missing.leases !== true && ['kubectl', 'prefixed', 'cri'].includes(spec.layout),
    topology,
  };
}
