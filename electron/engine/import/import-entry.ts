/**
 * One entry: bytes are hashed, looked at, parsed and stored on the same read.
 *
 *   chunks ─▶ sha256 ─▶ head (4 KiB) ─▶ detectFormat ─┬▶ lines      parse + text blocks
 *                                                     ├▶ document   collect, parse at the end; text blocks or one BLOB
 *                                                     └▶ otherwise  the first 64 KiB only
 */
import { createHash, type Hash } from 'node:crypto';
import type { EntryStatus } from '#shared/model/entry.ts';
import { type EntryHead, type Format, HEAD_BYTES } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import type { EntryItem, RefusedItem } from '../bundle/bundle-item.ts';
import { releaseChunk } from '../bundle/chunk-lease.ts';
import { decodedAhead } from '../decode/read-ahead.ts';
import type { CaseWriter } from '../store/case-writer.ts';
import { decodeText, detectEncoding, type TextEncoding } from '../store/text-encoding.ts';
import type { BufferCollector } from './buffer-collector.ts';
import { documentSink } from './document-sink.ts';
import { emptyKind } from './empty-kind.ts';
import { EntryOutputs } from './entry-outputs.ts';
import type { EntryRecord } from './entry-record.ts';
import { type EntrySink, headSink } from './entry-sink.ts';
import type { EventBudget } from './event-budget.ts';
import { lookPastHoles, nulPieces, type PastHoles } from './holes.ts';
import { lineSink } from './line-sink.ts';
import type { Pacer } from './pacer.ts';

export type DetectFormat = (head: EntryHead) => { readonly format: Format | undefined; readonly why: string };

export interface EntryImportContext {
  readonly writer: CaseWriter;
  readonly pacer: Pacer;
  readonly detectFormat: DetectFormat;
  /** Told of every chunk. */
  readonly collector?: BufferCollector;
  /** Bounds the events of all entries together. */
  readonly budget?: EventBudget;
  /** Called once the kind is known, before the rest is read. */
  readonly onKind: (kind: string) => void;
}

/**
 * Reads one entry to its end and stores it under `slot`. If the writer hashes the slot (`isHashing`), the hash is still to be asked for.
 * Throws CancelledError and errors of the store; never because of content.
 */
export async function importEntry(item: EntryItem, slot: number, context: EntryImportContext): Promise<EntryRecord> {
  const outputs = context.budget?.open() ?? new EntryOutputs();
  let hash: Hash | undefined;
  const source = item.chunks[Symbol.asyncIterator]();
  let bytes = 0;
  let ended = false;
  const next = async (): Promise<Buffer | undefined> => {
    await context.pacer.turn();
    const step = await source.next();
    if (step.done === true) {
      ended = true;
      return undefined;
    }
    hash?.update(step.value);
    bytes += step.value.length;
    context.collector?.read(step.value.length);
    return step.value;
  };
  const early: Buffer[] = [];
  while (bytes <= HEAD_BYTES) {
    const chunk = await next();
    if (chunk === undefined) break;
    early.push(chunk);
  }
  const first = early.length === 1 && early[0] !== undefined ? early[0] : Buffer.concat(early);
  const text = detectEncoding(first.subarray(0, HEAD_BYTES));
  const head = headOf(first, item.path, ended, text);
  const seen = await lookPastHoles({
    head,
    first,
    found: context.detectFormat(head),
    detect: context.detectFormat,
    next,
  });
  const { found } = seen;
  const empty = ended && bytes === 0;
  const named = empty && found.format === undefined ? emptyKind(item.path) : undefined;
  const kind = found.format?.title ?? named ?? (empty ? 'Empty file' : 'Unknown');
  context.onKind(kind);
  const sink = openSink(item.unopened === undefined ? found.format : undefined, {
    item,
    slot,
    outputs,
    context,
    first,
    text,
  });
  if (!sink.storesText || !context.writer.beginHash(slot, item.declaredBytes)) hash = createHash('sha256');
  for (const chunk of piecesAhead(first, seen)) {
    hash?.update(chunk);
    sink.push(chunk);
  }
  if (sink.keepsNothing) [...early, ...seen.chunks].forEach(releaseChunk);
  await pushRest(next, sink);

  tellEnd(item, slot, outputs, empty);
  const { status, detail } = settleStatus(found.format, outputs, {
    empty,
    cut: item.end.truncatedAt === undefined ? '' : item.end.cut,
  });
  if (status === 'refused' || status === 'skipped') keepHeadOnly(context.writer, slot, sink.head());
  return {
    slot,
    path: item.path,
    bytes,
    sha256: item.end.refusal === undefined ? (hash?.digest('hex') ?? null) : null,
    format: found.format?.id ?? null,
    kind,
    why:
      empty && found.format === undefined
        ? 'the file has no content; judged by its name'
        : found.why + WRITTEN_IN[text.encoding],
    status,
    detail,
    lines: sink.lines(),
    ...spanOf(outputs),
    recognised: isRecognised(found.format, { item, status, named, outputs }),
    mayRepeat:
      found.format !== undefined &&
      found.format.shape !== 'ignored' &&
      outputs.dumps.length === 0 &&
      !empty &&
      status !== 'refused',
    outputs,
  };
}

