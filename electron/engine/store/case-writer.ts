/**
 * Writes one case. The file is `NAME.importing` until it is whole; nobody ever sees half a case under its name.
 *
 *   open ─▶ (block | blob | entry | event …)* ─▶ settle ─▶ report ─▶ finish: indexes, quick_check, sync, rename
 *                                            └▶ discard: nothing is left
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { serialize } from 'node:v8';
import type { LogEvent, LogStream } from '#shared/model/events.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { Issue } from '#shared/model/issue.ts';
import { type BlockCodec, type Packed, packBlock, preferredCodec, unpackBlock } from './block-codec.ts';
import { BlockPacker, DUMP_PACKER, TEXT_PACKER } from './block-packer.ts';
import { APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES } from './case-schema.ts';
import type { Interrupted } from './interrupted-case.ts';
import { toJson } from './json-values.ts';
import { type InsertQueries, prepareInserts } from './queries/insert-queries.ts';
import { createForImport, type Db, isBeingWritten, isBusy } from './sqlite.ts';
import { writeView } from './stored-view.ts';
import type { TextEncoding } from './text-encoding.ts';

/** A crash of the process loses at most this much, chosen: 2 s of reading is quickly read again. */
const COMMIT_EVERY_MS = 2000;
/** The same after a finished entry, unless fewer were finished since and the last was just now: a commit costs as much as a tiny file. Chosen. */
const COMMIT_ENTRIES = 4;
const COMMIT_ENTRIES_MS = 100;
/** Blocks of one slot are numbered below this, so that their ids of one entry are one range: 2^24 × 64 KiB = 1 TiB. */
const BLOCKS_PER_SLOT = 2 ** 24;

/** Of smaller entries the thread that reads them makes the hash: what it costs to ask for it is as much. Chosen. */
const MIN_HASHED_BYTES = 512 * 1024;

/** A piece of text. Lines that START in it are numbered `firstLine … firstLine + lines - 1`. */
export interface TextBlock {
  readonly bytes: Buffer;
  /** Offset in the entry. */
  readonly byte: number;
  readonly firstLine: number;
  readonly lines: number;
  /** Bytes that still belong to an overlong line from before. */
  readonly skip: number;
  readonly encoding: TextEncoding;
  /** Earliest and latest line time, ms since 1970; undefined if no line has one. */
  readonly t0: number | undefined;
  readonly t1: number | undefined;
}

export interface EntryInsert {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly format: string | null;
  readonly kind: string;
  readonly why: string;
  readonly status: string;
  readonly detail: string;
  readonly lines: number | null;
  readonly firstNs: bigint | null;
  readonly lastNs: bigint | null;
}

/** What is known of an entry only when all are read. */
export interface EntrySettlement {
  readonly slot: number;
  readonly id: number;
  readonly contentSlot: number;
  readonly status: string;
  readonly detail: string;
  readonly duplicateOf: number | null;
}

export interface KubeObjectInsert {
  readonly kind: string;
  readonly name: string;
  readonly object: unknown;
}

/**
 * What is written of a case that nobody will open in the window: `report` = entries, issues and the report;
 * `records` = those and events, objects and dumps, but no text.
 */
export type CaseContents = 'everything' | 'records' | 'report';

export class CaseWriter {
  readonly #db: Db;
  readonly #file: string;
  readonly #temporary: string;
  readonly #codec: BlockCodec;
  readonly #packer: BlockPacker;
  readonly #dumpPacker: BlockPacker;
  readonly #keepsText: boolean;
  readonly #keepsRecords: boolean;
  readonly #insert: InsertQueries;
  readonly #now: () => number;
  #lastCommit: number;
  /** Entries that ended since. */
  #ended = 0;
  #blocks = new Map<number, number>();
  readonly #out = new Map<number, number>();
  /** The slot whose blocks are being hashed. */
  #hashed: number | undefined;
  readonly #waiting: { readonly slot: number; readonly act: () => void }[] = [];

