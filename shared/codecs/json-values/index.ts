/**
 * Reads JSON (RFC 8259) into a `ValueArena`: integers of any size stay exact, equal strings are stored once, and text that
 * ends early still gives the whole values before the cut.
 *
 *   {"t": 1758581237532111217, "s": ["a", "a"]}   →   t = DIGITS "1758581237532111217", both "a" one string id
 *
 * `JSON.parse` would round such a time stamp to a multiple of 256 and give nothing for a cut file.
 * Also accepted, because Python writes them: NaN, Infinity, -Infinity (as FLOAT). Not covered: comments, byte order marks other than UTF-8's.
 * Cost: O(bytes). Does not throw because of input; nesting is limited, not recursive.
 */
import {
  type ArenaLimits,
  DEFAULT_ARENA_LIMITS,
  DICT,
  DIGITS,
  FALSE,
  FLOAT,
  HUGE,
  INT,
  LIST,
  NONE,
  STRING,
  TRUE,
  ValueArena,
} from '../value-arena/index.ts';
import type { DecodedNot, DecodedPart, DecodedWhole, OpenContainer } from '../value-arena/outcome.ts';
import { StringTable } from './string-table.ts';

export type JsonOutcome = DecodedWhole | DecodedPart | DecodedNot;

const TRUNCATED = Symbol('truncated');
class Ended extends Error {
  readonly outcome: DecodedNot;
  constructor(outcome: DecodedNot) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_DICT = 0x7b;
const CLOSE_DICT = 0x7d;
const MAX_NUMBER = 400;

/** Decodes one JSON text. Empty or blank input gives `truncated` with nothing open. */
export function readJsonValues(bytes: Uint8Array, limits: ArenaLimits = DEFAULT_ARENA_LIMITS): JsonOutcome {
  return new JsonReader(new ValueArena(bytes, limits)).run();
}

class JsonReader {
  private readonly arena: ValueArena;
  private readonly bytes: Uint8Array;
  private readonly strings: StringTable;
  private at = 0;
  /** Values waiting for their container; `bases[depth]` is where those of an open container begin. */
  private kinds: Uint8Array = new Uint8Array(1024);
  private nums: Float64Array = new Float64Array(1024);
  private top = 0;
  private readonly containers: number[] = [];
  private readonly containerKinds: number[] = [];
  private readonly bases: number[] = [];

  constructor(arena: ValueArena) {
    this.arena = arena;
    this.bytes = arena.bytes;
    this.strings = new StringTable(arena);
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.at = 3;
  }

  run(): JsonOutcome {
    try {
      do this.value();
      while (this.containers.length > 0);
      const end = this.at;
      this.blank();
      return {
        kind: 'value',
        arena: this.arena,
        rootKind: this.kinds[0] ?? NONE,
        rootNum: this.nums[0] ?? 0,
        end: this.at === this.bytes.length ? this.at : end,
      };
    } catch (error) {
      if (error instanceof Ended) return error.outcome;
      if (error === TRUNCATED) return this.unwind();
      throw error;
    }
  }

  /** Reads one value with the key before it, or closes containers, up to the place where the next value begins. */
  private value(): void {
    const depth = this.containers.length;
    if (depth > 0 && this.containerKinds[depth - 1] === DICT) this.key();
    const byte = this.next();
    if (byte === OPEN_LIST || byte === OPEN_DICT) {
      this.open(byte === OPEN_LIST ? LIST : DICT);
      if (this.peek() === (byte === OPEN_LIST ? CLOSE_LIST : CLOSE_DICT)) {
        this.at++;
        this.close();
      } else return;
    } else this.scalar(byte);
    this.separators();
  }

  /** After a value: a comma leads to the next one, closing brackets end containers. */
  private separators(): void {
    while (this.containers.length > 0) {
      const byte = this.next();
      if (byte === COMMA) return;
      const kind = this.containerKinds[this.containerKinds.length - 1];
      if (byte !== (kind === LIST ? CLOSE_LIST : CLOSE_DICT)) this.fail('a comma or a closing bracket is missing');
      this.close();
    }
  }

  private key(): void {
    if (this.next() !== QUOTE) this.fail('a key in quotes is missing');
    this.string();
    if (this.next() !== COLON) this.fail('a colon is missing');
  }

  private open(kind: number): void {
    if (this.containers.length >= this.arena.limits.maxDepth)
      this.limit(`${this.arena.limits.maxDepth} containers inside each other`);
    const id = this.arena.addContainer(kind);
    if (id < 0) this.limit(`${this.arena.limits.maxContainers} containers`);
    this.containers.push(id);
    this.containerKinds.push(kind);
    this.bases.push(this.top);
  }

  private close(): void {
    const id = this.containers.pop() ?? 0;
    const kind = this.containerKinds.pop() ?? LIST;
    const base = this.bases.pop() ?? 0;
    if (this.arena.extend(id, this.kinds, this.nums, base, this.top) !== undefined)
      this.limit(`${this.arena.limits.maxItems} values`);
    this.top = base;
    this.push(kind, id);
  }

