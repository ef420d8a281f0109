/** The log files of a case with what is known of each before it is read: Pods, ranks, clock. */
import { type LineKind, lineKindOf, type Origin } from '#shared/search/line-facts.ts';
import type { FileScope } from '#shared/search/plan.ts';
import type { LogStore } from '../store/log-store.ts';
import type { LogFileRecord } from '../store/queries/log-queries.ts';

/** Formats whose files are lists of lines that somebody printed. */
const LOG_FORMATS = [
  'pod-log',
  'log-export',
  'kernel-log',
  'gpu-state',
  'host-state',
  'nccl-ras',
  'events-table',
  'unknown-text',
];

/** ms; that clock minus the reference, as in the report. Null ends: that side is open. */
export interface ClockOffset {
  readonly estimate: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
}

export interface FileClock {
  readonly id: string;
  readonly offset: ClockOffset | null;
  readonly component: number;
}

export interface LogFile {
  readonly index: number;
  readonly record: LogFileRecord;
  readonly kind: LineKind;
  readonly scope: FileScope;
  /** Pod of lines that name none. */
  readonly pod: string | null;
  readonly node: string | null;
  /** The one rank whose file it is; null where several write or it is not known. */
  readonly rank: number | null;
  readonly clock: FileClock | null;
  /** Corrected = raw − this, ns; 0 where the offset is not known, and the times stay raw. */
  readonly offsetNs: number;
  /**
   * ns that its stamps, which name no zone, were written ahead of UTC; null where that is not proven, or where its stamps name theirs. Times
   * of its lines are in UTC where it is known, on both bases, as those of events are: a zone is no correction of a clock.
   */
  readonly zoneNs: number | null;
  /** Seconds since 1970 of its first dated line, as written; NaN if there is none. */
  readonly nearSeconds: number;
}

export interface LogFiles {
  readonly files: readonly LogFile[];
  readonly origin: Origin;
  /** Epoch ns. */
  readonly originNs: bigint;
  readonly nodeOfPod: ReadonlyMap<string, string>;
}

interface StreamFacts {
  readonly pod: string | null;
  readonly host: string | null;
  readonly fileRank: number | null;
  readonly ranks: readonly number[];
  /** Its first stamp names no zone. */
  readonly zoneAssumed: boolean;
}

interface ReportFacts {
  readonly clocks: ReadonlyMap<string, FileClock>;
  readonly nodeOfPod: ReadonlyMap<string, string>;
  /** Ranks by file path. */
  readonly ranksOfFile: ReadonlyMap<string, ReadonlySet<number>>;
  /** Minutes east of UTC by file path; null = not proven for all of its Pods, or not the same one. */
  readonly zoneOfFile: ReadonlyMap<string, number | null>;
}

const NS = 1_000_000_000n;

export function readLogFiles(store: LogStore): LogFiles {
  const records = store.files(LOG_FORMATS);
  const streams = streamsBySlot(store);
  const report = readReport(store);
  const nodeOfPod = new Map([...podNodes(store), ...report.nodeOfPod]);
  const context = { streams, report, nodeOfPod };
  const files = records.map((record, index) => logFile(record, index, context));
  const firsts = files
    .flatMap(({ record: { firstNs }, zoneNs }) => (firstNs === null ? [] : [BigInt(firstNs) - BigInt(zoneNs ?? 0)]))
    .filter((ns) => ns > NS * NS);
  const [originNs = 0n] = firsts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    files,
    origin: { seconds: Number(originNs / NS), nanos: Number(originNs % NS) },
    originNs,
    nodeOfPod,
  };
}

interface Context {
  readonly streams: ReadonlyMap<number, readonly StreamFacts[]>;
  readonly report: ReportFacts;
  readonly nodeOfPod: ReadonlyMap<string, string>;
}

function logFile(record: LogFileRecord, index: number, { streams, report, nodeOfPod }: Context): LogFile {
  const own = streams.get(record.slot) ?? [];
  const pods = [...new Set(own.map(({ pod }) => pod))];
  const pod = pods.length === 1 ? (pods[0] ?? null) : null;
  const hosts = [...new Set(own.flatMap(({ host }) => (host === null ? [] : [host])))];
  const host = hosts.length === 1 ? (hosts[0] ?? null) : null;
  const node = pod !== null ? (nodeOfPod.get(pod) ?? null) : host;
  const rank = onlyRank(own, report.ranksOfFile.get(record.path));
  const printed = own.flatMap(({ ranks }) => ranks);
  const places = pods.map((name) => ({ pod: name, node: name === null ? node : (nodeOfPod.get(name) ?? null) }));
  const known =
    [node, host, pod, record.path].map((id) => (id === null ? undefined : report.clocks.get(id))).find(Boolean) ?? null;
  const zoneNs = zoneOf(own, report.zoneOfFile.get(record.path));
  // A stamp whose zone is an assumption is never corrected: it may be hours off.
  const isOpen = zoneNs === null && own.some(({ zoneAssumed }) => zoneAssumed);
  const clock = known !== null && isOpen ? { ...known, offset: null } : known;
  const offsetNs = clock?.offset === null || clock === null ? 0 : Math.round(clock.offset.estimate * 1e6);
  const first = record.firstNs === null ? undefined : BigInt(record.firstNs);
  return {
    index,
    record,
    kind: lineKindOf(record.format),
    scope: {
      path: record.path,
      places: places.length > 0 ? places : [{ pod, node }],
      // Marks that a program prints are only counted in logs of Pods; elsewhere nothing is known.
      ranks: record.format === 'pod-log' ? new Set(rank === null ? printed : [...printed, rank]) : null,
      sources: [record.format ?? '', ...sourceWords(record)],
    },
    pod,
    node,
    rank,
    clock,
    offsetNs,
    zoneNs,
    nearSeconds: first === undefined ? Number.NaN : Number(first / NS),
  };
}

