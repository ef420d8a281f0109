/**
 * The quick way past plain lines of a log, as WebAssembly (AssemblyScript). Does what `shared/formats/log/quick-lines.ts` does with
 * `byte-finder.ts` and `quick-layers.ts`, which are its twin: the same lines taken, the same numbers read, held to it by a test. Only how it
 * looks for anchors is its own: with threes in place of pairs a look tells more, and costs no more here.
 *
 * Memory, laid out and filled by `line-scanner.ts` (the same numbers stand there):
 *
 *   TRIPLES   by a hash of three bytes: 1 if an anchor begins so, 2 if one ends so
 *   PRESENT   1 where a hash of four bytes belongs to an anchor
 *   ANCHORS   open addressing: four bytes, index of the first of its literals, how many
 *   LITERALS  where the text of each stands, its length, bytes up to and including its anchor's last one
 *   STARTS    what may begin with a byte, behind the stamp
 *   MINUTES   the minute of the outer and of an inner stamp: sixteen bytes, seconds since 1970
 *   RECORDS   one a plain line: end, text, seconds, ms, rank, flags
 */

// Called for a minute that is not the known one; writes it and returns 1, or 0 if it is none.
@external("env", "learn")
declare function learn(at: usize, minute: usize): i32;

const PRESENT: usize = 16384;
const ANCHORS: usize = 81920;
const ANCHOR_MASK: u32 = 1023;
const LITERALS: usize = 94208;
const STARTS: usize = 118784;
const OUTER_MINUTE: usize = 119040;
const INNER_MINUTE: usize = 119072;
const RECORDS: usize = 122880;
const MAX_RECORDS: i32 = 2048;
const TRIPLES: usize = 737280;

const SPLICED_FROM: i32 = 8192;
// Bytes behind a line that its layers may be judged by: a line nearer to the block's end is left to the twin, for which nothing stands there.
const EDGE: i32 = 32;
const NOWHERE: i32 = 0x7fffffff;

// ---- literals

let literal: i32 = -1;

@inline
function triplesAt(p: usize): u32 {
  return <u32>load<u8>(TRIPLES + (((load<u32>(p) & 0xffffff) * 0x9e3779b1) >> 18));
}

function literalAt(base: usize, at: i32, from: i32, to: i32): i32 {
  const key = load<u32>(base + at);
  let slot = ((key * 0x9e3779b1) >> 16) & ANCHOR_MASK;
  while (true) {
    const entry = ANCHORS + slot * 12;
    const known = load<u32>(entry);
    if (known == 0) return -1;
    if (known == key) {
      const first = load<u32>(entry, 4);
      const count = load<u32>(entry, 8);
      for (let i: u32 = 0; i < count; i++) {
        const found = LITERALS + (first + i) * 8;
        const length = <i32>load<u16>(found, 4);
        const start = at + 4 - <i32>load<u16>(found, 6);
        if (start >= from && start + length <= to && standsAt(base + start, load<u32>(found), length)) return start;
      }
      return -1;
    }
    slot = (slot + 1) & ANCHOR_MASK;
  }
  return -1;
}

function standsAt(at: usize, codes: usize, length: i32): bool {
  for (let i: i32 = 0; i < length; i++) if (load<u8>(at + i) != load<u8>(codes + i)) return false;
  return true;
}

@inline
function mayBe(p: usize): bool {
  return load<u8>(PRESENT + ((load<u32>(p) * 0x9e3779b1) >> 16)) != 0;
}

// A look found something: is it an anchor, and a literal?
@inline
function lookAt(triple: u32, base: usize, i: i32, from: i32, to: i32): i32 {
  if ((triple & 2) != 0 && mayBe(base + i - 1)) {
    const found = literalAt(base, i - 1, from, to);
    if (found >= 0) return found;
  }
  return (triple & 1) != 0 && mayBe(base + i) ? literalAt(base, i, from, to) : -1;
}

