/**
 * /dev/shm of a container is full or too small: data loader workers or NCCL cannot allocate their segments.
 *
 *   RuntimeError: unable to allocate shared memory(shm) for file </torch_6655_547754802_0>: No space left on device (28)
 *   NCCL WARN Call to posix_fallocate failed : No space left on device
 */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { citeReading, shmOfSpec, tightShm } from './support/host-readings.ts';
import { precedes } from './support/order.ts';
import { consequenceReports, ranksOfPod } from './support/ranks.ts';
import { stopsOf } from './support/stops.ts';

export default defineRule({
  id: 'shared-memory-too-small',
  title: 'Shared memory of a container is too small',
  needs: ['events', 'rankMap'],
  explain: `
/dev/shm is one limit for all processes of a container, and every Pod of a job usually has the same limit. Who meets it first is chance, so the answer is the set of ranks under that
limit, not the rank that happened to print first. "No space left on device" here is about memory, not about a disk. The message is the failing call itself: direct evidence. A worker that died of a bus error, and a segment of NCCL that could not be made without a word on why, are the usual trace of the same limit, but not its proof. Where the process says that a CUDA call on the segment failed, the limit is not it. What a process prints after it was told to stop is not counted.

The answer holds the ranks that printed it and all ranks of their Pods. If one Pod alone has a smaller limit or a leftover segment, only its ranks are concerned; Pods that did not print it may have the same limit and not have met it yet. A reading of df that shows /dev/shm of such a Pod full or at 64 MiB, what runtimes give by default, is shown beside; one with room was taken when the segments were gone, and says nothing. So is what the Pod's spec gives it.

How sure: *established* that the limit was met where it is said that no space is left, *supported* by its usual traces alone; who met it first is chance. When it can be wrong: about its reach, as told, and without such words where the segment or the worker failed for another reason.`,
  remedy: `See the size: \`kubectl exec POD -- df -h /dev/shm\` (64M is the default). Mount an \`emptyDir\` with \`medium: Memory\` at /dev/shm, with a \`sizeLimit\` of workers × prefetch × batch bytes × ranks of the Pod (it counts against the memory limit), or start with \`--shm-size\`. Until then fewer data loader workers, a smaller prefetch_factor, or torch.multiprocessing.set_sharing_strategy("file_system"). Left-over segments of earlier runs: \`ls -l /dev/shm\`.`,
  run: ({ events, rankMap }) => {
    const stops = stopsOf(events, rankMap);
    const hits = [
      ...eventsOf(events, 'exception').filter(
        (placed) => placed.event.body.class === 'shared-memory' && !placed.event.body.handled,
      ),
      ...eventsOf(events, 'nccl-warning').filter((placed) => placed.event.body.class === 'shared-memory'),
      ...quotedByLaunchers(events),
    ].filter((placed) => !stops.afterStop(placed) && !(isBareSegment(placed) && cudaFailed(placed, events)));
    return attemptsOf(hits).map((attempt) => shortage(inAttempt(hits, attempt), attempt, events, rankMap));
  },
});

/** The end of an error about /dev/shm, as NCCL, torch and a data loader's parent word it. */
const QUOTED =
  /shared memory segment \/dev\/shm|\/dev\/shm\/\S{1,80} .{0,80}No space left|<\/torch_\d.{0,80}No space left|shared memory\(shm\)/;

/** A launcher's list of failures quotes the last line of what each of its workers raised. */
const quotedByLaunchers = (events: readonly PlacedEvent[]): readonly PlacedEvent[] =>
  eventsOf(events, 'failure-summary').flatMap((placed) =>
    placed.event.body.failures
      .filter(({ message }) => QUOTED.test(message ?? ''))
      .map(({ rank, host }) => ({ ...placed, rank, node: placed.node ?? host })),
  );

/** Words of the failing call itself. */
const SPACE = /No space left|posix_fallocate|failed to extend/;

function wordsOf({ event: { body, text }, rank }: PlacedEvent): string {
  if (body.kind === 'failure-summary') return body.failures.find((failure) => failure.rank === rank)?.message ?? text;
  return `${text} ${body.kind === 'exception' ? body.message : body.kind === 'nccl-warning' ? body.text : ''}`;
}

/** NCCL could not make a segment, and does not say why. */
const isBareSegment = (placed: PlacedEvent): boolean =>
  wordsOf(placed).includes('shared memory segment') && !SPACE.test(wordsOf(placed));

/** NCCL also gives a segment up when CUDA does not take it; the line before says so. */
function cudaFailed(segment: PlacedEvent, events: readonly PlacedEvent[]): boolean {
  if (wordsOf(segment).includes('ncclUnhandledCudaError')) return true;
  return eventsOf(events, 'nccl-warning').some(
    ({ event, attempt }) =>
      event.body.class === 'cuda' &&
      attempt === segment.attempt &&
      event.source.entry === segment.event.source.entry &&
      event.pid === segment.event.pid &&
      event.host === segment.event.host,
  );
}

function shortage(
  hits: readonly PlacedEvent[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const printers = rankSet(hits.flatMap((placed) => placed.rank ?? []));
  const pods = [...new Set(hits.flatMap((placed) => placed.pod ?? []))].sort();
  const nodes = [...new Set(hits.flatMap((placed) => placed.node ?? placed.event.host ?? []))].sort();
  const ranks = rankSet([...printers, ...pods.flatMap((pod) => ranksOfPod(rankMap, pod))]);
  const first = hits.reduce<PlacedEvent | undefined>(
    (best, placed) => (best === undefined || precedes(placed, best) ? placed : best),
    undefined,
  );
  const perPrinter = [
    ...new Map(hits.map((placed) => [placed.rank ?? `${placed.event.source.entry}`, placed])).values(),
  ];
  return draft({
    outcome: 'group',
    status: hits.some((placed) => SPACE.test(wordsOf(placed))) ? 'established' : 'supported',
    stage: 'host',
    cause: 'shared-memory',
    strength: 'direct',
    firstRanks: ranks,
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    pod: pods.length === 1 ? pods[0] : undefined,
    node: nodes.length === 1 ? nodes[0] : undefined,
    attempt,
    at: pods.length <= 1 ? momentOf(first) : undefined,
    summary: `Shared memory (/dev/shm) ${hits.some((placed) => SPACE.test(wordsOf(placed))) ? 'is' : 'seems'} too small${ranks.length > 0 ? ` for ${nameRanksAtStart(ranks).toLowerCase()}` : ''}${pods.length > 1 ? ` in ${pods.length} Pods` : ''}; which ${ranks.length > 0 ? 'of them' : 'process'} met the limit first is chance.`,
    because: [
      ...perPrinter
        .slice(0, 6)
        .map((placed) =>
          cite(
            placed,
            placed.event.body.kind === 'failure-summary'
              ? `Quoted by its launcher, rank ${placed.rank}: ${quote(wordsOf(placed), 180)}`
              : quote(placed.event.text, 220),
          ),
        ),
      ...tightShm(events, pods)
        .slice(0, 2)
        .map((reading) => citeReading(reading, events)),
      ...rankMap.pods
        .filter(({ pod }) => pods.includes(pod))
        .flatMap(shmOfSpec)
        .slice(0, 1),
    ],
    wouldChange: ['a Pod spec that gives one Pod a different /dev/shm than the others'],
    nextChecks: [
      'Read the size of /dev/shm in the Pod spec (emptyDir with medium Memory) or with df -h /dev/shm in the container',
      'Count data loader workers times prefetch times batch size per Pod',
    ],
  });
}
