/**
 * What a plain line says about itself, read from its bytes: time, rank, printer, where its message begins. The reading of `line-facts.ts`
 * in short, for the few layers that nearly all lines have; a line that is not sure to have these and no others is left to it.
 *
 *   2026-11-29T18:33:15.457369378Z [rank3]: text                          runtime's stamp, torch's mark
 *   2026-11-29T18:33:15.457369378Z stdout F INFO:train:text               CRI record
 *   2026-11-29T18:33:15.457369378Z [2026-11-29 18:33:15,457] [INFO] text  the program's stamp inside
 *   2026-11-29T18:33:15.457369378Z host-7:113:4008 [3] NCCL INFO text     NCCL's origin
 *   2026-11-29 18:54:47,842 | 1 | train.py:176 | text                     the program's stamp alone
 *
 * Cost: a few comparisons a byte of the layers; nothing is allocated.
 */
import { STARTS } from '../formats/log/quick-layers.ts';
import {
  CRI_BYTES,
  criOutput,
  isDigit,
  isHeaderLevel,
  isLetter,
  isLower,
  isStd,
  isSureIndent,
  isSureNumber,
  isSureUpper,
  isUpper,
  RankMark,
} from '../formats/log/quick-marks.ts';
import { fractionDigits, readMinute, SECOND_BYTES } from '../formats/log/quick-stamp.ts';

/** Of STARTS: something may begin here that this file does not know. */
const UNSURE_START = 1;
const MINUTE_BYTES = 16;
/** Behind the last byte of `YYYY-MM-DDThh:mm:ss.nnnnnnnnn`. */
const ZONE_AT = 29;
/** More layers than these are rare. */
const MAX_LAYERS = 5;
/** Characters of a host in NCCL's origin, of a launcher's mark with its host, as their envelopes bound them. */
const MAX_HOST = 121;
const MAX_BRACKET = 140;

/** `[\w.-]` */
const isHostByte = (code: number | undefined): boolean =>
  isLetter(code) || isDigit(code) || code === 45 || code === 46 || code === 95;
const NO_STAMP = 0;
const RUNTIME = 1;
const LOCAL = 2;

/** Which kind of mark named the rank. */
export const NO_MARK = 0;
export const TORCH_MARK = 1;
export const PROGRAM_MARK = 2;

type Layer = 'taken' | 'none' | 'unsure';

/** A text, or what makes parts of one when they are asked for. */
export interface BlockText {
  slice(from: number, to: number): string;
}

export class QuickLine {
  /** Where the message begins. */
  text = 0;
  /** Seconds since 1970 of the outermost stamp; -1 without one. */
  seconds = -1;
  nanos = 0;
  /** How finely the stamp was written, ns; 0 if there is none. */
  resolutionNs = 0;
  zoneAssumed = false;
  /** -1 without a mark. */
  rank = -1;
  mark = NO_MARK;
  /** The program itself put a stamp on the line. */
  stamped = false;
  /** Of the outermost stamp, and of the one inside: they differ in their form. */
  readonly #minutes = [new Minute(), new Minute()] as const;
  readonly #rankMark = new RankMark();
  #outer = NO_STAMP;

  /**
   * Reads the line [from, end), which is ASCII without CR, ESC and NUL. `block`: the same bytes as text, one character a byte. False =
   * unsure; the fields mean nothing then.
   */
  read(bytes: Uint8Array, block: BlockText, from: number, end: number): boolean {
    this.text = from;
    this.seconds = -1;
    this.nanos = 0;
    this.resolutionNs = 0;
    this.zoneAssumed = false;
    this.rank = -1;
    this.mark = NO_MARK;
    this.stamped = false;
    this.#outer = NO_STAMP;
    if (isDigit(bytes[from]) && bytes[from + 10] === 84 && !this.#takeRuntime(bytes, block, from, end)) return false;
    for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
      if (this.text >= end) return true;
      const taken = this.#takeLayer(bytes, block, end);
      if (taken !== 'taken') return taken === 'none';
    }
    return false;
  }

  #takeLayer(bytes: Uint8Array, block: BlockText, end: number): Layer {
    const at = this.text;
    const first = bytes[at] ?? 0;
    if (STARTS[first] === UNSURE_START) return 'unsure';
    if ((first === 91 || first === 45 || isUpper(first)) && mayNameRank(bytes, at, end)) return 'unsure';
    if (first === 91) return this.#takeBracket(bytes, block, at, end);
    if (isDigit(first)) {
      if (this.#outer === RUNTIME && isSureNumber(bytes, at)) return this.#takeOrigin(bytes, at, end);
      return this.#takeStamp(bytes, block, at, end, false) ? 'taken' : 'unsure';
    }
    if (isLower(first)) return this.#isSureLower(bytes, at, end) ? this.#takeOrigin(bytes, at, end) : 'unsure';
    if (isUpper(first)) return isSureUpper(bytes, at, end) ? this.#takeOrigin(bytes, at, end) : 'unsure';
    if (first === 32) return isSureIndent(bytes, at, end) ? 'none' : 'unsure';
    if (first === 61) return bytes[at + 1] === 61 ? 'unsure' : 'none';
    return 'none';
  }

