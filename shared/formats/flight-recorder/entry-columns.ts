/**
 * The entries of a dump, from arena values straight into typed columns: no object an entry, texts and frames interned.
 *
 * An entry with a wrong type keeps its row, with `op` -1, and is told to `problem`; the others are not touched.
 * Shared lists (frames, sizes) are converted once by their id, so shared references cost nothing however often they
 * are used. O(values).
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
import { DUMP_STATES, type DumpColumns, type FlightRecorderDump } from '../../model/flight-recorder.ts';

export const ENTRY_FIELDS = [
  'record_id',
  'pg_id',
  'process_group',
  'collective_seq_id',
  'seq_id',
  'p2p_seq_id',
  'op_id',
  'profiling_name',
  'is_p2p',
  'time_created_ns',
  'time_discovered_started_ns',
  'time_discovered_completed_ns',
  'duration_ms',
  'state',
  'retired',
  'timeout_ms',
  'input_sizes',
  'output_sizes',
  'input_dtypes',
  'output_dtypes',
  'frames',
] as const;
type EntryField = (typeof ENTRY_FIELDS)[number];

/** Longest canonical text of one entry's shapes or dtypes. */
const MAX_TEXT = 65_536;
const MAX_EXTRA = 2_000;
const MAX_INT32 = 2 ** 31 - 1;
const UNKNOWN = -2;

interface Columns extends DumpColumns {
  readonly words: Record<'createdNs' | 'startedNs' | 'completedNs', Int32Array>;
}

function makeColumns(length: number): Columns {
  const index = (): Int32Array => new Int32Array(length).fill(-1);
  const numbers = (): Float64Array => new Float64Array(length).fill(-1);
  const createdNs = new BigInt64Array(length);
  const startedNs = new BigInt64Array(length);
  const completedNs = new BigInt64Array(length);
  return {
    length,
    recordId: index(),
    pgId: index(),
    groupName: index(),
    groupDesc: index(),
    collectiveSeq: numbers(),
    p2pSeq: numbers(),
    opId: numbers(),
    op: index(),
    isP2p: new Uint8Array(length),
    createdNs,
    startedNs,
    completedNs,
    durationMs: new Float64Array(length).fill(Number.NaN),
    state: new Uint8Array(length),
    retired: new Uint8Array(length),
    timeoutMs: numbers(),
    inputSizes: index(),
    outputSizes: index(),
    inputDtypes: index(),
    outputDtypes: index(),
    stack: index(),
    extra: index(),
    words: {
      createdNs: new Int32Array(createdNs.buffer),
      startedNs: new Int32Array(startedNs.buffer),
      completedNs: new Int32Array(completedNs.buffer),
    },
  };
}

type Tables = Pick<FlightRecorderDump, 'strings' | 'shapes' | 'stacks' | 'frames'>;

/** Interning by text, with a shortcut by id of the arena. */
class TextTable {
  readonly list: string[] = [];
  private readonly byText = new Map<string, number>();

  index(text: string): number {
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const next = this.list.length;
    this.list.push(text);
    this.byText.set(text, next);
    return next;
  }
}

export class EntryReader {
  private readonly arena: ValueArena;
  private readonly columns: Columns;
  private readonly problem: (row: number, detail: string) => void;
  private readonly strings = new TextTable();
  private readonly shapes = new TextTable();
  private readonly stackKeys = new TextTable();
  private readonly frameKeys = new TextTable();
  private readonly stacks: Int32Array[] = [];
  private readonly frames: { file: string; line: number; name: string }[] = [];
  private readonly extras = new Map<string, number>();
  // By arena id; UNKNOWN = not looked at yet.
  private readonly fieldOf: Int8Array;
  private readonly stringIndex: Int32Array;
  private readonly shapeOf: Int32Array;
  private readonly dtypesOf: Int32Array;
  private readonly stackOf: Int32Array;
  private readonly frameOf: Int32Array;
  private readonly entrySeen: Uint8Array;
  /** Characters that shapes and dtypes may still take: shared parts could otherwise stand for far more text than bytes. */
  private budget: number;

