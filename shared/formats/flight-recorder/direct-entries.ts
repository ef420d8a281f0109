/**
 * The entries of a pickled dump, from opcodes straight into typed columns: no value on a stack, no arena row, no object an entry.
 *
 *   7d 28  68 05 4a .. .. .. ..  68 06 4b 01  …  75        one entry: { record_id: 70000, pg_id: 1, … }
 *
 * Knows what the C++ writer of PyTorch puts there and gives up at anything else, a wrong type and an early end included: then the general way
 * (`entry-columns.ts`) reads the file. Where it does not give up, both give the same columns and tables; a test holds them to it. O(bytes).
 */
import type { DirectList, RawOpcodes } from '../../codecs/pickle/direct-list.ts';
import * as op from '../../codecs/pickle/opcodes.ts';
import { FALSE, FLOAT, INT, LIST, NONE, STRING, TRUE } from '../../codecs/value-arena/index.ts';
import type { DumpColumns } from '../../model/flight-recorder.ts';
import { clearColumns, type DraftColumns, makeColumns, packColumns } from './columns.ts';
import { DirectTables } from './direct-tables.ts';
import { ENTRY_FIELDS, OTHER_FIELD } from './entry-fields.ts';
import { MAX_EXTRA, MAX_OTHERS, otherFieldsText } from './other-fields.ts';
import type { Tables } from './shared-tables.ts';

const UNKNOWN = -1;
/** Rows of draft columns that are kept for the next dump: 2 MB. */
const MAX_SPARE_ROWS = 16_384;
let spare: DraftColumns | undefined;

export class DirectEntries extends DirectTables implements DirectList {
  readonly key = 'entries';
  container = -1;
  private rows = 0;
  private draft: DraftColumns;
  /** By text id. */
  private fieldOf: Int8Array = new Int8Array(256).fill(UNKNOWN);
  // Fields of the entry that we do not know, three numbers each: key, kind, number; and those of the entry before.
  private others = new Float64Array(3 * MAX_OTHERS);
  private othersBefore = new Float64Array(3 * MAX_OTHERS);
  private otherCount = 0;
  private otherCountBefore = -1;
  private extraBefore = -1;

  constructor() {
    super();
    this.draft = spare ?? makeColumns(4096);
    spare = undefined;
  }

  read(from: RawOpcodes): number {
    this.start(from);
    this.startTables();
    const { bytes } = this;
    while (bytes[this.at] === op.OP_EMPTY_DICT && bytes[this.at + 1] === op.OP_MARK) {
      this.at += 2;
      if (this.rows === this.draft.length) this.grow();
      this.entry(this.rows++);
      if (this.bad) return -1;
    }
    // An empty list is no work for anybody; the general way also knows whether such a file is a dump.
    if (this.rows === 0 || !this.listEnds()) return -1;
    this.giveBack();
    return this.at;
  }

  /** Once, after `read`. */
  finish(): { readonly columns: DumpColumns } & Tables {
    const columns = packColumns(this.draft, this.rows);
    return { columns, ...this.tables() };
  }

  /** Gives the draft columns to the next dump; this reader must not be used any more. */
  release(): void {
    if (this.draft.length > MAX_SPARE_ROWS) return;
    clearColumns(this.draft, this.rows);
    spare = this.draft;
  }

  get entryCount(): number {
    return this.rows;
  }

  private grow(): void {
    const larger = makeColumns(this.draft.length * 2);
    const { words: _words, length: _length, ...columns } = this.draft;
    larger.createdNs.set(columns.createdNs);
    larger.startedNs.set(columns.startedNs);
    larger.completedNs.set(columns.completedNs);
    for (const field of ['collectiveSeq', 'p2pSeq', 'opId', 'durationMs', 'timeoutMs'] as const)
      larger[field].set(columns[field]);
    for (const field of ['recordId', 'pgId', 'groupName', 'groupDesc', 'op', 'stack', 'extra'] as const)
      larger[field].set(columns[field]);
    for (const field of ['inputSizes', 'outputSizes', 'inputDtypes', 'outputDtypes'] as const)
      larger[field].set(columns[field]);
    for (const field of ['isP2p', 'state', 'retired'] as const) larger[field].set(columns[field]);
    this.draft = larger;
  }