  /**
   * `file`: where the case will be. `now`: ms, any origin. Throws SQLite's error if the folder cannot be written (nothing is left then), and
   * InUseError while another writer is at work on the same case.
   */
  constructor(
    file: string,
    options: {
      readonly now: () => number;
      readonly codec?: BlockCodec;
      readonly contents?: CaseContents;
      /** Script that the packing thread runs first, for tests. */
      readonly prelude?: string;
      /** Goes on with what an interrupted import wrote: only these slots stay. `openInterrupted` says whether that is possible. */
      readonly interrupted?: Interrupted;
    },
  ) {
    this.#file = file;
    this.#temporary = `${file}.importing`;
    this.#codec = options.codec ?? preferredCodec();
    this.#packer = new BlockPacker(this.#codec, TEXT_PACKER, options.prelude);
    this.#dumpPacker = new BlockPacker(this.#codec, DUMP_PACKER);
    this.#keepsText = (options.contents ?? 'everything') === 'everything';
    this.#keepsRecords = options.contents !== 'report';
    this.#now = options.now;
    if (options.interrupted === undefined) {
      this.#db = createCase(file, this.#temporary);
    } else {
      this.#db = options.interrupted.db;
      this.#blocks = new Map(options.interrupted.blocks);
    }
    this.#insert = prepareInserts(this.#db);
    this.#db.exec('BEGIN');
    this.#lastCommit = this.#now();
  }

  meta(key: string, value: string): void {
    this.#insert.meta.run(key, value);
  }

