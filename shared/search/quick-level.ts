/**
 * Severity of a plain line from its bytes: `line-level.ts` in short. Nearly all lines either hold nothing that could begin a mark, or a
 * logger's word as the first such thing; what is neither is left to the expressions (`UNSURE`).
 */
import type { Level } from './query.ts';

export const UNSURE = Symbol('unsure');

/** As in `line-level.ts`. */
const LOOK = 240;
const MAX_HEAD = 800;

const WORDS: readonly (readonly [word: Uint8Array, level: Level])[] = (
  [
    ['FATAL', 'fatal'],
    ['CRITICAL', 'fatal'],
    ['ERROR', 'error'],
    ['WARNING', 'warn'],
    ['WARN', 'warn'],
    ['INFO', 'info'],
    ['DEBUG', 'debug'],
    ['TRACE', 'debug'],
    ['NOTICE', 'info'],
  ] as const
).map(([word, level]) => [Uint8Array.from(word, (letter) => letter.charCodeAt(0)), level]);

const UPPER = 1;
const HEADER = 2;
const KEY = 4;

/** What a byte may begin: a word or header by its capital, a key by its first letter. */
const KINDS = new Uint8Array(256);
for (const letter of 'FCEWIDTN') KINDS[letter.charCodeAt(0)] = UPPER;
for (const letter of 'VIWEFC') KINDS[letter.charCodeAt(0)] = (KINDS[letter.charCodeAt(0)] ?? 0) | HEADER;
for (const letter of 'lLs') KINDS[letter.charCodeAt(0)] = KEY;

const BEFORE = byteSet(' \t\v\f\r\n[|(:="\'<-');
const BEHIND = byteSet(' \t\v\f\r\n]|):"\',>-');
/** Letters that the lines begin with which a fatal or grave message begins with, names of exceptions apart. */
const GRAVE_START = byteSet('FtSATNOM*');
const NAME = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.');

function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

/**
 * Severity of the line [from, end), ASCII without CR, ESC and NUL. `look`: where to begin, at `from` or behind a runtime's stamp, in which
 * no mark can begin. `message`: where the message begins behind all envelopes.
 */
export function quickLevel(
  bytes: Uint8Array,
  from: number,
  look: number,
  message: number,
  end: number,
): Level | null | typeof UNSURE {
  if (mayBeGrave(bytes, message, end)) return UNSURE;
  const stop = Math.min(end, from + LOOK);
  for (let at = look; at < stop; at += 1) {
    const kind = KINDS[bytes[at] ?? 0] ?? 0;
    if (kind === 0) continue;
    const next = at + 1 < stop ? (bytes[at + 1] ?? 0) : 0;
    if (kind === KEY) {
      if (next === 101 || next === 118) if (mayBeKey(bytes, at, next, stop)) return UNSURE;
      continue;
    }
    if ((kind & HEADER) !== 0 && mayBeHeader(bytes, from, at, next)) return UNSURE;
    // `UserWarning: `
    if (next === 97 && bytes[at] === 87) return UNSURE;
    if ((kind & UPPER) === 0 || next < 65 || next > 90) continue;
    if (at > from && BEFORE[bytes[at - 1] ?? 0] === 0) continue;
    const level = wordAt(bytes, at, stop);
    if (level !== undefined) return level;
  }
  return null;
}

function wordAt(bytes: Uint8Array, at: number, stop: number): Level | undefined {
  for (const [word, level] of WORDS) {
    const behind = at + word.length;
    if (behind > stop || (behind < stop && BEHIND[bytes[behind] ?? 0] === 0)) continue;
    let i = 0;
    while (i < word.length && bytes[at + i] === word[i]) i += 1;
    if (i === word.length) return level;
  }
  return undefined;
}

/** `E1129 17:15:19` or `[E file.cpp:474]`. */
function mayBeHeader(bytes: Uint8Array, from: number, at: number, next: number): boolean {
  if (next >= 48 && next <= 57) return true;
  return next === 32 && at > from && bytes[at - 1] === 91;
}

/** `level`, `Level`, `lvl`, `severity`; `levelname` begins like the first. */
function mayBeKey(bytes: Uint8Array, at: number, next: number, stop: number): boolean {
  if (at + 2 >= stop) return false;
  const third = bytes[at + 2];
  return next === 101 ? third === 118 : third === 108;
}

/** A message that may begin with a fatal word or with the name of an exception. */
function mayBeGrave(bytes: Uint8Array, message: number, end: number): boolean {
  const first = bytes[message] ?? 0;
  if (message >= end) return false;
  if (GRAVE_START[first] === 1 && startsGrave(bytes, message)) return true;
  if (NAME[first] === 0) return false;
  let at = message;
  const stop = Math.min(end, message + MAX_HEAD);
  while (at < stop && NAME[bytes[at] ?? 0] === 1) at += 1;
  if (at < end && bytes[at] !== 58 && at < stop) return false;
  // …Error, …Exception, …Interrupt
  const last = bytes[at - 1];
  return at === stop || last === 114 || last === 110 || last === 116;
}

/** By the second and third letter of Fa tal, te rminate, Se gmentation, Ab orted, Tr aceback, NV RM, Ou t, Me mory, ** *. */
function startsGrave(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1];
  switch (bytes[at]) {
    case 70:
      return second === 97;
    case 116:
    case 83:
    case 77:
      return second === 101;
    case 65:
      return second === 98;
    case 84:
      return second === 114;
    case 78:
      return second === 86;
    case 79:
      return second === 117;
    default:
      return second === 42;
  }
}
