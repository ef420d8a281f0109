/**
 * Logs that the collector cut: what is missing from them was printed all the same, so their silence proves nothing.
 *
 * - `selector-tail`  the logs of several containers have exactly 10 lines: `kubectl logs -l` without `--tail=-1`
 * - `tail`           exactly 100, 500, 1 000, 5 000 or 10 000 lines: a collector's `--tail`
 * - `size`           within 1 % of 5 000 000 bytes: a support bundle's limit, which cuts the NEWEST lines
 * - `rotation`       within 1 % of 10 MiB: kubelet's default; older files of the container were not collected
 * - `late-start`     the first line is more than a minute younger than the container, on the same clock
 *
 * The first alone is certain; the others are likely, and each says what it saw. Pure; O(streams × Pods by name).
 */
import type { EntryInfo } from '../../model/entry.ts';
import type { LogStream } from '../../model/events.ts';
import type { EntryId } from '../../model/ids.ts';
import type { IncidentInput } from '../../model/incident.ts';
import type { PodObject } from '../../model/kubernetes.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { type EpochNs, formatEpochNs, NS_PER_S } from '../../model/time.ts';

export interface LogCut {
  readonly entry: EntryId;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly previous: boolean;
  readonly how: 'selector-tail' | 'tail' | 'size' | 'rotation' | 'late-start';
  /** Which part is missing: what was printed first, or last. */
  readonly missing: 'oldest' | 'newest';
  readonly certain: boolean;
  /** What was seen, in a clause. */
  readonly why: string;
  readonly source: SourceRef | undefined;
}

/** kubectl's own `--tail` when Pods are chosen by a selector. */
const SELECTOR_LINES = 10;
const TAIL_LINES: ReadonlySet<number> = new Set([100, 500, 1_000, 5_000, 10_000]);
const BUNDLE_BYTES = 5_000_000;
const ROTATION_BYTES = 10 * 1024 * 1024;
const NEAR = 0.01;
/** A container may be silent while it imports and compiles. Chosen: most print within a minute. */
const SILENT_START_NS = 60n * NS_PER_S;

/** Sorted by entry, then Pod and container; at most one per stream. */
export function findLogCuts(input: Pick<IncidentInput, 'entries' | 'streams' | 'pods'>): readonly LogCut[] {
  const entries = new Map(input.entries.map((entry) => [entry.id, entry]));
  const streams = input.streams.filter((stream) => stream.lines > 0 && stream.pod !== undefined);
  const pods = groupBy(input.pods, (pod) => pod.name);
  const tens = streams.filter(({ lines }) => lines === SELECTOR_LINES);
  const allTens = tens.length >= 2 && tens.length === streams.length;
  const beginnings = firstLines(streams);
  const cuts = streams.flatMap((stream) => {
    const entry = entryOf(stream);
    const info = entry === undefined ? undefined : entries.get(entry);
    if (entry === undefined || info === undefined) return [];
    const said =
      (allTens ? selectorTail(tens.length) : undefined) ??
      bySize(stream, info) ??
      lateStart(stream, pods.get(stream.pod ?? '') ?? [], beginnings);
    if (said === undefined) return [];
    const { pod, container, previous } = stream;
    return [{ entry, pod, container, previous, source: stream.first?.source ?? stream.lastLine?.source, ...said }];
  });
  return cuts.sort(
    (a, b) => a.entry - b.entry || byText(a.pod ?? '', b.pod ?? '') || byText(a.container ?? '', b.container ?? ''),
  );
}

type Said = Pick<LogCut, 'how' | 'missing' | 'certain' | 'why'>;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const entryOf = (stream: LogStream): EntryId | undefined =>
  (stream.first?.source ?? stream.lastLine?.source ?? stream.ranks[0]?.lastSource)?.entry;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const list = groups.get(keyOf(item)) ?? [];
    list.push(item);
    groups.set(keyOf(item), list);
  }
  return groups;
}

const selectorTail = (count: number): Said => ({
  how: 'selector-tail',
  missing: 'oldest',
  certain: true,
  why: `all ${count} logs have exactly ${SELECTOR_LINES} lines, which is what kubectl logs -l shows without --tail=-1`,
});

const isNear = (value: number, limit: number): boolean => Math.abs(value - limit) <= limit * NEAR;

/** Limits of lines and bytes are a whole file's: a file that several containers share says nothing. */
function bySize(stream: LogStream, entry: EntryInfo): Said | undefined {
  if (entry.lines !== null && stream.lines < entry.lines) return undefined;
  if (TAIL_LINES.has(stream.lines))
    return { how: 'tail', missing: 'oldest', certain: false, why: `it has exactly ${stream.lines} lines` };
  if (isNear(entry.bytes, BUNDLE_BYTES))
    return {
      how: 'size',
      missing: 'newest',
      certain: false,
      why: `it has ${entry.bytes} bytes, as support bundles allow; what they cut off are the newest lines`,
    };
  if (isNear(entry.bytes, ROTATION_BYTES))
    return {
      how: 'rotation',
      missing: 'oldest',
      certain: false,
      why: `it has ${entry.bytes} bytes, where the kubelet begins a new file`,
    };
  return undefined;
}

/** What one container printed, over all files of it. */
const containerKey = ({ pod, container, restart, previous }: LogStream): string =>
  `${pod} ${container ?? ''} ${restart ?? ''} ${previous}`;

function firstLines(streams: readonly LogStream[]): ReadonlyMap<string, EpochNs> {
  const first = new Map<string, EpochNs>();
  for (const stream of streams) {
    const at = stream.first?.stamp.ns;
    const known = first.get(containerKey(stream));
    if (at !== undefined && (known === undefined || at < known)) first.set(containerKey(stream), at);
  }
  return first;
}

function lateStart(
  stream: LogStream,
  pods: readonly PodObject[],
  beginnings: ReadonlyMap<string, EpochNs>,
): Said | undefined {
  // Only the runtime's stamps are surely of the clock that stamped the container's start.
  if (stream.first?.stamp.kind !== 'runtime' || pods.length !== 1) return undefined;
  const first = beginnings.get(containerKey(stream));
  const started = startOf(stream, pods[0]);
  if (first === undefined || started === undefined || first - started <= SILENT_START_NS) return undefined;
  return {
    how: 'late-start',
    missing: 'oldest',
    certain: false,
    why: `its first line is of ${formatEpochNs(first, 0)}, the container started at ${formatEpochNs(started, 0)}`,
  };
}

/** When the container that printed the stream began; undefined if its number is not surely known. */
function startOf(stream: LogStream, pod: PodObject | undefined): EpochNs | undefined {
  const name = stream.container ?? pod?.trainingContainer;
  const state = pod?.containers.find((container) => container.name === name);
  if (pod === undefined || state === undefined || (stream.podUid ?? pod.uid) !== pod.uid) return undefined;
  const current = state.runningSince ?? state.terminated?.startedAt;
  if (stream.restart === undefined) return stream.previous ? state.lastTerminated?.startedAt : current;
  if (stream.restart === state.restartCount) return current;
  return stream.restart + 1 === state.restartCount ? state.lastTerminated?.startedAt : undefined;
}
