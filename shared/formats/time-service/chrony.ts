/** Output of `chronyc tracking` (text and `-c`) and `chronyc sources`, and chronyd's `tracking.log`: chrony 4. */
import { type EpochNs, epochNs } from '../../model/time.ts';
import type { Reading } from './reading.ts';

const KEY = /^([A-Z][A-Za-z ()]{2,20}?)\s{0,20}: (.{0,200})$/;
const SYSTEM_TIME = /^(\d{1,12}\.\d{1,12}) seconds (fast|slow) of NTP time/;
const SECONDS = /^([+-]?\d{1,12}\.\d{1,12}) seconds/;
const REF_TIME = /^\w{3} (\w{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Reference of a clock that follows nothing, or itself. */
const NO_REFERENCE = /^(?:00000000|7F7F0101)\b/i;

/**
 *   System time     : 4.731204510 seconds fast of NTP time      fast = the clock is ahead
 *   Last offset     : +4.702113867 seconds                      positive = was ahead at the last update
 *   Root delay, Root dispersion                                 bound of the error: dispersion + delay / 2
 *
 * Both values are taken together: between updates the first is an extrapolation.
 */
export function readTracking(lines: readonly string[]): Reading | undefined {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = KEY.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields.set(key.trim(), value.trim());
  }
  const system = SYSTEM_TIME.exec(fields.get('System time') ?? '');
  const leap = fields.get('Leap status');
  if (system === null || leap === undefined) return undefined;
  const seconds = (key: string): number => Number(SECONDS.exec(fields.get(key) ?? '')?.[1] ?? Number.NaN);
  return tracked({
    reference: fields.get('Reference ID') ?? '',
    systemS: Number(system[1]) * (system[2] === 'fast' ? 1 : -1),
    lastS: seconds('Last offset'),
    delayS: seconds('Root delay'),
    dispersionS: seconds('Root dispersion'),
    at: readRefTime(fields.get('Ref time (UTC)') ?? ''),
    synchronised: leap !== 'Not synchronised',
  });
}

const CSV_FIELDS = 14;

/** One line of `chronyc -c tracking`; there a positive system time means SLOW. */
export function readTrackingCsv(line: string): Reading | undefined {
  const fields = line.split(',', CSV_FIELDS + 1);
  if (fields.length !== CSV_FIELDS || !/^[0-9A-F]{8}$/i.test(fields[0] ?? '')) return undefined;
  const number = (i: number): number => Number(fields[i] ?? Number.NaN);
  const ref = fields[3] ?? '';
  if (!/^\d{1,10}\.\d{1,9}$/.test(ref) || Number.isNaN(number(4))) return undefined;
  return tracked({
    reference: fields[0] ?? '',
    systemS: -number(4),
    lastS: number(5),
    delayS: number(10),
    dispersionS: number(11),
    at: epochNs(BigInt(Math.round(Number(ref) * 1000)) * 1_000_000n),
    synchronised: !/not sync/i.test(fields[13] ?? ''),
  });
}

interface Tracking {
  readonly reference: string;
  readonly systemS: number;
  readonly lastS: number;
  readonly delayS: number;
  readonly dispersionS: number;
  readonly at: EpochNs | undefined;
  readonly synchronised: boolean;
}

function tracked({ reference, systemS, lastS, delayS, dispersionS, at, synchronised }: Tracking): Reading {
  const base = { tool: 'chronyc-tracking', zoneMinutes: undefined } as const;
  if (!synchronised || NO_REFERENCE.test(reference))
    return { ...base, offset: undefined, at: undefined, synchronised: false };
  const bound = dispersionS + delayS / 2;
  if (!Number.isFinite(bound) || bound < 0 || at === undefined || !Number.isFinite(systemS))
    return { ...base, offset: undefined, at, synchronised };
  const both = Number.isFinite(lastS) ? [systemS, lastS] : [systemS];
  const lowMs = (Math.min(...both) - bound) * 1000;
  const highMs = (Math.max(...both) + bound) * 1000;
  return { ...base, offset: { lowMs, highMs, certainty: 'guaranteed' }, at, synchronised };
}

function readRefTime(text: string): EpochNs | undefined {
  const [, month, day, hour, minute, second, year] = REF_TIME.exec(text) ?? [];
  const index = MONTHS.indexOf(month ?? '');
  if (index < 0) return undefined;
  const ms = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second));
  return Number.isFinite(ms) && ms > 0 ? epochNs(BigInt(ms) * 1_000_000n) : undefined;
}

