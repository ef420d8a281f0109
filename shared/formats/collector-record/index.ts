/**
 * What a collector says of itself: its version, when it ran, what it could not get, how its commands ended.
 *
 *   version.yaml is an object · analysis.json, cluster_version.json, NAME-info.json, NAME-errors.json    troubleshoot
 *   timestamp, version, must-gather.logs                                                                must-gather
 *   must-gather.log, NAME.missing                                                                       GPU operator
 *
 * Nothing here is about the training. Errors become an issue with the collector's words, so that what is missing can be
 * told from what was never there. Not covered: the collector's own definition and its resource lists.
 */
import { readJsonParts } from '../../codecs/json/index.ts';
import {
  type Claim,
  defineDocumentFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
} from '../../model/format.ts';
import { looksLikeText } from '../text-head.ts';
import type { CollectorRecord, RecordContent } from './define.ts';
import { JSON_RECORDS } from './json-records.ts';
import { TEXT_RECORDS } from './text-records.ts';

const RECORDS: readonly CollectorRecord[] = [...JSON_RECORDS, ...TEXT_RECORDS];
const JSON_START = /^\uFEFF?\s{0,200}(?:[[{]|null\s*$)/;

function recordOf(text: string, path: string): CollectorRecord | undefined {
  return RECORDS.find(
    ({ name, content }) => (name === undefined || name.test(path)) && content.every((part) => part.test(text)),
  );
}

function claim(head: EntryHead): Claim | undefined {
  if (head.bytes.length === 0 || !looksLikeText(head.text)) return undefined;
  const record = recordOf(head.text, head.path);
  if (record === undefined) return undefined;
  return record.name === undefined
    ? { score: 0.9, why: `${record.title}, as a collector writes it` }
    : { score: 0.3, why: `${record.title}, by the name that a collector gives it` };
}

export default defineDocumentFormat({
  id: 'collector-record',
  title: "Collector's record",
  maxBytes: 16 * 1024 * 1024,
  claim,
  parse,
});

function* parse(bytes: Uint8Array, context: EntryContext, truncated: boolean): Generator<FormatOutput> {
  const text = new TextDecoder().decode(bytes);
  const record = recordOf(text.slice(0, 4096), context.path);
  if (record === undefined) return;
  const json = JSON_RECORDS.includes(record) && JSON_START.test(text.slice(0, 400)) ? firstDocument(text) : undefined;
  if (json?.problem !== undefined) {
    yield {
      kind: 'issue',
      code: truncated ? 'file-truncated' : 'json-invalid',
      severity: 'warning',
      source: undefined,
      detail: json.problem,
    };
  }
  const { summary, notCollected } = record.read({ text, json: json?.value });
  if (notCollected !== undefined)
    yield { kind: 'issue', code: 'collector-message', severity: 'warning', source: undefined, detail: notCollected };
  yield { kind: 'summary', text: summary === '' ? record.title : summary };
}

interface FirstDocument {
  readonly value: RecordContent['json'];
  readonly problem: string | undefined;
}

/** A bare array is put together again: its elements come one by one. */
function firstDocument(text: string): FirstDocument {
  const items: NonNullable<RecordContent['json']>[] = [];
  let problem: string | undefined;
  for (const part of readJsonParts(text)) {
    if (part.kind === 'problem') problem ??= part.problem.reason;
    else if (part.kind !== 'list' && part.value !== null) items.push(part.value);
  }
  const isArray = /^\uFEFF?\s{0,200}\[/.test(text);
  return {
    value: isArray ? { kind: 'list', at: 0, items } : items[0],
    problem: text.trim() === 'null' ? undefined : problem,
  };
}
