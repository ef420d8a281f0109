/** The container's log as each way of collecting it shows it. */
import type { Scene, StoryLine } from '../aftermath/story.ts';
import type { Attempt, Attempts } from '../attempts.ts';
import type { Taking } from '../taking.ts';
import type { NodePlace } from '../topology.ts';
import { placeOf } from '../topology.ts';
import { type Chunked, writePlxLogs } from './plx-logs.ts';
import { sideLogs } from './side-containers.ts';
import { utf8 } from './text.ts';

/** A line of the log and the moment at which it was written to its end. */
interface Written {
  readonly atNs: number;
  readonly text: string;
  /** What the line belongs to: lines of one write have one stamp. */
  readonly write: number;
}

/** One file of one container: what a single run of it printed. */
interface Part {
  readonly place: NodePlace;
  readonly attempt: Attempt;
  /** The container's restart number. */
  readonly restart: number;
  readonly previous: boolean;
  readonly lines: readonly StoryLine[];
  /** The same, by attempt of the launcher in that container. */
  readonly byAttempt: readonly (readonly StoryLine[])[];
}

/** Log files of all Pods whose log was collected. */
export function writePodLogs(attempts: Attempts, taking: Taking): Map<string, Uint8Array> {
  const [{ scene }] = attempts;
  const files = new Map<string, Uint8Array>();
  const prefixed = new Map<string, string[]>();
  const chunked: Chunked[] = [];
  for (const part of partsOf(attempts, taking)) {
    const { place } = part;
    if (scene.spec.layout === 'torchrun') {
      writeLogDir(scene, part, files);
      continue;
    }
    const records = stamped(scene, part);
    if (scene.spec.layout === 'prefixed') {
      const path = podLogPath(scene, place, part);
      const lines = prefixed.get(path) ?? [];
      prefixed.set(path, lines);
      lines.push(...records.map((r) => `[pod/${place.pod}/${scene.topology.container}] ${r.stamp} ${r.text}`));
    } else if (scene.spec.layout === 'plxlogs') {
      chunked.push(...records.map((r) => ({ ...r, place, container: scene.topology.container })));
    } else writeOwnFile(scene, part, { records, headNs: taking.headNs(place.index) }, files);
  }
  for (const [path, lines] of prefixed) files.set(path, utf8(joined(lines)));
  for (const [path, bytes] of writePlxLogs(chunked)) files.set(path, bytes);
  for (const [path, bytes] of sideLogs(attempts[0])) files.set(path, bytes);
  return files;
}

/** By node, the earlier run of the container first. A launcher that starts its workers over goes on in the same log. */
function partsOf(attempts: Attempts, taking: Taking): Part[] {
  const [first, second] = attempts;
  const missing = new Set(first.scene.spec.missing?.logsOfNodes ?? []);
  const { layout } = first.scene.spec;
  return first.scene.topology.nodes.flatMap((place): Part[] => {
    if (missing.has(place.index)) return [];
    // A file that was turned over is on the node; torchrun's own files are not turned over.
    const headNs = layout === 'cri' ? -Infinity : taking.headNs(place.index);
    const linesOf = (attempt: Attempt): StoryLine[] =>
      attempt.aftermath.lines.filter(
        ({ node, rank, atNs }) =>
          node === place.index &&
          atNs <= taking.tailNs(place.index) &&
          (atNs >= headNs || (layout === 'torchrun' && rank !== undefined)),
      );
    const told = [
      { attempt: first, lines: taking.hasAttempt(0) ? linesOf(first) : [] },
      ...(second === undefined ? [] : [{ attempt: second, lines: linesOf(second) }]),
    ];
    const parts =
      first.scene.spec.restart?.by === 'kubelet'
        ? told.map(({ attempt, lines }, restart) => ({ attempt, restart, previous: restart === 0, byAttempt: [lines] }))
        : [{ attempt: first, restart: 0, previous: false, byAttempt: told.map(({ lines }) => lines) }];
    return parts
      .map((part) => ({ ...part, place, lines: inOrder(part.byAttempt.flat()) }))
      .filter(({ lines }) => lines.length > 0);
  });
}

interface Run {
  readonly restart: number;
  readonly previous: boolean;
}
const ONLY: Run = { restart: 0, previous: false };