// Wherever an anchor stands, its first or its second three bytes begin at a place that is even from `from`: every second one is looked at.
function nextLiteral(base: usize, from: i32, to: i32): i32 {
  let i = from;
  for (; i + 10 <= to; i += 8) {
    const p = base + i;
    const a = triplesAt(p);
    const b = triplesAt(p + 2);
    const c = triplesAt(p + 4);
    const d = triplesAt(p + 6);
    if ((a | b | c | d) == 0) continue;
    let found = -1;
    if (a != 0) found = lookAt(a, base, i, from, to);
    if (found < 0 && b != 0) found = lookAt(b, base, i + 2, from, to);
    if (found < 0 && c != 0) found = lookAt(c, base, i + 4, from, to);
    if (found < 0 && d != 0) found = lookAt(d, base, i + 6, from, to);
    if (found >= 0) return found;
  }
  for (; i + 3 <= to; i += 2) {
    const found = lookAt(triplesAt(base + i), base, i, from, to);
    if (found >= 0) return found;
  }
  return -1;
}

// ---- layers

const NO_STAMP: i32 = 0;
const RUNTIME: i32 = 1;
const LOCAL: i32 = 2;

let text: i32 = 0;
let seconds: i32 = -1;
let ms: i32 = 0;
let rank: i32 = -1;
let torchMark: i32 = 0;
let output: i32 = 0;
let outer: i32 = NO_STAMP;
// Seconds of the stamp that `stampAt` read.
let readSeconds: i32 = -1;

@inline
function byteAt(base: usize, at: i32): i32 {
  return <i32>load<u8>(base + at);
}

@inline
function isDigit(code: i32): bool {
  return <u32>(code - 48) < 10;
}

@inline
function isLetter(code: i32): bool {
  return <u32>((code | 32) - 97) < 26;
}

@inline
function isLowerOrDigit(code: i32): bool {
  return <u32>(code - 97) < 26 || isDigit(code);
}

// V I W E F C
@inline
function isLevel(code: i32): bool {
  return code == 86 || code == 73 || code == 87 || code == 69 || code == 70 || code == 67;
}

function secondsAt(base: usize, at: i32, minute: usize): bool {
  if (byteAt(base, at + 16) != 58) return false;
  const tens = byteAt(base, at + 17) - 48;
  const ones = byteAt(base, at + 18) - 48;
  if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return false;
  const same = v128.all_true<i8>(v128.eq<i8>(v128.load(base + at), v128.load(minute)));
  if (!same && learn(base + at, minute) == 0) return false;
  readSeconds = load<i32>(minute, 16) + tens * 10 + ones;
  return true;
}

function fractionDigits(base: usize, at: i32, end: i32): i32 {
  let digits: i32 = 0;
  while (digits < 9 && at + digits < end && isDigit(byteAt(base, at + digits))) digits += 1;
  return digits;
}

function fractionMs(base: usize, at: i32, digits: i32): i32 {
  let sum: i32 = 0;
  for (let i: i32 = 0; i < 3; i++) sum = sum * 10 + (i < digits ? byteAt(base, at + i) - 48 : 0);
  return sum;
}

function takeRuntimeStamp(base: usize, from: i32, end: i32): bool {
  const zone = from + 29;
  if (zone >= end || byteAt(base, zone) != 90 || byteAt(base, from + 19) != 46) return false;
  if (fractionDigits(base, from + 20, zone) != 9) return false;
  if (!secondsAt(base, from, OUTER_MINUTE)) return false;
  seconds = readSeconds;
  ms = fractionMs(base, from + 20, 9);
  outer = RUNTIME;
  const space = zone + 1;
  text = space == end ? end : space + 1;
  if (space < end && byteAt(base, space) != 32) return false;
  // ` std`
  if (byteAt(base, space + 1) != 115 || byteAt(base, space + 2) != 116 || byteAt(base, space + 3) != 100) return true;
  return takeCri(base, space, end);
}