  #takeRuntime(bytes: Uint8Array, block: BlockText, from: number, end: number): boolean {
    const zone = from + ZONE_AT;
    if (zone >= end || bytes[zone] !== 90 || bytes[from + SECOND_BYTES] !== 46) return false;
    const seconds = this.#minutes[0].secondsAt(bytes, block, from);
    if (seconds < 0) return false;
    let nanos = 0;
    for (let at = from + SECOND_BYTES + 1; at < zone; at += 1) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) return false;
      nanos = nanos * 10 + digit;
    }
    const space = zone + 1;
    if (space < end && bytes[space] !== 32) return false;
    this.seconds = seconds;
    this.nanos = nanos;
    this.resolutionNs = 1;
    this.#outer = RUNTIME;
    this.text = space < end ? space + 1 : end;
    return !isStd(bytes, space) || this.#takeCri(bytes, space, end);
  }

  /** ` stdout F ` behind the stamp; a fragment or a further tag is unsure. */
  #takeCri(bytes: Uint8Array, space: number, end: number): boolean {
    this.text = space + CRI_BYTES;
    return criOutput(bytes, space, end) !== '';
  }

  /** The program's stamp, bare or (at its digits) in brackets, with a space or the end behind it. */
  #takeStamp(bytes: Uint8Array, block: BlockText, at: number, end: number, bracket: boolean): boolean {
    if (at + SECOND_BYTES > end || bytes[at + 10] === 84) return false;
    const seconds = this.#minutes[this.#outer === NO_STAMP ? 0 : 1].secondsAt(bytes, block, at);
    if (seconds < 0) return false;
    let next = at + SECOND_BYTES;
    let nanos = 0;
    let unit = 1e9;
    if ((bytes[next] === 44 || bytes[next] === 46) && next + 1 < end && isDigit(bytes[next + 1])) {
      const digits = fractionDigits(bytes, next + 1, end);
      for (let i = 1; i <= digits; i += 1) {
        nanos = nanos * 10 + (bytes[next + i] ?? 48) - 48;
        unit /= 10;
      }
      nanos *= unit;
      next += 1 + digits;
    }
    if (bracket) {
      if (next >= end || bytes[next] !== 93) return false;
      next += 1;
    }
    if (next < end && bytes[next] !== 32) return false;
    this.text = next < end ? next + 1 : end;
    this.stamped = true;
    if (this.#outer === NO_STAMP) {
      this.#outer = LOCAL;
      this.seconds = seconds;
      this.nanos = nanos;
      this.resolutionNs = unit;
      this.zoneAssumed = true;
    }
    return true;
  }

  #takeBracket(bytes: Uint8Array, block: BlockText, at: number, end: number): Layer {
    const second = bytes[at + 1] ?? 0;
    if (isDigit(second)) return this.#takeStamp(bytes, block, at + 1, end, true) ? 'taken' : 'unsure';
    if (second === 114) return this.#takeRank(bytes, at, end) ? 'taken' : 'unsure';
    // kubectl's prefix, a program's mark in capitals, a collector's Pod.
    if (second === 112 || second === 82 || (this.#outer === NO_STAMP && isLower(second))) return 'unsure';
    const third = bytes[at + 2] ?? 0;
    if (isHeaderLevel(second) && (isDigit(third) || third === 32)) return 'unsure';
    return isPlainBracket(bytes, at + 1, end) ? 'none' : 'unsure';
  }

  /** A second one is unsure. */
  #takeRank(bytes: Uint8Array, at: number, end: number): boolean {
    const mark = this.#rankMark;
    if (this.rank >= 0 || !mark.read(bytes, at, end)) return false;
    // Glued to what may be a traceback: torchrun's mark of a role called rank, and no rank.
    if (mark.isTorch && bytes[mark.next - 1] === 58 && bytes[mark.next] === 84) return false;
    this.mark = mark.isTorch ? TORCH_MARK : PROGRAM_MARK;
    this.rank = mark.rank;
    this.text = mark.next;
    return true;
  }

  /** NCCL's origin, or no layer. */
  #takeOrigin(bytes: Uint8Array, at: number, end: number): Layer {
    let next = at;
    while (next < end && isHostByte(bytes[next])) next += 1;
    if (next - at > MAX_HOST || bytes[next] !== 58 || next + 1 >= end || !isDigit(bytes[next + 1])) return 'none';
    const pid = digitsEnd(bytes, next + 1, end);
    if (bytes[pid] !== 58 || pid + 1 >= end || !isDigit(bytes[pid + 1])) return 'none';
    const tid = digitsEnd(bytes, pid + 1, end);
    if (pid - next > 9 || tid - pid > 9 || bytes[tid] !== 32) return 'none';
    let says = tid + 1;
    if (bytes[says] === 91 && isDigit(bytes[says + 1])) {
      const device = digitsEnd(bytes, says + 1, end);
      if (device - says > 5 || bytes[device] !== 93 || bytes[device + 1] !== 32) return 'unsure';
      says = device + 2;
    }
    if (says + 5 > end || bytes[says] !== 78 || bytes[says + 1] !== 67 || bytes[says + 2] !== 67) return 'unsure';
    if (bytes[says + 3] !== 76 || bytes[says + 4] !== 32) return 'unsure';
    this.text = says;
    return 'taken';
  }

  #isSureLower(bytes: Uint8Array, at: number, end: number): boolean {
    // A logger's keys may hold a stamp.
    if (bytes[at] === 116 && (bytes[at + 1] === 105 || bytes[at + 1] === 115)) return false;
    if (this.#outer === RUNTIME) return true;
    if (this.#outer === NO_STAMP) return false;
    let next = at;
    while (next < end && (isLower(bytes[next]) || isDigit(bytes[next]) || bytes[next] === 46 || bytes[next] === 45))
      next += 1;
    return next >= end || bytes[next] !== 58;
  }
}

