/** Readings of counters and fill levels beside other evidence: of whom they are, and what the time of the question lets them say. */
import type { PlacedEvent, PodPlace } from '../../../model/facts.ts';
import type { Evidence } from '../../../model/finding.ts';
import { cite, citeSource } from './draft.ts';
import { eventsOf, type PlacedOf } from './events.ts';
import { timeInJob } from './span.ts';

export type Reading = PlacedOf<'host-state'>;
type What = Reading['event']['body']['what'];

const SHM = '/dev/shm';
/** What container runtimes give where nothing else is asked for; a data loader with workers soon fills it. */
export const DEFAULT_SHM_BYTES = 64 * 2 ** 20;
/** df rounds up, and calls a file system full while blocks are kept back for root. */
const FULL = 100;

export const readingsOf = (events: readonly PlacedEvent[], ...what: readonly What[]): readonly Reading[] =>
  eventsOf(events, 'host-state').filter((placed) => what.includes(placed.event.body.what));

/** With who and when, since a state is of the moment of the question. */
export function citeReading(reading: Reading, events: readonly PlacedEvent[]): Evidence {
  const { pod, node, event } = reading;
  const who = pod === undefined ? (node === undefined ? '' : `Node ${node}, `) : `Pod ${pod}, `;
  return cite(reading, `${who}${event.body.text}; ${WHEN[timeInJob(reading, events)]}`);
}

const WHEN: Readonly<Record<ReturnType<typeof timeInJob>, string>> = {
  during: 'asked while the job ran, or within a minute of it',
  outside: 'asked outside the time of the job',
  unknown: 'when it was asked is not told',
};

interface Place {
  readonly pod: string | undefined;
  readonly node: string | undefined;
}

/** Of that Pod, or of its node as a whole. */
const isAbout = (reading: Reading, { pod, node }: Place): boolean =>
  reading.pod === undefined ? node !== undefined && reading.node === node : pod !== undefined && reading.pod === pod;

/** File systems other than /dev/shm that were full, by space or by inodes, when one of these places was asked. */
export const fullDisks = (events: readonly PlacedEvent[], places: readonly Place[]): readonly Reading[] =>
  readingsOf(events, 'disk', 'inodes').filter(
    (reading) =>
      reading.event.body.value >= FULL &&
      reading.event.body.of !== SHM &&
      places.some((place) => isAbout(reading, place)),
  );

/** /dev/shm of these Pods where it was full, or as small as a runtime makes it. */
export const tightShm = (events: readonly PlacedEvent[], pods: readonly string[]): readonly Reading[] =>
  readingsOf(events, 'disk').filter(
    ({ pod, event: { body } }) =>
      body.of === SHM &&
      pod !== undefined &&
      pods.includes(pod) &&
      (body.value >= FULL || (body.bytes ?? Number.POSITIVE_INFINITY) <= DEFAULT_SHM_BYTES),
  );

/** The memory kill counter of a Pod that stands at 0 in every reading: no OOM killer, of the cgroup or of the node, killed there. */
export function noKillsCounted(events: readonly PlacedEvent[], pod: string | undefined): Reading | undefined {
  const own = readingsOf(events, 'oom-kills').filter((reading) => pod !== undefined && reading.pod === pod);
  return own.every(({ event }) => event.body.value === 0) ? own[0] : undefined;
}

const SUFFIX: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
]);

/** Bytes of a quantity as Pod specs write memory (`64Gi`, `1500M`); undefined for other forms. */
export function quantityBytes(text: string | undefined): number | undefined {
  const [, number, suffix = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([kMGT]|[KMGT]i)?$/.exec(text ?? '') ?? [];
  const factor = SUFFIX.get(suffix);
  return number === undefined || factor === undefined ? undefined : Math.round(Number(number) * factor);
}

/** What the spec gives a Pod as /dev/shm where that is little: said of itself, it is the limit that the processes met. */
export function shmOfSpec({ pod, object }: PodPlace): Evidence[] {
  const shm = object?.sharedMemory;
  if (object === undefined || shm === undefined) return [];
  const size =
    shm.kind === 'default'
      ? 'no volume is mounted at /dev/shm, so it has what the runtime gives, mostly 64 MiB'
      : shm.limit === undefined
        ? undefined
        : `a memory volume with a limit of ${shm.limit} is mounted at /dev/shm`;
  return size === undefined ? [] : [citeSource(object.source, `Spec of Pod ${pod}: ${size}`)];
}
