/**
 * Exports of log services: the messages of many Pods as records of one document.
 *
 *   [{"line": "NCCL WARN …", "timestamp": "1773483457951004118", "fields": {"pod": "w-1", …}}]     Grafana Explore
 *   {"labels": {"pod": "w-1"}, "line": "NCCL WARN …", "timestamp": "2026-03-14T10:17:37.951Z"}      logcli -o jsonl
 *   2026-03-14T10:17:37Z {pod="w-1"} NCCL WARN …                                                    logcli
 *   {"events": [{"timestamp": 1773483457951, "message": "NCCL WARN …", "logStreamName": "…"}]}      CloudWatch
 *   [{"insertId": "…", "timestamp": "…", "textPayload": "NCCL WARN …", "resource": {…}}]            Google Cloud
 *   {"log": "…", "time": "…", "kubernetes": {"pod_name": "w-1"}}                                    fluent-bit
 *   {"logs": [{"timestamp": "…", "node": "…", "pod": "w-1", "container": "…", "value": "NCCL WARN …"}]}  Polyaxon's plxlogs/
 *   "Time","Line","tsNs","labels"  ·  Date,Host,Service,Message                                     CSV
 *
 * Each message goes through the log reader as a line of its Pod. Clock: the stamp is the container runtime's on the
 * node, at most cut to the service's resolution. Files with the newest record first are read from their end. Not
 * kept: when the service received a record, its severity (of stderr always ERROR). Not covered: other separators than
 * commas, records of one message in parts. Memory: the messages of one entry.
 */

import { readCsv } from '../../codecs/csv/index.ts';
import {
  type Claim,
  defineDocumentFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
} from '../../model/format.ts';
import { Places } from '../kubernetes/places.ts';
import { openRecords } from '../log/reader.ts';
import { headLines, looksLikeText } from '../text-head.ts';
import {
  csvColumns,
  csvRecords,
  type ExportPart,
  type ExportRecord,
  isNewestFirst,
  jsonRecords,
  LOGCLI_LINE,
  logcliRecords,
} from './records.ts';

