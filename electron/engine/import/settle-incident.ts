/**
 * From entries in the order of reading to the incident as analysis takes it. Public ids are positions among the sorted paths, so that
 * the order of an archive, or of the arguments, changes nothing in the result; here every source ref moves from slot to id.
 */
import { bindZones } from '#shared/analysis/clocks/zones/index.ts';
import { findLogCuts } from '#shared/analysis/log-cuts/index.ts';
import { completeYears } from '#shared/formats/log/complete-years.ts';
import type { EntryInfo } from '#shared/model/entry.ts';
import type { LogEvent, LogStream } from '#shared/model/events.ts';
import { type EntryId, entryId } from '#shared/model/ids.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { Issue } from '#shared/model/issue.ts';
import type { PodObject } from '#shared/model/kubernetes.ts';
import type { SourceRef } from '#shared/model/source-ref.ts';
import { type EpochNs, epochNs } from '#shared/model/time.ts';
import type { ContainerIssueItem } from '../bundle/bundle-item.ts';
import type { EntrySettlement } from '../store/case-writer.ts';
import type { EntryRecord } from './entry-record.ts';
import { findDuplicates } from './find-duplicates.ts';
import { withoutRepeatedEvents } from './repeated-events.ts';

export interface SettledIncident {
  readonly input: IncidentInput;
  readonly settlements: readonly EntrySettlement[];
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Pure; `records` in any order. O(n log n) in entries, linear in events. */
export function settleIncident(
  records: readonly EntryRecord[],
  containerIssues: readonly ContainerIssueItem[],
): SettledIncident {
  const sorted = [...records].sort(
    (a, b) => compareText(a.path, b.path) || compareText(a.sha256 ?? '', b.sha256 ?? '') || a.slot - b.slot,
  );
  const idOfSlot = new Map(sorted.map((record, index) => [record.slot, entryId(index)]));
  const originals = findDuplicates(sorted);
  const contentSlots = findContentSlots(records, originals);
  const entries: EntryInfo[] = [];
  const settlements: EntrySettlement[] = [];
  const issues: Issue[] = [];
  const kept: EntryRecord[] = [];
  for (const [index, record] of sorted.entries()) {
    const original = originals.get(record.slot);
    const id = entryId(index);
    const info = entryInfo(record, id, original, idOfSlot);
    entries.push(info);
    settlements.push({
      slot: record.slot,
      id,
      contentSlot: contentSlots.get(record.slot) ?? record.slot,
      status: info.status,
      detail: info.detail,
      duplicateOf: info.duplicateOf,
    });
    if (sorted[index - 1]?.path === record.path)
      issues.push(
        entryIssue(record, id, {
          code: 'duplicate-path',
          severity: 'warning',
          source: undefined,
          detail: '',
          count: 1,
        }),
      );
    if (original !== undefined) {
      issues.push(
        entryIssue(record, id, {
          code: 'duplicate-content',
          severity: 'info',
          source: undefined,
          detail: original.path,
          count: 1,
        }),
      );
      continue;
    }
    kept.push(record);
    for (const issue of record.outputs.issues) issues.push(entryIssue(record, id, issue));
  }
  const input = collect(kept, entries, [...issues, ...containerRows(containerIssues)], idOfSlot);
  return { input: { ...input, issues: [...input.issues, ...cutIssues(input)] }, settlements };
}

/** What only shows when logs are held against each other and against their Pods. */
function cutIssues(input: IncidentInput): Issue[] {
  return findLogCuts(input).map((cut) => ({
    code: cut.certain ? 'log-tail-only' : 'log-may-be-cut',
    severity: cut.certain ? 'warning' : 'info',
    entry: cut.entry,
    path: input.entries.find((entry) => entry.id === cut.entry)?.path,
    source: cut.source,
    count: 1,
    detail: cut.why,
  }));
}

/** Which slot holds the bytes of each duplicate: among its equals, the one that was read first. */
function findContentSlots(
  records: readonly EntryRecord[],
  originals: ReadonlyMap<number, EntryRecord>,
): Map<number, number> {
  const firstSlot = new Map<number, number>();
  const groupOf = (record: EntryRecord): number => {
    const original = originals.get(record.slot);
    return original !== undefined && original.sha256 === record.sha256 ? original.slot : record.slot;
  };
  for (const record of [...records].sort((a, b) => a.slot - b.slot)) {
    if (!firstSlot.has(groupOf(record))) firstSlot.set(groupOf(record), record.slot);
  }
  return new Map(records.map((record) => [record.slot, firstSlot.get(groupOf(record)) ?? record.slot]));
}

function entryInfo(
  record: EntryRecord,
  id: EntryId,
  original: EntryRecord | undefined,
  idOfSlot: ReadonlyMap<number, EntryId>,
): EntryInfo {
  return {
    id,
    path: record.path,
    bytes: record.bytes,
    sha256: record.sha256,
    format: record.format,
    kind: record.kind,
    why: record.why,
    status: original === undefined ? record.status : 'duplicate',
    detail: original === undefined ? record.detail : repeats(record, original),
    lines: record.lines,
    firstNs: datedOrNull(record.firstNs),
    lastNs: datedOrNull(record.lastNs),
    duplicateOf: original === undefined ? null : (idOfSlot.get(original.slot) ?? null),
  };
}

/**
 * A span whose stamps name no year, or count from the start of a machine, is unknown to the file list: it is never shown
 * as a year that nobody wrote. No machine has been up for 31 years.
 */
function datedOrNull(ns: bigint | null): EpochNs | null {
  if (ns === null || ns < EARLIEST_NS) return null;
  return epochNs(ns);
}

/** 2001-09-09: before it there are only clocks of other kinds. */
const EARLIEST_NS = 10n ** 18n;

const repeats = (record: EntryRecord, original: EntryRecord): string =>
  `${record.sha256 === original.sha256 ? 'same bytes as' : 'the same log in another layout as'} ${original.path}`;

type IssueOfEntry = Pick<Issue, 'code' | 'severity' | 'source' | 'detail' | 'count'>;

function entryIssue(record: EntryRecord, id: EntryId, issue: IssueOfEntry): Issue {
  return {
    code: issue.code,
    severity: issue.severity,
    entry: id,
    path: record.path,
    source: issue.source === undefined ? undefined : { ...issue.source, entry: id },
    count: issue.count,
    detail: issue.detail,
  };
}

function containerRows(items: readonly ContainerIssueItem[]): Issue[] {
  const rows = new Map<string, Issue>();
  for (const { code, severity, path, detail } of items) {
    const key = JSON.stringify([code, severity, path, detail]);
    const count = (rows.get(key)?.count ?? 0) + 1;
    rows.set(key, { code, severity, entry: undefined, path, source: undefined, count, detail });
  }
  return [...rows].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
}

function collect(
  kept: readonly EntryRecord[],
  entries: readonly EntryInfo[],
  issues: readonly Issue[],
  idOfSlot: ReadonlyMap<number, EntryId>,
): IncidentInput {
  const moved = <T extends { readonly source: SourceRef }>(items: readonly T[]): T[] =>
    items.map((item) =>
      idOfSlot.get(item.source.entry) === item.source.entry
        ? item
        : { ...item, source: moveRef(item.source, idOfSlot) },
    );
  const objects = {
    pods: kept.flatMap((record) => moved(record.outputs.pods).map((pod) => movePod(pod, idOfSlot))),
    kubeEvents: kept.flatMap((record) => moved(record.outputs.kubeEvents)),
    leases: kept.flatMap((record) => moved(record.outputs.leases)),
    nodes: kept.flatMap((record) => moved(record.outputs.nodes)),
    workloads: kept.flatMap((record) => moved(record.outputs.workloads)),
    dumps: kept.flatMap((record) => moved(record.outputs.dumps)),
    timeReports: kept.flatMap((record) => moved(record.outputs.timeReports)),
  };
  const events = withoutRepeatedEvents(kept);
  const stamped = {
    events: kept.flatMap((record): LogEvent[] => moved(inFileOrder(events.get(record.slot) ?? []))),
    streams: kept.flatMap((record) => record.outputs.streams.map((stream) => moveStream(stream, idOfSlot))),
  };
  const zoned = bindZones({
    ...completeYears(stamped, datedMoments(objects)),
    pods: objects.pods,
    dumps: objects.dumps,
  });
  return { entries, issues, ...zoned, ...objects };
}

/** Records of several lines are told when they close, often at the end of the file: here they go back to where they began. */
function inFileOrder(events: readonly LogEvent[]): readonly LogEvent[] {
  const place = ({ source }: LogEvent): number => (source.kind === 'line' || source.kind === 'byte' ? source.byte : 0);
  return [...events].sort((a, b) => place(a) - place(b));
}

/** Moments with a year from outside the logs, for stamps that were written without one. */
function datedMoments(objects: Pick<IncidentInput, 'pods' | 'kubeEvents' | 'leases' | 'dumps'>): EpochNs[] {
  const moments = [
    ...objects.pods.flatMap((pod) => [pod.created, pod.startTime]),
    ...objects.kubeEvents.flatMap((event) => [event.last, event.created]),
    ...objects.leases.map((lease) => lease.renewTime),
    ...objects.dumps.map(({ columns }) => columns.createdNs.at(-1)).map((ns) => (ns ? epochNs(ns) : undefined)),
  ];
  return moments.filter((ns) => ns !== undefined);
}

function moveRef(source: SourceRef, idOfSlot: ReadonlyMap<number, EntryId>): SourceRef {
  return { ...source, entry: idOfSlot.get(source.entry) ?? source.entry };
}

/** A Pod's conditions and ends may name their own places. */
function movePod(pod: PodObject, idOfSlot: ReadonlyMap<number, EntryId>): PodObject {
  const move = <T extends { readonly source?: SourceRef }>(item: T): T =>
    item.source === undefined ? item : { ...item, source: moveRef(item.source, idOfSlot) };
  return {
    ...pod,
    conditions: pod.conditions.map(move),
    containers: pod.containers.map((container) => ({
      ...container,
      terminated: container.terminated && move(container.terminated),
      lastTerminated: container.lastTerminated && move(container.lastTerminated),
    })),
  };
}

function moveStream(stream: LogStream, idOfSlot: ReadonlyMap<number, EntryId>): LogStream {
  const move = <T extends { readonly source: SourceRef }>(item: T | undefined): T | undefined =>
    item === undefined ? undefined : { ...item, source: moveRef(item.source, idOfSlot) };
  return {
    ...stream,
    first: move(stream.first),
    last: move(stream.last),
    lastLine: move(stream.lastLine),
    ranks: stream.ranks.map((rank) => ({ ...rank, lastSource: moveRef(rank.lastSource, idOfSlot) })),
  };
}
