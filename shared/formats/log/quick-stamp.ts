/** Stamps of lines that stay bytes: read by their place, each minute once by the full grammar. */
import type { LineRun } from '../../model/format.ts';
import { readIsoStamp } from './stamp.ts';

/** `YYYY-MM-DDThh:mm` */
const MINUTE_BYTES = 16;
/** `YYYY-MM-DDThh:mm:ss` */
export const SECOND_BYTES = 19;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Seconds since 1970 of `YYYY-MM-DDThh:mm`, without zone; undefined if it is none. */
export const readMinute = (text: string): number | undefined => readIsoStamp(`${text}:00Z`, 0)?.raw.seconds;

/** Stamps of neighbouring lines share their minute: it is compared with the one before. */
export class MinuteReader {
  private readonly minute = new Uint8Array(MINUTE_BYTES);
  private seconds = 0;

  /** Seconds since 1970 of the stamp of SECOND_BYTES at `at`, without zone; -1 if it is none or leaves the usual form. */
  secondsAt(run: LineRun, at: number): number {
    const { bytes } = run;
    if (bytes[at + MINUTE_BYTES] !== 58) return -1;
    const tens = (bytes[at + MINUTE_BYTES + 1] ?? 0) - 48;
    const ones = (bytes[at + MINUTE_BYTES + 2] ?? 0) - 48;
    // A leap second is left to the full grammar.
    if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return -1;
    const { minute } = this;
    for (let i = MINUTE_BYTES - 1; i >= 0; i--) {
      if (minute[i] !== bytes[at + i] && !this.learn(run, at)) return -1;
    }
    return this.seconds + tens * 10 + ones;
  }

  private learn(run: LineRun, at: number): boolean {
    const seconds = readMinute(run.text(at, at + MINUTE_BYTES));
    if (seconds === undefined) return false;
    this.seconds = seconds;
    for (let i = 0; i < MINUTE_BYTES; i++) this.minute[i] = run.bytes[at + i] ?? 0;
    return true;
  }
}

/** Digits from `at` on, nine at most: as many as a fraction holds. */
export function fractionDigits(bytes: Uint8Array, at: number, end: number): number {
  let digits = 0;
  while (digits < 9 && at + digits < end && isDigit(bytes[at + digits] ?? 0)) digits += 1;
  return digits;
}

/** Whole milliseconds of a fraction of `digits` digits at `at`. */
export function fractionMs(bytes: Uint8Array, at: number, digits: number): number {
  let ms = 0;
  for (let i = 0; i < 3; i++) ms = ms * 10 + (i < digits ? (bytes[at + i] ?? 48) - 48 : 0);
  return ms;
}
