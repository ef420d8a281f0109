/** Output of `ntpq -p` (ntp 4.2, NTPsec), `timedatectl` and `timedatectl timesync-status` (systemd 252). */
import type { Reading } from './reading.ts';

export const NTPQ_HEAD =
  /^\s{0,10}remote\s{1,30}refid\s{1,10}st t when poll reach\s{1,6}delay\s{1,6}offset\s{1,6}jitter/;
const NTPQ_SELECTED =
  /^[*o]\S{1,120}\s{1,30}\S{1,60}\s{1,10}\d{1,2} \w{1,2}\s{1,10}\S{1,8}\s{1,8}\d{1,6}\s{1,8}[0-7]{1,3}\s{1,10}(\d{1,7}\.\d{1,6})\s{1,10}([+-]?\d{1,12}\.\d{1,6})\s{1,10}(\d{1,9}\.\d{1,6})/;

/**
 * Milliseconds; a positive offset means that the local clock is BEHIND. The output does not give the whole bound of the
 * error, nor when it was made: half the delay and three times the jitter stand for it, as likely only.
 */
export function readNtpq(lines: readonly string[]): Reading | undefined {
  if (!lines.some((line) => NTPQ_HEAD.test(line))) return undefined;
  const base = { tool: 'ntpq', at: undefined, zoneMinutes: undefined } as const;
  for (const line of lines) {
    const [, delay, offset, jitter] = NTPQ_SELECTED.exec(line) ?? [];
    if (delay === undefined) continue;
    const bound = Number(delay) / 2 + 3 * Number(jitter) + 1;
    const ms = -Number(offset);
    return { ...base, offset: { lowMs: ms - bound, highMs: ms + bound, certainty: 'likely' }, synchronised: true };
  }
  return { ...base, offset: undefined, synchronised: false };
}

const TIMEDATECTL = /^\s{0,20}System clock synchronized: (yes|no)\s{0,4}$/;
const ZONE = /^\s{0,30}Time zone: \S{1,60} \([^()]{1,20}, ([+-])(\d{2})(\d{2})\)/;

/** Tells the zone, and whether the clock is said to be synchronised: neither gives an offset. */
export function readTimedatectl(lines: readonly string[]): Reading | undefined {
  const synchronised = lines.map((line) => TIMEDATECTL.exec(line)?.[1]).find((found) => found !== undefined);
  if (synchronised === undefined) return undefined;
  const [, sign, hours, minutes] = lines.map((line) => ZONE.exec(line)).find((found) => found !== null) ?? [];
  const zone = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return {
    tool: 'timedatectl',
    offset: undefined,
    at: undefined,
    synchronised: synchronised === 'yes',
    zoneMinutes: hours === undefined ? undefined : zone,
  };
}

const TIMESYNC = /^\s{0,20}(Server|Poll interval|Packet count|Offset|Delay|Jitter): (.{1,120})$/;
const DURATION = /^([+-]?\d{1,9}(?:\.\d{1,6})?)(us|ms|s|min)$/;
const IN_MS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1000, min: 60_000 };

/** A positive offset means that the server is ahead: the local clock is behind. */
export function readTimesync(lines: readonly string[]): Reading | undefined {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = TIMESYNC.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields.set(key, value.trim());
  }
  const ms = (key: string): number => {
    const [, value, unit] = DURATION.exec(fields.get(key) ?? '') ?? [];
    return Number(value ?? Number.NaN) * (IN_MS[unit ?? ''] ?? Number.NaN);
  };
  if (!fields.has('Server') || !fields.has('Packet count')) return undefined;
  const base = { tool: 'timesync-status', at: undefined, zoneMinutes: undefined } as const;
  const offset = -ms('Offset');
  if (!Number.isFinite(offset)) return { ...base, offset: undefined, synchronised: false };
  const bound =
    (Number.isFinite(ms('Delay')) ? ms('Delay') / 2 : 100) +
    3 * (Number.isFinite(ms('Jitter')) ? ms('Jitter') : 50) +
    1;
  return {
    ...base,
    offset: { lowMs: offset - bound, highMs: offset + bound, certainty: 'likely' },
    synchronised: true,
  };
}
