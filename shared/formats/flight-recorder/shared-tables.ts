/** Tables of a dump that both ways of reading entries fill: texts, and short lists of numbers, by content. */
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';

export type Tables = Pick<FlightRecorderDump, 'strings' | 'shapes' | 'stacks' | 'frames'>;

/** Longest canonical text of one entry's shapes or dtypes. */
export const MAX_TEXT = 65_536;
/** Small local group ids are kept by number. */
const SMALL = 1024;
/** In front of the sizes of each tensor of a shape: no size, whatever a file holds. */
export const TENSOR = -0.5;
/** Lists of one hash that are compared: a file made of colliding lists must not cost the square of their number. */
const MAX_SAME_HASH = 32;

/** Characters of text made of shared parts, and looks at them, that a file of this size may cost. */
export const sharedTextBudget = (bytes: number): number => bytes * 8 + 1_000_000;

/** Texts by content. */
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

/** Short lists of numbers by content. A list is collected with `push`, then looked up. */
class NumberLists {
  private buffer: Float64Array = new Float64Array(64);
  length = 0;
  private hash = 0;
  /** Hash → positions in `lists`; values that go with them. */
  private readonly byHash = new Map<number, number[]>();
  private readonly lists: Float64Array[] = [];
  private readonly values: number[] = [];

  clear(): void {
    this.length = 0;
    this.hash = 0x811c9dc5 | 0;
  }

  push(value: number): void {
    if (this.length === this.buffer.length) {
      const next = new Float64Array(this.length * 2);
      next.set(this.buffer);
      this.buffer = next;
    }
    this.buffer[this.length++] = value;
    this.hash = Math.imul(this.hash ^ (value | 0) ^ (value / 65_536), 0x01000193);
  }

  at(index: number): number {
    return this.buffer[index] ?? 0;
  }

  /** The value stored for an equal list, -1 if there is none. */
  find(): number {
    const same = this.byHash.get(this.hash);
    if (same === undefined) return -1;
    for (const at of same) if (this.equals(at)) return this.values[at] ?? -1;
    return -1;
  }

  private equals(at: number): boolean {
    const list = this.lists[at];
    if (list === undefined || list.length !== this.length) return false;
    for (let i = 0; i < this.length; i++) if (list[i] !== this.buffer[i]) return false;
    return true;
  }

  store(value: number): void {
    const at = this.lists.length;
    this.lists.push(this.buffer.slice(0, this.length));
    this.values.push(value);
    const same = this.byHash.get(this.hash);
    if (same === undefined) this.byHash.set(this.hash, [at]);
    else if (same.length < MAX_SAME_HASH) same.push(at);
  }
}

/** Lists of small whole numbers by content, numbered in the order in which they are first seen: the stacks of a dump. */
class IndexLists {
  readonly list: Int32Array[] = [];
  private buffer: Int32Array = new Int32Array(64);
  private length = 0;
  private hash = 0;
  private readonly byHash = new Map<number, number[]>();

  clear(): void {
    this.length = 0;
    this.hash = 0x811c9dc5 | 0;
  }

  push(value: number): void {
    if (this.length === this.buffer.length) {
      const next = new Int32Array(this.length * 2);
      next.set(this.buffer);
      this.buffer = next;
    }
    this.buffer[this.length++] = value;
    this.hash = Math.imul(this.hash ^ value, 0x01000193);
  }

  /** Number of the collected list; -1 if it is empty. */
  index(): number {
    if (this.length === 0) return -1;
    const same = this.byHash.get(this.hash);
    if (same !== undefined) for (const at of same) if (this.equals(this.list[at])) return at;
    const next = this.list.push(this.buffer.slice(0, this.length)) - 1;
    if (same === undefined) this.byHash.set(this.hash, [next]);
    else if (same.length < MAX_SAME_HASH) same.push(next);
    return next;
  }

  private equals(list: Int32Array | undefined): boolean {
    if (list === undefined || list.length !== this.length) return false;
    for (let i = 0; i < this.length; i++) if (list[i] !== this.buffer[i]) return false;
    return true;
  }
}

/** Frames by content. */
class FrameTable {
  readonly list: { file: string; line: number; name: string }[] = [];
  private readonly keys = new TextTable();

  index(file: string, line: number, name: string): number {
    const index = this.keys.index(`${line}\n${file}\n${name}`);
    if (index === this.list.length) this.list.push({ file, line, name });
    return index;
  }
}

/** The tables of one dump, with what is looked up in them again and again. */
export class DumpTables {
  readonly texts = new TextTable();
  readonly shapes = new TextTable();
  readonly stacks = new IndexLists();
  readonly frames = new FrameTable();
  /** Of the shape that is being read: its sizes, TENSOR in front of each tensor. */
  readonly shapeLists = new NumberLists();
  private readonly numbers: Int32Array = new Int32Array(SMALL).fill(-1);

  tables(): Tables {
    return { strings: this.texts.list, shapes: this.shapes.list, stacks: this.stacks.list, frames: this.frames.list };
  }

  /** Index of a whole number as text. */
  number(value: number): number {
    if (value < 0 || value >= SMALL) return this.texts.index(String(value));
    let index = this.numbers[value] ?? -1;
    if (index < 0) {
      index = this.texts.index(String(value));
      this.numbers[value] = index;
    }
    return index;
  }

  /** Index of the shape that was read; -1 if it is new: its text is to be kept then. */
  knownShape(): number {
    return this.shapeLists.find();
  }

  /** The shape that was read as `[[4096,1],[]]`, canonical and without blanks; undefined if it is longer than allowed. */
  shapeText(): string | undefined {
    const lists = this.shapeLists;
    if (lists.length === 0) return '[]';
    let text = '[';
    let isFirst = true;
    for (let i = 0; i < lists.length && text.length <= MAX_TEXT; i++) {
      const size = lists.at(i);
      if (size === TENSOR) {
        text += i === 0 ? '[' : '],[';
        isFirst = true;
        continue;
      }
      text += isFirst ? String(size) : `,${size}`;
      isFirst = false;
    }
    return text.length < MAX_TEXT ? `${text}]]` : undefined;
  }

  keepShape(text: string): number {
    const index = this.shapes.index(text);
    this.shapeLists.store(index);
    return index;
  }
}
