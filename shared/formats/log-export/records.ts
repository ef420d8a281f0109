/** Finds the records in an export's documents, one after the other, whatever the service wraps around them. */
import { readCsv } from '../../codecs/csv/index.ts';
import { type DocMap, type DocPart, isList, isMap, listAt, valueAt } from '../../codecs/document-tree.ts';
import { readJsonParts } from '../../codecs/json/index.ts';
import type { LogRecord } from '../log/reader.ts';
import type { RawStamp } from '../log/stamp.ts';
import { messageOf, placeOfRecord, type RecordPlace, readServiceStamp, stampOf } from './fields.ts';

/** A record with the range of the text that holds it. */
export interface ExportRecord extends RecordPlace {
  readonly text: string;
  readonly stamp: RawStamp | undefined;
  readonly at: number;
  readonly end: number;
}

export type ExportPart =
  | ExportRecord
  | { readonly problem: string; readonly at: number }
  /** An object that holds no message. */
  | { readonly skipped: true };

/** How far into a record its message is looked for, to name the line; else the record's first line is named. */
const MAX_KEY_AT = 100_000;

const NOWHERE: RecordPlace = {
  pod: undefined,
  container: undefined,
  namespace: undefined,
  node: undefined,
  output: '',
};

/** JSON: an array, lines, or one answer of a service's API. */
export function* jsonRecords(text: string): Generator<ExportPart> {
  for (const part of readJsonParts(text)) yield* partRecords(part, text);
}

function* partRecords(part: DocPart, text: string): Generator<ExportPart> {
  if (part.kind === 'problem') {
    const { at, line, column, reason } = part.problem;
    yield { problem: `line ${line}, column ${column}: ${reason}`, at };
  } else if (part.kind !== 'list' && isMap(part.value)) yield* answer(part.value, text);
}

function* answer(map: DocMap, text: string): Generator<ExportPart> {
  const streams = valueAt(map, 'data', 'result');
  if (isList(streams)) {
    for (const stream of streams.items) if (isMap(stream)) yield* lokiStream(stream);
    return;
  }
  const list = [['events'], ['hits', 'hits'], ['data'], ['entries'], ['logs']].find((path) =>
    isList(valueAt(map, ...path)),
  );
  if (list === undefined || messageOf(map, text) !== undefined) {
    yield jsonRecord(map, text);
    return;
  }
  for (const item of listAt(map, ...list)) yield isMap(item) ? jsonRecord(item, text) : { skipped: true };
}

/** Loki's API: `{"stream": {labels}, "values": [["1773483457951004118", "line"], …]}`. */
function* lokiStream(stream: DocMap): Generator<ExportPart> {
  const place = placeOfRecord(stream);
  for (const pair of listAt(stream, 'values')) {
    if (!isList(pair)) continue;
    const [stamp, line] = pair.items;
    if (typeof stamp !== 'string' || typeof line !== 'string') yield { skipped: true };
    else yield { ...place, text: line, stamp: readServiceStamp(stamp), at: pair.at, end: pair.at + 1 };
  }
}

function jsonRecord(map: DocMap, text: string): ExportPart {
  const message = messageOf(map, text);
  if (message === undefined) return { skipped: true };
  // Only inside the record: a key written with escapes is found nowhere.
  const key = text.slice(map.at, Math.min(map.end, map.at + MAX_KEY_AT)).indexOf(`"${message.key}"`);
  const at = key < 0 ? map.at : map.at + key;
  return { ...placeOfRecord(map), text: message.text, stamp: stampOf(map), at, end: Math.max(map.end, at) };
}

/** Columns of CSV exports, by lower-case name, best first. */
const COLUMNS = {
  text: ['line', '@message', 'message', 'content', 'log'],
  stamp: ['tsns', 'timestamp', '@timestamp', 'date', 'time', 'ts'],
  pod: ['pod', 'pod_name', 'pod name', 'kubernetes.pod_name', '@pod', 'kube_pod_name'],
  container: ['container', 'container_name', 'container name', 'kubernetes.container_name', 'kube_container_name'],
  namespace: ['namespace', 'namespace_name', 'kubernetes.namespace_name', 'kube_namespace'],
  node: ['node', 'node_name', 'kubernetes.host', 'host'],
  labels: ['labels', 'fields'],
  folder: ['@logstream', 'logstreamname'],
} as const;
type Column = keyof typeof COLUMNS;