/** What was read to tell what the entry is, in order. */
function* piecesAhead(first: Buffer, { nuls, chunks }: Pick<PastHoles, 'nuls' | 'chunks'>): Generator<Buffer> {
  yield first;
  yield* nulPieces(nuls);
  yield* chunks;
}

/** Why nothing of the entry is used, that it has no content, or where it is cut. */
function tellEnd(item: EntryItem, slot: number, outputs: EntryOutputs, empty: boolean): void {
  const refusal = item.end.refusal ?? item.unopened;
  const { truncatedAt } = item.end;
  if (refusal !== undefined) {
    outputs.forgetContent();
    outputs.issue({
      code: refusal.code,
      severity: SEVERITY_OF[refusal.status],
      detail: refusal.detail,
    });
    outputs.status = { status: refusal.status, detail: refusal.detail };
  } else if (empty) {
    outputs.issue({ code: 'empty-file', severity: 'warning', detail: '' });
  } else if (truncatedAt !== undefined) {
    outputs.issue({
      code: 'file-truncated',
      severity: 'warning',
      source: { kind: 'byte', entry: entryId(slot), byte: truncatedAt, length: 0 },
      detail: item.end.cut,
    });
  }
}

async function pushRest(next: () => Promise<Buffer | undefined>, sink: EntrySink): Promise<void> {
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    sink.push(chunk);
    if (sink.keepsNothing) releaseChunk(chunk);
  }
  await sink.end();
}

const SEVERITY_OF = { refused: 'refused', failed: 'error', skipped: 'info' } as const;

type Encoded = ReturnType<typeof detectEncoding>;

/** What formats judge by: UTF-8 without a mark, whatever the entry is written in. */
function headOf(first: Buffer, path: string, ended: boolean, { encoding, markBytes }: Encoded): EntryHead {
  const raw = first.subarray(markBytes, HEAD_BYTES);
  const text = decodeText(raw, 0, raw.length, encoding);
  const bytes = encoding === 'utf-8' ? raw : Buffer.from(text, 'utf8');
  return { bytes, text, path, whole: ended && first.length <= HEAD_BYTES };
}

const WRITTEN_IN: Readonly<Record<TextEncoding, string>> = {
  'utf-8': '',
  'utf-16le': '; written in UTF-16 (little-endian)',
  'utf-16be': '; written in UTF-16 (big-endian)',
};

interface SinkContext {
  readonly item: EntryItem;
  readonly slot: number;
  readonly outputs: EntryOutputs;
  readonly context: EntryImportContext;
  readonly first: Buffer;
  readonly text: Encoded;
}

function openSink(format: Format | undefined, { item, slot, outputs, context, first, text }: SinkContext): EntrySink {
  const entry = { entry: entryId(slot), path: item.path };
  if (format === undefined || first.length === 0) return headSink();
  switch (format.shape) {
    case 'lines':
      return lineSink({ format, entry, slot, outputs, writer: context.writer, encoding: text.encoding });
    case 'document': {
      return documentSink({
        format,
        entry,
        slot,
        outputs,
        writer: context.writer,
        pacer: context.pacer,
        ...text,
        text: text.encoding !== 'utf-8' || isText(first),
        isCut: () => item.end.truncatedAt !== undefined,
        decoded: decodedAhead(item),
      });
    }
    case 'ignored':
      outputs.issue({ code: format.issue, severity: 'info', detail: format.detail });
      outputs.status = { status: 'skipped', detail: format.detail };
      return headSink();
  }
}