export const SOURCES_HEAD = /^MS Name\/IP address\s{1,30}Stratum Poll Reach LastRx Last sample/;
const SELECTED =
  /^[\^=#]\*\s{1,3}\S{1,120}\s{1,60}\d{1,2}\s{1,8}-?\d{1,2}\s{1,8}\d{1,3}\s{1,8}\S{1,8}\s{1,8}[+-]\d{1,9}(?:ns|us|ms|s)\[\s{0,6}([+-]\d{1,9})(ns|us|ms|s)\]\s{0,4}\+\/-\s{0,6}(\d{1,9})(ns|us|ms|s)/;
const IN_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

/** The selected source's last sample as it was measured (in brackets); positive = the local clock was ahead. */
export function readSources(lines: readonly string[]): Reading | undefined {
  if (!lines.some((line) => SOURCES_HEAD.test(line))) return undefined;
  const base = { tool: 'chronyc-sources', at: undefined, zoneMinutes: undefined } as const;
  for (const line of lines) {
    const [, value, unit, margin, marginUnit] = SELECTED.exec(line) ?? [];
    const [scale, marginScale] = [IN_MS[unit ?? ''], IN_MS[marginUnit ?? '']];
    if (scale === undefined || marginScale === undefined) continue;
    const [ms, bound] = [Number(value) * scale, Number(margin) * marginScale + scale];
    return { ...base, offset: { lowMs: ms - bound, highMs: ms + bound, certainty: 'likely' }, synchronised: true };
  }
  return { ...base, offset: undefined, synchronised: false };
}

export const TRACKING_LOG_HEAD =
  /^ {1,4}Date \(UTC\) Time {1,8}IP Address {1,6}St {1,6}Freq ppm {1,6}Skew ppm {1,8}Offset L Co {1,4}Offset sd/;
const TRACKING_LOG_ROW =
  /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) \S{1,60} {1,20}\d{1,2} {1,12}\S{1,12} {1,12}\S{1,12} {1,4}(-?\d\.\d{3}e[+-]\d\d) ([N+?-]) {1,3}\d{1,3} {1,4}\S{9,10} {1,3}(-?\d\.\d{3}e[+-]\d\d) {1,3}(\d\.\d{3}e[+-]\d\d) {1,3}(\d\.\d{3}e[+-]\d\d)/;

/**
 * One row of `tracking.log`; undefined if the line is none. Seconds in true time.
 *
 *   2026-03-14 10:20:11 192.0.2.1  3  -3.541  0.075  4.731e+00 N  2  2.940e-03 -2.084e-04  1.534e-02  3.472e-04  8.304e-03
 *                                                    offset    L                remaining   delay      dispersion
 *
 * The offset is positive where the clock is ahead. What remains of the correction before is told with the other sign; it is put on both
 * sides, since versions differ in whether the offset has it. Error: dispersion + delay / 2. `?` = not synchronised.
 */
export function readTrackingLogRow(line: string): Reading | undefined {
  const [, year, month, day, hour, minute, second, offset, leap, rest, delay, dispersion] =
    TRACKING_LOG_ROW.exec(line) ?? [];
  if (year === undefined) return undefined;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const base = { tool: 'chrony-tracking-log', zoneMinutes: undefined } as const;
  const at = ms > 0 ? epochNs(BigInt(ms) * 1_000_000n) : undefined;
  if (leap === '?' || at === undefined) return { ...base, offset: undefined, at, synchronised: false };
  const bound = Number(dispersion) + Number(delay) / 2 + Math.abs(Number(rest));
  const [lowMs, highMs] = [(Number(offset) - bound) * 1000, (Number(offset) + bound) * 1000];
  return { ...base, offset: { lowMs, highMs, certainty: 'guaranteed' }, at, synchronised: true };
}