  /** `block.bytes` is only needed during the call; the row may be written later. */
  addBlock(slot: number, block: TextBlock): void {
    if (!this.#keepsText) return;
    const index = this.#blocks.get(slot) ?? 0;
    this.#blocks.set(slot, index + 1);
    const row = {
      id: slot * BLOCKS_PER_SLOT + index,
      slot,
      firstLine: block.firstLine,
      lines: block.lines,
      byte: block.byte,
      bytes: block.bytes.length,
      skip: block.skip,
      encoding: block.encoding,
      t0: block.t0 ?? null,
      t1: block.t1 ?? null,
    };
    this.#isOut(slot, 1);
    const take = ({ codec, data }: Packed) => {
      this.#insert.block.run({ ...row, codec, data });
      this.#isOut(slot, -1);
    };
    this.#packer.pack(block.bytes, take, this.#hashed !== slot ? 'none' : index === 0 ? 'first' : 'next');
    this.#commitIfDue();
  }

  /**
   * Will the SHA-256 of the slot be made of its blocks, beside this thread? To be asked before its first block; then they must be all of
   * the entry, and `endHash` follows. `bytes`: of the entry, null = not known.
   */
  beginHash(slot: number, bytes: number | null): boolean {
    const isHashed = this.#keepsText && (bytes ?? 0) >= MIN_HASHED_BYTES && this.#packer.canHash(bytes ?? 0);
    this.#hashed = isHashed ? slot : undefined;
    return isHashed;
  }

  isHashing(slot: number): boolean {
    return this.#hashed === slot;
  }

  /** After the last block: `told` is called now or later, in the order of these calls, `drain` at the latest. */
  endHash(slot: number, told: (sha256: string) => void): void {
    this.#hashed = undefined;
    this.#packer.endHash((hash) => told(hash === undefined ? this.#hashStored(slot) : hash.toString('hex')));
  }

  /** Everything that was given is written, though perhaps not committed, and every hash is told. */
  drain(): void {
    this.#packer.drain();
    this.#dumpPacker.drain();
  }

  /** The thread that hashed is gone: what it was given is all stored. */
  #hashStored(slot: number): string {
    const hash = createHash('sha256');
    const [from, to] = [slot * BLOCKS_PER_SLOT, (slot + 1) * BLOCKS_PER_SLOT];
    for (const { codec, data, bytes } of this.#insert.blocksOf.iterate(from, to))
      hash.update(unpackBlock(codec, data, bytes));
    return hash.digest('hex');
  }

  /** The whole entry, or its first bytes if it is longer than `bytes`. */
  addBlob(slot: number, bytes: Buffer): void {
    if (!this.#keepsText) return;
    this.addPackedBlob(slot, bytes.length, packBlock(bytes, this.#codec));
  }

  /** The same of a whole entry of `length` bytes that a thread has compressed. */
  addPackedBlob(slot: number, length: number, { codec, data }: Packed): void {
    if (!this.#keepsText) return;
    this.#insert.blob.run(slot, length, codec, data);
    this.#commitIfDue();
  }

  /** Forgets the stored bytes of an entry: it was refused half-way, or another slot holds the same. */
  dropContent(slot: number): void {
    if (!this.#keepsText) return;
    if (this.#hashed === slot) this.#hashed = undefined;
    this.#packer.drain();
    if (this.#blocks.has(slot)) this.#insert.deleteBlocks.run(slot * BLOCKS_PER_SLOT, (slot + 1) * BLOCKS_PER_SLOT);
    this.#blocks.delete(slot);
    this.#insert.deleteBlob.run(slot);
  }

  /** Forgets everything that is stored of a slot. */
  dropEntry(slot: number): void {
    this.dropContent(slot);
    for (const statement of this.#insert.dropEntry) statement.run(slot);
  }

  addEntry(slot: number, entry: EntryInsert): void {
    this.#insert.entry.run({ slot, contentSlot: slot, ...entry });
  }

  addEvent(slot: number, event: LogEvent): void {
    if (!this.#keepsRecords) return;
    const { source, ...rest } = event;
    this.#insert.event.run({
      slot,
      line: source.kind === 'line' ? source.line : null,
      byte: source.kind === 'line' || source.kind === 'byte' ? source.byte : null,
      length: source.kind === 'line' || source.kind === 'byte' ? source.length : null,
      lastLine: event.lastLine,
      ns: event.stamp?.ns ?? null,
      kind: event.body.kind,
      rank: event.rank ?? null,
      json: toJson(rest),
    });
  }

  addStream(slot: number, stream: LogStream): void {
    if (!this.#keepsRecords) return;
    this.#insert.stream.run(slot, toJson(stream));
  }

  addKubeObject(slot: number, { kind, name, object }: KubeObjectInsert): void {
    if (!this.#keepsRecords) return;
    this.#insert.kubeObject.run(slot, kind, name, toJson(object));
  }

  addDump(slot: number, dump: FlightRecorderDump): void {
    if (!this.#keepsRecords) return;
    const bytes = serialize(dump);
    const [rank, length] = [dump.nameRank ?? null, bytes.length];
    this.#isOut(slot, 1);
    this.#dumpPacker.pack(bytes, ({ codec, data }) => {
      this.#insert.dump.run(slot, rank, length, codec, data);
      this.#isOut(slot, -1);
    });
  }

  addIssue(slot: number | null, issue: Issue): void {
    this.#insert.issue.run({
      code: issue.code,
      severity: issue.severity,
      slot,
      path: issue.path ?? null,
      count: issue.count,
      detail: issue.detail,
      json: toJson({ source: issue.source }),
    });
  }

  /** `columns`: pairs of (bucket, lines) as 32-bit integers, bucket = seconds since 1970 divided by `widthS`. */
  addSecondCounts(slot: number, widthS: number, columns: Buffer): void {
    if (!this.#keepsText) return;
    const { codec, data } = packBlock(columns, this.#codec);
    this.#insert.secondCounts.run(slot, widthS, columns.length, codec, data);
  }

  /** One entry is complete: what is written so far survives a crash of the process, at the latest when COMMIT_ENTRIES are. */
  endEntry(): void {
    this.#ended += 1;
    if (this.#ended >= COMMIT_ENTRIES || this.#now() - this.#lastCommit >= COMMIT_ENTRIES_MS) this.#commit();
  }

  /** Text blocks of a slot so far. */
  blocksOf(slot: number): number {
    return this.#blocks.get(slot) ?? 0;
  }

  /** Blocks and dumps that threads have packed. */
  get packedBeside(): number {
    return this.#packer.packedBeside + this.#dumpPacker.packedBeside;
  }

  /** Calls `act` once everything that was given of a slot survives a crash of the process; in the order of these calls. */
  whenStored(slot: number, act: () => void): void {
    this.#waiting.push({ slot, act });
  }

  /** Everything that was given so far survives a crash of the process. */
  flush(): void {
    this.drain();
    this.#commit();
  }

  /** Public ids, duplicates, and removal of what duplicates said a second time. */
  settle(entries: readonly EntrySettlement[]): void {
    for (const entry of entries) {
      this.#insert.settleEntry.run(entry);
      if (entry.contentSlot !== entry.slot) this.dropContent(entry.slot);
    }
    for (const statement of this.#insert.dropDuplicates) statement.run();
    this.#commit();
  }

  /** What a screen draws; anything that structured clone takes. */
  addView(name: string, value: unknown): void {
    writeView(name, value, this.#codec, (row, bytes, codec, data) => this.#insert.view.run(row, bytes, codec, data));
  }

  report(json: string): void {
    this.#insert.report.run(json);
  }

  /** Makes the case whole and durable under its name. Throws if the disk is full or the check fails; then call `discard`. */
  finish(): void {
    for (const packer of [this.#packer, this.#dumpPacker]) {
      packer.drain();
      packer.close();
    }
    this.#db.exec('COMMIT');
    this.#db.exec(INDEXES);
    this.#db.pragma('journal_mode = DELETE');
    const check: unknown = this.#db.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw new Error(`the new case file does not pass its check: ${String(check).slice(0, 200)}`);
    this.#db.close();
    syncFile(this.#temporary);
    renameSync(this.#temporary, this.#file);
    syncFolder(dirname(this.#file));
  }

  /** Closes and leaves everything where it is, to go on with it later. */
  leave(): void {
    this.#packer.close();
    this.#dumpPacker.close();
    if (this.#db.open) this.#db.close();
  }

  /** Closes and removes everything that was written. Never throws for a file that is gone. */
  discard(): void {
    this.#packer.close();
    this.#dumpPacker.close();
    if (this.#db.open) this.#db.close();
    removeDatabase(this.#temporary);
  }

  /** Blocks of a slot that are being compressed. */
  #isOut(slot: number, change: 1 | -1): void {
    const count = (this.#out.get(slot) ?? 0) + change;
    if (count === 0) this.#out.delete(slot);
    else this.#out.set(slot, count);
  }

  #commitIfDue(): void {
    if (this.#now() - this.#lastCommit >= COMMIT_EVERY_MS) this.#commit();
  }

  #commit(): void {
    this.#db.exec('COMMIT');
    this.#db.exec('BEGIN');
    this.#lastCommit = this.#now();
    this.#ended = 0;
    let done = 0;
    for (const { slot, act } of this.#waiting) {
      if (this.#out.has(slot)) break;
      act();
      done += 1;
    }
    this.#waiting.splice(0, done);
  }
}

/** Removes a database file with the files that SQLite keeps beside it. */
/** Thrown where two imports would write the same file: the later one must not take it away from the earlier. */
export class InUseError extends Error {
  override readonly name = 'InUseError';

  constructor(file: string) {
    super(`another import is writing ${file}`);
  }
}

/** True while an import, of this or another process, writes the case at `file`. */
export const isCaseInUse = (file: string): boolean =>
  existsSync(`${file}.importing`) && isBeingWritten(`${file}.importing`);

function createCase(file: string, temporary: string): Db {
  if (isCaseInUse(file)) throw new InUseError(file);
  removeDatabase(temporary);
  const db = createForImport(temporary);
  try {
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    db.exec(TABLES);
    return db;
  } catch (error) {
    db.close();
    // Both began in the same moment: the file is the other one's.
    if (isBusy(error)) throw new InUseError(file);
    removeDatabase(temporary);
    throw error;
  }
}

export function removeDatabase(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true });
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** So that the new name survives a power loss. Windows cannot open folders and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
