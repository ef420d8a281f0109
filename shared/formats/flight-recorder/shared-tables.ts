/** Tables of a dump that both ways of reading entries fill: texts, and short lists of numbers, by content. */
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';

export type Tables = Pick<FlightRecorderDump, 'strings' | 'shapes' | 'stacks' | 'frames'>;

/** Longest canonical text of one entry's shapes or dtypes. */
export const MAX_TEXT = 65_536;
/** Small local group ids are kept by number. */
export const SMALL = 1024;
/** In front of the sizes of each tensor of a shape: no size, whatever a file holds. */
export const TENSOR = -0.5;
/** Lists of one hash that are compared: a file made of colliding lists must not cost the square of their number. */
const MAX_SAME_HASH = 32;

/** Characters of text made of shared parts, and looks at them, that a file of this size may cost. */
export const sharedTextBudget = (bytes: number): number => bytes * 8 + 1_000_000;

/** Texts by content. */
export class TextTable {
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
export class NumberLists {
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
export class IndexLists {
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
export class FrameTable {
  readonly list: { file: string; line: number; name: string }[] = [];
  private readonly keys = new TextTable();

  index(file: string, line: number, name: string): number {
    const index = this.keys.index(`${line}\n${file}\n${name}`);
    if (index === this.list.length) this.list.push({ file, line, name });
    return index;
  }
}