/** A level, a separator and a bracket, and a rank within reach: `INFO [rank 2] `, `- INFO - [Rank 1] `, `[INFO] [x.py:4] [Rank 0] `. */
function mayNameRank(bytes: Uint8Array, at: number, end: number): boolean {
  let next = bytes[at] === 45 && bytes[at + 1] === 32 ? at + 2 : at;
  if (bytes[next] === 91) next += 1;
  const word = next;
  while (next < end && isUpper(bytes[next])) next += 1;
  if (next - word < 4) return false;
  if (bytes[next] === 93 || bytes[next] === 58) next += 1;
  const gap = next;
  while (next < end && (bytes[next] === 32 || bytes[next] === 45)) next += 1;
  if (next === gap || bytes[next] !== 91) return false;
  for (const stop = Math.min(end, at + MAX_MARKS) - 3; next < stop; next += 1) {
    if (bytes[next] === 97 && bytes[next + 1] === 110 && bytes[next + 2] === 107 && bytes[next + 3] === 32) return true;
  }
  return false;
}

/** Bytes in which a mark behind a level stands. */
const MAX_MARKS = 260;

/** Stamps of neighbouring lines share their minute: it is compared with the one before. */
class Minute {
  readonly #bytes = new Uint8Array(MINUTE_BYTES);
  #seconds = 0;

  /** Seconds since 1970 of the stamp at `at`, without zone; -1 if it is none. */
  secondsAt(bytes: Uint8Array, block: BlockText, at: number): number {
    if (bytes[at + MINUTE_BYTES] !== 58) return -1;
    const tens = (bytes[at + MINUTE_BYTES + 1] ?? 0) - 48;
    const ones = (bytes[at + MINUTE_BYTES + 2] ?? 0) - 48;
    // A leap second is left to the full grammar.
    if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return -1;
    const minute = this.#bytes;
    for (let i = MINUTE_BYTES - 1; i >= 0; i -= 1) {
      if (minute[i] === bytes[at + i]) continue;
      const seconds = readMinute(block.slice(at, at + MINUTE_BYTES));
      if (seconds === undefined) return -1;
      this.#seconds = seconds;
      for (let k = 0; k < MINUTE_BYTES; k += 1) minute[k] = bytes[at + k] ?? 0;
      break;
    }
    return this.#seconds + tens * 10 + ones;
  }
}

const digitsEnd = (bytes: Uint8Array, at: number, end: number): number => {
  let next = at;
  while (next < end && isDigit(bytes[next])) next += 1;
  return next;
};

/** False for what may be a launcher's mark (`default5]:`, `host@1,2]<stdout>:`) or DeepSpeed's (`INFO] […] [Rank 0] `); behind the bracket. */
function isPlainBracket(bytes: Uint8Array, at: number, end: number): boolean {
  let next = at;
  while (next < end && (isLetter(bytes[next]) || bytes[next] === 95)) next += 1;
  if (next > at && next < end && isDigit(bytes[next])) return false;
  const stop = Math.min(end, at + MAX_BRACKET);
  while (next < stop && bytes[next] !== 93) {
    if (bytes[next] === 64) return false;
    next += 1;
  }
  if (bytes[next] !== 93 || bytes[next + 1] !== 32 || bytes[next + 2] !== 91) return true;
  // A second bracket: DeepSpeed's place, if a third one with a rank follows.
  next += 3;
  while (next < end && bytes[next] !== 93) next += 1;
  return !(bytes[next + 1] === 32 && bytes[next + 2] === 91 && bytes[next + 3] === 82);
}
