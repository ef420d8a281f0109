import type { EventBody, LogEvent, LogStream } from '../model/events.ts';
import { defineDocumentFormat, type EntryContext, type EntryHead, type FormatOutput } from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import type { Stamp } from '../model/time.ts';
import { MAX_EVENT_TEXT } from './log/event-draft.ts';
import { readPath } from './log/path-facts.ts';
import { quotedHits } from './log/quoted-hits.ts';
import { bareMessage } from './log/signatures/define.ts';
import { traceback } from './log/signatures/traceback.ts';
import { type RawStamp, toStamp } from './log/stamp.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const NESTED = /^\uFEFF?\s{0,20}\{\s{0,20}"message"\s{0,4}:\s{0,4}\{\s{0,20}"message"\s{0,4}:/;
const FLAT = /^\uFEFF?\s{0,20}\{\s{0,20}"message"\s{0,4}:\s{0,4}"/;

/**
 * torchrun's error file of one worker, written by its `@record` wrapper:
 *
 *   {"message": {"message": "OSError: [Errno 5] …", "extraInfo": {"py_callstack": "Traceback …", "timestamp": "1773482289"}}}
 *
 * Older ones and other writers have a plain string as `message`. The path gives attempt and LOCAL rank. Clock: the
 * node's, seconds since 1970, the moment at which the exception was recorded.
 */
export default defineDocumentFormat({
  id: 'torch-error-file',
  title: 'torchrun error file',
  maxBytes: MAX_BYTES,
  claim(head: EntryHead) {
    if (NESTED.test(head.text))
      return { score: 0.95, why: 'JSON with a message inside a message, as torchrun writes it' };
    const named = /(?:^|\/)error[^/]{0,40}\.json$/i.test(head.path);
    const known = /"(?:py_callstack|extraInfo|errorCode|errorTraits)"/.test(head.text);
    if (FLAT.test(head.text) && (known || named))
      return { score: 0.9, why: 'JSON with the message of a worker that failed' };
    return undefined;
  },
  parse,
});

function* parse(bytes: Uint8Array, context: EntryContext, truncated: boolean): Iterable<FormatOutput> {
  const source: SourceRef = { kind: 'line', entry: context.entry, line: 1, byte: 0, length: bytes.length };
  const record = readRecord(new TextDecoder().decode(bytes));
  if (record === undefined) {
    yield {
      kind: 'issue',
      code: 'json-invalid',
      severity: 'error',
      source,
      detail: truncated ? 'the file is cut' : '',
    };
    yield { kind: 'status', status: truncated ? 'truncated' : 'failed', detail: 'not a readable error file' };
    return;
  }
  const path = readPath(context.path);
  const stamp = readStamp(record.timestamp);
  const base = { stamp, path, source };
  const read = readException(record);
  if (read !== undefined) {
    yield { kind: 'event', event: toEvent(read.body, read.text, base) };
    for (const hit of quotedHits(read.quotes, false))
      yield { kind: 'event', event: toEvent(hit.body, read.text, base) };
  }
  yield { kind: 'stream', stream: toStream(base) };
  yield {
    kind: 'summary',
    text: read === undefined ? 'no exception in it' : `${read.body.type}, local rank ${path.localRank ?? 'unknown'}`,
  };
}

interface ErrorRecord {
  readonly message: string;
  readonly callstack: string;
  readonly timestamp: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readRecord(text: string): ErrorRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const outer = value['message'];
  const inner = isRecord(outer) ? outer : value;
  const extra = isRecord(inner['extraInfo']) ? inner['extraInfo'] : {};
  const message = typeof outer === 'string' ? outer : inner['message'];
  if (typeof message !== 'string') return undefined;
  const callstack = extra['py_callstack'];
  return {
    message,
    callstack: typeof callstack === 'string' ? callstack : '',
    timestamp: extra['timestamp'] ?? value['timestamp'],
  };
}

function readStamp(value: unknown): Stamp | undefined {
  const match = /^(\d{9,11})(?:\.(\d{1,9}))?$/.exec(
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
  );
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  const raw: RawStamp = {
    seconds: Number(match[1]),
    nanos: Number(fraction.padEnd(9, '0')),
    kind: 'epoch',
    resolutionNs: 10 ** (9 - fraction.length),
    zoneAssumed: false,
    yearless: false,
  };
  return toStamp(raw);
}

type ExceptionBody = Extract<EventBody, { kind: 'exception' }>;

/** Reads callstack and message as one traceback, so that class and frames are found as in a log. */
function readException(
  record: ErrorRecord,
): { body: ExceptionBody; text: string; quotes: readonly string[] } | undefined {
  const stack = record.callstack === '' ? [] : record.callstack.replace(/\n+$/, '').split('\n');
  const lines = [
    ...(stack[0]?.includes('Traceback (most recent call last):') ? [] : ['Traceback (most recent call last):']),
    ...stack,
  ];
  const reader = traceback.open(bareMessage(lines[0] ?? ''), '');
  if (reader === undefined) return undefined;
  for (const text of [...lines.slice(1), ...record.message.split('\n')])
    if (reader.take(bareMessage(text)) === 'over') break;
  const said = reader.close();
  const body = said.hits[0]?.body;
  if (body?.kind === 'exception') return { body, text: said.text ?? record.message, quotes: said.quotes ?? [] };
  const plain: ExceptionBody = {
    kind: 'exception',
    type: '',
    message: record.message.slice(0, MAX_EVENT_TEXT),
    class: 'python',
    frames: [],
    handled: false,
  };
  return { body: plain, text: record.message, quotes: record.message.split('\n') };
}

interface Base {
  readonly stamp: Stamp | undefined;
  readonly path: ReturnType<typeof readPath>;
  readonly source: SourceRef;
}

const toEvent = (body: EventBody, text: string, { stamp, path, source }: Base): LogEvent => ({
  body,
  stamp,
  innerStamp: undefined,
  rank: path.fileRank,
  rankBasis: path.fileRank === undefined ? undefined : 'file-name',
  localRank: path.localRank,
  pid: undefined,
  pod: path.pod,
  container: path.container,
  host: path.host,
  text: text.slice(0, MAX_EVENT_TEXT),
  source,
  lastLine: 1,
});

const toStream = ({ stamp, path, source }: Base): LogStream => {
  const moment = stamp && { stamp, source };
  return { ...path, lines: 0, first: moment, last: moment, lastLine: undefined, ranks: [] };
};
