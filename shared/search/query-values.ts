/** Values of fields: numbers, levels, moments. Undefined for what is none. */
import type { Level, NumberRange, TimeText } from './query.ts';

const LEVEL_WORDS: Readonly<Record<string, Level>> = {
  f: 'fatal',
  fatal: 'fatal',
  critical: 'fatal',
  e: 'error',
  err: 'error',
  error: 'error',
  w: 'warn',
  warn: 'warn',
  warning: 'warn',
  i: 'info',
  info: 'info',
  d: 'debug',
  debug: 'debug',
  trace: 'debug',
};

export const readLevel = (text: string): Level | undefined =>
  Object.hasOwn(LEVEL_WORDS, text.toLowerCase()) ? LEVEL_WORDS[text.toLowerCase()] : undefined;

/** `7` or `0-7`, both ends inside; up to nine digits. */
export function readRange(text: string): NumberRange | undefined {
  const [, from, to] = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const range = { from: Number(from), to: Number(to ?? from) };
  return range.from <= range.to ? range : undefined;
}

const TIME = /^(?:(\d{4}-\d{2}-\d{2})(?:[Tt_]|$))?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?[Zz]?$/;
const MINUTE_NS = 60e9;
const DAY_NS = 86_400e9;

/** `12:03`, `12:03:40.712`, `2026-03-14T12:03`, `2026-03-14`. UTC. */
export function readTime(text: string): TimeText | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, day, hour, minute, second, fraction] = match;
  if (day === undefined && hour === undefined) return undefined;
  if (day !== undefined && !isDay(day)) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Number(second ?? 0);
  const nanos = fraction === undefined ? 0 : Number(fraction.padEnd(9, '0'));
  const unitNs =
    hour === undefined
      ? DAY_NS
      : second === undefined
        ? MINUTE_NS
        : fraction === undefined
          ? 1e9
          : 10 ** (9 - fraction.length);
  return { day: day ?? null, ofDayNs: seconds * 1e9 + nanos, unitNs };
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().slice(0, 10) === day;
}
