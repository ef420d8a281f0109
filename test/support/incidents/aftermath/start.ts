/** The first lines of every process: socket warning, the program's own announcement, NCCL's communicator. */

import { MS } from '../clock.ts';
import { lightningStart } from '../lightning.ts';
import { formatAppLine } from '../loop.ts';
import { NCCL_VERSION, SOFTWARE } from '../software.ts';
import { placeOf } from '../topology.ts';
import type { Scene, StoryLine } from './story.ts';

/** `startNs`: when each node's agent came up. Ranks come up where their program starts. */
export function startLines(scene: Scene, startNs: ReadonlyMap<number, number>): StoryLine[] {
  const lines: StoryLine[] = [];
  for (const place of scene.topology.nodes) {
    const started = startNs.get(place.index);
    // A launcher that starts its workers over has said this before.
    if (started === undefined) continue;
    const atNs = started + 900 * MS;
    lines.push({ node: place.index, rank: undefined, atNs, text: socketWarning(scene, place.ranks[0] ?? 0, atNs) });
  }
  const commId = `0x${scene.random.fork('comm').hex(16)}`;
  for (const rankRun of scene.runs) {
    const first = rankRun.calls[0]?.enqueuedNs ?? rankRun.endNs;
    lines.push(...rankStart(scene, rankRun.rank, first - 1500 * MS));
    if (scene.spec.backend === 'nccl' && scene.spec.ncclDebug === true)
      lines.push(...ncclInit(scene, rankRun.rank, first - 400 * MS, commId));
  }
  return lines;
}

function socketWarning(scene: Scene, rank: number, atNs: number): string {
  const stamp = scene.stamper.cppLogger(placeOf(scene.topology, rank).place.clock, atNs);
  return `[W${stamp} socket.cpp:207] [c10d] The hostname of the client socket cannot be retrieved. err=-3`;
}

function rankStart(scene: Scene, rank: number, atNs: number): StoryLine[] {
  const { place, localRank, pid } = placeOf(scene.topology, rank);
  const random = scene.random.fork(`start-${rank}`);
  const app = (ns: number, text: string): StoryLine => {
    const stamp = scene.stamper.logging(place.clock, ns);
    return {
      node: place.index,
      rank,
      atNs: ns,
      text: formatAppLine(scene.spec.appLog, { rank, level: 'INFO', text, stamp }),
    };
  };
  const saidNs = atNs + Math.round(random.between(0, 600) * MS);
  const world = scene.topology.worldSize;
  if (scene.spec.appLog === 'lightning') return lightningLines(scene, rank, { atNs, saidNs });
  return [
    app(saidNs, `rank ${rank} of ${world} (local ${localRank}) pid ${pid} torch ${SOFTWARE[scene.spec.backend].torch}`),
    { node: place.index, rank, atNs: saidNs + MS, text: socketWarning(scene, rank, saidNs + MS) },
    app(atNs + 700 * MS + Math.round(random.between(0, 40) * MS), 'process group ready'),
  ];
}

function lightningLines(scene: Scene, rank: number, at: { atNs: number; saidNs: number }): StoryLine[] {
  const { place, localRank } = placeOf(scene.topology, rank);
  const said = lightningStart({
    rank,
    localRank,
    world: scene.topology.worldSize,
    local: place.ranks.length,
    backend: scene.spec.backend,
    old: scene.random.fork('lightning').chance(0.4),
  });
  const line = (atNs: number, text: string | undefined): StoryLine[] =>
    text === undefined ? [] : [{ node: place.index, rank, atNs, text }];
  return [
    ...line(at.saidNs, said.hello),
    ...line(at.saidNs + MS, socketWarning(scene, rank, at.saidNs + MS)),
    ...line(at.atNs + 700 * MS, said.ready),
    ...line(at.atNs + 740 * MS + localRank * MS, said.devices),
  ];
}

function ncclInit(scene: Scene, rank: number, atNs: number, commId: string): StoryLine[] {
  const { place, localRank, pid } = placeOf(scene.topology, rank);
  const random = scene.random.fork(`nccl-${rank}`);
  const comm = `0x55${random.hex(10)}`;
  const bus = `${(0x19 + localRank * 0x10).toString(16)}000`;
  const head = `${place.pod}:${pid}:${pid + 77} [${localRank}] NCCL INFO `;
  const line = (ns: number, text: string): StoryLine => ({ node: place.index, rank, atNs: ns, text: head + text });
  const world = scene.topology.worldSize;
  const own = [
    line(atNs, `Bootstrap: Using eth0:${place.podIp}<0>`),
    line(atNs + MS, `NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:${place.podIp}<0>`),
  ];
  if (rank === 0) own.push({ node: place.index, rank, atNs: atNs + MS, text: `NCCL version ${NCCL_VERSION}+cuda12.9` });
  return [
    ...own,
    line(
      atNs + 40 * MS,
      `ncclCommInitRankConfig comm ${comm} rank ${rank} nranks ${world} cudaDev ${localRank} nvmlDev ${localRank} busId ${bus} commId ${commId} - Init START`,
    ),
    line(
      atNs + 300 * MS + Math.round(random.between(0, 20) * MS),
      `ncclCommInitRankConfig comm ${comm} rank ${rank} nranks ${world} cudaDev ${localRank} nvmlDev ${localRank} busId ${bus} commId ${commId} - Init COMPLETE`,
    ),
  ];
}
