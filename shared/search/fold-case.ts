/**
 * An expression that takes both cases of ASCII letters, written so that it needs no flag: V8's linear-time engine knows no `i`.
 *
 *   err[a-f]\d  →  [eE][rR][rR][a-fA-F]\d
 *
 * Undefined for sources with parts whose letters mean something else (names of groups, code points) or with ranges that cannot be
 * doubled: those keep the flag.
 */
export function foldCase(source: string): string | undefined {
  if (/\(\?<[^=!]|\\[kcxupP]|[^\x00-\x7f]/.test(source)) return undefined;
  let folded = '';
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') {
      folded += source.slice(at, at + 2);
      at += 1;
    } else if (!inClass) {
      if (character === '[') inClass = true;
      folded += isLetter(character) ? `[${both(character)}]` : character;
    } else if (character === ']') {
      inClass = false;
      folded += character;
    } else {
      const to = source.charAt(at + 2);
      if (source.charAt(at + 1) === '-' && to !== ']' && to !== '') {
        const range = doubled(character, to);
        if (range === undefined) return undefined;
        folded += range;
        at += 2;
      } else folded += isLetter(character) ? both(character) : character;
    }
  }
  return folded;
}

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character);
const both = (letter: string): string => letter.toLowerCase() + letter.toUpperCase();

/** `a-f` → `a-fA-F`; ranges without letters stay; others cannot be told. */
function doubled(from: string, to: string): string | undefined {
  if (/^[a-z]{2}$|^[A-Z]{2}$/.test(from + to))
    return `${from.toLowerCase()}-${to.toLowerCase()}${from.toUpperCase()}-${to.toUpperCase()}`;
  return /^\d\d$/.test(from + to) ? `${from}-${to}` : undefined;
}
