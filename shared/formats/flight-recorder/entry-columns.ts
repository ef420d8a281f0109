/**
 * The entries of a dump, from arena values straight into typed columns: no object an entry.
 *
 * An entry with a wrong type keeps its row, with `op` -1, and is told to `problem`; the others are not touched. O(values).
 */
import {
  DICT,
  FALSE,
  FLOAT,
  INT,
  LIST,
  NONE,
  STRING,
  TRUE,
  TUPLE,
  type ValueArena,
} from '../../codecs/value-arena/index.ts';
import { DUMP_STATES, type DumpColumns } from '../../model/flight-recorder.ts';
import { type DraftColumns, makeColumns, packColumns } from './columns.ts';
import { ENTRY_FIELDS, OTHER_FIELD } from './entry-fields.ts';
import { EntryTables } from './entry-tables.ts';
import { MAX_EXTRA, MAX_OTHERS, otherFieldsText } from './other-fields.ts';
import type { Tables } from './shared-tables.ts';

const MAX_INT32 = 2 ** 31 - 1;
const UNKNOWN = -1;

export class EntryReader {
  private readonly arena: ValueArena;
  private readonly columns: DraftColumns;
  private readonly tables: EntryTables;
  private readonly problem: (row: number, detail: string) => void;
  /** By string id; UNKNOWN = not looked at yet. */
  private readonly fieldOf: Int8Array;
  private readonly entrySeen: Uint8Array;
  /** Positions of the fields of the entry that we do not know, and of the entry before. */
  private others: number[] = [];
  private othersBefore: number[] = [];
  private extraBefore = -1;

  constructor(arena: ValueArena, length: number, problem: (row: number, detail: string) => void) {
    this.arena = arena;
    this.columns = makeColumns(length);
    this.tables = new EntryTables(arena);
    this.problem = problem;
    this.fieldOf = new Int8Array(arena.stringCount).fill(UNKNOWN);
    this.entrySeen = new Uint8Array(arena.containerCount);
  }

  /** Reads the value at an arena position as entry `row`. */
  read(at: number, row: number): void {
    const wrong = this.fields(at, row);
    if (wrong === undefined) return;
    this.columns.op[row] = -1;
    this.problem(row, wrong);
  }

  finish(): { readonly columns: DumpColumns } & Tables {
    return { columns: packColumns(this.columns, this.columns.length), ...this.tables.tables() };
  }

  /** Stores all fields; returns what is wrong with the entry, if anything is. */
  private fields(at: number, row: number): string | undefined {
    const { arena, others } = this;
    if (arena.kindAt(at) !== DICT) return 'the entry is no table of fields';
    const id = arena.numAt(at);
    if (this.entrySeen[id] === 1) return 'the same table stands here a second time';
    this.entrySeen[id] = 1;
    let wrong = -1;
    others.length = 0;
    for (let chunk = arena.firstChunk(id); chunk >= 0; chunk = arena.nextChunk(chunk)) {
      const end = arena.chunkEnd(chunk);
      for (let key = arena.chunkStart(chunk); key + 1 < end; key += 2) {
        const field = this.field(key);
        if (field === OTHER_FIELD) {
          if (others.length < MAX_OTHERS && arena.kindAt(key) === STRING) others.push(key);
        } else if (!this.set(field, key + 1, row) && wrong < 0) wrong = field;
      }
    }
    if (others.length > 0) this.columns.extra[row] = this.extra();
    const missing = this.missing(row);
    return wrong < 0 && missing === undefined
      ? undefined
      : `${ENTRY_FIELDS[wrong] ?? missing} is missing or has a wrong type`;
  }

  private missing(row: number): string | undefined {
    const { op, collectiveSeq, opId } = this.columns;
    if (op[row] === -1) return 'profiling_name';
    return collectiveSeq[row] === -1 && opId[row] === -1 ? 'collective_seq_id' : undefined;
  }

  /** Code of a key: its position in ENTRY_FIELDS, or OTHER_FIELD. */
  private field(keyAt: number): number {
    if (this.arena.kindAt(keyAt) !== STRING) return OTHER_FIELD;
    const id = this.arena.numAt(keyAt);
    let code = this.fieldOf[id] ?? OTHER_FIELD;
    if (code === UNKNOWN) {
      const index = (ENTRY_FIELDS as readonly string[]).indexOf(this.arena.text(id));
      code = index < 0 ? OTHER_FIELD : index;
      this.fieldOf[id] = code;
    }
    return code;
  }

  /** Stores one field. False if its type is wrong. */
  private set(field: number, at: number, row: number): boolean {
    const c = this.columns;
    switch (field) {
      case 0:
        return this.int32(c.recordId, at, row);
      case 1:
        return this.groupId(at, row);
      case 2:
        return this.processGroup(at, row);
      case 3:
      case 4:
        return this.count(c.collectiveSeq, at, row);
      case 5:
        return this.count(c.p2pSeq, at, row);
      case 6:
        return this.count(c.opId, at, row);
      case 7:
        return this.string(c.op, at, row);
      case 8:
        return this.flag(c.isP2p, at, row);
      case 9:
        return this.time(c.createdNs, c.words.createdNs, at, row);
      case 10:
        return this.time(c.startedNs, c.words.startedNs, at, row);
      case 11:
        return this.time(c.completedNs, c.words.completedNs, at, row);
      case 12:
        return this.duration(at, row);
      case 13:
        return this.state(at, row);
      case 14:
        return this.flag(c.retired, at, row);
      case 15:
        return this.count(c.timeoutMs, at, row);
      case 16:
        return this.sizes(c.inputSizes, at, row);
      case 17:
        return this.sizes(c.outputSizes, at, row);
      case 18:
        return this.dtypes(c.inputDtypes, at, row);
      case 19:
        return this.dtypes(c.outputDtypes, at, row);
      default:
        return this.stack(at, row);
    }
  }

