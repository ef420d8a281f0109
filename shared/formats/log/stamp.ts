/**
 * Time stamps of log lines, read by digit arithmetic (no regular expression, no Date on the usual path): one is read
 * for every line of every log.
 */
import {
  epochNs,
  isYearUnknown,
  NS_PER_S,
  placeSecondsInYear,
  type Stamp,
  type StampKind,
  UNKNOWN_YEAR,
} from '../../model/time.ts';

/** A stamp as written, before it is worth a bigint. */
export interface RawStamp {
  /** Whole seconds since 1970 with the zone applied; in UNKNOWN_YEAR if `yearless`. For `boot`: seconds since boot. */
  readonly seconds: number;
  readonly nanos: number;
  readonly kind: StampKind;
  readonly resolutionNs: number;
  readonly zoneAssumed: boolean;
  readonly yearless: boolean;
}

export const toStamp = (raw: RawStamp): Stamp => ({
  ns: epochNs(BigInt(raw.seconds) * NS_PER_S + BigInt(raw.nanos)),
  kind: raw.kind,
  resolutionNs: raw.resolutionNs,
  zoneAssumed: raw.zoneAssumed,
});

/** The way back, for stamps that a body carries. */
export const rawOf = (stamp: Stamp): RawStamp => ({
  seconds: Number(stamp.ns / NS_PER_S),
  nanos: Number(stamp.ns % NS_PER_S),
  kind: stamp.kind,
  resolutionNs: stamp.resolutionNs,
  zoneAssumed: stamp.zoneAssumed,
  yearless: isYearUnknown(stamp),
});

/** Milliseconds since 1970; NaN for clocks that are no wall clock and for stamps without a year. */
export const toMs = (raw: RawStamp): number =>
  raw.yearless || raw.kind === 'boot' ? Number.NaN : raw.seconds * 1000 + Math.floor(raw.nanos / 1e6);

/** Gives a yearless stamp the year nearest to `nearSeconds`; others are returned as they are. */
export const withYearNear = (raw: RawStamp, nearSeconds: number): RawStamp =>
  raw.yearless ? { ...raw, seconds: placeSecondsInYear(raw.seconds, nearSeconds), yearless: false } : raw;

