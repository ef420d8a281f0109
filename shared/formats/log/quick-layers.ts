/**
 * The common layers around a message, taken off while the line is still bytes. What is not sure to be one of them, or to be none, is
 * left to the envelopes (`UNSURE`): they decide, this only saves their work where the answer is plain.
 *
 *   2026-11-29T18:33:15.457369378Z [rank3]: text                  runtime's stamp, rank
 *   2026-11-29T18:33:15.457369378Z stdout F INFO:train:text       CRI record
 *   2026-11-29 18:54:47,842 | 1 | train.py:176 | text             the program's stamp, column
 */
import { type LineRun, SCANNED_INTS } from '../../model/format.ts';
import { ENVELOPES } from './envelopes/index.ts';
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
  RankMark,
} from './quick-marks.ts';
import { fractionDigits, fractionMs, MinuteReader, SECOND_BYTES } from './quick-stamp.ts';

/** The envelopes that the code below knows; a new one makes its first characters unsure until it is handled here. */
const HANDLED: ReadonlySet<string> = new Set([
  'section-header',
  'kubectl-prefix',
  'runtime-stamp',
  'docker-json',
  'stern-json',
  'rank-prefix',
  'c10-header',
  'glog-header',
  // Its stamp has a T in the bracket: such a line is unsure.
  'determined',
  'app-stamp',
  'app-rank',
  // Its `[Rank 3] ` holds the literal `ank ` of a shape: such a line never comes here.
  'deepspeed-rank',
  'local-rank',
  'mpirun-tag',
  'srun-label',
  'short-date',
  'epoch-stamp',
  'ray-actor',
  'nccl-origin',
  'kubetail',
  'kail',
  'stern',
  'host-prefix',
  'structured-line',
]);

const PLAIN = 0;
const UNSURE_START = 1;
const DIGIT = 2;
const LOWER_CASE = 3;
const UPPER_CASE = 4;
const BRACKET = 5;
const SPACE = 6;
const EQUALS = 7;

/** What may begin with a byte behind the stamp. */
export const STARTS = startTable();

function startTable(): Uint8Array {
  const table = new Uint8Array(256).fill(UNSURE_START, 128);
  table.fill(DIGIT, 48, 58);
  table.fill(UPPER_CASE, 65, 91);
  table.fill(LOWER_CASE, 97, 123);
  table[91] = BRACKET;
  table[32] = SPACE;
  table[61] = EQUALS;
  for (const first of '({') table[first.charCodeAt(0)] = UNSURE_START;
  for (const { id, first } of ENVELOPES) {
    if (!HANDLED.has(id)) for (const character of first) table[character.charCodeAt(0)] = UNSURE_START;
  }
  return table;
}

const isLowerOrDigit = (code: number): boolean => isLower(code) || isDigit(code);

/** Kinds of a line's outermost stamp. */
const NO_STAMP = 0;
const RUNTIME = 1;
const LOCAL = 2;

/** Length of `YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ`. */
const RUNTIME_BYTES = 30;
/** Characters of a mark's name, as the envelope of the mark bounds them. */
const MAX_MARK = 40;

/** By a scanner's number. */
const OUTPUTS = ['', 'out', 'err'] as const;

export class QuickLayers {
  /** Where the text behind all layers begins. */
  text = 0;
  /** Seconds since 1970 of the outermost stamp; -1 without one. */
  seconds = -1;
  /** Whole milliseconds of its fraction. */
  ms = 0;
  output: '' | 'out' | 'err' = '';
  /** Rank of a mark; -1 without one. */
  rank = -1;
  /** torch's own mark (`[rank3]:`), not the program's (`[rank3] `). */
  torchMark = false;
  private readonly outerMinute = new MinuteReader();
  private readonly innerMinute = new MinuteReader();
  private readonly mark = new RankMark();
  private outer = NO_STAMP;

  /** Reads the layers of the line [from, end), which is ASCII without CR, ESC and NUL. False = unsure; the fields mean nothing then. */
  read(run: LineRun, from: number, end: number): boolean {
    this.text = from;
    this.seconds = -1;
    this.ms = 0;
    this.output = '';
    this.rank = -1;
    this.outer = NO_STAMP;
    const first = run.bytes[from] ?? 0;
    if (isDigit(first) && run.bytes[from + 10] === 84 && !this.takeRuntimeStamp(run, from, end)) return false;
    // Stamp and mark in either order; more layers than these are rare.
    for (let layer = 0; layer < 4; layer++) {
      const at = this.text;
      if (at >= end) return true;
      switch (STARTS[run.bytes[at] ?? 0]) {
        case PLAIN:
          return true;
        case DIGIT:
          if (isSureNumber(run.bytes, at) && this.outer === RUNTIME) return true;
          if (!this.takeStamp(run, at, end, false)) return false;
          break;
        case LOWER_CASE:
          return this.isSureLower(run.bytes, at, end);
        case UPPER_CASE:
          return isSureUpper(run.bytes, at, end);
        case SPACE:
          return isSureIndent(run.bytes, at, end);
        case EQUALS:
          return run.bytes[at + 1] !== 61;
        case BRACKET: {
          const taken = this.takeBracket(run, at, end);
          if (taken !== 'taken') return taken === 'none';
          break;
        }
        default:
          return false;
      }
    }
    return false;
  }

