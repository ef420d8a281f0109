/** The stack machine behind `readPickle`; see `index.ts` for what it accepts. */
import {
  DICT,
  FALSE,
  FLOAT,
  HUGE,
  INT,
  LIST,
  LONG,
  MARK,
  NONE,
  STRING,
  TRUE,
  TUPLE,
  type ValueArena,
} from '../value-arena/index.ts';
import type { OpenContainer } from '../value-arena/outcome.ts';
import { type DirectList, FOREIGN } from './direct-list.ts';
import type { PickleOutcome } from './index.ts';
import { PickleMemo } from './memo.ts';
import { lineAt, printable } from './named-code.ts';
import * as op from './opcodes.ts';

/** Values waiting on the stack: all entries of a dump wait there together, so this is not a nesting limit. */
const MAX_STACK = 16_000_000;
/** Open MARKs: nesting of containers under construction. */
const MAX_MARKS = 64;
const HIGHEST_PROTOCOL = 5;

/** What ends the run before STOP; thrown and caught inside this file only, to keep the hot loop flat. */
class Ended extends Error {
  readonly outcome: PickleOutcome;
  constructor(outcome: PickleOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}
const TRUNCATED = Symbol('truncated');
/** The direct reader met something that it does not know. */
const GIVEN_UP = Symbol('given up');

/** Arrays of a run that is over. Nothing of their old content is read above the top of the stack. */
interface SpareArrays {
  readonly kinds: Uint8Array;
  readonly nums: Float64Array;
}
/** Arrays of a quarter of a million values take 2 MB; larger ones are left to the collector. */
const MAX_SPARE = 1 << 18;
/** What may stand behind a list that was read directly. */
const AFTER_LIST: ReadonlySet<number> = new Set([op.OP_SETITEMS, op.OP_BINUNICODE, op.OP_BINGET, op.OP_LONG_BINGET]);
let spare: SpareArrays | undefined;

export class PickleMachine {
  private readonly arena: ValueArena;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly end: number;
  private at = 0;
  /** Offset of the opcode being executed. */
  private opAt = 0;

  private kinds: Uint8Array = new Uint8Array(1024);
  private nums: Float64Array = new Float64Array(1024);
  private top = 0;
  private readonly marks = new Int32Array(MAX_MARKS);
  private markCount = 0;
  private readonly memo = new PickleMemo();
  private readonly direct: DirectList | undefined;
  /** The container that stands for the list that `direct` has read; -1 before. */
  private directList = -1;

  constructor(arena: ValueArena, direct?: DirectList) {
    this.arena = arena;
    this.direct = direct;
    this.bytes = arena.bytes;
    this.view = new DataView(arena.bytes.buffer, arena.bytes.byteOffset, arena.bytes.byteLength);
    this.end = arena.bytes.length;
    // Dumps come one after the other: growing these anew for each costs more in collections than in copies.
    if (spare === undefined) return;
    ({ kinds: this.kinds, nums: this.nums } = spare);
    spare = undefined;
  }

  /** Once a machine. `given-up`: the pickle has to be read without the direct reader; never where there is none. */
  run(): PickleOutcome | 'given-up' {
    try {
      this.header();
      return this.loop();
    } catch (error) {
      if (error instanceof Ended) return error.outcome;
      if (error === TRUNCATED) return this.directList < 0 ? this.unwind() : 'given-up';
      if (error === GIVEN_UP) return 'given-up';
      throw error;
    } finally {
      const { kinds, nums } = this;
      if (kinds.length <= MAX_SPARE) spare = { kinds, nums };
      this.memo.release();
    }
  }

  private header(): void {
    this.need(2);
    const protocol = this.bytes[1] ?? 0;
    if (this.bytes[0] !== op.OP_PROTO) this.fail('the first byte is not the PROTO opcode');
    if (protocol < 2 || protocol > HIGHEST_PROTOCOL)
      this.fail(`protocol ${protocol} is not read (2 to ${HIGHEST_PROTOCOL} are)`);
    this.at = 2;
  }

