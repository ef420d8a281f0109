/** The container's log as each way of collecting it shows it. */
import type { Aftermath, Scene, StoryLine } from '../aftermath/story.ts';
import type { NodePlace } from '../topology.ts';
import { placeOf } from '../topology.ts';
import { utf8 } from './text.ts';

interface Write {
  readonly atNs: number;
  readonly text: string;
}

/** Log files of all Pods whose log was collected; `untilNs` = when they were collected (inclusive). */
export function writePodLogs(scene: Scene, aftermath: Aftermath, untilNs: number): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const prefixed: string[] = [];
  const missing = new Set(scene.spec.missing?.logsOfNodes ?? []);
  for (const place of scene.topology.nodes) {
    if (missing.has(place.index)) continue;
    const lines = inOrder(aftermath.lines.filter((line) => line.node === place.index && line.atNs <= untilNs));
    if (lines.length === 0) continue;
    if (scene.spec.layout === 'torchrun') {
      writeLogDir(scene, place, lines, files);
      continue;
    }
    const records = stamped(scene, place, lines);
    if (scene.spec.layout === 'prefixed') {
      prefixed.push(...records.map((r) => `[pod/${place.pod}/${scene.topology.container}] ${r.stamp} ${r.text}`));
      continue;
    }
    files.set(podLogPath(scene, place), utf8(joined(records.map((r) => formatRecord(scene, r)))));
  }
  if (prefixed.length > 0) files.set('all-pods.log', utf8(joined(prefixed)));
  return files;
}

export function podLogPath(scene: Scene, place: NodePlace): string {
  const { layout } = scene.spec;
  const { namespace, container } = scene.topology;
  if (layout === 'cri') return `var/log/pods/${namespace}_${place.pod}_${place.uid}/${container}/0.log`;
  if (layout === 'prefixed') return 'all-pods.log';
  if (layout === 'capture') return `${place.pod}.log`;
  return `logs/${place.pod}.log`;
}

function formatRecord(scene: Scene, record: { stamp: string; text: string }): string {
  if (scene.spec.layout === 'plain') return record.text;
  if (scene.spec.layout === 'cri') return `${trimFraction(record.stamp)} stderr F ${record.text}`;
  return `${record.stamp} ${record.text}`;
}

/** containerd writes as few fraction digits as needed. */
const trimFraction = (stamp: string): string => stamp.replace(/\.?0+Z$/, 'Z');

/** Stable: lines of one moment stay in the order in which they were told. */
const inOrder = (lines: readonly StoryLine[]): StoryLine[] =>
  lines
    .map((line, i) => ({ line, i }))
    .sort((a, b) => a.line.atNs - b.line.atNs || a.i - b.i)
    .map(({ line }) => line);

/** The runtime reads a write some time after it was made and stamps all its lines alike; its stamps never run back. */
function stamped(scene: Scene, place: NodePlace, lines: readonly Write[]): { stamp: string; text: string }[] {
  const random = scene.random.fork(`runtime-${place.index}`);
  let lastNs = -Infinity;
  return lines.flatMap((line) => {
    const readNs = Math.max(lastNs, line.atNs + Math.round(random.between(20_000, 900_000)));
    lastNs = readNs;
    const stamp = scene.stamper.runtime(place.clock, readNs);
    return line.text.split('\n').map((text) => ({ stamp, text }));
  });
}

const joined = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);

/** `torchrun --log-dir`: the agent's own output in the Pod's log, each worker's in its folder. */
function writeLogDir(
  scene: Scene,
  place: NodePlace,
  lines: readonly StoryLine[],
  files: Map<string, Uint8Array>,
): void {
  const texts = (own: readonly StoryLine[]): string => joined(own.flatMap((line) => line.text.split('\n')));
  files.set(`logs/${place.pod}.log`, utf8(texts(lines.filter((line) => line.rank === undefined))));
  const runDir = `torchrun/${place.pod}/${scene.topology.job}_${scene.random.fork(`run-${place.index}`).suffix(8)}/attempt_0`;
  for (const rank of place.ranks) {
    const own = lines.filter((line) => line.rank === rank);
    files.set(`${runDir}/${placeOf(scene.topology, rank).localRank}/stderr.log`, utf8(texts(own)));
  }
}
