/** Puts a whole story together: what the loop printed, how each worker ended, what the agents did about it. */

import { MS, SECOND } from '../clock.ts';
import { onlyFirstRankSays } from '../lightning.ts';
import { formatAppLine } from '../loop.ts';
import { placeOf } from '../topology.ts';
import { type AgentStory, type Orders, runAgent, runLonelyAgent } from './agent.ts';
import { glooEndings } from './gloo.ts';
import { herringLines, withTeardownNoise } from './herrings.ts';
import { meshEndings } from './mesh.ts';
import { ncclEndings } from './nccl.ts';
import { startLines } from './start.ts';
import { type Aftermath, type ContainerEnd, type Ending, placeOfNode, type Scene, type StoryLine } from './story.ts';

export type { Aftermath, Scene } from './story.ts';

/** Seconds an agent waits for the others at the rendezvous; short here, so that stories stay short. */
const RENDEZVOUS_S = 20;

export function buildAftermath(scene: Scene, startNs: ReadonlyMap<number, number>): Aftermath {
  const missing = scene.plan.missingNode;
  if (missing !== undefined) return lonelyStory(scene, missing, startNs);
  const natural =
    scene.plan.noMesh === true
      ? meshEndings(scene)
      : scene.spec.backend === 'gloo'
        ? glooEndings(scene)
        : ncclEndings(scene);
  const endings = natural.map((ending) => withTeardownNoise(scene, ending));
  const lines: StoryLine[] = [...startLines(scene, startNs), ...loopLines(scene), ...herringLines(scene)];
  const dumps = new Map<number, number>();
  const exits = new Map<number, { atNs: number; code: number }>();
  const containers = new Map<number, ContainerEnd>();
  const agents = runAgents(scene, endings);
  for (const [node, agent] of agents) {
    lines.push(...agent.lines);
    containers.set(node, containerEnd(scene, node, agent));
    for (const child of agent.children) {
      const { rank } = child.ending;
      for (const line of child.ending.lines) if (line.atNs < child.exitNs) lines.push({ node, rank, ...line });
      if (child.ending.dumpNs !== undefined && child.ending.dumpNs < child.exitNs) dumps.set(rank, child.ending.dumpNs);
      if (Number.isFinite(child.exitNs)) exits.set(rank, { atNs: child.exitNs, code: child.code });
    }
  }
  return { lines, dumps, exits, containers, faultNs: faultNs(scene) };
}

/** By node. Where workers are started over, the first launcher that comes back to the rendezvous brings the others there. */
function runAgents(scene: Scene, endings: readonly Ending[]): Map<number, AgentStory> {
  const play = (orders: Orders): Map<number, AgentStory> =>
    new Map(
      scene.topology.nodes.map((place) => {
        const own = place.ranks.flatMap((rank) => endings[rank] ?? []);
        const signalNs = scene.plan.evictedNode === place.index ? evictionNs(scene, place.index) : undefined;
        return [place.index, runAgent(scene, place.index, own, { signalNs, ...orders })];
      }),
    );
  if (scene.restarts !== true) return play({});
  const alone = play({ mayRestart: true });
  const firstNs = Math.min(...[...alone.values()].filter(({ code }) => code !== 0).map(({ endNs }) => endNs));
  const joinNs = firstNs + Math.round(scene.random.fork('join').between(40, 250) * MS);
  return play({ mayRestart: true, othersWaitNs: joinNs });
}

function loopLines(scene: Scene): StoryLine[] {
  return scene.runs.flatMap((rankRun) => {
    const { place } = placeOf(scene.topology, rankRun.rank);
    const { appLog, loop } = scene.spec;
    const { steps } = loop;
    const unsaid = (text: string): boolean => appLog === 'lightning' && rankRun.rank > 0 && onlyFirstRankSays(text);
    const lines = rankRun.lines.filter(({ text }) => !unsaid(text));
    return lines.map((line) => {
      const stamp = scene.stamper.logging(place.clock, line.atNs);
      const said = { rank: rankRun.rank, level: line.level, text: line.text, stamp, steps };
      const text = formatAppLine(appLog, said);
      return { node: place.index, rank: rankRun.rank, atNs: line.atNs, text };
    });
  });
}

/** The kubelet's signal reaches the agent when the first of its ranks has stopped: that is the eviction's moment. */
function evictionNs(scene: Scene, node: number): number {
  return Math.min(...placeOfNode(scene, node).ranks.map((rank) => scene.runs[rank]?.endNs ?? Infinity));
}

function containerEnd(scene: Scene, node: number, agent: AgentStory): ContainerEnd {
  const killed =
    scene.plan.outOfMemory !== undefined && placeOfNode(scene, node).ranks.includes(scene.plan.outOfMemory.rank);
  if (agent.code === 0) return { atNs: agent.endNs, code: 0, reason: 'Completed' };
  return { atNs: agent.endNs, code: agent.code, reason: killed ? 'OOMKilled' : 'Error' };
}

/**
 * When the fault happened. For a wrong call that is the moment it was made: the culprit's first unfinished call.
 */
function faultNs(scene: Scene): number | undefined {
  const [first] = scene.plan.truth.firstRanks;
  const culprit = first === undefined ? undefined : scene.runs[first];
  if (culprit === undefined) return undefined;
  if (scene.plan.evictedNode !== undefined) return evictionNs(scene, scene.plan.evictedNode);
  if (culprit.end !== 'blocked') return culprit.endNs;
  return culprit.calls.find((call) => call.doneNs === undefined)?.enqueuedNs ?? culprit.endNs;
}

function lonelyStory(scene: Scene, missing: number, startNs: ReadonlyMap<number, number>): Aftermath {
  const lines: StoryLine[] = [];
  const containers = new Map<number, ContainerEnd>();
  for (const place of scene.topology.nodes) {
    if (place.index === missing) continue;
    const agent = runLonelyAgent(scene, place.index, startNs.get(place.index) ?? 0, RENDEZVOUS_S);
    lines.push(...agent.lines);
    containers.set(place.index, { atNs: agent.endNs, code: agent.code, reason: 'Error' });
  }
  const first = Math.min(...startNs.values());
  return {
    lines,
    dumps: new Map(),
    exits: new Map(),
    containers,
    faultNs: Number.isFinite(first) ? first : 2 * SECOND + MS,
  };
}
