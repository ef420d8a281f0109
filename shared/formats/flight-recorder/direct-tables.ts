/** The tables of a dump that is read directly: texts by their id, frames and stacks by what the memo holds, shapes by their bytes. */
import * as op from '../../codecs/pickle/opcodes.ts';
import { DUMP_STATES } from '../../model/flight-recorder.ts';
import { OpcodeCursor } from './opcode-cursor.ts';
import { DumpTables, MAX_TEXT, sharedTextBudget, type Tables, TENSOR } from './shared-tables.ts';

const UNKNOWN = -2;
/** Places for shapes whose bytes were seen, by a hash; a power of two. */
const SEEN = 256;

export class DirectTables extends OpcodeCursor {
  private readonly shared = new DumpTables();
  private budget = 0;
  // By text id.
  private stringIndex: Int32Array = new Int32Array(256).fill(UNKNOWN);
  private states: Int8Array = new Int8Array(256).fill(UNKNOWN);
  // By hash of the bytes of a shape: where such bytes stand, how many, and the shape.
  private readonly seenAt: Int32Array = new Int32Array(SEEN);
  private readonly seenBytes: Int32Array = new Int32Array(SEEN);
  private readonly seenShape: Int32Array = new Int32Array(SEEN);

  protected startTables(): void {
    this.budget = sharedTextBudget(this.end);
  }

  tables(): Tables {
    return this.shared.tables();
  }

  protected textIndex(text: string): number {
    return this.shared.texts.index(text);
  }

  /** Index of a text of the dump. */
  protected indexOf(id: number): number {
    if (id >= this.stringIndex.length) this.growByText(id);
    let index = this.stringIndex[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.shared.texts.index(this.text(id));
      this.stringIndex[id] = index;
    }
    return index;
  }

  protected stateOf(id: number): number {
    if (id >= this.states.length) this.growByText(id);
    let state = this.states[id] ?? UNKNOWN;
    if (state === UNKNOWN) {
      state = Math.max(0, (DUMP_STATES as readonly string[]).indexOf(this.text(id)));
      this.states[id] = state;
    }
    return state;
  }

  private growByText(id: number): void {
    const size = 2 ** Math.ceil(Math.log2(id + 1));
    const index = new Int32Array(size).fill(UNKNOWN);
    index.set(this.stringIndex);
    const states = new Int8Array(size).fill(UNKNOWN);
    states.set(this.states);
    this.stringIndex = index;
    this.states = states;
  }

  /** Index of a whole number as text. */
  protected numberText(value: number): number {
    return this.shared.number(value);
  }

  /** Reads EMPTY_LIST MARK. */
  protected openList(): boolean {
    const { bytes, at } = this;
    if (bytes[at] !== op.OP_EMPTY_LIST || bytes[at + 1] !== op.OP_MARK) {
      this.bad = true;
      return false;
    }
    this.at = at + 2;
    return true;
  }

  /** True, and past it, if the list that is being read ends here. */
  protected listEnds(): boolean {
    if (this.bytes[this.at] !== op.OP_APPENDS) return false;
    this.at++;
    return true;
  }

  /** Index of the shape that stands here. It holds no references, so equal bytes are equal shapes. */
  protected shape(): number {
    const { at, end, view } = this;
    const place =
      at + 12 <= end
        ? (Math.imul(view.getInt32(at + 4, true) ^ view.getInt32(at + 8, true), 0x9e3779b1) >>> 24) & (SEEN - 1)
        : 0;
    const size = this.seenBytes[place] ?? 0;
    if (size > 0 && this.isSame(this.seenAt[place] ?? 0, at, size)) {
      this.at = at + size;
      return this.seenShape[place] ?? 0;
    }
    const index = this.newShape();
    this.seenAt[place] = at;
    this.seenBytes[place] = this.bad ? 0 : this.at - at;
    this.seenShape[place] = index;
    return index;
  }

  private isSame(a: number, b: number, size: number): boolean {
    const { bytes } = this;
    if (b + size > this.end) return false;
    for (let i = 0; i < size; i++) if (bytes[a + i] !== bytes[b + i]) return false;
    return true;
  }

  private newShape(): number {
    const { shapeLists } = this.shared;
    let left = MAX_TEXT / 2;
    shapeLists.clear();
    if (!this.openList()) return -1;
    while (!this.bad && !this.listEnds()) {
      if (!this.openList() || --left < 0) this.bad = true;
      shapeLists.push(TENSOR);
      while (!this.bad && !this.listEnds()) {
        if (--left < 0) this.bad = true;
        shapeLists.push(this.int());
      }
    }
    if (this.bad) return -1;
    const known = this.shared.knownShape();
    if (known >= 0) return known;
    const text = this.shared.shapeText();
    if (text !== undefined) return this.shared.keepShape(text);
    this.bad = true;
    return -1;
  }

  /** Index of the element types that stand here. */
  protected dtypes(): number {
    if (!this.openList()) return -1;
    if (this.listEnds()) return this.shared.texts.index('');
    const first = this.string();
    if (this.listEnds()) {
      if (this.text(first).length > MAX_TEXT) this.bad = true;
      return this.indexOf(first);
    }
    let text = this.text(first);
    while (!this.bad && !this.listEnds()) {
      text += `,${this.text(this.string())}`;
      if (text.length > MAX_TEXT) this.bad = true;
    }
    this.spend(text.length);
    return this.bad ? -1 : this.shared.texts.index(text);
  }

  /** Short references may stand for long texts: what they cost is bounded as in the general way. */
  private spend(characters: number): void {
    this.budget -= characters;
    if (this.budget < 0) this.bad = true;
  }

  /** Index of the stack that stands here; -1 if it has no frames. */
  protected stack(): number {
    const { stacks } = this.shared;
    stacks.clear();
    if (!this.openList()) return -1;
    while (!this.bad && !this.listEnds()) {
      const frame = this.bytes[this.at] === op.OP_EMPTY_DICT ? this.newFrame() : -2 - this.ref();
      if (frame < 0) this.bad = true;
      stacks.push(frame);
    }
    return this.bad ? -1 : stacks.index();
  }

  private newFrame(): number {
    const { bytes } = this;
    if (bytes[this.at + 1] !== op.OP_MARK) return -1;
    this.at += 2;
    let name: string | undefined;
    let file: string | undefined;
    let line: number | undefined;
    while (!this.bad && bytes[this.at] !== op.OP_SETITEMS) {
      const key = this.text(this.string());
      if (key === 'line') line = this.int();
      else if (key === 'name') name = this.text(this.string());
      else if (key === 'filename') file = this.text(this.string());
      else this.bad = true;
    }
    this.at++;
    if (this.bad || name === undefined || file === undefined || line === undefined) return -1;
    const frame = this.shared.frames.index(file, line, name);
    if (this.isPut()) this.put(-2 - frame);
    return frame;
  }
}