/** Only where all of its streams name no zone: the shift is of the file as a whole. */
function zoneOf(streams: readonly StreamFacts[], minutes: number | null | undefined): number | null {
  if (minutes === undefined || minutes === null || streams.length === 0) return null;
  return streams.every(({ zoneAssumed }) => zoneAssumed) ? minutes * 60 * Number(NS) : null;
}

function sourceWords({ format, path }: LogFileRecord): readonly string[] {
  const words = format === 'kernel-log' ? ['kernel'] : format === 'pod-log' ? ['log'] : [];
  if (/stderr|\.err(?:\.|$)/.test(path)) words.push('stderr');
  if (/stdout|\.out(?:\.|$)/.test(path)) words.push('stdout');
  if (/previous|prev/.test(path)) words.push('previous');
  return words;
}

/** A rank by its file: the file's name says it, or one rank alone is known to write there and nothing prints another. */
function onlyRank(streams: readonly StreamFacts[], known: ReadonlySet<number> | undefined): number | null {
  const named = new Set(streams.flatMap(({ fileRank }) => (fileRank === null ? [] : [fileRank])));
  const printed = new Set(streams.flatMap(({ ranks }) => ranks));
  const [byName] = named;
  if (named.size === 1 && byName !== undefined && [...printed].every((rank) => rank === byName)) return byName;
  const [byReport] = known ?? [];
  if (known?.size === 1 && byReport !== undefined && [...printed].every((rank) => rank === byReport)) return byReport;
  return null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function streamsBySlot(store: LogStore): ReadonlyMap<number, readonly StreamFacts[]> {
  const found = new Map<number, StreamFacts[]>();
  for (const { slot, value } of store.streams()) {
    const stream = fieldsOf(value);
    const list = found.get(slot) ?? [];
    list.push({
      pod: textOf(stream['pod']),
      host: textOf(stream['host']),
      fileRank: numberOf(stream['fileRank']),
      ranks: listOf(stream['ranks']).flatMap((item) => numberOf(fieldsOf(item)['rank']) ?? []),
      zoneAssumed: fieldsOf(fieldsOf(stream['first'])['stamp'])['zoneAssumed'] === true,
    });
    found.set(slot, list);
  }
  return found;
}

/** Node of each Pod that ran on one node only. */
function podNodes(store: LogStore): ReadonlyMap<string, string> {
  return oneEach(store.pods().map(({ name, value }) => [name, textOf(fieldsOf(value)['node'])]));
}

function oneEach(pairs: readonly (readonly [string, string | null])[]): ReadonlyMap<string, string> {
  const nodes = new Map<string, string>();
  const several = new Set<string>();
  for (const [pod, node] of pairs) {
    if (node === null) continue;
    if ((nodes.get(pod) ?? node) !== node) several.add(pod);
    nodes.set(pod, node);
  }
  for (const pod of several) nodes.delete(pod);
  return nodes;
}

function readReport(store: LogStore): ReportFacts {
  const json = store.reportJson();
  const report = fieldsOf(json === undefined ? undefined : JSON.parse(json));
  const clocks = new Map<string, FileClock>();
  for (const item of listOf(fieldsOf(report['clock'])['domains'])) {
    const domain = fieldsOf(item);
    const id = textOf(domain['id']);
    if (id !== null)
      clocks.set(id, { id, offset: offsetOf(domain['offsetMs']), component: numberOf(domain['component']) ?? -1 });
  }
  const ranks = listOf(report['ranks']).map(fieldsOf);
  const ranksOfFile = new Map<string, Set<number>>();
  const perPod = new Map<string, Set<number>>();
  for (const row of ranks) {
    const rank = numberOf(row['rank']);
    const pod = textOf(row['pod']);
    if (rank === null) continue;
    if (pod !== null) perPod.set(pod, (perPod.get(pod) ?? new Set()).add(rank));
    for (const file of listOf(row['files'])) {
      if (typeof file === 'string') ranksOfFile.set(file, (ranksOfFile.get(file) ?? new Set()).add(rank));
    }
  }
  return {
    clocks,
    nodeOfPod: oneEach(
      ranks.map((row) => [textOf(row['pod']) ?? '', textOf(row['node'])] as const).filter(([pod]) => pod !== ''),
    ),
    ranksOfFile,
    zoneOfFile: zonesOf(listOf(fieldsOf(report['clock'])['zones'])),
  };
}

function zonesOf(rows: readonly unknown[]): ReadonlyMap<string, number | null> {
  const zones = new Map<string, number | null>();
  for (const row of rows.map(fieldsOf)) {
    const file = textOf(row['file']);
    const minutes = numberOf(row['minutes']);
    if (file === null) continue;
    const known = zones.get(file);
    zones.set(file, known === undefined || known === minutes ? minutes : null);
  }
  return zones;
}

function offsetOf(value: unknown): ClockOffset | null {
  const offset = fieldsOf(value);
  const estimate = numberOf(offset['estimate']);
  if (estimate === null) return null;
  return {
    estimate,
    low: numberOf(offset['low']),
    high: numberOf(offset['high']),
    likelyLow: numberOf(offset['likelyLow']),
    likelyHigh: numberOf(offset['likelyHigh']),
  };
}