/** Text is stored as lines, anything else as bytes. Text of another encoding (Latin-1) counts as long as it has no control characters. */
function isText(first: Buffer): boolean {
  return !first.subarray(0, HEAD_BYTES).some((byte) => byte < 32 && !TEXT_CONTROLS.has(byte));
}

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([9, 10, 12, 13, 27]);

function settleStatus(
  format: Format | undefined,
  outputs: EntryOutputs,
  { empty, cut }: { readonly empty: boolean; readonly cut: string },
): { readonly status: EntryStatus; readonly detail: string } {
  if (outputs.status !== undefined) return { status: outputs.status.status, detail: outputs.status.detail };
  if (empty) return { status: 'empty', detail: 'the file has 0 bytes' };
  if (format === undefined) return { status: 'skipped', detail: 'no known kind of content' };
  if (cut !== '') return { status: 'truncated', detail: outputs.summary === '' ? cut : `${outputs.summary}; ${cut}` };
  return { status: outputs.warned ? 'warned' : 'read', detail: outputs.summary };
}

const LOG_NAME = /\.(?:log|out|err|txt|stdout|stderr)(?:[.-][\w-]+)*$/i;

/**
 * Text that no format claims, without a single time, and not even named like a log: it may be anything, a note or a program. Alone it makes
 * no bundle; beside other files it is kept and searched as any text.
 */
const isAnyText = (format: Format | undefined, path: string, outputs: EntryOutputs): boolean =>
  format?.id === 'unknown-text' && !LOG_NAME.test(path) && outputs.issues.some(({ code }) => code === 'no-time-stamps');

function isRecognised(
  format: Format | undefined,
  seen: {
    readonly item: EntryItem;
    readonly status: EntryStatus;
    readonly named: string | undefined;
    readonly outputs: EntryOutputs;
  },
): boolean {
  // A format may find nothing to use in a file of its own kind (a log that holds only the collector's error): recognised all the same.
  // What could not be read is not known by its name either.
  if (seen.item.unopened !== undefined || seen.item.end.refusal !== undefined || seen.status === 'refused')
    return false;
  if (isAnyText(format, seen.item.path, seen.outputs)) return false;
  return seen.named !== undefined || (format !== undefined && format.shape !== 'ignored');
}

function keepHeadOnly(writer: CaseWriter, slot: number, head: Buffer): void {
  writer.dropContent(slot);
  if (head.length > 0) writer.addBlob(slot, head);
}

function spanOf(outputs: EntryOutputs): { readonly firstNs: bigint | null; readonly lastNs: bigint | null } {
  let first: bigint | null = null;
  let last: bigint | null = null;
  for (const stream of outputs.streams) {
    for (const end of [stream.first, stream.last]) {
      if (end === undefined) continue;
      if (first === null || end.stamp.ns < first) first = end.stamp.ns;
      if (last === null || end.stamp.ns > last) last = end.stamp.ns;
    }
  }
  return { firstNs: first, lastNs: last };
}

const REFUSED_KIND = new Map<string, string>([
  ['entry-is-link', 'Link'],
  ['entry-is-device', 'Device'],
  ['entry-encrypted', 'Encrypted file'],
  ['sparse-entry', 'Sparse file'],
]);

/** A member that the container layer did not let through, as a row of the file list. */
export function refusedEntry(item: RefusedItem, slot: number): EntryRecord {
  const { code, status, detail } = item.refusal;
  const outputs = new EntryOutputs();
  outputs.issue({ code, severity: SEVERITY_OF[status], detail });
  return {
    slot,
    path: item.path,
    bytes: item.bytes,
    sha256: null,
    format: null,
    kind: REFUSED_KIND.get(code) ?? 'File',
    why: 'not read',
    status,
    detail,
    lines: null,
    firstNs: null,
    lastNs: null,
    recognised: false,
    mayRepeat: false,
    outputs,
  };
}