  private entry(row: number): void {
    const { bytes } = this;
    this.otherCount = 0;
    while (bytes[this.at] !== op.OP_SETITEMS) {
      const key = this.string();
      const field = this.field(key);
      if (field < 10) this.firstFields(field, row);
      else if (field < OTHER_FIELD) this.laterFields(field, row);
      else this.other(key);
      if (this.bad) return;
    }
    this.at++;
    const { op: names, collectiveSeq, opId, extra } = this.draft;
    if (this.otherCount > 0) extra[row] = this.extra();
    if (names[row] === -1 || (collectiveSeq[row] === -1 && opId[row] === -1)) this.bad = true;
  }

  /** Position of a key in ENTRY_FIELDS, or OTHER_FIELD. */
  private field(key: number): number {
    if (key >= this.fieldOf.length) {
      const larger = new Int8Array(2 ** Math.ceil(Math.log2(key + 1))).fill(UNKNOWN);
      larger.set(this.fieldOf);
      this.fieldOf = larger;
    }
    let field = this.fieldOf[key] ?? UNKNOWN;
    if (field === UNKNOWN) {
      const index = (ENTRY_FIELDS as readonly string[]).indexOf(this.text(key));
      field = index < 0 ? OTHER_FIELD : index;
      this.fieldOf[key] = field;
    }
    return field;
  }

  private firstFields(field: number, row: number): void {
    const c = this.draft;
    switch (field) {
      case 0:
        c.recordId[row] = this.int32();
        return;
      case 1:
        c.pgId[row] = this.groupId();
        return;
      case 2:
        this.processGroup(row);
        return;
      case 3:
      case 4:
        this.count(c.collectiveSeq, row);
        return;
      case 5:
        this.count(c.p2pSeq, row);
        return;
      case 6:
        this.count(c.opId, row);
        return;
      case 7:
        c.op[row] = this.indexOf(this.string());
        return;
      case 8:
        c.isP2p[row] = this.flag();
        return;
      default:
        this.time(c.createdNs, c.words.createdNs, row);
    }
  }

  private laterFields(field: number, row: number): void {
    const c = this.draft;
    switch (field) {
      case 10:
        this.time(c.startedNs, c.words.startedNs, row);
        return;
      case 11:
        this.time(c.completedNs, c.words.completedNs, row);
        return;
      case 12:
        this.duration(row);
        return;
      case 13:
        c.state[row] = this.stateOf(this.string());
        return;
      case 14:
        c.retired[row] = this.flag();
        return;
      case 15:
        this.count(c.timeoutMs, row);
        return;
      case 16:
        if (!this.none()) c.inputSizes[row] = this.shape();
        return;
      case 17:
        if (!this.none()) c.outputSizes[row] = this.shape();
        return;
      case 18:
        if (!this.none()) c.inputDtypes[row] = this.dtypes();
        return;
      case 19:
        if (!this.none()) c.outputDtypes[row] = this.dtypes();
        return;
      default:
        this.readStack(c.stack, row);
    }
  }

  private none(): boolean {
    if (this.bytes[this.at] !== op.OP_NONE) return false;
    this.at++;
    return true;
  }

  private int32(): number {
    const value = this.int();
    if (value < -1 || value > 0x7fff_ffff) this.bad = true;
    return value;
  }

  private count(column: Float64Array, row: number): void {
    if (this.none()) return;
    const value = this.int();
    if (value < -1) this.bad = true;
    column[row] = value;
  }

  private groupId(): number {
    const opcode = this.bytes[this.at];
    const isNumber = opcode === op.OP_BININT1 || opcode === op.OP_BININT2 || opcode === op.OP_BININT;
    return isNumber ? this.numberText(this.int()) : this.indexOf(this.string());
  }

  private processGroup(row: number): void {
    const [name, desc] = [this.string(), this.string()];
    if (this.bytes[this.at++] !== op.OP_TUPLE2) this.bad = true;
    this.draft.groupName[row] = this.indexOf(name);
    this.draft.groupDesc[row] = this.indexOf(desc);
  }

