/**
 * Which key of a log service's record holds what. Keys of different services do not clash, so one list of paths per
 * field serves them all, best first.
 *
 *   Loki            line, timestamp (ns), labels or fields {pod, container, namespace, node_name, stream}
 *   CloudWatch      message, timestamp (ms), logStreamName
 *   Google Cloud    textPayload or jsonPayload, timestamp, resource.labels {pod_name, …}
 *   fluent-bit      log or message, time or @timestamp, kubernetes {pod_name, container_name, namespace_name, host}
 *   Elasticsearch   the same under _source
 *   Polyaxon        value, timestamp, pod, container, node
 *   Datadog         content.message, content.timestamp, content.host, content.attributes
 */
import { type DocMap, isMap, textAt, valueAt } from '../../codecs/document-tree.ts';
import { readFolderName } from '../log/path-facts.ts';
import type { LogRecord } from '../log/reader.ts';
import { type RawStamp, readIsoStamp } from '../log/stamp.ts';

type Path = readonly string[];
const paths = (...all: readonly string[]): readonly Path[] => all.map((path) => path.split('|'));

const MESSAGE = paths(
  'line',
  'textPayload',
  'message',
  '@message',
  'log',
  'msg',
  '_source|message',
  '_source|log',
  'content|message',
  'attributes|message',
  'value',
);
/** Objects in place of a text: what the program printed as JSON. */
const PAYLOAD = paths('jsonPayload', 'message');
const PAYLOAD_TEXT = ['message', 'log', 'msg'];
const STAMP = paths(
  'timestamp',
  '@timestamp',
  'time',
  'ts',
  '_source|@timestamp',
  '_source|time',
  'content|timestamp',
  'attributes|timestamp',
);
const POD = paths(
  'labels|pod',
  'fields|pod',
  'stream|pod',
  'labels|pod_name',
  'fields|pod_name',
  'resource|labels|pod_name',
  'kubernetes|pod_name',
  'kubernetes|pod|name',
  '_source|kubernetes|pod_name',
  '_source|kubernetes|pod|name',
  'content|attributes|kubernetes|pod_name',
  'podName',
  'pod_name',
  'pod',
);
const CONTAINER = paths(
  'labels|container',
  'fields|container',
  'stream|container',
  'labels|container_name',
  'resource|labels|container_name',
  'kubernetes|container_name',
  'kubernetes|container|name',
  '_source|kubernetes|container_name',
  '_source|kubernetes|container|name',
  'containerName',
  'container_name',
  'container',
);
const NAMESPACE = paths(
  'labels|namespace',
  'fields|namespace',
  'stream|namespace',
  'resource|labels|namespace_name',
  'kubernetes|namespace_name',
  'kubernetes|namespace',
  '_source|kubernetes|namespace_name',
  '_source|kubernetes|namespace',
  'namespace_name',
  'namespace',
);
const NODE = paths(
  'labels|node_name',
  'fields|node_name',
  'stream|node_name',
  'labels|node',
  'labels|compute.googleapis.com/resource_name',
  'kubernetes|host',
  'kubernetes|node|name',
  '_source|kubernetes|host',
  '_source|kubernetes|node|name',
  'content|host',
  'nodeName',
  'node_name',
  'node',
);
const STREAM = paths('labels|stream', 'fields|stream', 'stream|stream', 'stream', '_source|stream', 'logName');
const FOLDER = paths('logStreamName', '@logStream', 'logStream');

function first(record: DocMap, among: readonly Path[]): string | undefined {
  for (const path of among) {
    const text = textAt(record, ...path);
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** What a record says of its origin; also for labels that stand for many records. */
export type RecordPlace = Pick<LogRecord, 'pod' | 'container' | 'namespace' | 'node' | 'output'>;

export function placeOfRecord(record: DocMap): RecordPlace {
  const folder = readFolderName(first(record, FOLDER) ?? '');
  const stream = first(record, STREAM) ?? '';
  return {
    pod: first(record, POD) ?? folder?.pod,
    container: first(record, CONTAINER) ?? folder?.container,
    namespace: first(record, NAMESPACE) ?? folder?.namespace,
    node: first(record, NODE),
    output: /(?:^|\/)stderr$/.test(stream) ? 'err' : /(?:^|\/)stdout$/.test(stream) ? 'out' : '',
  };
}

/** The message of a record; `at` is where a structured one stands. Undefined if it has none. */
export function messageOf(record: DocMap, text: string): { readonly text: string; readonly key: string } | undefined {
  for (const path of MESSAGE) {
    const found = textAt(record, ...path);
    if (found !== undefined) return { text: found, key: path.at(-1) ?? '' };
  }
  for (const path of PAYLOAD) {
    const payload = valueAt(record, ...path);
    if (!isMap(payload)) continue;
    const key = PAYLOAD_TEXT.find((name) => textAt(payload, name) !== undefined);
    const only = key !== undefined && payload.entries.size === 1;
    const said = only ? textAt(payload, key) : oneLine(text.slice(payload.at, payload.end));
    if (said !== undefined) return { text: said, key: key ?? path.at(-1) ?? '' };
  }
  return undefined;
}

/** The object as one line, as the program printed it. */
function oneLine(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}

export const stampOf = (record: DocMap): RawStamp | undefined => {
  const text = first(record, STAMP);
  return text === undefined ? undefined : readServiceStamp(text);
};

/**
 * Nanoseconds, microseconds, milliseconds or seconds since 1970 by their number of digits, or ISO 8601. Nine digits of
 * fraction are the container runtime's own stamp handed on; coarser ones were cut by the service.
 */
export function readServiceStamp(text: string): RawStamp | undefined {
  const digits = /^(\d{10})(\d{0,9})(?:\.(\d{1,9}))?$/.exec(text);
  if (digits !== null) {
    const fraction = `${digits[2]}${digits[3] ?? ''}`.slice(0, 9);
    return {
      seconds: Number(digits[1]),
      nanos: Number(fraction.padEnd(9, '0')),
      kind: fraction.length === 9 ? 'runtime' : 'epoch',
      resolutionNs: 10 ** (9 - fraction.length),
      zoneAssumed: false,
      yearless: false,
    };
  }
  const read = readIsoStamp(text, 0);
  if (read === undefined || read.end < text.length) return undefined;
  return read.digits === 9 && read.zoned ? { ...read.raw, kind: 'runtime' } : read.raw;
}