const JSON_START = /^\uFEFF?\s{0,200}[[{]/;

interface Service {
  readonly score: number;
  readonly why: string;
  /** All must be in the head. */
  readonly keys: readonly RegExp[];
}

const SERVICES: readonly Service[] = [
  {
    score: 0.96,
    why: 'records of Google Cloud Logging',
    keys: [/"insertId"\s{0,4}:/, /"(?:logName|receiveTimestamp|textPayload|jsonPayload)"\s{0,4}:/],
  },
  {
    score: 0.93,
    why: 'records of Loki with line and time stamp',
    keys: [
      /"line"\s{0,4}:\s{0,4}"/,
      /"timestamp"\s{0,4}:\s{0,4}"(?:\d{18,20}"|\d{4}-\d\d-\d\dT)/,
      /"(?:labels|fields|date)"\s{0,4}:/,
    ],
  },
  {
    score: 0.94,
    why: "an answer of Loki's API",
    keys: [/"resultType"\s{0,4}:\s{0,4}"streams"/],
  },
  {
    score: 0.93,
    why: 'events of CloudWatch with message and time stamp',
    keys: [
      /"events"\s{0,4}:\s{0,4}\[\s{0,40}\{/,
      /"(?:logStreamName|ingestionTime|eventId)"\s{0,4}:/,
      /"timestamp"\s{0,4}:\s{0,4}\d{13}\b/,
    ],
  },
  {
    score: 0.93,
    why: 'records of CloudWatch Logs Insights',
    keys: [/"@timestamp"\s{0,4}:/, /"@message"\s{0,4}:/],
  },
  {
    score: 0.93,
    why: 'hits of a search index with message and time stamp',
    keys: [/"_source"\s{0,4}:\s{0,4}\{/, /"(?:message|log)"\s{0,4}:/, /"(?:@timestamp|time)"\s{0,4}:/],
  },
  {
    score: 0.93,
    why: 'a chunk of the logs that Polyaxon keeps of a run',
    keys: [/^\uFEFF?\s{0,40}\{\s{0,40}"logs"\s{0,4}:\s{0,4}\[/, /"pod"\s{0,4}:\s{0,4}"/, /"value"\s{0,4}:\s{0,4}"/],
  },
  {
    score: 0.93,
    why: "records of a log shipper with the Pod's name",
    keys: [
      /"kubernetes"\s{0,4}:\s{0,4}\{/,
      /"(?:log|message)"\s{0,4}:\s{0,4}"/,
      /"(?:@timestamp|time|timestamp|ts)"\s{0,4}:/,
    ],
  },
];

function claim(head: EntryHead): Claim | undefined {
  if (!looksLikeText(head.text)) return undefined;
  if (JSON_START.test(head.text)) {
    const service = SERVICES.find(({ keys }) => keys.every((key) => key.test(head.text)));
    return service && { score: service.score, why: service.why };
  }
  const lines = headLines(head.text, head.whole).filter((line) => line.trim() !== '');
  if (lines.filter((line) => LOGCLI_LINE.test(line)).length * 2 > lines.length)
    return { score: 0.93, why: 'lines of logcli with stamp and labels' };
  return isCsvHeader(head.text) ? { score: 0.91, why: 'a CSV table with columns for time and message' } : undefined;
}

function isCsvHeader(text: string): boolean {
  const first = readCsv(text.slice(0, 4_000)).next().value;
  return first !== undefined && first.kind === 'row' && csvColumns(first.cells) !== undefined;
}

export default defineDocumentFormat({
  id: 'log-export',
  title: 'Log export',
  maxBytes: 64 * 1024 * 1024,
  ifTooLarge: 'export shorter ranges of time, or one Pod each, and give the files together',
  claim,
  parse,
});

function* parse(bytes: Uint8Array, context: EntryContext, truncated: boolean): Generator<FormatOutput> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const places = new Places(bytes, text, context.entry);
  const records: ExportRecord[] = [];
  let skipped = 0;
  for (const part of partsOf(text)) {
    if ('skipped' in part) skipped += 1;
    else if ('problem' in part) {
      yield {
        kind: 'issue',
        code: truncated ? 'file-truncated' : 'export-invalid',
        severity: 'warning',
        source: places.ref(part.at, part.at),
        detail: part.problem,
      };
    } else records.push(part);
  }
  const newestFirst = isNewestFirst(records);
  const notes = [newestFirst ? 'newest first' : '', skipped > 0 ? `${skipped} without a message` : ''];
  for (const output of read(newestFirst ? records.reverse() : records, newestFirst, context, places)) {
    yield output.kind === 'summary'
      ? { ...output, text: [output.text, ...notes].filter((note) => note !== '').join('; ') }
      : output;
  }
}

function partsOf(text: string): Generator<ExportPart> {
  if (JSON_START.test(text.slice(0, 400))) return jsonRecords(text);
  return isCsvHeader(text) ? csvRecords(text) : logcliRecords(text);
}

function* read(
  records: readonly ExportRecord[],
  newestFirst: boolean,
  context: EntryContext,
  places: Places,
): Generator<FormatOutput> {
  let outputs: FormatOutput[] = [];
  const reader = openRecords(context, (output) => outputs.push(output), newestFirst);
  const placed = newestFirst ? placesBackwards(records, places) : undefined;
  for (const [index, record] of records.entries()) {
    const place = placed?.[index] ?? places.linePlace(record.at, record.end);
    const { at: _at, end: _end, ...said } = record;
    for (const text of withoutEnd(record.text).split('\n')) reader.record({ ...said, text, place });
    yield* outputs;
    outputs = [];
  }
  reader.end();
  yield* outputs;
}

/** Without the line ends that shippers leave behind a message. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === 10 || text.charCodeAt(end - 1) === 13)) end -= 1;
  return text.slice(0, end);
}

/** Places are found walking forwards: a long line is walked once. */
function placesBackwards(records: readonly ExportRecord[], places: Places) {
  const found = records.toReversed().map(({ at, end }) => places.linePlace(at, end));
  return found.reverse();
}
