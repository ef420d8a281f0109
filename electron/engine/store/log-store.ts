/**
 * The read side of a case for the log search: a connection of its own, so that worker threads can have one each. Everything is
 * read-only; damaged blocks throw UnreadableBlockError.
 */
import { unpackBlock } from './block-codec.ts';
import { BlockUnpacker } from './block-unpacker.ts';
import { fromJson } from './json-values.ts';
import { type BlockInfo, type LogFileRecord, type LogQueries, prepareLogReads } from './queries/log-queries.ts';
import { type Db, openForReading } from './sqlite.ts';

/** Calls that the events of a file name, by line. */
export interface CallLine {
  readonly line: number;
  readonly lastLine: number;
  readonly seq: number | null;
  /** Names of the group: id, description. */
  readonly groups: readonly string[];
}

export class LogStore {
  readonly #db: Db;
  readonly #read: LogQueries;
  readonly #unpacker = new BlockUnpacker();

  /** Throws if the file cannot be opened. */
  constructor(file: string) {
    this.#db = openForReading(file);
    this.#read = prepareLogReads(this.#db);
  }

  close(): void {
    this.#db.close();
  }

  /** Files with lines of these formats, by entry id; copies of others are left out. */
  files(formats: readonly string[]): readonly LogFileRecord[] {
    return this.#read.files.all({ formats: JSON.stringify(formats) });
  }

  blocksOf(contentSlot: number): readonly BlockInfo[] {
    return this.#read.blocksOf.all(contentSlot);
  }

  /** The bytes of one block; undefined if there is none of this id. `room`: ROOM_BYTES that they may lie in. */
  block(id: number, room?: Buffer): Buffer | undefined {
    const row = this.#read.block.get(id);
    return row === undefined ? undefined : this.#unpacker.unpack(row.codec, row.data, row.bytes, room);
  }

  /** The streams as they were serialised, by slot of their file. Validate before use. */
  streams(): readonly { readonly slot: number; readonly value: unknown }[] {
    return this.#read.streams.all().map(({ slot, json }) => ({ slot, value: fromJson(json) }));
  }

  /** Pod name and serialised Pod. Validate before use. */
  pods(): readonly { readonly name: string; readonly value: unknown }[] {
    return this.#read.pods.all().map(({ name, json }) => ({ name, value: fromJson(json) }));
  }

  /** Lines a bucket of `widthS` seconds: pairs of bucket (seconds since 1970 by width) and count; undefined if none had a time. */
  secondCounts(slot: number): { readonly widthS: number; readonly pairs: Uint32Array } | undefined {
    const row = this.#read.seconds.get(slot);
    if (row === undefined) return undefined;
    const bytes = unpackBlock(row.codec, row.data, row.bytes);
    const pairs = new Uint32Array(Math.floor(bytes.length / 8) * 2);
    for (let i = 0; i < pairs.length; i += 1) pairs[i] = bytes.readUInt32LE(i * 4);
    return { widthS: row.widthS, pairs };
  }

  calls(slot: number): readonly CallLine[] {
    return this.#read.calls.all(slot).map(({ line, lastLine, seq, groupJson }) => ({
      line,
      lastLine: lastLine ?? line,
      seq,
      groups: groupJson === null ? [] : groupNames(groupJson),
    }));
  }

  /** Where events of other kinds than these begin. */
  eventLines(otherThan: readonly string[]): readonly { readonly slot: number; readonly line: number }[] {
    return this.#read.eventLines.all({ kinds: JSON.stringify(otherThan) });
  }

  reportJson(): string | undefined {
    return this.#read.report.get();
  }
}

function groupNames(json: string): readonly string[] {
  if (!json.startsWith('{')) return [json];
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((item) => typeof item === 'string');
}