function takeCri(base: usize, space: i32, end: i32): bool {
  if (space + 9 >= end) return false;
  if (byteAt(base, space + 7) != 32 || byteAt(base, space + 8) != 70 || byteAt(base, space + 9) != 32) return false;
  const a = byteAt(base, space + 4);
  const b = byteAt(base, space + 5);
  const c = byteAt(base, space + 6);
  const isOut = a == 111 && b == 117 && c == 116;
  if (!isOut && !(a == 101 && b == 114 && c == 114)) return false;
  output = isOut ? 1 : 2;
  text = space + 10;
  return true;
}

function takeStamp(base: usize, at: i32, end: i32, bracket: bool): bool {
  if (at + 19 > end || byteAt(base, at + 10) == 84) return false;
  if (!secondsAt(base, at, outer == NO_STAMP ? OUTER_MINUTE : INNER_MINUTE)) return false;
  let next = at + 19;
  let fraction: i32 = 0;
  const mark = byteAt(base, next);
  if ((mark == 44 || mark == 46) && next + 1 < end && isDigit(byteAt(base, next + 1))) {
    const digits = fractionDigits(base, next + 1, end);
    fraction = fractionMs(base, next + 1, digits);
    next += 1 + digits;
  }
  if (bracket) {
    if (next >= end || byteAt(base, next) != 93) return false;
    next += 1;
  }
  if (next < end && byteAt(base, next) != 32) return false;
  text = next < end ? next + 1 : end;
  if (outer == NO_STAMP) {
    outer = LOCAL;
    seconds = readSeconds;
    ms = fraction;
  }
  return true;
}

const TAKEN: i32 = 0;
const NONE: i32 = 1;
const UNSURE: i32 = 2;

function takeBracket(base: usize, at: i32, end: i32): i32 {
  const second = byteAt(base, at + 1);
  if (isDigit(second)) return takeStamp(base, at + 1, end, true) ? TAKEN : UNSURE;
  if (second == 114) return takeRank(base, at, end) ? TAKEN : UNSURE;
  if (second == 112 || second == 82 || (outer == NO_STAMP && isLowerOrDigit(second))) return UNSURE;
  const third = byteAt(base, at + 2);
  if (isLevel(second) && (isDigit(third) || third == 32)) return UNSURE;
  return isMark(base, at + 1, end) ? UNSURE : NONE;
}

function takeRank(base: usize, at: i32, end: i32): bool {
  if (rank >= 0) return false;
  if (byteAt(base, at + 2) != 97 || byteAt(base, at + 3) != 110 || byteAt(base, at + 4) != 107) return false;
  let value: i32 = 0;
  let next = at + 5;
  while (next < end && next - at < 13 && isDigit(byteAt(base, next))) {
    value = value * 10 + byteAt(base, next) - 48;
    next += 1;
  }
  const digits = next - at - 5;
  if (digits < 1 || digits > 7 || (digits > 1 && byteAt(base, at + 5) == 48)) return false;
  if (next + 1 >= end || byteAt(base, next) != 93) return false;
  next += 1;
  torchMark = byteAt(base, next) == 58 ? 1 : 0;
  if (torchMark == 0 && byteAt(base, next) != 32) return false;
  next += 1;
  if (torchMark == 1 && next < end && byteAt(base, next) == 32) next += 1;
  rank = value;
  text = next;
  return true;
}

function isMark(base: usize, at: i32, end: i32): bool {
  let next = at;
  while (next < end && next - at < 40 && (isLetter(byteAt(base, next)) || byteAt(base, next) == 95)) next += 1;
  return next > at && next < end && isDigit(byteAt(base, next));
}

function isSureLower(base: usize, at: i32, end: i32): bool {
  if (outer == RUNTIME) return true;
  if (outer == NO_STAMP) return false;
  let next = at;
  while (next < end) {
    const code = byteAt(base, next);
    if (!isLowerOrDigit(code) && code != 46 && code != 45) break;
    next += 1;
  }
  return next >= end || byteAt(base, next) != 58;
}

function isSureUpper(base: usize, at: i32, to: i32, end: i32): bool {
  const first = byteAt(base, at);
  const second = byteAt(base, at + 1);
  if (isDigit(second) && (isLevel(first) || first == 80)) return false;
  let next = at + 1;
  while (next < end && isLetter(byteAt(base, next))) next += 1;
  if (next >= to || byteAt(base, next) != 32) return true;
  if (next + 1 < to && isDigit(byteAt(base, next + 1))) return false;
  return !(next + 2 < to && byteAt(base, next + 1) == 32 && isDigit(byteAt(base, next + 2)));
}

