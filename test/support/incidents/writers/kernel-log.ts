/** The node's kernel log around an out-of-memory kill: names the container by its cgroup, the process by its HOST pid. */
import type { Aftermath, Scene } from '../aftermath/story.ts';
import { SECOND } from '../clock.ts';
import { placeOf } from '../topology.ts';
import { utf8 } from './text.ts';

export function writeKernelLogs(scene: Scene, aftermath: Aftermath): Map<string, Uint8Array> {
  if (scene.plan.fileServerGone !== undefined) return fileServerLog(scene, scene.plan.fileServerGone.rank);
  const victim = scene.plan.outOfMemory?.rank;
  const atNs = victim === undefined ? undefined : aftermath.exits.get(victim)?.atNs;
  if (victim === undefined || atNs === undefined) return new Map();
  const { place } = placeOf(scene.topology, victim);
  const random = scene.random.fork('kernel');
  // Pids inside a container are not the node's: the log names a number that no log line of the worker shows.
  const hostPid = random.int(200_000, 900_000);
  const group = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${place.uid.replace(/-/g, '_')}.slice/cri-containerd-${place.containerId}.scope`;
  const rssKb = random.int(6_000_000, 8_000_000);
  const limitKb = 8_388_608;
  const texts = [
    'python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=937',
    `memory: usage ${limitKb}kB, limit ${limitKb}kB, failcnt ${random.int(100, 9000)}`,
    `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-${place.containerId}.scope,mems_allowed=0,oom_memcg=${group},task_memcg=${group},task=python,pid=${hostPid},uid=0`,
    `Memory cgroup out of memory: Killed process ${hostPid} (python) total-vm:${rssKb + 2_400_000}kB, anon-rss:${rssKb}kB, file-rss:98304kB, shmem-rss:0kB, UID:0 pgtables:${Math.round(rssKb / 450)}kB oom_score_adj:937`,
  ];
  const lines = texts.map(
    (text, i) => `${scene.stamper.dmesgIso(place.clock, atNs - (texts.length - i) * 20_000)} ${text}`,
  );
  return new Map([[kernelLogPath(place.node), utf8(`${lines.join('\n')}\n`)]]);
}

/** The client waits a minute before it says so; a task that sleeps in it is reported after two. */
function fileServerLog(scene: Scene, rank: number): Map<string, Uint8Array> {
  const { place } = placeOf(scene.topology, rank);
  const hungNs = scene.runs[rank]?.endNs ?? 0;
  const seen: [number, string][] = [[60, 'nfs: server 192.0.2.200 not responding, still trying']];
  if (scene.spec.timeoutS > 125)
    seen.push([
      122,
      `INFO: task python:${scene.random.fork('kernel').int(200_000, 900_000)} blocked for more than 120 seconds.`,
    ]);
  const lines = seen
    .filter(([after]) => after < scene.spec.timeoutS)
    .map(([after, text]) => `${scene.stamper.dmesgIso(place.clock, hungNs + after * SECOND)} ${text}`);
  return lines.length === 0 ? new Map() : new Map([[kernelLogPath(place.node), utf8(`${lines.join('\n')}\n`)]]);
}

export const kernelLogPath = (node: string): string => `nodes/${node}/dmesg.txt`;