/** Path of the log of one run of the Pod's container; of its only run where none is given. */
export function podLogPath(scene: Scene, place: NodePlace, { restart, previous }: Run = ONLY): string {
  const { layout, workload } = scene.spec;
  const { namespace, container } = scene.topology;
  const end = previous ? '.previous.log' : '.log';
  if (layout === 'cri') return `var/log/pods/${namespace}_${place.pod}_${place.uid}/${container}/${restart}.log`;
  if (layout === 'prefixed') return `all-pods${end}`;
  if (layout === 'capture') return `${place.pod}${end}`;
  // With several containers the name of one belongs to the file's.
  return workload === 'polyaxon' ? `logs/${place.pod}/${container}${end}` : `logs/${place.pod}${end}`;
}

interface Record {
  readonly atNs: number;
  readonly stamp: string;
  readonly text: string;
}

function writeOwnFile(
  scene: Scene,
  part: Part,
  { records, headNs }: { records: readonly Record[]; headNs: number },
  files: Map<string, Uint8Array>,
): void {
  const path = podLogPath(scene, part.place, part);
  const write = (to: string, some: readonly Record[]): void => {
    if (some.length > 0) files.set(to, utf8(joined(some.map((record) => formatRecord(scene, record)))));
  };
  const older = scene.spec.layout === 'cri' ? records.filter(({ atNs }) => atNs < headNs) : [];
  if (older.length > 0) {
    // The kubelet renames the full file with the node's time.
    const stamp = scene.stamper.api(part.place.clock, headNs).replace(/[-:Z]/g, '').replace('T', '-');
    write(`${path}.${stamp}`, older);
  }
  write(path, records.slice(older.length));
}

function formatRecord(scene: Scene, record: Record): string {
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

/** Writes as lines. A progress bar leaves its line open, and whoever writes next to the same pipe goes on in it. */
function linesOf(writes: readonly StoryLine[]): Written[] {
  const lines: Written[] = [];
  let open = '';
  for (const [write, { atNs, text }] of writes.entries()) {
    if (text.startsWith('\r')) {
      open += text;
      continue;
    }
    for (const one of text.split('\n')) {
      lines.push({ atNs, text: open + one, write });
      open = '';
    }
  }
  if (open !== '') lines.push({ atNs: writes.at(-1)?.atNs ?? 0, text: open, write: writes.length });
  return lines;
}

/** The runtime reads a write some time after it was made and stamps all its lines alike; its stamps never run back. */
function stamped(scene: Scene, { place, attempt, lines }: Part): Record[] {
  const again = attempt.scene.attempt === undefined ? '' : `-${attempt.scene.attempt}`;
  const random = scene.random.fork(`runtime-${place.index}${again}`);
  let lastNs = -Infinity;
  let stamp = '';
  let write = -1;
  return linesOf(lines).map((line) => {
    if (line.write !== write) {
      lastNs = Math.max(lastNs, line.atNs + Math.round(random.between(20_000, 900_000)));
      stamp = scene.stamper.runtime(place.clock, lastNs);
      write = line.write;
    }
    return { atNs: line.atNs, stamp, text: line.text };
  });
}

const joined = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);

/**
 * `torchrun --log-dir`: the launcher's own output in the Pod's log, each worker's in its folder. Folders of a container that is gone are
 * gone with it; a launcher that starts over adds `attempt_1`.
 */
function writeLogDir(scene: Scene, part: Part, files: Map<string, Uint8Array>): void {
  const { place } = part;
  const texts = (own: readonly StoryLine[]): string => joined(linesOf(own).map(({ text }) => text));
  files.set(podLogPath(scene, place, part), utf8(texts(part.lines.filter(({ rank }) => rank === undefined))));
  if (part.previous) return;
  for (const [attempt, lines] of part.byAttempt.entries()) {
    if (lines.length === 0) continue;
    for (const rank of place.ranks) {
      const path = `${logDir(part.attempt.scene, place)}/attempt_${attempt}/${placeOf(scene.topology, rank).localRank}/stderr.log`;
      files.set(path, utf8(texts(inOrder(lines.filter((line) => line.rank === rank)))));
    }
  }
}

/** `torchrun/POD/RUN`: the run of the launcher, one a container. */
export const logDir = (scene: Scene, place: NodePlace): string =>
  `torchrun/${place.pod}/${scene.topology.job}_${scene.random.fork(`run-${place.index}`).suffix(8)}`;