  constructor(arena: ValueArena, length: number, problem: (row: number, detail: string) => void) {
    this.arena = arena;
    this.columns = makeColumns(length);
    this.problem = problem;
    this.fieldOf = new Int8Array(arena.stringCount).fill(UNKNOWN);
    this.stringIndex = new Int32Array(arena.stringCount).fill(UNKNOWN);
    this.shapeOf = new Int32Array(arena.containerCount).fill(UNKNOWN);
    this.dtypesOf = new Int32Array(arena.containerCount).fill(UNKNOWN);
    this.stackOf = new Int32Array(arena.containerCount).fill(UNKNOWN);
    this.frameOf = new Int32Array(arena.containerCount).fill(UNKNOWN);
    this.entrySeen = new Uint8Array(arena.containerCount);
    this.budget = arena.bytes.length * 32 + 1_000_000;
  }

  /** Reads the value at an arena position as entry `row`. */
  read(at: number, row: number): void {
    const wrong = this.fields(at, row);
    if (wrong === undefined) return;
    this.columns.op[row] = -1;
    this.problem(row, wrong);
  }

  /** Stores all fields; returns what is wrong with the entry, if anything is. */
  private fields(at: number, row: number): string | undefined {
    if (this.arena.kindAt(at) !== DICT) return 'the entry is no table of fields';
    const id = this.arena.numAt(at);
    if (this.entrySeen[id] === 1) return 'the same table stands here a second time';
    this.entrySeen[id] = 1;
    let wrong: string | undefined;
    let extra = '';
    this.arena.pairs(id, (keyAt, valueAt) => {
      const field = this.field(keyAt);
      if (field === undefined) {
        if (extra.length < MAX_EXTRA) extra += this.extraKey(keyAt, valueAt);
      } else if (!this.set(field, valueAt, row)) wrong ??= field;
    });
    if (extra !== '') this.columns.extra[row] = this.extra(extra);
    const { op, collectiveSeq } = this.columns;
    if (wrong === undefined && op[row] === -1) wrong = 'profiling_name';
    if (wrong === undefined && collectiveSeq[row] === -1 && this.columns.opId[row] === -1) wrong = 'collective_seq_id';
    return wrong === undefined ? undefined : `${wrong} is missing or has a wrong type`;
  }

  finish(): { readonly columns: DumpColumns } & Tables {
    const { words: _words, ...columns } = this.columns;
    return { columns, strings: this.strings.list, shapes: this.shapes.list, stacks: this.stacks, frames: this.frames };
  }

  private field(keyAt: number): EntryField | undefined {
    if (this.arena.kindAt(keyAt) !== STRING) return undefined;
    const id = this.arena.numAt(keyAt);
    let index = this.fieldOf[id] ?? -1;
    if (index === UNKNOWN) {
      index = (ENTRY_FIELDS as readonly string[]).indexOf(this.arena.text(id));
      this.fieldOf[id] = index;
    }
    return index < 0 ? undefined : ENTRY_FIELDS[index];
  }

  /** Stores one field. False if its type is wrong. */
  private set(field: EntryField, at: number, row: number): boolean {
    const c = this.columns;
    switch (field) {
      case 'record_id':
        return this.int32(c.recordId, at, row);
      case 'pg_id':
        return this.groupId(at, row);
      case 'process_group':
        return this.processGroup(at, row);
      case 'collective_seq_id':
      case 'seq_id':
        return this.count(c.collectiveSeq, at, row);
      case 'p2p_seq_id':
        return this.count(c.p2pSeq, at, row);
      case 'op_id':
        return this.count(c.opId, at, row);
      case 'profiling_name':
        return this.string(c.op, at, row);
      case 'is_p2p':
        return this.flag(c.isP2p, at, row);
      case 'retired':
        return this.flag(c.retired, at, row);
      case 'time_created_ns':
        return this.time('createdNs', at, row);
      case 'time_discovered_started_ns':
        return this.time('startedNs', at, row);
      case 'time_discovered_completed_ns':
        return this.time('completedNs', at, row);
      case 'duration_ms':
        return this.duration(at, row);
      case 'state':
        return this.state(at, row);
      case 'timeout_ms':
        return this.count(c.timeoutMs, at, row);
      case 'input_sizes':
        return this.sizes(c.inputSizes, at, row);
      case 'output_sizes':
        return this.sizes(c.outputSizes, at, row);
      case 'input_dtypes':
        return this.dtypes(c.inputDtypes, at, row);
      case 'output_dtypes':
        return this.dtypes(c.outputDtypes, at, row);
      case 'frames':
        return this.stack(at, row);
    }
  }