/** Where each field stands in the header row; undefined if it is no export's header. */
export function csvColumns(header: readonly string[]): ReadonlyMap<Column, number> | undefined {
  const names = header.map((name) => name.trim().toLowerCase());
  const found = new Map<Column, number>();
  for (const [field, known] of Object.entries(COLUMNS)) {
    const name = known.find((candidate) => names.includes(candidate));
    if (name !== undefined && isColumn(field)) found.set(field, names.indexOf(name));
  }
  return found.has('text') && found.has('stamp') ? found : undefined;
}

const isColumn = (name: string): name is Column => name in COLUMNS;

export function* csvRecords(text: string): Generator<ExportPart> {
  let columns: ReadonlyMap<Column, number> | undefined;
  for (const row of readCsv(text)) {
    if (row.kind === 'problem') {
      yield { problem: row.reason, at: row.at };
      continue;
    }
    if (columns === undefined) {
      columns = csvColumns(row.cells);
      if (columns === undefined) return;
      continue;
    }
    yield csvRecord(row, columns);
  }
}

function csvRecord(
  { cells, at, end }: { readonly cells: readonly string[]; readonly at: number; readonly end: number },
  columns: ReadonlyMap<Column, number>,
): ExportPart {
  const cell = (column: Column): string | undefined => cells[columns.get(column) ?? -1] || undefined;
  const text = cell('text');
  if (text === undefined) return { skipped: true };
  const said = labelledPlace(cell('labels') ?? '', cell('folder') ?? '');
  return {
    ...said,
    pod: cell('pod') ?? said.pod,
    container: cell('container') ?? said.container,
    namespace: cell('namespace') ?? said.namespace,
    node: cell('node') ?? said.node,
    text,
    stamp: readServiceStamp(cell('stamp') ?? ''),
    at,
    end,
  };
}

/** Labels as JSON or as Loki writes them, and a CloudWatch stream's name. */
function labelledPlace(labels: string, folder: string): RecordPlace {
  if (labels.startsWith('{"')) {
    const part = readJsonParts(labels).next().value;
    if (part !== undefined && part.kind === 'document' && isMap(part.value))
      return placeOfRecord(asRecord([['labels', part.value]]));
  }
  if (labels.startsWith('{')) return readLabels(labels);
  return folder === '' ? NOWHERE : placeOfRecord(asRecord([['logStreamName', folder]]));
}

const asRecord = (entries: readonly (readonly [string, DocMap | string])[]): DocMap => ({
  kind: 'map',
  at: 0,
  end: 0,
  entries: new Map(entries),
});

const LABEL = /([A-Za-z_]\w{0,100})="((?:[^"\\]|\\.){0,400})"/g;

/** `{namespace="ml-train", pod="w-0"}` */
export function readLabels(text: string): RecordPlace {
  const labels = new Map([...text.slice(0, 20_000).matchAll(LABEL)].map(([, key = '', value = '']) => [key, value]));
  return placeOfRecord(asRecord([['labels', { kind: 'map', at: 0, end: 0, entries: labels }]]));
}

/** `2026-03-14T10:17:37Z {namespace="ml-train", pod="w-0"} message`: logcli's default output. */
export const LOGCLI_LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (\{[^{}]{0,4000}\}) ?/;
const COMMON = /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?Common labels: (\{[^{}]{0,4000}\})/;

/** Labels that all lines share stand once in front, not on the lines. */
export function* logcliRecords(text: string): Generator<ExportPart> {
  let common = NOWHERE;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(at, end);
    const match = LOGCLI_LINE.exec(line);
    const shared = match === null ? COMMON.exec(line)?.[1] : undefined;
    if (shared !== undefined) common = readLabels(shared);
    if (match !== null) {
      const [all, stamp = '', labels = ''] = match;
      yield {
        ...merged(readLabels(labels), common),
        text: line.slice(all.length),
        stamp: readServiceStamp(stamp),
        at,
        end,
      };
    }
    at = end + 1;
  }
}

const merged = (own: RecordPlace, common: RecordPlace): RecordPlace => ({
  pod: own.pod ?? common.pod,
  container: own.container ?? common.container,
  namespace: own.namespace ?? common.namespace,
  node: own.node ?? common.node,
  output: own.output === '' ? common.output : own.output,
});

/** True if the stamps fall more often than they rise: services show the newest first by default. */
export function isNewestFirst(records: readonly Pick<LogRecord, 'stamp'>[]): boolean {
  let balance = 0;
  let before: RawStamp | undefined;
  for (const { stamp } of records) {
    if (stamp === undefined) continue;
    if (before !== undefined) {
      const step = stamp.seconds - before.seconds || stamp.nanos - before.nanos;
      balance += Math.sign(step);
    }
    before = stamp;
  }
  return balance < 0;
}