  private flag(): number {
    const opcode = this.bytes[this.at++];
    if (opcode === op.OP_NEWTRUE) return 1;
    if (opcode !== op.OP_NEWFALSE) this.bad = true;
    return 0;
  }

  private time(column: BigInt64Array, words: Int32Array, row: number): void {
    const { at, view } = this;
    const opcode = this.bytes[at];
    if (opcode === op.OP_LONG1 && this.bytes[at + 1] === 8 && at + 10 <= this.end) {
      words[row * 2] = view.getInt32(at + 2, true);
      words[row * 2 + 1] = view.getInt32(at + 6, true);
      this.at = at + 10;
    } else if (opcode === op.OP_NONE) this.at = at + 1;
    else column[row] = BigInt(this.int());
  }

  private duration(row: number): void {
    const { at } = this;
    if (this.bytes[at] === op.OP_BINFLOAT && at + 9 <= this.end) {
      this.draft.durationMs[row] = this.view.getFloat64(at + 1, false);
      this.at = at + 9;
    } else if (!this.none()) this.bad = true;
  }

  private readStack(column: Int32Array, row: number): void {
    if (this.none()) return;
    const index = this.stack();
    if (index >= 0) column[row] = index;
  }

  /** A field that we do not know: plain values, and flat lists of them, of which only the length is kept. */
  private other(key: number): void {
    const kind = this.otherKind();
    const num = this.otherValue(kind);
    if (this.otherCount === MAX_OTHERS) return;
    const at = 3 * this.otherCount++;
    this.others[at] = key;
    this.others[at + 1] = kind;
    this.others[at + 2] = num;
  }

  private otherKind(): number {
    switch (this.bytes[this.at]) {
      case op.OP_BINGET:
      case op.OP_LONG_BINGET:
      case op.OP_BINUNICODE:
        return STRING;
      case op.OP_NONE:
        return NONE;
      case op.OP_NEWTRUE:
        return TRUE;
      case op.OP_NEWFALSE:
        return FALSE;
      case op.OP_BINFLOAT:
        return FLOAT;
      case op.OP_EMPTY_LIST:
        return LIST;
      default:
        return INT;
    }
  }

  private otherValue(kind: number): number {
    if (kind === STRING) return this.string();
    if (kind === INT) return this.int();
    if (kind === LIST) return this.flatList();
    const { at } = this;
    this.at = at + (kind === FLOAT ? 9 : 1);
    if (kind !== FLOAT) return 0;
    if (this.at <= this.end) return this.view.getFloat64(at + 1, false);
    this.bad = true;
    return 0;
  }

  private flatList(): number {
    let length = 0;
    for (this.openList(); !this.bad && !this.listEnds(); length++) {
      const kind = this.otherKind();
      if (kind === LIST) this.bad = true;
      else this.otherValue(kind);
    }
    return length;
  }

  /** Index of the other fields as text. They are mostly the same as one entry before. */
  private extra(): number {
    const { others, othersBefore } = this;
    const length = 3 * this.otherCount;
    let same = this.otherCount === this.otherCountBefore;
    for (let i = 0; same && i < length; i++) same = others[i] === othersBefore[i];
    if (same) return this.extraBefore;
    const parts: string[] = [];
    for (let at = 0; at < length; at += 3)
      parts.push(`${this.text(others[at] ?? 0)}=${this.plain(others[at + 1] ?? NONE, others[at + 2] ?? 0)}`);
    this.extraBefore = this.textIndex(otherFieldsText(parts));
    this.others = othersBefore;
    this.othersBefore = others;
    this.otherCountBefore = this.otherCount;
    return this.extraBefore;
  }

  private plain(kind: number, num: number): string {
    if (kind === STRING) return this.text(num).slice(0, MAX_EXTRA);
    if (kind === TRUE) return 'true';
    if (kind === FALSE) return 'false';
    if (kind === NONE) return 'none';
    return kind === LIST ? `(${num} values)` : String(num);
  }
}
