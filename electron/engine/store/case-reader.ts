/** Answers questions about one finished case. Opened read-only; several readers of one file may live side by side. */
import { err, ok, type Result } from '#shared/lib/result.ts';
import { deserializeBlock, unpackBlock } from './block-codec.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './case-schema.ts';
import {
  type BlockRecord,
  type EntryRecord,
  type EventRecord,
  type ProgressRecord,
  prepareReads,
  type ReadQueries,
} from './queries/read-queries.ts';
import { type Db, openForReading } from './sqlite.ts';
import { readView } from './stored-view.ts';
import { decodeText, feedBytes, findFeed, TEXT_ENCODINGS, type TextEncoding } from './text-encoding.ts';

export type OpenCaseError =
  | { readonly code: 'case-not-found'; readonly detail: string }
  | { readonly code: 'case-damaged'; readonly detail: string }
  /** Written by another version of this program: import the bundle again. */
  | { readonly code: 'case-version'; readonly detail: string };

/** True if the file is a case of this program, of any version. */
export function isCaseFile(file: string): boolean {
  let db: Db | undefined;
  try {
    db = openForReading(file);
    return db.pragma('application_id', { simple: true }) === APPLICATION_ID;
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

export interface StoredLine {
  readonly line: number;
  readonly byte: number;
  /** As UTF-8, without the line feed and the byte order mark; `byte` counts the bytes as they came. */
  readonly bytes: Buffer;
}

export class CaseReader {
  readonly #db: Db;
  readonly #read: ReadQueries;
  /** What was asked for last: a viewer steps through one dump, or scrolls through one file. */
  #lastDump: { readonly slot: number; readonly value: unknown } | undefined;
  /** Each at most a few tens of megabytes, a handful a case. */
  readonly #views = new Map<string, unknown>();
  #lastBlob: { readonly slot: number; readonly bytes: Buffer } | undefined;

  private constructor(db: Db) {
    this.#db = db;
    this.#read = prepareReads(db);
  }

  /** Opens a case file. Errors are values; nothing is changed in the file. */
  static open(file: string): Result<CaseReader, OpenCaseError> {
    let db: Db | undefined;
    try {
      db = openForReading(file);
      const application: unknown = db.pragma('application_id', { simple: true });
      if (application !== APPLICATION_ID) {
        db.close();
        return err({ code: 'case-damaged', detail: 'not a case file of this program' });
      }
      const version: unknown = db.pragma('user_version', { simple: true });
      if (version !== SCHEMA_VERSION) {
        db.close();
        return err({
          code: 'case-version',
          detail: `case file version ${String(version)}, this program reads ${SCHEMA_VERSION}`,
        });
      }
      return ok(new CaseReader(db));
    } catch (error) {
      db?.close();
      const missing = error instanceof Error && 'code' in error && error.code === 'SQLITE_CANTOPEN';
      return err({
        code: missing ? 'case-not-found' : 'case-damaged',
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  close(): void {
    this.#db.close();
  }

  meta(): ReadonlyMap<string, string> {
    return new Map(this.#read.meta.all().map((row) => [row.key, row.value]));
  }

  /** The report as JSON text; undefined if the case has none. */
  reportJson(): string | undefined {
    return this.#read.report.get();
  }

  entryCount(): number {
    return this.#read.entryCount.get() ?? 0;
  }

  /** Entries by id: `offset` is the first id, ids have no gaps. */
  entryPage(offset: number, maxRows: number): EntryRecord[] {
    return this.#read.entryPage.all(offset, maxRows);
  }

  entry(id: number): EntryRecord | undefined {
    return this.#read.entryById.get(id);
  }

  /**
   * Up to `maxLines` lines from `fromLine` (1-based), each at most `maxLineBytes` long, and the number of stored lines. Entries
   * kept as bytes (the head of a web page that was not used) are cut into lines here, if they are text and small. Reads one
   * block of 64 KiB at a time. Throws for damaged blocks.
   */
  lines(slot: number, range: LineRange): { readonly lines: readonly StoredLine[]; readonly total: number } {
    const blob = this.#blob(slot);
    if (blob !== undefined) return linesOfBytes(blob.length > MAX_LINED_BLOB ? Buffer.alloc(0) : blob, range);
    const found: StoredLine[] = [];
    let line = range.fromLine;
    while (found.length < range.maxLines) {
      const block = this.#read.blockOfLine.get(slot, line);
      if (block === undefined || line >= block.firstLine + block.lines) break;
      line = collectLines(block, this.#unpack(block), line, range, found);
    }
    return { lines: found, total: this.#read.lineCount.get(slot) ?? 0 };
  }

  /**
   * Stored bytes of [from, to), as far as they are kept. `stored` tells how many bytes of the entry are kept at all, from 0.
   */
  bytes(slot: number, from: number, to: number): { readonly bytes: Buffer; readonly stored: number } {
    const blob = this.#blob(slot);
    if (blob !== undefined) return { bytes: blob.subarray(from, to), stored: blob.length };
    const stored = this.#read.storedEnd.get(slot) ?? 0;
    const parts: Buffer[] = [];
    for (const block of this.#read.blocksFromByte.iterate({ slot, from, to })) {
      parts.push(this.#unpack(block).subarray(Math.max(0, from - block.byte), Math.max(0, to - block.byte)));
    }
    return { bytes: Buffer.concat(parts), stored };
  }

  /** The parsed recorder dump of an entry, as it was serialised; undefined if there is none. Validate before use. */
  dump(slot: number): unknown {
    if (this.#lastDump?.slot === slot) return this.#lastDump.value;
    const row = this.#read.dump.get(slot);
    if (row === undefined) return undefined;
    const value = deserializeBlock(this.#unpack(row));
    this.#lastDump = { slot, value };
    return value;
  }

  /** A stored view as it was serialised, kept once it was asked for; undefined if the case has none of that name. Validate before use. */
  view(name: string): unknown {
    if (this.#views.has(name)) return this.#views.get(name);
    const value = readView(name, (part) => {
      const row = this.#read.view.get(part);
      return row === undefined ? undefined : this.#unpack(row);
    });
    this.#views.set(name, value);
    return value;
  }

  /** All events in the order in which they were stored, `size` at a time. */
  *eventPages(size: number): Generator<readonly EventRecord[]> {
    let after = -1n;
    for (;;) {
      const page = this.#read.eventPage.all(after, size);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = last.id;
    }
  }

  /** Lines of progress with a time, at most `most`: entry, rank, epoch ns as it was stamped, and the event as JSON. */
  progressEvents(most: number): readonly ProgressRecord[] {
    return this.#read.progress.all(most);
  }

  /**
   * Lines a second of every file, by entry id: pairs (bucket, lines) of 32-bit integers, bucket = raw seconds since 1970 divided by `widthS`.
   */
  *secondCounts(): Generator<{ readonly entry: number; readonly widthS: number; readonly pairs: Uint32Array }> {
    for (const row of this.#read.secondCounts.iterate()) {
      const bytes = this.#unpack(row);
      const pairs = new Uint32Array(bytes.length >> 2);
      for (let i = 0; i < pairs.length; i++) pairs[i] = bytes.readUInt32LE(i * 4);
      yield { entry: row.id, widthS: row.widthS, pairs };
    }
  }

  /** After the case was analysed again: views are read anew. Everything else of a case never changes. */
  forgetViews(): void {
    this.#views.clear();
  }

  #blob(slot: number): Buffer | undefined {
    if (this.#lastBlob?.slot === slot) return this.#lastBlob.bytes;
    const row = this.#read.blob.get(slot);
    if (row === undefined) return undefined;
    const bytes = this.#unpack(row);
    this.#lastBlob = { slot, bytes };
    return bytes;
  }

  #unpack(row: { readonly codec: string; readonly data: Buffer; readonly bytes: number }): Buffer {
    return unpackBlock(row.codec, row.data, row.bytes);
  }
}

export interface LineRange {
  readonly fromLine: number;
  readonly maxLines: number;
  readonly maxLineBytes: number;
}

const MAX_LINED_BLOB = 1024 * 1024;

function linesOfBytes(
  bytes: Buffer,
  range: LineRange,
): { readonly lines: readonly StoredLine[]; readonly total: number } {
  if (bytes.length === 0 || bytes.includes(0)) return { lines: [], total: 0 };
  let total = 0;
  for (let at = 0; at < bytes.length; total += 1) at = bytes.indexOf(10, at) + 1 || bytes.length;
  const found: StoredLine[] = [];
  collectLines(
    { firstLine: 1, lines: total, byte: 0, skip: 0, encoding: 'utf-8' },
    bytes,
    range.fromLine,
    range,
    found,
  );
  return { lines: found, total };
}

/** Adds the lines of one block from `line` on; returns the number of the line that follows the last one looked at. */
function collectLines(
  block: Pick<BlockRecord, 'firstLine' | 'lines' | 'byte' | 'skip' | 'encoding'>,
  bytes: Buffer,
  line: number,
  range: { readonly maxLines: number; readonly maxLineBytes: number },
  found: StoredLine[],
): number {
  const encoding = TEXT_ENCODINGS.find((name) => name === block.encoding) ?? 'utf-8';
  let at = block.skip;
  for (let number = block.firstLine; number < block.firstLine + block.lines; number += 1) {
    const feed = findFeed(bytes, at, encoding);
    const end = feed === -1 ? bytes.length : feed;
    if (number >= line) {
      found.push({
        line: number,
        byte: block.byte + at,
        bytes: asUtf8(bytes, at, Math.min(end, at + range.maxLineBytes), { encoding, first: number === 1 }),
      });
      if (found.length >= range.maxLines) return number + 1;
    }
    at = end + feedBytes(encoding);
  }
  return block.firstLine + block.lines;
}

const MARK = '\ufeff';

function asUtf8(
  bytes: Buffer,
  from: number,
  to: number,
  { encoding, first }: { readonly encoding: TextEncoding; readonly first: boolean },
): Buffer {
  if (encoding === 'utf-8') {
    const marked = first && bytes.toString('utf8', from, Math.min(to, from + 3)) === MARK;
    return bytes.subarray(marked ? from + 3 : from, to);
  }
  const text = decodeText(bytes, from, to, encoding);
  return Buffer.from(first && text.startsWith(MARK) ? text.slice(1) : text, 'utf8');
}