  private loop(): PickleOutcome {
    const { bytes, view } = this;
    for (;;) {
      this.opAt = this.at;
      if (this.at >= this.end) throw TRUNCATED;
      const opcode = bytes[this.at++] ?? 0;
      switch (opcode) {
        case op.OP_BINGET:
          this.need(1);
          this.get(bytes[this.at++] ?? 0);
          break;
        case op.OP_BININT1:
          this.need(1);
          this.push(INT, bytes[this.at++] ?? 0);
          break;
        case op.OP_LONG_BINGET:
          this.need(4);
          this.get(view.getUint32(this.at, true));
          this.at += 4;
          break;
        case op.OP_BININT2:
          this.need(2);
          this.push(INT, view.getUint16(this.at, true));
          this.at += 2;
          break;
        case op.OP_BININT:
          this.need(4);
          this.push(INT, view.getInt32(this.at, true));
          this.at += 4;
          break;
        case op.OP_NONE:
          this.push(NONE, 0);
          break;
        case op.OP_NEWTRUE:
          this.push(TRUE, 1);
          break;
        case op.OP_NEWFALSE:
          this.push(FALSE, 0);
          break;
        case op.OP_MARK:
          this.mark();
          break;
        case op.OP_STOP:
          return this.stop();
        default:
          this.lessFrequent(opcode);
      }
    }
  }

  private lessFrequent(opcode: number): void {
    const { bytes, view } = this;
    switch (opcode) {
      case op.OP_EMPTY_LIST:
        this.open(LIST);
        return;
      case op.OP_EMPTY_DICT:
        this.open(DICT);
        return;
      case op.OP_EMPTY_TUPLE:
        this.tuple(this.top, this.top);
        return;
      case op.OP_TUPLE1:
        this.tuple(this.top - 1, this.top - 1);
        return;
      case op.OP_TUPLE2:
        this.tuple(this.top - 2, this.top - 2);
        return;
      case op.OP_TUPLE3:
        this.tuple(this.top - 3, this.top - 3);
        return;
      case op.OP_TUPLE: {
        const mark = this.popMark();
        this.tuple(mark + 1, mark);
        return;
      }
      case op.OP_APPENDS:
        this.fill(LIST, this.popMark());
        return;
      case op.OP_SETITEMS:
        this.fill(DICT, this.popMark());
        return;
      case op.OP_APPEND:
        this.fillTop(LIST, 1);
        return;
      case op.OP_SETITEM:
        this.fillTop(DICT, 2);
        return;
      case op.OP_LONG1:
        this.need(1);
        this.long(bytes[this.at++] ?? 0);
        return;
      case op.OP_LONG4: {
        this.need(4);
        const length = view.getInt32(this.at, true);
        if (length < 0) this.fail('LONG4 with a negative length');
        this.at += 4;
        this.long(length);
        return;
      }
      case op.OP_BINFLOAT:
        this.need(8);
        this.push(FLOAT, view.getFloat64(this.at, false));
        this.at += 8;
        return;
      default:
        this.stringsAndMemo(opcode);
        return;
    }
  }

  private stringsAndMemo(opcode: number): void {
    const { bytes, view } = this;
    switch (opcode) {
      case op.OP_BINUNICODE:
        this.need(4);
        this.at += 4;
        this.string(view.getUint32(this.at - 4, true));
        return;
      case op.OP_SHORT_BINUNICODE:
        this.need(1);
        this.string(bytes[this.at++] ?? 0);
        return;
      case op.OP_BINUNICODE8: {
        this.need(8);
        const length = view.getUint32(this.at, true) + view.getUint32(this.at + 4, true) * 2 ** 32;
        this.at += 8;
        this.string(length);
        return;
      }
      case op.OP_BINPUT:
        this.need(1);
        this.put(bytes[this.at++] ?? 0);
        return;
      case op.OP_LONG_BINPUT:
        this.need(4);
        this.at += 4;
        this.put(view.getUint32(this.at - 4, true));
        return;
      case op.OP_MEMOIZE:
        this.put(this.memo.count);
        return;
      case op.OP_FRAME:
        // Frames only group bytes for readers of streams: the opcodes inside are read as they come.
        this.need(8);
        this.at += 8;
        return;
      case op.OP_PROTO:
        this.fail('a second PROTO opcode');
        return;
      default:
        this.refuse(opcode);
        return;
    }
  }

  // ── the stack ──────────────────────────────────────────────────────────────────────────────────────────────────

  private push(kind: number, num: number): void {
    const at = this.top;
    if (at === this.kinds.length) this.growStack(at * 2);
    this.kinds[at] = kind;
    this.nums[at] = num;
    this.top = at + 1;
  }

  private growStack(size: number): void {
    if (size > MAX_STACK) this.limit(`${MAX_STACK} values on the stack`);
    const kinds = new Uint8Array(size);
    kinds.set(this.kinds);
    const nums = new Float64Array(size);
    nums.set(this.nums);
    this.kinds = kinds;
    this.nums = nums;
  }

