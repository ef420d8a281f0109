/**
 * What happens once the loop cannot go on, and what each process prints about it.
 *
 * Two kinds of actors: worker processes (they notice, print, write dumps, end) and one agent a Pod (it sees its first
 * child end, ends the rest, prints its block, ends the container). A worker's ending is first worked out as if there
 * were no agent; then the agent cuts short what its children would still have done.
 */

import type { Stamper } from '../clock.ts';
import type { FaultPlan } from '../faults/index.ts';
import type { Random } from '../random.ts';
import type { RankRun } from '../run.ts';
import type { IncidentSpec } from '../spec.ts';
import type { NodePlace, Topology } from '../topology.ts';

export interface Scene {
  readonly spec: IncidentSpec;
  readonly topology: Topology;
  readonly stamper: Stamper;
  readonly random: Random;
  readonly runs: readonly RankRun[];
  readonly plan: FaultPlan;
  /** From 0. */
  readonly attempt?: number;
  /** When this attempt fails, the launchers start their workers over. */
  readonly restarts?: boolean;
}

export interface StoryLine {
  readonly node: number;
  /** Global rank of the worker; undefined = the agent. */
  readonly rank: number | undefined;
  readonly atNs: number;
  /** May hold several lines: one write. A write that begins with a carriage return draws a progress bar and does not end its line. */
  readonly text: string;
}

/** How a worker would end if nobody killed it. `exitNs` Infinity = it lives on. */
export interface Ending {
  readonly rank: number;
  readonly lines: readonly { readonly atNs: number; readonly text: string }[];
  readonly dumpNs: number | undefined;
  readonly exitNs: number;
  /** Negative = by that signal. */
  readonly code: number;
  /** When its sockets closed, if before the exit. */
  readonly closedNs?: number;
}

export interface ContainerEnd {
  /** Infinity = still running when the bundle was collected. */
  readonly atNs: number;
  readonly code: number;
  readonly reason: 'Error' | 'Completed' | 'OOMKilled';
}

export interface Aftermath {
  readonly lines: readonly StoryLine[];
  /** Moment of each rank's dump that was written. */
  readonly dumps: ReadonlyMap<number, number>;
  readonly exits: ReadonlyMap<number, { readonly atNs: number; readonly code: number }>;
  readonly containers: ReadonlyMap<number, ContainerEnd>;
  /** Moment of the fault, if there is one. */
  readonly faultNs: number | undefined;
}

export const living = (rank: number): Ending => ({ rank, lines: [], dumpNs: undefined, exitNs: Infinity, code: 0 });

/** Draws that belong to one rank, whatever other ranks draw. */
export const randomOf = (scene: Scene, what: string, rank: number): Random => scene.random.fork(`${what}-${rank}`);

export const placeOfNode = (scene: Scene, node: number): NodePlace => {
  const place = scene.topology.nodes[node];
  if (place === undefined) throw new Error(`no node ${node}`);
  return place;
};