function isSureNumber(base: usize, at: i32): bool {
  const third = byteAt(base, at + 2);
  if (third == 47 || third == 45) return false;
  return !(isDigit(byteAt(base, at + 1)) && isDigit(third) && isDigit(byteAt(base, at + 3)));
}

function isSureIndent(base: usize, at: i32, end: i32): bool {
  let next = at;
  while (next < end && byteAt(base, next) == 32) next += 1;
  return next >= end || !(isDigit(byteAt(base, next)) || byteAt(base, next) == 91);
}

function readLayers(base: usize, from: i32, to: i32, end: i32): bool {
  text = from;
  seconds = -1;
  ms = 0;
  output = 0;
  rank = -1;
  torchMark = 0;
  outer = NO_STAMP;
  if (isDigit(byteAt(base, from)) && byteAt(base, from + 10) == 84 && !takeRuntimeStamp(base, from, end)) return false;
  for (let layer: i32 = 0; layer < 4; layer++) {
    const at = text;
    if (at >= end) return true;
    switch (load<u8>(STARTS + byteAt(base, at))) {
      case 0:
        return true;
      case 2:
        if (isSureNumber(base, at) && outer == RUNTIME) return true;
        if (!takeStamp(base, at, end, false)) return false;
        break;
      case 3:
        return isSureLower(base, at, end);
      case 4:
        return isSureUpper(base, at, to, end);
      case 5: {
        const taken = takeBracket(base, at, end);
        if (taken != TAKEN) return taken == NONE;
        break;
      }
      case 6:
        return isSureIndent(base, at, end);
      case 7:
        return byteAt(base, at + 1) != 61;
      default:
        return false;
    }
  }
  return false;
}

// ---- lines

/** Other bytes stand in the block. */
export function restart(): void {
  literal = -1;
}

/**
 * Plain lines from `from` on, up to the first that is none, the end or MAX_RECORDS: each leaves a record. Bytes of the block stand at
 * `base`, up to `to`; 64 more bytes can be read behind it.
 */
export function scan(base: usize, from: i32, to: i32): i32 {
  const feeds = i8x16.splat(10);
  const returns = i8x16.splat(13);
  const escapes = i8x16.splat(27);
  const zero = i8x16.splat(0);
  let count: i32 = 0;
  while (from < to && count < MAX_RECORDS) {
    let end = to;
    let odd: i32 = 0;
    for (let p = from; p < to; p += 16) {
      const v = v128.load(base + p);
      let lines = i8x16.bitmask(i8x16.eq(v, feeds));
      // Negative as a signed byte: beyond ASCII.
      let others = i8x16.bitmask(
        v128.or(v128.or(i8x16.eq(v, returns), i8x16.eq(v, escapes)), v128.or(i8x16.eq(v, zero), v)),
      );
      if (p + 16 > to) {
        const valid = (1 << (to - p)) - 1;
        lines &= valid;
        others &= valid;
      }
      if (lines != 0) {
        const bit = ctz(lines);
        end = p + bit;
        odd |= others & ((1 << bit) - 1);
        break;
      }
      odd |= others;
    }
    if (odd != 0 || end - from > SPLICED_FROM || end + EDGE > to) break;
    if (literal < from) {
      const found = nextLiteral(base, from, to);
      literal = found < 0 ? NOWHERE : found;
    }
    if (literal < end || !readLayers(base, from, to, end)) break;
    const record = RECORDS + (<usize>count << 5);
    store<i32>(record, end);
    store<i32>(record, text, 4);
    store<i32>(record, seconds, 8);
    store<i32>(record, ms, 12);
    store<i32>(record, rank, 16);
    store<i32>(record, output | (torchMark << 2), 20);
    count += 1;
    from = end + 1;
  }
  return count;
}