  private mark(): void {
    if (this.markCount === MAX_MARKS) this.limit(`${MAX_MARKS} containers inside each other`);
    this.marks[this.markCount++] = this.top;
    this.push(MARK, 0);
  }

  /** Position of the newest mark. */
  private popMark(): number {
    if (this.markCount === 0) this.fail('no MARK for the end of a container');
    return this.marks[--this.markCount] ?? 0;
  }

  /** Lowest position that the current container may take values from. */
  private floor(): number {
    return this.markCount === 0 ? 0 : (this.marks[this.markCount - 1] ?? 0) + 1;
  }

  private open(kind: number): void {
    const id = this.arena.addContainer(kind);
    if (id < 0) this.limit(`${this.arena.limits.maxContainers} containers`);
    this.push(kind, id);
    if (kind === LIST && this.direct !== undefined) this.readDirectly(this.direct, id);
  }

  /** Hands the list that was just opened to the direct reader, if it is the value of its key in the outermost dict. */
  private readDirectly(direct: DirectList, id: number): void {
    const keyAt = this.top - 2;
    const isValue = this.markCount === 1 && this.marks[0] === 1 && this.kinds[0] === DICT && keyAt % 2 === 0;
    if (!isValue || this.kinds[keyAt] !== STRING || this.arena.text(this.nums[keyAt] ?? 0) !== direct.key) return;
    if (this.directList >= 0) throw GIVEN_UP;
    if (this.bytes[this.at] !== op.OP_MARK) return;
    const { bytes, arena, memo } = this;
    const next = direct.read({ bytes, at: this.at + 1, arena, memo });
    // Only the end of the dict or another key may follow: nothing that could still use the list.
    if (next < 0 || !AFTER_LIST.has(bytes[next] ?? 0)) throw GIVEN_UP;
    this.at = next;
    direct.container = id;
    this.directList = id;
  }

  /** Makes a tuple of the values from `from` on; it takes the place `base`. */
  private tuple(from: number, base: number): void {
    if (base < this.floor()) this.fail('too few values for a tuple');
    const id = this.arena.addContainer(TUPLE);
    if (id < 0) this.limit(`${this.arena.limits.maxContainers} containers`);
    this.extend(id, from);
    this.top = base;
    this.push(TUPLE, id);
  }

  private fill(kind: number, mark: number): void {
    const target = mark - 1;
    if (target < this.floor() || this.kinds[target] !== kind)
      this.fail(kind === LIST ? 'APPENDS without a list' : 'SETITEMS without a dict');
    if (kind === DICT && (this.top - mark - 1) % 2 !== 0) this.fail('SETITEMS with a key without a value');
    this.extend(this.nums[target] ?? 0, mark + 1);
    this.top = mark;
  }

  private fillTop(kind: number, size: number): void {
    const target = this.top - size - 1;
    if (target < this.floor() || this.kinds[target] !== kind)
      this.fail(kind === LIST ? 'APPEND without a list' : 'SETITEM without a dict');
    this.extend(this.nums[target] ?? 0, target + 1);
    this.top = target + 1;
  }

  private extend(id: number, from: number): void {
    if (id === this.directList) throw GIVEN_UP;
    const failure = this.arena.extend(id, this.kinds, this.nums, from, this.top);
    if (failure === undefined) return;
    if (failure === 'items') this.limit(`${this.arena.limits.maxItems} values`);
    if (failure === 'depth') this.limit(`${this.arena.limits.maxDepth} containers inside each other`);
    this.fail(
      failure === 'self' ? 'a container that holds itself' : 'a container that changes after it was stored (a cycle)',
    );
  }

  // ── scalars, strings, memo ─────────────────────────────────────────────────────────────────────────────────────

  private long(length: number): void {
    this.need(length);
    const at = this.at;
    this.at += length;
    if (length === 0) this.push(INT, 0);
    else if (length > 8) this.push(HUGE, 0);
    else if (length < 7) this.push(INT, this.shortLong(at, length));
    else {
      const value = this.shortLong(at, length);
      if (Number.isSafeInteger(value)) this.push(INT, value);
      else this.push(LONG, at * 16 + length);
    }
  }

  /** Two's complement, little endian; exact whenever the result is a safe integer. */
  private shortLong(at: number, length: number): number {
    let value = this.view.getInt8(at + length - 1);
    for (let i = length - 2; i >= 0; i--) value = value * 256 + (this.bytes[at + i] ?? 0);
    return value;
  }

