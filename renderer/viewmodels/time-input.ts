/** Times as people type them, for the range, for Go to and for marks. */
import { parseIsoStamp } from '#shared/model/time.ts';
import { type DisplayZone, isoToNs, zoneMinutes } from './times.ts';

export interface TimeInputContext {
  /** First and last moment of the case, ISO 8601 UTC; null = unknown. */
  readonly start: string | null;
  readonly end: string | null;
  /** The moment of the first fault; null = not told. */
  readonly onset: string | null;
  readonly zone: DisplayZone;
}

const NS = 1_000_000_000n;
const DAY = 86_400n * NS;

/**
 * Epoch ns of `12:03:41.2` (on the day of the case), `2026-03-12T12:03:41Z`, `+30 s` or `-1m30s` (from the first fault), or epoch
 * ns; null for anything else. Times without a zone are in the shown one; a stamp with a zone is taken at its word.
 */
export function parseTimeInput(text: string, context: TimeInputContext): bigint | null {
  const trimmed = text.trim().replace('−', '-');
  if (/^\d{16,19}$/.test(trimmed)) return BigInt(trimmed);
  const offset = parseOffset(trimmed);
  if (offset !== null) {
    const onset = context.onset === null ? null : isoToNs(context.onset);
    return onset === null ? null : onset + offset;
  }
  const clock = parseClock(trimmed);
  if (clock !== null) return onDay(clock, context);
  const stamp = parseIsoStamp(trimmed);
  if (!stamp) return null;
  return stamp.zoneAssumed ? stamp.ns - zoneShift(stamp.ns, context.zone) : stamp.ns;
}

/** `12:03`, `12:03:41`, `12:03:41.204` as ns of the day. */
function parseClock(text: string): bigint | null {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/.exec(text);
  if (!match) return null;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return BigInt(hour * 3600 + minute * 60 + second) * NS + BigInt((match[4] ?? '').padEnd(9, '0'));
}

/** `+30 s`, `-250ms`, `+1m30s`, `+2 h`. The sign is needed: it tells an offset from anything else. */
function parseOffset(text: string): bigint | null {
  const match =
    /^([+-])\s*(?:(\d{1,5})\s*h)?\s*(?:(\d{1,6})\s*m(?!s))?\s*(?:(\d{1,9})(?:[.,](\d{1,9}))?\s*(s|ms)?)?$/.exec(text);
  if (!match || (match[2] === undefined && match[3] === undefined && match[4] === undefined)) return null;
  const whole = BigInt(match[4] ?? 0) * NS + BigInt((match[5] ?? '').padEnd(9, '0'));
  const small = match[6] === 'ms' ? whole / 1000n : whole;
  const ns = BigInt(match[2] ?? 0) * 3600n * NS + BigInt(match[3] ?? 0) * 60n * NS + small;
  return match[1] === '-' ? -ns : ns;
}

/** How far the shown zone is ahead of UTC at a moment. */
function zoneShift(ns: bigint, zone: DisplayZone): bigint {
  return BigInt(zoneMinutes(zone, Number(ns / 1_000_000n))) * 60n * NS;
}

/** The day on which that time lies inside the case, else the day on which the case starts. */
function onDay(clock: bigint, { start, end, zone }: TimeInputContext): bigint | null {
  const from = start === null ? null : isoToNs(start);
  if (from === null) return null;
  const to = (end === null ? null : isoToNs(end)) ?? from;
  const shift = zoneShift(from, zone);
  const first = ((from + shift) / DAY) * DAY + clock - shift;
  for (let at = first; at <= to + DAY && at < first + 8n * DAY; at += DAY) if (at >= from && at <= to) return at;
  return first;
}