/** Days since 1970-01-01 of a Gregorian date. O(1). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Seconds since 1970 of a date that exists; undefined for one that does not. */
export function secondsOf(
  date: readonly [year: number, month: number, day: number],
  time: readonly [hour: number, minute: number, second: number],
): number | undefined {
  const [year, month, day] = date;
  const [hour, minute, second] = time;
  const days = DAYS_IN_MONTH[month - 1];
  if (days === undefined || day < 1 || day > days || hour > 23 || minute > 59 || second > 60) return undefined;
  if (month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return undefined;
  return daysFromCivil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
}

/** Value of the two digits at `at`; -1 if they are not digits. */
function twoDigits(text: string, at: number): number {
  const a = text.charCodeAt(at) - 48;
  const b = text.charCodeAt(at + 1) - 48;
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 ? a * 10 + b : -1;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Digits of a fraction that starts at `at` (after the point): how many, up to nine, and their value in ns. */
function readFraction(text: string, at: number): { digits: number; nanos: number } {
  let digits = 0;
  let value = 0;
  while (digits < 9) {
    const code = text.charCodeAt(at + digits);
    if (!isDigit(code)) break;
    value = value * 10 + (code - 48);
    digits += 1;
  }
  return { digits, nanos: value * 10 ** (9 - digits) };
}

/** Offset of a zone written at `at` in seconds east of UTC, and its length; undefined if there is none. */
function readZone(text: string, at: number): { east: number; length: number } | undefined {
  const sign = text.charCodeAt(at);
  if (sign === 90) return { east: 0, length: 1 };
  if (sign !== 43 && sign !== 45) return undefined;
  const hours = twoDigits(text, at + 1);
  const colon = text.charCodeAt(at + 3) === 58 ? 1 : 0;
  const minutes = twoDigits(text, at + 3 + colon);
  if (hours < 0 || hours > 15 || minutes < 0 || minutes > 59) return undefined;
  const east = hours * 3_600 + minutes * 60;
  return { east: sign === 45 ? -east : east, length: 5 + colon };
}

/** A stamp found in text: `end` is the index after it, `digits` the number of fraction digits. */
export interface ReadStamp {
  readonly raw: RawStamp;
  readonly end: number;
  readonly digits: number;
  readonly zoned: boolean;
  /** Character between date and time. */
  readonly separator: string;
}

/**
 * Reads `YYYY-MM-DD?hh:mm:ss[.,fraction][zone]` at `at`; `?` is `T`, space or `_`, and `/` may stand for `-`.
 * Years 1970 to 2200; without a zone it is `local` and UTC is assumed.
 */
export function readIsoStamp(text: string, at: number): ReadStamp | undefined {
  const century = twoDigits(text, at);
  if (century < 19 || century > 22) return undefined;
  const short = twoDigits(text, at + 2);
  const dash = text.charCodeAt(at + 4);
  if (short < 0 || (dash !== 45 && dash !== 47) || text.charCodeAt(at + 7) !== dash) return undefined;
  const separator = text.charAt(at + 10);
  if (separator !== 'T' && separator !== ' ' && separator !== '_') return undefined;
  const minuteColon = text.charCodeAt(at + 13);
  if (minuteColon !== 58 || text.charCodeAt(at + 16) !== 58) return undefined;
  const year = century * 100 + short;
  const time = readTimeAt(text, at + 11);
  const month = twoDigits(text, at + 5);
  const day = twoDigits(text, at + 8);
  if (time === undefined || year < 1970 || month < 0 || day < 0) return undefined;
  const local = secondsOf([year, month, day], time.clock);
  if (local === undefined) return undefined;
  const zone = readZone(text, time.end);
  return {
    raw: {
      seconds: local - (zone?.east ?? 0),
      nanos: time.nanos,
      kind: zone === undefined ? 'local' : 'zoned',
      resolutionNs: 10 ** (9 - time.digits),
      zoneAssumed: zone === undefined,
      yearless: false,
    },
    end: time.end + (zone?.length ?? 0),
    digits: time.digits,
    zoned: zone !== undefined,
    separator,
  };
}

interface TimeOfDay {
  readonly clock: readonly [number, number, number];
  readonly nanos: number;
  readonly digits: number;
  readonly end: number;
}

/** Reads `hh:mm:ss[.,fraction]` at `at`. */
export function readTimeAt(text: string, at: number): TimeOfDay | undefined {
  const hour = twoDigits(text, at);
  const minute = twoDigits(text, at + 3);
  const second = twoDigits(text, at + 6);
  if (hour < 0 || minute < 0 || second < 0) return undefined;
  if (text.charCodeAt(at + 2) !== 58 || text.charCodeAt(at + 5) !== 58) return undefined;
  const point = text.charCodeAt(at + 8);
  if ((point !== 46 && point !== 44) || !isDigit(text.charCodeAt(at + 9))) {
    return { clock: [hour, minute, second], nanos: 0, digits: 0, end: at + 8 };
  }
  const { digits, nanos } = readFraction(text, at + 9);
  return { clock: [hour, minute, second], nanos, digits, end: at + 9 + digits };
}

/** A stamp of month, day and time only. `digits` 0 drops the fraction: c10 prints a foreign clock's there. */
export function yearlessStamp(month: number, day: number, time: TimeOfDay, digits: number): RawStamp | undefined {
  const seconds = secondsOf([UNKNOWN_YEAR, month, day], time.clock);
  if (seconds === undefined) return undefined;
  return {
    seconds,
    nanos: digits === 0 ? 0 : time.nanos,
    kind: 'local',
    resolutionNs: 10 ** (9 - digits),
    zoneAssumed: true,
    yearless: true,
  };
}
