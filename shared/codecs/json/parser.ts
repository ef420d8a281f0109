/**
 * A recursive-descent JSON reader (RFC 8259) that knows where each value stands and that can skip a value without
 * building it. Linear in the text. Throws `JsonFault` with the offset; nothing else because of the input.
 */
import type { DocLimits, DocValue } from '../document-tree.ts';

export class JsonFault extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LONGEST_NUMBER = 400;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export class JsonParser {
  readonly text: string;
  readonly limits: DocLimits;
  at = 0;
  private nodes = 0;

  constructor(text: string, limits: DocLimits) {
    this.text = text;
    this.limits = limits;
  }

  /** Starts counting values anew: once per document or item. */
  resetBudget(): void {
    this.nodes = 0;
  }

  skipSpace(): void {
    for (; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 0xfeff) return;
    }
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  fault(reason: string, at = this.at): never {
    throw new JsonFault(at >= this.text.length ? 'the text ends too early' : reason, at);
  }

  expect(char: string): void {
    if (this.text[this.at] !== char) this.fault(`'${char}' expected`);
    this.at += 1;
  }

  /** Reads a value; the position must be at its first character. */
  value(depth = 0): DocValue {
    this.nodes += 1;
    if (this.nodes > this.limits.maxNodes) this.fault(`more than ${this.limits.maxNodes} values`);
    switch (this.text[this.at]) {
      case '{':
        return this.map(depth);
      case '[':
        return this.list(depth);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  /** Moves behind a value without building it; checks its form all the same. */
  skipValue(depth = 0): void {
    const char = this.text[this.at];
    if (char === '{') this.members(depth, () => this.skipValue(depth + 1));
    else if (char === '[') this.elements(depth, () => this.skipValue(depth + 1));
    else if (char === '"') this.string();
    else this.value(depth);
    this.nodes = 0;
  }

  /** Walks over `{ … }`; `each` must consume the value of the key it is given. */
  members(depth: number, each: (key: string) => void): void {
    this.enter(depth);
    this.skipSpace();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.skipSpace();
      const key = this.string();
      this.skipSpace();
      this.expect(':');
      this.skipSpace();
      each(key);
      if (!this.more('}')) return;
    }
  }

  /** Walks over `[ … ]`; `each` must consume one element. */
  elements(depth: number, each: () => void): void {
    this.enter(depth);
    this.skipSpace();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.skipSpace();
      each();
      if (!this.more(']')) return;
    }
  }

  /** True behind a comma, false behind the closing character. */
  more(close: string): boolean {
    this.skipSpace();
    const char = this.text[this.at];
    if (char !== ',' && char !== close) this.fault(`',' or '${close}' expected`);
    this.at += 1;
    return char === ',';
  }

  private enter(depth: number): void {
    if (depth >= this.limits.maxDepth) this.fault(`nested deeper than ${this.limits.maxDepth}`);
    this.at += 1;
  }

  private map(depth: number): DocValue {
    const at = this.at;
    const entries = new Map<string, DocValue>();
    this.members(depth, (key) => entries.set(key, this.value(depth + 1)));
    return { kind: 'map', at, end: this.at, entries };
  }

  private list(depth: number): DocValue {
    const at = this.at;
    const items: DocValue[] = [];
    this.elements(depth, () => items.push(this.value(depth + 1)));
    return { kind: 'list', at, items };
  }

  private string(): string {
    if (this.text[this.at] !== '"') this.fault('a string expected');
    const start = this.at + 1;
    let from = start;
    let out = '';
    for (let i = start; ; i += 1) {
      const code = this.text.charCodeAt(i);
      if (code === 34) {
        this.at = i + 1;
        return out + this.text.slice(from, i);
      }
      if (code === 92) {
        out += this.text.slice(from, i);
        const [char, length] = this.escape(i);
        out += char;
        i += length - 1;
        from = i + 1;
      } else if (code < 32 || Number.isNaN(code)) this.fault('a control character inside a string', i);
    }
  }

  private escape(at: number): readonly [char: string, length: number] {
    const letter = this.text[at + 1] ?? '';
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) return [simple, 2];
    const hex = this.text.slice(at + 2, at + 6);
    if (letter !== 'u' || !HEX4.test(hex))
      this.fault('an unknown escape', at + 6 > this.text.length ? this.text.length : at);
    return [String.fromCharCode(Number.parseInt(hex, 16)), 6];
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fault('a value expected', this.cutAt(word));
    this.at += word.length;
    return value;
  }

  /** The end of the text if it was cut inside `word`, else the position. */
  private cutAt(word: string): number {
    const rest = this.text.slice(this.at, this.at + word.length);
    return rest.length < word.length && word.startsWith(rest) ? this.text.length : this.at;
  }

  private number(): number | string {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text)?.[0];
    if (found === undefined || found.length > LONGEST_NUMBER) this.fault('a value expected');
    this.at += found.length;
    const value = Number(found);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? found : value;
  }
}