  private int32(column: Int32Array, at: number, row: number): boolean {
    const value = this.arena.intAt(at);
    if (value === undefined || value < -1 || value > MAX_INT32) return false;
    column[row] = value;
    return true;
  }

  private count(column: Float64Array, at: number, row: number): boolean {
    const value = this.arena.intAt(at);
    if (value === undefined || value < -1) return this.arena.kindAt(at) === NONE;
    column[row] = value;
    return true;
  }

  private string(column: Int32Array, at: number, row: number): boolean {
    if (this.arena.kindAt(at) !== STRING) return false;
    column[row] = this.textIndex(this.arena.numAt(at));
    return true;
  }

  private textIndex(id: number): number {
    let index = this.stringIndex[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.strings.index(this.arena.text(id));
      this.stringIndex[id] = index;
    }
    return index;
  }

  private groupId(at: number, row: number): boolean {
    const value = this.arena.intAt(at);
    if (value === undefined) return this.string(this.columns.pgId, at, row);
    this.columns.pgId[row] = this.strings.index(String(value));
    return true;
  }

  private processGroup(at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    const id = this.arena.numAt(at);
    if (kind === NONE) return true;
    if ((kind !== TUPLE && kind !== LIST) || this.arena.count(id) !== 2) return false;
    let good = true;
    this.arena.each(id, (item, i) => {
      good = this.string(i === 0 ? this.columns.groupName : this.columns.groupDesc, item, row) && good;
      return good;
    });
    return good;
  }

  private flag(column: Uint8Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    const value = kind === INT ? this.arena.numAt(at) : kind === TRUE ? 1 : kind === FALSE ? 0 : 2;
    if (value !== 0 && value !== 1) return false;
    column[row] = value;
    return true;
  }