  private scalar(byte: number): void {
    if (byte === QUOTE) this.string();
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.number();
    else if (byte === 0x74) this.word('true', TRUE, 1);
    else if (byte === 0x66) this.word('false', FALSE, 0);
    else if (byte === 0x6e) this.word('null', NONE, 0);
    else if (byte === 0x4e) this.word('NaN', FLOAT, Number.NaN);
    else if (byte === 0x49) this.word('Infinity', FLOAT, Number.POSITIVE_INFINITY);
    else this.fail('a value is missing');
  }

  /** `at` stands behind the first letter. */
  private word(word: string, kind: number, num: number): void {
    for (let i = 1; i < word.length; i++) {
      if (this.at >= this.bytes.length) throw TRUNCATED;
      if (this.bytes[this.at++] !== word.charCodeAt(i)) this.fail('a value is missing');
    }
    this.push(kind, num);
  }

  private number(): void {
    const start = this.at - 1;
    if (this.bytes[start] === 0x2d && this.bytes[this.at] === 0x49) {
      this.at++;
      this.word('Infinity', FLOAT, Number.NEGATIVE_INFINITY);
      return;
    }
    let whole = true;
    for (;;) {
      // A number at the very end may go on behind the cut, unless it is the root itself.
      if (this.at >= this.bytes.length && this.containers.length > 0) throw TRUNCATED;
      const byte = this.bytes[this.at] ?? 0;
      if (byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === 0x2d) whole = false;
      else if (byte < 0x30 || byte > 0x39) break;
      this.at++;
      if (this.at - start > MAX_NUMBER) this.fail('a number without end');
    }
    let text = '';
    for (let i = start; i < this.at; i++) text += String.fromCharCode(this.bytes[i] ?? 0);
    const value = Number(text);
    if (Number.isNaN(value) || text === '-') this.fail('a number is malformed');
    if (!whole) this.push(FLOAT, value);
    else if (Number.isSafeInteger(value)) this.push(INT, value);
    else if (text.length > 20) this.push(HUGE, 0);
    else this.pushText(DIGITS, this.arena.addText(text, start, this.at - start));
  }

  /** `at` stands behind the opening quote. */
  private string(): void {
    const start = this.at;
    let escaped = false;
    for (;;) {
      if (this.at >= this.bytes.length) throw TRUNCATED;
      const byte = this.bytes[this.at++] ?? 0;
      if (byte === QUOTE) break;
      if (byte === 0x5c) {
        escaped = true;
        this.at++;
      }
    }
    this.pushText(STRING, this.strings.intern(start, this.at - 1 - start, escaped));
  }

  private pushText(kind: number, id: number): void {
    if (id < 0) this.limit(`${this.arena.limits.maxStrings} strings`);
    this.push(kind, id);
  }

  private push(kind: number, num: number): void {
    const at = this.top;
    if (at === this.kinds.length) {
      if (at * 2 > this.arena.limits.maxItems) this.limit(`${this.arena.limits.maxItems} values`);
      const kinds = new Uint8Array(at * 2);
      kinds.set(this.kinds);
      const nums = new Float64Array(at * 2);
      nums.set(this.nums);
      this.kinds = kinds;
      this.nums = nums;
    }
    this.kinds[at] = kind;
    this.nums[at] = num;
    this.top = at + 1;
  }

  private blank(): void {
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    }
  }

  private next(): number {
    this.blank();
    if (this.at >= this.bytes.length) throw TRUNCATED;
    return this.bytes[this.at++] ?? 0;
  }

  private peek(): number {
    this.blank();
    if (this.at >= this.bytes.length) throw TRUNCATED;
    return this.bytes[this.at] ?? 0;
  }

  private unwind(): DecodedPart {
    const open: OpenContainer[] = [];
    let top = this.top;
    for (let depth = this.containers.length - 1; depth >= 0; depth--) {
      const container = this.containers[depth] ?? 0;
      const kind = this.containerKinds[depth] ?? LIST;
      const base = this.bases[depth] ?? 0;
      const odd = kind === DICT && (top - base) % 2 !== 0 ? 1 : 0;
      const failed = this.arena.extend(container, this.kinds, this.nums, base, Math.max(base, top - odd)) !== undefined;
      const named = depth > 0 && this.containerKinds[depth - 1] === DICT && base > 0;
      if (!failed) open.unshift({ container, kind, key: named ? (this.nums[base - 1] ?? -1) : -1 });
      top = base;
    }
    return { kind: 'truncated', arena: this.arena, open, at: this.bytes.length };
  }

  private fail(why: string): never {
    throw new Ended({ kind: 'invalid', why, at: Math.max(0, this.at - 1) });
  }

  private limit(what: string): never {
    throw new Ended({ kind: 'limit', what, at: this.at });
  }
}