  private int32(column: Int32Array, at: number, row: number): boolean {
    const value = this.arena.numAt(at);
    if (this.arena.kindAt(at) !== INT || value < -1 || value > MAX_INT32) return false;
    column[row] = value;
    return true;
  }

  private count(column: Float64Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    const value = this.arena.numAt(at);
    if (kind !== INT || value < -1) return kind === NONE;
    column[row] = value;
    return true;
  }

  private string(column: Int32Array, at: number, row: number): boolean {
    if (this.arena.kindAt(at) !== STRING) return false;
    column[row] = this.tables.string(this.arena.numAt(at));
    return true;
  }

  private groupId(at: number, row: number): boolean {
    if (this.arena.kindAt(at) !== INT) return this.string(this.columns.pgId, at, row);
    this.columns.pgId[row] = this.tables.number(this.arena.numAt(at));
    return true;
  }

  private processGroup(at: number, row: number): boolean {
    const { arena } = this;
    const kind = arena.kindAt(at);
    if (kind === NONE) return true;
    const id = arena.numAt(at);
    if ((kind !== TUPLE && kind !== LIST) || arena.count(id) !== 2) return false;
    const chunk = arena.firstChunk(id);
    const first = arena.chunkStart(chunk);
    const second = arena.chunkEnd(chunk) - first === 2 ? first + 1 : arena.chunkStart(arena.nextChunk(chunk));
    return this.string(this.columns.groupName, first, row) && this.string(this.columns.groupDesc, second, row);
  }

  private flag(column: Uint8Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    const value = kind === INT ? this.arena.numAt(at) : kind === TRUE ? 1 : kind === FALSE ? 0 : 2;
    if (value !== 0 && value !== 1) return false;
    column[row] = value;
    return true;
  }

  private time(column: BigInt64Array, words: Int32Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    return kind === NONE || this.arena.writeInt64(kind, this.arena.numAt(at), column, words, row);
  }

  private duration(at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind === NONE) return true;
    if (kind !== FLOAT && kind !== INT) return false;
    this.columns.durationMs[row] = this.arena.numAt(at);
    return true;
  }

  private state(at: number, row: number): boolean {
    const text = this.arena.stringAt(at);
    if (text === undefined) return false;
    this.columns.state[row] = Math.max(0, (DUMP_STATES as readonly string[]).indexOf(text));
    return true;
  }

  private sizes(column: Int32Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind !== LIST && kind !== TUPLE) return kind === NONE;
    const index = this.tables.shape(this.arena.numAt(at));
    if (index >= 0) column[row] = index;
    return index >= 0;
  }

  private dtypes(column: Int32Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind !== LIST && kind !== TUPLE) return kind === NONE;
    const index = this.tables.dtypes(this.arena.numAt(at));
    if (index >= 0) column[row] = index;
    return index >= 0;
  }

  private stack(at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind !== LIST && kind !== TUPLE) return kind === NONE;
    const index = this.tables.stack(this.arena.numAt(at));
    if (index >= 0) this.columns.stack[row] = index;
    return index >= -1;
  }

  /** Index of the other fields as text. They are mostly the same as one entry before. */
  private extra(): number {
    const { arena, others, othersBefore } = this;
    let same = others.length === othersBefore.length;
    for (let i = 0; same && i < others.length; i++) {
      const [a, b] = [others[i] ?? 0, othersBefore[i] ?? 0];
      same =
        arena.numAt(a) === arena.numAt(b) &&
        arena.kindAt(a + 1) === arena.kindAt(b + 1) &&
        arena.numAt(a + 1) === arena.numAt(b + 1);
    }
    if (same) return this.extraBefore;
    const parts = others.map(
      (at) => `${arena.stringAt(at) ?? ''}=${this.plain(arena.kindAt(at + 1), arena.numAt(at + 1))}`,
    );
    this.extraBefore = this.tables.text(otherFieldsText(parts));
    this.others = othersBefore;
    this.othersBefore = others;
    return this.extraBefore;
  }

  private plain(kind: number, num: number): string {
    if (kind === STRING) return this.arena.text(num).slice(0, MAX_EXTRA);
    if (kind === INT || kind === FLOAT) return String(num);
    if (kind === TRUE) return 'true';
    if (kind === FALSE) return 'false';
    if (kind === NONE) return 'none';
    if (kind >= LIST && kind <= DICT) return `(${this.arena.count(num)} values)`;
    return String(this.arena.bigInt(kind, num) ?? 'a large integer');
  }
}
