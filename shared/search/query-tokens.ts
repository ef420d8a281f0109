/** Walks over the text of a query and remembers what kind each part was. */

export interface QueryToken {
  readonly at: number;
  readonly length: number;
  readonly kind: 'text' | 'regex' | 'field' | 'value' | 'not' | 'keyword' | 'group';
}

export class QueryCursor {
  readonly text: string;
  readonly tokens: QueryToken[] = [];
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  skipSpace(): void {
    while (!this.done() && /\s/.test(this.peek())) this.at += 1;
  }

  take(length: number, kind: QueryToken['kind']): string {
    const text = this.text.slice(this.at, this.at + length);
    if (length > 0) this.tokens.push({ at: this.at, length, kind });
    this.at += length;
    return text;
  }

  /** True if the next word is exactly this one. */
  isWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    const next = this.text.charAt(this.at + word.length);
    return next === '' || /[\s()]/.test(next);
  }

  takeWord(word: string): boolean {
    this.skipSpace();
    if (!this.isWord(word)) return false;
    this.take(word.length, 'keyword');
    return true;
  }

  /** Up to the next space, or a `)` that was not opened inside the word. Takes at least one character. */
  takeTextWord(): string {
    let open = 0;
    let end = this.at;
    for (; end < this.text.length; end += 1) {
      const character = this.text.charAt(end);
      if (/\s/.test(character)) break;
      if (character === '(') open += 1;
      if (character === ')') {
        if (open === 0) break;
        open -= 1;
      }
    }
    return this.take(Math.max(1, end - this.at), 'text');
  }

  takeValue(until = ''): string {
    let end = this.at;
    while (end < this.text.length && !/[\s()"]/.test(this.text.charAt(end)) && this.text.charAt(end) !== until)
      end += 1;
    return this.take(end - this.at, 'value');
  }

  takeComma(): boolean {
    if (this.peek() !== ',') return false;
    this.take(1, 'value');
    return true;
  }

  /** The text between quotes with `\"` and `\\` undone; undefined if no quote closes it. */
  takeQuoted(kind: 'text' | 'value'): string | undefined {
    let text = '';
    for (let end = this.at + 1; end < this.text.length; end += 1) {
      const character = this.text.charAt(end);
      if (character === '"') {
        this.take(end + 1 - this.at, kind);
        return text;
      }
      const next = this.text.charAt(end + 1);
      if (character === '\\' && (next === '"' || next === '\\')) {
        text += next;
        end += 1;
      } else text += character;
    }
    return undefined;
  }
}
