/** Which files say what another one says already: the same bytes twice, or one container's log in two layouts. */
import type { LogEvent, LogStream } from '#shared/model/events.ts';
import type { EntryRecord } from './entry-record.ts';

/** Slot → the record it repeats, which is itself no repetition. `sorted`: by path. */
export function findDuplicates(sorted: readonly EntryRecord[]): Map<number, EntryRecord> {
  const originals = sameBytes(sorted);
  for (const [slot, original] of sameLogs(sorted.filter((record) => !originals.has(record.slot))))
    originals.set(slot, original);
  // What repeats a repetition repeats its original.
  for (const [slot, original] of originals) originals.set(slot, originals.get(original.slot) ?? original);
  return originals;
}

/**
 * Slot → the record with the same bytes. The original is the one whose name is best borne out, whatever was read first: a copy may have
 * any name, and a Pod must not be invented from it.
 */
function sameBytes(sorted: readonly EntryRecord[]): Map<number, EntryRecord> {
  const bySha = new Map<string, EntryRecord[]>();
  const originals = new Map<number, EntryRecord>();
  for (const record of bestNamedFirst(sorted)) {
    if (!record.mayRepeat || record.sha256 === null) continue;
    const same = bySha.get(record.sha256) ?? [];
    bySha.set(record.sha256, same);
    const original = same.find((candidate) => isSameWitness(candidate, record));
    if (original === undefined) same.push(record);
    else originals.set(record.slot, original);
  }
  return originals;
}

/** Names of Pods that objects and Events know first, then files beside more of their kind, then names most like another's, then by path. */
function bestNamedFirst(sorted: readonly EntryRecord[]): readonly EntryRecord[] {
  const pods = new Set<string>();
  const siblings = new Map<string, number>();
  for (const { path, outputs } of sorted) {
    for (const pod of outputs.pods) pods.add(pod.name);
    for (const event of outputs.kubeEvents) if (event.object.kind === 'Pod') pods.add(event.object.name);
    if (outputs.streams.length > 0) siblings.set(folderOf(path), (siblings.get(folderOf(path)) ?? 0) + 1);
  }
  const known = ({ outputs }: EntryRecord): number =>
    outputs.streams.some((stream) => stream.pod !== undefined && pods.has(stream.pod)) ? 1 : 0;
  const beside = ({ path }: EntryRecord): number => siblings.get(folderOf(path)) ?? 0;
  const alike = new Map(sorted.map((record, i) => [record, likeNeighbour(sorted, i)]));
  return [...sorted].sort(
    (a, b) =>
      known(b) - known(a) ||
      knownPlaces(b) - knownPlaces(a) ||
      beside(b) - beside(a) ||
      (alike.get(b) ?? 0) - (alike.get(a) ?? 0),
  );
}

/** Copies in a row that are looked over. */
const MAX_COPIES = 64;

/** Characters that a path shares with the nearest one in path order that holds other bytes. */
function likeNeighbour(sorted: readonly EntryRecord[], index: number): number {
  const own = sorted[index];
  if (own === undefined || own.outputs.streams.length === 0) return 0;
  const shared = (step: 1 | -1): number => {
    let at = index + step;
    while (sorted[at]?.sha256 === own.sha256 && Math.abs(at - index) < MAX_COPIES) at += step;
    const other = sorted[at]?.path ?? '';
    let length = 0;
    const end = Math.min(own.path.length, other.length);
    while (length < end && own.path.charCodeAt(length) === other.charCodeAt(length)) length += 1;
    return length;
  };
  return Math.max(shared(1), shared(-1));
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Are two files with the same bytes one witness collected twice, or two that said the same? Stamps of the container runtime
 * (nanoseconds) never repeat across containers. Without them, two ranks may well print equal lines: then a difference in what
 * the paths say about Pod, attempt or rank makes them two; unless the lines themselves name ranks, which no two Pods of a job share: then only
 * another attempt can have said the same.
 */
function isSameWitness(a: EntryRecord, b: EntryRecord): boolean {
  if (a.outputs.streams.some((stream) => stream.first?.stamp.kind === 'runtime')) return true;
  if (a.outputs.streams.length !== b.outputs.streams.length) return false;
  return a.outputs.streams.every((stream, i) => !saysOtherPlace(stream, b.outputs.streams[i], stream.ranks.length > 0));
}

const NAMES = ['pod', 'container', 'namespace', 'host'] as const;
const RUNS = ['podUid', 'restart', 'attempt', 'localRank', 'fileRank'] as const;

/** `namesMayDiffer`: what Pod, container and host are called in the path counts for nothing. */
function saysOtherPlace(a: LogStream, b: LogStream | undefined, namesMayDiffer = false): boolean {
  if (b === undefined) return true;
  if (a.previous !== b.previous) return true;
  const keys = namesMayDiffer ? RUNS : [...NAMES, ...RUNS];
  return keys.some((key) => a[key] !== undefined && b[key] !== undefined && a[key] !== b[key]);
}

/**
 * The same log once as the API gave it and once as it stands on the node: other bytes, but the same first and last stamp of the container
 * runtime, to the nanosecond, and the same events at the same stamps. The file whose path says more (Pod UID, restart) is the original.
 */
function sameLogs(records: readonly EntryRecord[]): Map<number, EntryRecord> {
  const bySpan = new Map<string, EntryRecord[]>();
  for (const record of records) {
    const span = exactSpan(record);
    if (span !== undefined) bySpan.set(span, [...(bySpan.get(span) ?? []), record]);
  }
  const originals = new Map<number, EntryRecord>();
  for (const group of bySpan.values()) {
    const seen: { readonly record: EntryRecord; readonly events: string }[] = [];
    if (group.length < 2) continue;
    for (const record of [...group].sort((a, b) => knownPlaces(b) - knownPlaces(a))) {
      const events = record.outputs.events.map(eventKey).sort().join('\n');
      const original = seen.find((one) => one.events === events && isSamePlace(one.record, record))?.record;
      if (original === undefined) seen.push({ record, events });
      else originals.set(record.slot, original);
    }
  }
  return originals;
}

/** First and last stamp of a log of one stream, if both are the runtime's and exact; two lines at least, or nothing is proved. */
function exactSpan({ mayRepeat, outputs }: EntryRecord): string | undefined {
  const [stream] = outputs.streams;
  if (!mayRepeat || outputs.streams.length !== 1) return undefined;
  const stamps = [stream?.first?.stamp, stream?.last?.stamp];
  if (stamps.some((stamp) => stamp?.kind !== 'runtime' || stamp.resolutionNs !== 1)) return undefined;
  const [first, last] = stamps.map((stamp) => stamp?.ns);
  return first === last ? undefined : `${first} ${last}`;
}

const eventKey = ({ body, stamp, text }: LogEvent): string => `${stamp?.ns} ${body.kind} ${text}`;

/** How much the path of a log of one stream says about its place. */
export const knownPlaces = ({ outputs: { streams } }: EntryRecord): number =>
  [streams[0]?.podUid, streams[0]?.restart, streams[0]?.container, streams[0]?.pod].filter((one) => one !== undefined)
    .length;

const isSamePlace = (a: EntryRecord, b: EntryRecord): boolean =>
  a.outputs.streams.every((stream, i) => !saysOtherPlace(stream, b.outputs.streams[i]));