  private time(name: 'createdNs' | 'startedNs' | 'completedNs', at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind === NONE) return true;
    return this.arena.writeInt64(kind, this.arena.numAt(at), this.columns[name], this.columns.words[name], row);
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
    const index = (DUMP_STATES as readonly string[]).indexOf(text);
    this.columns.state[row] = Math.max(index, 0);
    return true;
  }

  private sizes(column: Int32Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind === NONE) return true;
    if (kind !== LIST && kind !== TUPLE) return false;
    const id = this.arena.numAt(at);
    let index = this.shapeOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      const text = this.spend(shapeText(this.arena, id));
      index = text === undefined ? -1 : this.shapes.index(text);
      this.shapeOf[id] = index;
    }
    column[row] = index;
    return index >= 0;
  }

  /** The text, if the budget still allows it. */
  private spend(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    this.budget -= text.length;
    return this.budget < 0 ? undefined : text;
  }

  private dtypes(column: Int32Array, at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind === NONE) return true;
    if (kind !== LIST && kind !== TUPLE) return false;
    const id = this.arena.numAt(at);
    let index = this.dtypesOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      const text = this.spend(dtypesText(this.arena, id));
      index = text === undefined ? -1 : this.strings.index(text);
      this.dtypesOf[id] = index;
    }
    column[row] = index;
    return index >= 0;
  }

  private stack(at: number, row: number): boolean {
    const kind = this.arena.kindAt(at);
    if (kind === NONE) return true;
    if (kind !== LIST && kind !== TUPLE) return false;
    const id = this.arena.numAt(at);
    let index = this.stackOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.newStack(id);
      this.stackOf[id] = index;
    }
    if (index >= 0) this.columns.stack[row] = index;
    return index >= -1;
  }

  /** Index of a list of frames; -1 if it is empty, -3 if something in it is no frame. */
  private newStack(id: number): number {
    const indices = new Int32Array(this.arena.count(id));
    let good = true;
    this.arena.each(id, (item, i) => {
      const frame = this.frame(item);
      if (frame < 0) good = false;
      indices[i] = frame;
      return good;
    });
    if (!good) return -3;
    if (indices.length === 0) return -1;
    const index = this.stackKeys.index(indices.join());
    if (index === this.stacks.length) this.stacks.push(indices);
    return index;
  }

  private frame(at: number): number {
    if (this.arena.kindAt(at) !== DICT) return -1;
    const id = this.arena.numAt(at);
    const known = this.frameOf[id] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    let name: string | undefined;
    let file: string | undefined;
    let line: number | undefined;
    this.arena.pairs(id, (keyAt, valueAt) => {
      const key = this.arena.stringAt(keyAt);
      if (key === 'name') name = this.arena.stringAt(valueAt);
      else if (key === 'filename') file = this.arena.stringAt(valueAt);
      else if (key === 'line') line = this.arena.intAt(valueAt);
    });
    let index = -1;
    if (name !== undefined && file !== undefined && line !== undefined) {
      index = this.frameKeys.index(`${line}\n${file}\n${name}`);
      if (index === this.frames.length) this.frames.push({ file, line, name });
    }
    this.frameOf[id] = index;
    return index;
  }

  /** A short key for one unknown field, so that its text is built once for all entries that carry the same value. */
  private extraKey(keyAt: number, valueAt: number): string {
    const kind = this.arena.kindAt(valueAt);
    if (this.arena.kindAt(keyAt) !== STRING) return '';
    return `${this.arena.numAt(keyAt)}:${kind}:${this.arena.numAt(valueAt)};`;
  }

  private extra(key: string): number {
    const known = this.extras.get(key);
    if (known !== undefined) return known;
    const parts = key
      .slice(0, -1)
      .split(';')
      .map((part) => {
        const [name, kind, num] = part.split(':').map(Number);
        return `${this.arena.text(name ?? 0)}=${this.plain(kind ?? NONE, num ?? 0)}`;
      });
    const text = parts.sort().join(', ');
    const index = this.strings.index(text.length > MAX_EXTRA ? `${text.slice(0, MAX_EXTRA)}…` : text);
    this.extras.set(key, index);
    return index;
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

/** dtypes joined by `,`; undefined unless it is a list of texts. */
function dtypesText(arena: ValueArena, id: number): string | undefined {
  let text = '';
  let good = true;
  arena.each(id, (item, i) => {
    const part = arena.stringAt(item);
    if (part === undefined || text.length > MAX_TEXT) good = false;
    else text += i === 0 ? part : `,${part}`;
    return good;
  });
  return good ? text : undefined;
}

/** `[[4096, 1], []]` as canonical text without blanks; undefined unless it is a list of lists of integers. */
function shapeText(arena: ValueArena, id: number): string | undefined {
  let text = '[';
  let good = true;
  arena.each(id, (tensorAt, i) => {
    const kind = arena.kindAt(tensorAt);
    if (kind !== LIST && kind !== TUPLE) good = false;
    text += i === 0 ? '[' : ',[';
    if (!good) return false;
    arena.each(arena.numAt(tensorAt), (at, j) => {
      const size = arena.intAt(at);
      if (size === undefined || text.length > MAX_TEXT) good = false;
      else text += j === 0 ? String(size) : `,${size}`;
      return good;
    });
    text += ']';
    return good;
  });
  return good ? `${text}]` : undefined;
}
