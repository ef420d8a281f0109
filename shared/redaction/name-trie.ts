/** Finds many names in a text at once: at each place the longest one that may stand there. O(n · longest name), whatever their number. */
interface Node {
  readonly next: Map<number, Node>;
  /** Set where a name ends. */
  name: string | undefined;
}

export interface NameMatch {
  readonly from: number;
  readonly to: number;
  /** As it was added, in lower case. */
  readonly name: string;
}

/** From this length on a name is also found inside a longer word: `gpu-a17` in `mygpu-a17x`. Shorter ones must stand alone. */
const LONG_NAME = 6;

export class NameTrie {
  readonly #root: Node = { next: new Map(), name: undefined };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Case is ignored. Empty names are passed over. */
  add(name: string): void {
    const lower = name.toLowerCase();
    if (lower === '') return;
    let node = this.#root;
    for (let i = 0; i < lower.length; i++) {
      const code = lower.charCodeAt(i);
      let next = node.next.get(code);
      if (next === undefined) {
        next = { next: new Map(), name: undefined };
        node.next.set(code, next);
      }
      node = next;
    }
    if (node.name === undefined) this.#size += 1;
    node.name = lower;
  }

  /** From left to right, not overlapping. */
  *matches(text: string): Generator<NameMatch> {
    const lower = foldSameLength(text);
    let at = 0;
    while (at < lower.length) {
      const name = this.#longestAt(lower, at);
      if (name === undefined) at += 1;
      else {
        yield { from: at, to: at + name.length, name };
        at += name.length;
      }
    }
  }

  #longestAt(text: string, from: number): string | undefined {
    let node: Node | undefined = this.#root;
    let best: string | undefined;
    for (let i = from; i < text.length; i++) {
      node = node.next.get(text.charCodeAt(i));
      if (node === undefined) break;
      if (node.name !== undefined && standsAlone(text, from, i + 1)) best = node.name;
    }
    return best;
  }
}

/** Lower case where that keeps the length, so that places in both texts are the same. */
function foldSameLength(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  let out = '';
  for (const character of text) {
    const one = character.toLowerCase();
    out += one.length === character.length ? one : character;
  }
  return out;
}

function standsAlone(text: string, from: number, to: number): boolean {
  const long = to - from >= LONG_NAME;
  return !joined(text, from - 1, from, long) && !joined(text, to - 1, to, long);
}

/** True if two neighbouring characters belong to one word: a longer number always, letters only beside short names. */
function joined(text: string, left: number, right: number, long: boolean): boolean {
  const [a, b] = [classOf(text.charCodeAt(left)), classOf(text.charCodeAt(right))];
  if (a === 0 || b === 0) return false;
  return long ? a === 2 && b === 2 : true;
}

/** 2 = digit, 1 = letter, 0 = anything else and outside of the text (NaN). */
function classOf(code: number): 0 | 1 | 2 {
  if (code >= 0x30 && code <= 0x39) return 2;
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code >= 0xc0) return 1;
  return 0;
}