  /** Takes over what a scanner read: its record `index`. Returns the line's end. */
  take(records: Int32Array, index: number): number {
    const at = index * SCANNED_INTS;
    this.text = records[at + 1] ?? 0;
    this.seconds = records[at + 2] ?? -1;
    this.ms = records[at + 3] ?? 0;
    this.rank = records[at + 4] ?? -1;
    const flags = records[at + 5] ?? 0;
    this.output = OUTPUTS[flags & 3] ?? '';
    this.torchMark = flags > 3;
    return records[at] ?? 0;
  }

  private takeRuntimeStamp(run: LineRun, from: number, end: number): boolean {
    const { bytes } = run;
    const zone = from + RUNTIME_BYTES - 1;
    if (zone >= end || bytes[zone] !== 90 || bytes[from + SECOND_BYTES] !== 46) return false;
    if (fractionDigits(bytes, from + SECOND_BYTES + 1, zone) !== 9) return false;
    this.seconds = this.outerMinute.secondsAt(run, from);
    if (this.seconds < 0) return false;
    this.ms = fractionMs(bytes, from + SECOND_BYTES + 1, 9);
    this.outer = RUNTIME;
    const space = zone + 1;
    this.text = space === end ? end : space + 1;
    if (space < end && bytes[space] !== 32) return false;
    return !isStd(bytes, space) || this.takeCri(bytes, space, end);
  }

  /** ` stdout F ` behind the stamp; a fragment or a further tag is unsure. */
  private takeCri(bytes: Uint8Array, space: number, end: number): boolean {
    this.output = criOutput(bytes, space, end);
    this.text = space + CRI_BYTES;
    return this.output !== '';
  }

  /** The program's stamp, bare or (at its digits) in brackets. */
  private takeStamp(run: LineRun, at: number, end: number, bracket: boolean): boolean {
    const { bytes } = run;
    if (at + SECOND_BYTES > end || bytes[at + 10] === 84) return false;
    const seconds = (this.outer === NO_STAMP ? this.outerMinute : this.innerMinute).secondsAt(run, at);
    if (seconds < 0) return false;
    let next = at + SECOND_BYTES;
    let ms = 0;
    if ((bytes[next] === 44 || bytes[next] === 46) && next + 1 < end && isDigit(bytes[next + 1])) {
      const digits = fractionDigits(bytes, next + 1, end);
      ms = fractionMs(bytes, next + 1, digits);
      next += 1 + digits;
    }
    if (bracket) {
      if (next >= end || bytes[next] !== 93) return false;
      next += 1;
    }
    if (next < end && bytes[next] !== 32) return false;
    this.text = next < end ? next + 1 : end;
    if (this.outer === NO_STAMP) {
      this.outer = LOCAL;
      this.seconds = seconds;
      this.ms = ms;
    }
    return true;
  }

  private takeBracket(run: LineRun, at: number, end: number): 'taken' | 'none' | 'unsure' {
    const { bytes } = run;
    const second = bytes[at + 1] ?? 0;
    if (isDigit(second)) return this.takeStamp(run, at + 1, end, true) ? 'taken' : 'unsure';
    if (second === 114) return this.takeRank(bytes, at, end) ? 'taken' : 'unsure';
    // kubectl's prefix, a program's mark in capitals, a collector's Pod.
    if (second === 112 || second === 82 || (this.outer === NO_STAMP && isLowerOrDigit(second))) return 'unsure';
    const third = bytes[at + 2] ?? 0;
    if (isHeaderLevel(second) && (isDigit(third) || third === 32)) return 'unsure';
    return isMark(bytes, at + 1, end) ? 'unsure' : 'none';
  }

  private takeRank(bytes: Uint8Array, at: number, end: number): boolean {
    const { mark } = this;
    if (this.rank >= 0 || !mark.read(bytes, at, end)) return false;
    this.rank = mark.rank;
    this.torchMark = mark.isTorch;
    this.text = mark.next;
    return true;
  }

  private isSureLower(bytes: Uint8Array, at: number, end: number): boolean {
    // Behind the runtime's stamp nothing begins so that says more than where the text begins.
    if (this.outer === RUNTIME) return true;
    if (this.outer === NO_STAMP) return false;
    let next = at;
    while (next < end && (isLowerOrDigit(bytes[next] ?? 0) || bytes[next] === 46 || bytes[next] === 45)) next += 1;
    return next >= end || bytes[next] !== 58;
  }
}

/** `default5]:`, a launcher's mark; `at` is behind the bracket. */
function isMark(bytes: Uint8Array, at: number, end: number): boolean {
  let next = at;
  while (next < end && next - at < MAX_MARK && (isLetter(bytes[next]) || bytes[next] === 95)) next += 1;
  return next > at && next < end && isDigit(bytes[next]);
}