  private string(length: number): void {
    this.need(length);
    const id = this.arena.addString(this.at, length);
    if (id < 0) this.limit(`${this.arena.limits.maxStrings} strings`);
    this.push(STRING, id);
    this.at += length;
  }

  private get(index: number): void {
    const kind = this.memo.kindAt(index);
    if (kind === MARK) this.fail(`memo entry ${index} was never written`);
    if (kind === FOREIGN) throw GIVEN_UP;
    this.push(kind, this.memo.numAt(index));
  }

  private put(index: number): void {
    const at = this.top - 1;
    if (at < this.floor()) this.fail('nothing on the stack to remember');
    // Writers number the memo 0, 1, 2, …: an index above the number of bytes read cannot be honest.
    if (index > this.at) this.limit(`memo index ${index}`);
    this.memo.put(index, this.kinds[at] ?? NONE, this.nums[at] ?? 0);
  }

  // ── ends ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private stop(): PickleOutcome {
    if (this.top !== 1 || this.markCount !== 0) return this.fail('STOP with an unfinished value');
    return {
      kind: 'value',
      arena: this.arena,
      rootKind: this.kinds[0] ?? NONE,
      rootNum: this.nums[0] ?? 0,
      end: this.at,
    };
  }

  /**
   * The bytes ended: give every open container the whole values that wait for it, innermost first.
   *
   *   dict MARK "version" "2.9" "entries" list MARK d0 d1 d2 MARK "record_id" 7 "pg_
   *   └ open[0]                           └ open[1]          └ open[2]
   */
  private unwind(): PickleOutcome {
    const open: OpenContainer[] = [];
    let top = this.top;
    // An empty container on top may have had its content behind the cut: half-read.
    const last = this.kinds[top - 1] ?? NONE;
    if (top > 1 && (last === LIST || last === DICT) && this.arena.count(this.nums[top - 1] ?? 0) === 0) top--;
    for (let m = this.markCount - 1; m >= 0; m--) {
      const mark = this.marks[m] ?? 0;
      const target = mark - 1;
      const kind = target >= 0 ? (this.kinds[target] ?? NONE) : NONE;
      if (kind === LIST || kind === DICT) {
        const odd = kind === DICT && (top - mark - 1) % 2 !== 0 ? 1 : 0;
        const container = this.nums[target] ?? 0;
        if (this.arena.extend(container, this.kinds, this.nums, mark + 1, top - odd) === undefined) {
          const named = target > 0 && this.kinds[target - 1] === STRING;
          open.unshift({ container, kind, key: named ? (this.nums[target - 1] ?? -1) : -1 });
        }
        top = target;
      } else {
        top = mark;
      }
    }
    // Between MARKs a container may be complete in itself: `dict` read, STOP missing.
    const first = this.kinds[0] ?? NONE;
    if (open.length === 0 && this.top > 0 && (first === LIST || first === DICT))
      open.push({ container: this.nums[0] ?? 0, kind: first, key: -1 });
    return { kind: 'truncated', arena: this.arena, open, at: this.end };
  }

  private need(bytes: number): void {
    if (this.end - this.at < bytes) throw TRUNCATED;
  }

  private fail(why: string): never {
    throw new Ended({ kind: 'invalid', why, at: this.opAt });
  }

  private limit(what: string): never {
    throw new Ended({ kind: 'limit', what, at: this.opAt });
  }

  private refuse(opcode: number): never {
    const name = op.refusedOpcodeName(opcode);
    if (name === undefined) return this.fail(`byte 0x${opcode.toString(16).padStart(2, '0')} is not an opcode`);
    throw new Ended({ kind: 'refused', opcode: name, at: this.opAt, named: this.named(opcode) });
  }

  /** Module and name that an opcode asks for, as inert text. */
  private named(opcode: number): string | undefined {
    if (opcode === op.OP_STACK_GLOBAL) {
      const module = this.textAt(this.top - 2);
      const name = this.textAt(this.top - 1);
      return module === undefined || name === undefined ? undefined : `${module}.${name}`;
    }
    if (opcode !== op.OP_GLOBAL && opcode !== op.OP_INST) return undefined;
    const first = lineAt(this.bytes, this.at);
    const second = first === undefined ? undefined : lineAt(this.bytes, first.next);
    return first === undefined || second === undefined ? undefined : `${first.text}.${second.text}`;
  }

  private textAt(position: number): string | undefined {
    if (position < 0 || this.kinds[position] !== STRING) return undefined;
    return printable(this.arena.text(this.nums[position] ?? 0));
  }
}
