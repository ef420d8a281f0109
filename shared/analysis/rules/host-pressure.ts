/**
 * A host, a Pod or a container was full or under pressure when it was asked.
 *
 *   df: /var/lib/containerd is 100 % full (size 1.8T)
 *   io pressure: full avg10=71.20 avg60=64.80 avg300=41.00 total=8812345678
 */
import { nameRanks } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule } from '../../model/finding.ts';
import { type Draft, draft } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { citeReading, DEFAULT_SHM_BYTES, quantityBytes, type Reading } from './support/host-readings.ts';
import { nodeOfPod } from './support/pods.ts';
import { ranksOfNode, ranksOfPod } from './support/ranks.ts';

type What = Reading['event']['body']['what'];

interface Sign {
  /** From this value on it is a sign; undefined = judged otherwise. Chosen, not measured. */
  readonly from: number;
  readonly cause: Cause;
}

/** Percent. Training keeps processors and page cache busy, so only what leaves next to nothing counts. */
const SIGNS: ReadonlyMap<What, Sign> = new Map([
  ['disk', { from: 100, cause: 'storage' }],
  ['inodes', { from: 100, cause: 'storage' }],
  ['memory', { from: 98, cause: 'host-out-of-memory' }],
  ['memory-pressure', { from: 20, cause: 'host-out-of-memory' }],
  ['io-pressure', { from: 50, cause: 'storage' }],
  ['cpu-pressure', { from: 80, cause: 'cpu-contention' }],
  ['cpu', { from: 98, cause: 'cpu-contention' }],
  ['steal', { from: 10, cause: 'cpu-contention' }],
]);
/** Share of a container's memory limit from which it counts as used up. */
const AT_LIMIT = 0.99;
const SHM = '/dev/shm';

export default defineRule({
  id: 'host-pressure',
  title: 'A host or container was full or under pressure when it was asked',
  needs: ['events', 'rankMap'],
  explain: `
df, PSI, free, top and kubectl top say how a host or a container is **at the moment of the question**, mostly after the failure, when the job's processes are gone or its files were moved away. So a full disk shows that it is full now; that it was when the job failed, and that anything of the job met it, does not follow. What does show it is the program's own error
("No space left on device"), a kernel line, or the counter of memory kills: other rules say so, and take the reading as support where it is of the same Pod or node.

It tells of: a file system or its inodes at 100 %; /dev/shm full, or of 64 MiB, which runtimes give by default; less than 2 % of a node's memory available; a container whose memory, or whose peak, is within 1 % of its limit (memory.max, or the Pod's spec where it has one container); tasks that all waited for I/O (half of the last minute) or for memory (a fifth of it); processors that some task waited for in four fifths of the last
minute, that were idle for less than 2 %, or that the hypervisor kept for a tenth of the time. A load average is not used: it counts tasks that sleep in the kernel, and without the number of processors it means nothing.

How sure: a *hypothesis*, and never more than a lead; it names nobody. When it can be wrong: page cache counts as used memory of a container and is given back when needed; a peak is of any time since the start; df shows 100 % while blocks are kept back for root.`,
  remedy:
    'Ask what it was like at the time of the failure: node metrics (node_filesystem_avail_bytes, node_pressure_*, container_memory_working_set_bytes, container_cpu_cfs_throttled_periods_total), kubelet events (EvictionThresholdMet, FreeDiskSpaceFailed), and when the files were written that fill the disk (du -xh --max-depth=2 MOUNT | sort -h). Then free or raise what was full.',
  run: ({ events, rankMap }) => {
    const limits = limitsByPod(events, rankMap);
    const places = new Map<string, Reading[]>();
    for (const reading of eventsOf(events, 'host-state')) {
      const place = placeOf(reading, rankMap);
      if (place !== undefined && causeOf(reading, limits) !== undefined)
        places.set(place, [...(places.get(place) ?? []), reading]);
    }
    return [...places]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, readings]) => pressureDraft(readings, limits, events, rankMap));
  },
});

/** Pods and nodes of the job only; a reading of nobody is a reading of anybody. */
function placeOf({ pod, node }: Reading, rankMap: RankMapFact): string | undefined {
  if (pod !== undefined) return rankMap.pods.some((place) => place.pod === pod) ? `Pod ${pod}` : undefined;
  const used =
    node !== undefined &&
    (rankMap.pods.some((place) => place.node === node) || rankMap.places.some((place) => place.node === node));
  return used ? `node ${node}` : undefined;
}

/** Lowest limit that a reading tells of a Pod's cgroup, or its spec where it has one container only; bytes. */
function limitsByPod(events: readonly PlacedEvent[], { pods }: RankMapFact): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { pod, object } of pods) {
    const limit = quantityBytes(object?.memoryLimit);
    if (limit !== undefined && object?.containers.filter(({ init }) => !init).length === 1) limits.set(pod, limit);
  }
  for (const { pod, event } of eventsOf(events, 'host-state')) {
    const { what, value } = event.body;
    if (what === 'memory-limit-bytes' && pod !== undefined && value > 0)
      limits.set(pod, Math.min(value, limits.get(pod) ?? value));
  }
  return limits;
}

function causeOf({ pod, event: { body } }: Reading, limits: ReadonlyMap<string, number>): Cause | undefined {
  const { what, value, of, bytes } = body;
  if (what === 'disk' && of === SHM)
    return value >= 100 || (bytes ?? Number.POSITIVE_INFINITY) <= DEFAULT_SHM_BYTES ? 'shared-memory' : undefined;
  if (what === 'memory-bytes' || what === 'memory-peak-bytes') {
    const limit = limits.get(pod ?? '');
    return limit !== undefined && value >= limit * AT_LIMIT ? 'host-out-of-memory' : undefined;
  }
  const sign = SIGNS.get(what);
  return sign !== undefined && value >= sign.from ? sign.cause : undefined;
}

function pressureDraft(
  readings: readonly Reading[],
  limits: ReadonlyMap<string, number>,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const sorted = readings.toSorted(
    (a, b) => b.event.body.value - a.event.body.value || (a.event.text < b.event.text ? -1 : 1),
  );
  const [first] = sorted;
  const { pod, node = nodeOfPod(rankMap, pod) } = first ?? {};
  const ranks = pod !== undefined ? ranksOfPod(rankMap, pod) : node === undefined ? [] : ranksOfNode(rankMap, node);
  const who = pod === undefined ? `Node ${node}` : `Pod ${pod}`;
  const cause = (first === undefined ? undefined : causeOf(first, limits)) ?? 'none';
  const words = sorted.slice(0, 2).map(({ event }) => event.body.text);
  return draft({
    outcome: 'cannot-tell',
    status: 'hypothesis',
    stage: cause === 'cpu-contention' ? 'straggler' : 'host',
    cause,
    strength: 'context',
    candidates:
      ranks.length === 0
        ? []
        : [{ ranks, why: `${who} was short of something when it was asked: ${words.join('; ')}` }],
    pod,
    node,
    attempt: first?.attempt,
    summary: `${who}${ranks.length === 0 ? '' : ` (${nameRanks(ranks)})`}, when it was asked: ${words.join('; ')}${sorted.length > words.length ? '; …' : ''}. Nothing ties that to this failure.`,
    because: sorted.slice(0, 6).map((reading) => citeReading(reading, events)),
    wouldChange: ['an error of the job, a kernel line or a metric of that place at the time of the failure'],
    nextChecks: [
      `What ${who.replace(/^Node/, 'node')} was like at the time of the failure (metrics, kubelet events)`,
      'Whether the job wrote to, or read from, what was full',
    ],
  });
}
