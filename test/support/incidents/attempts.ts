/**
 * Plays the whole story: the job as it was started, and, where it was started again, its second attempt.
 *
 *     launcher  its workers end or are ended ─► all launchers meet at the rendezvous again ─► new processes in the same containers
 *     kubelet   the launchers end ─► each node starts a new container ─► new launchers, new processes, restartCount 1
 *
 * The second attempt goes on after the newest checkpoint of the first. It has processes, numbers and programs of its own; names, clocks
 * and groups stay.
 */
import { type Aftermath, buildAftermath, type Scene } from './aftermath/index.ts';
import { SECOND, Stamper } from './clock.ts';
import { planFault } from './faults/index.ts';
import { planNext } from './faults/next.ts';
import { type Action, buildPrograms, checkpointPath, type Program } from './loop.ts';
import { createRandom, type Random } from './random.ts';
import { run } from './run.ts';
import type { IncidentSpec, Restart } from './spec.ts';
import { planStart } from './timeline.ts';
import { buildTopology, range, type Topology } from './topology.ts';

export interface Attempt {
  readonly scene: Scene;
  readonly aftermath: Aftermath;
  /** Start of the container in which it ran, by node index. */
  readonly startedNs: (node: number) => number;
}

export type Attempts = readonly [first: Attempt, second?: Attempt];

export function playAttempts(spec: IncidentSpec, origin: bigint): Attempts {
  const random = createRandom(spec.seed);
  const topology = buildTopology(spec, random.fork('topology'));
  const programs = buildPrograms(spec, topology, random.fork('loop'));
  const plan = planFault({ spec, topology, programs, random: random.fork('fault') });
  const start = planStart(spec, random.fork('start'));
  const runs = run(topology, plan.programs, { backend: spec.backend, startNs: start.programNs });
  const stamper = new Stamper(origin);
  const again = spec.restart === undefined ? {} : { restarts: spec.restart.by === 'launcher' };
  const scene: Scene = { spec, topology, stamper, random: random.fork('story'), runs, plan, ...again };
  const aftermath = buildAftermath(scene, new Map(range(spec.nodes).map((node) => [node, start.startedNs(node)])));
  const first: Attempt = { scene, aftermath, startedNs: start.startedNs };
  return spec.restart === undefined ? [first] : [first, playNext(first, spec.restart)];
}

function playNext(first: Attempt, restart: Restart): Attempt {
  const { spec, stamper } = first.scene;
  const random = createRandom(spec.seed).fork('attempt-1');
  const topology = withNewProcesses(first.scene.topology, restart, random.fork('processes'));
  const endedNs = (node: number): number => first.aftermath.containers.get(node)?.atNs ?? Infinity;
  const backNs = range(spec.nodes).map((node) => endedNs(node) + random.fork(`back-${node}`).between(1.2, 3) * SECOND);
  if (!backNs.every(Number.isFinite)) throw new Error(`${spec.fault.kind} leaves a launcher that never ends`);
  const together = Math.max(...backNs) + random.fork('together').between(6, 14) * SECOND;
  const saved = newestCheckpoint(first);
  const programs = buildPrograms(spec, topology, random.fork('loop')).map((program, rank) =>
    resumed(program, rank, saved),
  );
  const plan = planNext({ spec, topology, programs, random: random.fork('fault') }, restart, saved);
  const startNs = topology.ranks.map(({ rank }) =>
    Math.round(together + random.fork(`up-${rank}`).between(0, 0.3) * SECOND),
  );
  const runs = run(topology, plan.programs, { backend: spec.backend, startNs });
  const scene: Scene = { spec, topology, stamper, random: random.fork('story'), runs, plan, attempt: 1 };
  const inNewContainers = restart.by === 'kubelet';
  const launchers = inNewContainers ? backNs.map((ns, node): [number, number] => [node, ns]) : [];
  return {
    scene,
    aftermath: buildAftermath(scene, new Map(launchers)),
    startedNs: inNewContainers ? (node) => backNs[node] ?? 0 : first.startedNs,
  };
}

/** Step of the last checkpoint that the first attempt wrote to its end; -1 if there is none. */
function newestCheckpoint({ scene }: Attempt): number {
  const saved = (scene.runs[0]?.lines ?? []).flatMap(({ text }) => {
    const match = /^saved \S*step-(\d+)/.exec(text);
    return match === null ? [] : [Number(match[1])];
  });
  return Math.max(-1, ...saved);
}

function resumed(program: Program, rank: number, saved: number): Program {
  if (saved < 0) return program;
  const begin = program.findIndex((action) => action.do === 'mark');
  const next = program.findIndex((action) => action.do === 'mark' && action.step > saved);
  const said: Action[] =
    rank === 0 ? [{ do: 'log', text: `resuming from ${checkpointPath(saved)}`, level: 'INFO' }] : [];
  return [...program.slice(0, begin), ...said, ...program.slice(next < 0 ? program.length - 1 : next)];
}

/** A launcher that starts over goes on counting; in a new container the numbers begin again. */
function withNewProcesses(topology: Topology, { by }: Restart, random: Random): Topology {
  const nodes = topology.nodes.map((place) =>
    by === 'launcher'
      ? place
      : { ...place, containerId: random.fork(`container-${place.index}`).hex(64), agentPid: random.int(20, 70) },
  );
  const ranks = topology.ranks.map((old) => {
    const place = nodes[old.place.index] ?? old.place;
    const shift = random.fork(`pids-${place.index}`).int(60, 300);
    return { ...old, place, pid: by === 'launcher' ? old.pid + shift : place.agentPid + 30 + old.localRank * 2 };
  });
  return { ...topology, nodes, ranks };
}
