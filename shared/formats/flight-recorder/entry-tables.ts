/**
 * What entries share: texts, shapes, element types, frames and stacks of a dump, each stored once.
 *
 * Entries come with lists of their own that say the same again and again, so lists are compared by content (numbers and ids, by
 * a hash) before any text is made of them, and by arena id before that. Text made of shared parts has a budget in proportion
 * to the file: a few bytes of references could otherwise stand for gigabytes.
 */
import { DICT, INT, LIST, STRING, TUPLE, type ValueArena } from '../../codecs/value-arena/index.ts';
import { DumpTables, MAX_TEXT, sharedTextBudget, type Tables, TENSOR } from './shared-tables.ts';

const UNKNOWN = -2;
const INVALID = -3;
export class EntryTables {
  private readonly arena: ValueArena;
  private readonly shared = new DumpTables();
  // By arena id; UNKNOWN = not looked at yet, INVALID = of a wrong type.
  private readonly stringIndex: Int32Array;
  private readonly dtypeOfString: Int32Array;
  private readonly shapeOf: Int32Array;
  private readonly dtypesOf: Int32Array;
  private readonly stackOf: Int32Array;
  private readonly frameOf: Int32Array;
  private budget: number;

  constructor(arena: ValueArena) {
    this.arena = arena;
    const { stringCount, containerCount } = arena;
    this.stringIndex = new Int32Array(stringCount).fill(UNKNOWN);
    this.dtypeOfString = new Int32Array(stringCount).fill(UNKNOWN);
    this.shapeOf = new Int32Array(containerCount).fill(UNKNOWN);
    this.dtypesOf = new Int32Array(containerCount).fill(UNKNOWN);
    this.stackOf = new Int32Array(containerCount).fill(UNKNOWN);
    this.frameOf = new Int32Array(containerCount).fill(UNKNOWN);
    this.budget = sharedTextBudget(arena.bytes.length);
  }

  tables(): Tables {
    return this.shared.tables();
  }

  text(text: string): number {
    return this.shared.texts.index(text);
  }

  /** Index of a string of the arena. */
  string(id: number): number {
    let index = this.stringIndex[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.shared.texts.index(this.arena.text(id));
      this.stringIndex[id] = index;
    }
    return index;
  }

  /** Index of a whole number as text. */
  number(value: number): number {
    return this.shared.number(value);
  }

  /** Index of `[[4096,1],[]]`; negative unless the container is a list of lists of whole numbers. */
  shape(id: number): number {
    let index = this.shapeOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.newShape(id);
      this.shapeOf[id] = index;
    }
    return index;
  }

  private newShape(id: number): number {
    if (!this.collectShape(id)) return INVALID;
    const known = this.shared.knownShape();
    if (known >= 0) return known;
    const text = this.spend(this.shared.shapeText());
    return text === undefined ? INVALID : this.shared.keepShape(text);
  }

  /** Collects the sizes, TENSOR in front of each tensor. False if it is no list of lists of whole numbers, or longer than allowed. */
  private collectShape(id: number): boolean {
    const { arena } = this;
    const { shapeLists } = this.shared;
    let left = MAX_TEXT / 2;
    shapeLists.clear();
    for (let chunk = arena.firstChunk(id); chunk >= 0; chunk = arena.nextChunk(chunk)) {
      const end = arena.chunkEnd(chunk);
      for (let at = arena.chunkStart(chunk); at < end; at++) {
        const kind = arena.kindAt(at);
        if ((kind !== LIST && kind !== TUPLE) || left-- < 0) return false;
        shapeLists.push(TENSOR);
        const inner = arena.numAt(at);
        left -= arena.count(inner);
        if (left < 0) return false;
        for (let part = arena.firstChunk(inner); part >= 0; part = arena.nextChunk(part)) {
          const last = arena.chunkEnd(part);
          for (let size = arena.chunkStart(part); size < last; size++) {
            if (arena.kindAt(size) !== INT) return false;
            shapeLists.push(arena.numAt(size));
          }
        }
      }
    }
    // Looking costs as much as the list is long, however few bytes refer to it.
    this.budget -= MAX_TEXT / 2 - left;
    return this.budget >= 0;
  }

  /** Index of dtypes joined by `,`; negative unless the container is a list of texts. */
  dtypes(id: number): number {
    const { arena } = this;
    const chunk = arena.firstChunk(id);
    if (chunk >= 0 && arena.count(id) === 1) {
      const at = arena.chunkStart(chunk);
      if (arena.kindAt(at) !== STRING) return INVALID;
      const string = arena.numAt(at);
      let index = this.dtypeOfString[string] ?? UNKNOWN;
      if (index === UNKNOWN) {
        const text = arena.text(string);
        index = text.length > MAX_TEXT ? INVALID : this.shared.texts.index(text);
        this.dtypeOfString[string] = index;
      }
      return index;
    }
    let index = this.dtypesOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      const text = this.spend(dtypesText(arena, id));
      index = text === undefined ? INVALID : this.shared.texts.index(text);
      this.dtypesOf[id] = index;
    }
    return index;
  }

  /** The text, if the budget still allows it. */
  private spend(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    this.budget -= text.length;
    return this.budget < 0 ? undefined : text;
  }

  /** Index of a list of frames; -1 if it is empty, less if something in it is no frame. */
  stack(id: number): number {
    let index = this.stackOf[id] ?? UNKNOWN;
    if (index === UNKNOWN) {
      index = this.newStack(id);
      this.stackOf[id] = index;
    }
    return index;
  }

  private newStack(id: number): number {
    const { arena } = this;
    const { stacks } = this.shared;
    stacks.clear();
    for (let chunk = arena.firstChunk(id); chunk >= 0; chunk = arena.nextChunk(chunk)) {
      const end = arena.chunkEnd(chunk);
      for (let at = arena.chunkStart(chunk); at < end; at++) {
        if (arena.kindAt(at) !== DICT) return INVALID;
        const dict = arena.numAt(at);
        let frame = this.frameOf[dict] ?? UNKNOWN;
        if (frame === UNKNOWN) {
          frame = this.newFrame(dict);
          this.frameOf[dict] = frame;
        }
        if (frame < 0) return INVALID;
        stacks.push(frame);
      }
    }
    return stacks.index();
  }

  private newFrame(id: number): number {
    const { arena } = this;
    let name: string | undefined;
    let file: string | undefined;
    let line: number | undefined;
    arena.pairs(id, (keyAt, valueAt) => {
      const key = arena.stringAt(keyAt);
      if (key === 'name') name = arena.stringAt(valueAt);
      else if (key === 'filename') file = arena.stringAt(valueAt);
      else if (key === 'line') line = arena.intAt(valueAt);
    });
    if (name === undefined || file === undefined || line === undefined) return INVALID;
    return this.shared.frames.index(file, line, name);
  }
}

/** dtypes joined by `,`; undefined unless it is a list of texts. */
function dtypesText(arena: ValueArena, id: number): string | undefined {
  let text = '';
  let good = true;
  arena.each(id, (item, i) => {
    const part = arena.stringAt(item);
    if (part === undefined || text.length + part.length > MAX_TEXT) good = false;
    else text += i === 0 ? part : `,${part}`;
    return good;
  });
  return good ? text : undefined;
}
