import { describeRecord } from '#shared/formats/flight-recorder/describe-record.ts';
import { err, ok, type Result } from '#shared/lib/result.ts';
import { ENTRY_STATUSES, type EntryStatus } from '#shared/model/entry.ts';
import { type CaseId, type EntryId, entryId } from '#shared/model/ids.ts';
import { epochNs, formatEpochNs } from '#shared/model/time.ts';
import type { EntryRow, RpcError, TextLine } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import type { CaseReader } from '../store/case-reader.ts';
import type { EntryRecord } from '../store/queries/read-queries.ts';
import { isStoredDump } from '../store/stored-dump.ts';
import { askCase } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

/** Characters of one line that travel to the window. */
const MAX_LINE_CHARS = 8192;
/** Enough bytes for so many characters, whatever they are. */
const MAX_LINE_BYTES = MAX_LINE_CHARS * 4;

export const entryHandlers: HandlerTable<'entry'> = {
  'entry.list': async ({ caseId, offset, maxRows }, ctx) =>
    askCase(ctx, caseId, (reader) =>
      ok({ rows: reader.entryPage(offset, maxRows).map(entryRow), total: reader.entryCount() }),
    ),

  'entry.text': async ({ caseId, entryId: id, fromLine, maxLines }, ctx) =>
    withEntry(ctx, caseId, id, (reader, entry) => {
      const stored = reader.lines(entry.contentSlot, { fromLine, maxLines, maxLineBytes: MAX_LINE_BYTES });
      return ok({ lines: stored.lines.map(textLine), totalLines: entry.lines ?? stored.total });
    }),

  'entry.bytes': async ({ caseId, entryId: id, from, maxBytes }, ctx) =>
    withEntry(ctx, caseId, id, (reader, entry) => {
      const { bytes, stored } = reader.bytes(entry.contentSlot, from, Math.min(entry.bytes, from + maxBytes));
      if (from >= stored && from < entry.bytes) {
        return err({ code: 'bytes-not-stored', detail: `the first ${stored} of ${entry.bytes} bytes are kept` });
      }
      return ok({ from, bytes: new Uint8Array(bytes), total: entry.bytes });
    }),

  'entry.record': async ({ caseId, entryId: id, record }, ctx) =>
    withEntry(ctx, caseId, id, (reader, entry) => {
      const dump = reader.dump(entry.contentSlot);
      const view = isStoredDump(dump) ? describeRecord(dump, record) : undefined;
      if (!isStoredDump(dump) || view === undefined)
        return err({ code: 'record-not-found', detail: `${entry.path}: record ${record}` });
      return ok({ record, total: dump.columns.length, fields: view.fields, frames: view.frames });
    }),
};

function withEntry<T>(
  ctx: EngineContext,
  caseId: CaseId,
  id: EntryId,
  query: (reader: CaseReader, entry: EntryRecord) => Result<T, RpcError>,
): Result<T, RpcError> {
  return askCase(ctx, caseId, (reader) => {
    const entry = reader.entry(id);
    return entry === undefined ? err({ code: 'entry-not-found', detail: String(id) }) : query(reader, entry);
  });
}

function entryRow(entry: EntryRecord): EntryRow {
  return {
    id: entryId(entry.id),
    path: entry.path,
    kind: entry.kind,
    format: entry.format,
    why: entry.why,
    bytes: entry.bytes,
    sha256: entry.sha256,
    status: asStatus(entry.status),
    detail: entry.detail,
    lines: entry.lines,
    first: isoOf(entry.firstNs),
    last: isoOf(entry.lastNs),
    duplicateOf: entry.duplicateOf === null ? null : entryId(entry.duplicateOf),
  };
}

const asStatus = (text: string): EntryStatus => ENTRY_STATUSES.find((status) => status === text) ?? 'failed';

const isoOf = (ns: string | null): string | null => (ns === null ? null : formatEpochNs(epochNs(BigInt(ns))));

function textLine({
  line,
  byte,
  bytes,
}: {
  readonly line: number;
  readonly byte: number;
  readonly bytes: Buffer;
}): TextLine {
  const text = bytes.toString('utf8');
  const cut = text.length > MAX_LINE_CHARS || bytes.length >= MAX_LINE_BYTES;
  return { line, byte, text: text.slice(0, MAX_LINE_CHARS), cut };
}
