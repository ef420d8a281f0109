import type { Brand } from '../lib/brand.ts';

/** Nanoseconds since 1970 UTC, exact. A bigint: as a double it would step by 256 ns. Used by parsers and stored rows. */
export type EpochNs = Brand<bigint, 'EpochNs'>;

export const epochNs = (value: bigint): EpochNs => value as EpochNs;

export const NS_PER_MS = 1_000_000n;
export const NS_PER_S = 1_000_000_000n;

/**
 * How a stamp was written, which decides what it may be compared with.
 * - `runtime`  container runtime (kubectl --timestamps, CRI, Docker): node clock, zone written, ns
 * - `zoned`    written by the program or a tool with its zone: node clock
 * - `local`    no zone (and perhaps no year) written: node clock, zone assumed; see `zoneAssumed`
 * - `epoch`    seconds or nanoseconds since 1970: node clock
 * - `api`      stamped by the API server or a control-plane component
 * - `boot`     seconds since boot: not a wall clock
 */
export type StampKind = 'runtime' | 'zoned' | 'local' | 'epoch' | 'api' | 'boot';

/** A stamp as read. `ns` is the raw value on the clock that wrote it; nothing here is corrected. */
export interface Stamp {
  readonly ns: EpochNs;
  readonly kind: StampKind;
  /** Resolution of the written form in ns: the true instant lies in [ns, ns + resolutionNs). */
  readonly resolutionNs: number;
  /** True if the written form had no zone (or no year) and UTC (or the neighbours' year) was assumed. */
  readonly zoneAssumed: boolean;
}

/** ISO 8601 UTC with as many fraction digits as given (0, 3, 6 or 9), truncated, never rounded up. */
export function formatEpochNs(ns: EpochNs, digits: 0 | 3 | 6 | 9 = 3): string {
  const floorS = ns >= 0n ? ns / NS_PER_S : (ns - NS_PER_S + 1n) / NS_PER_S;
  const fraction = ns - floorS * NS_PER_S;
  const base = new Date(Number(floorS) * 1000).toISOString().slice(0, 19);
  if (digits === 0) return `${base}Z`;
  return `${base}.${fraction.toString().padStart(9, '0').slice(0, digits)}Z`;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses one ISO 8601 stamp (`T` or space, `.` or `,`, 0 to 9 fraction digits, zone optional).
 * A missing zone is taken as UTC and `zoneAssumed` is set. Returns undefined for anything else, for a
 * calendar that does not exist and for years outside 1970 to 2200.
 */
export function parseIsoStamp(text: string): Stamp | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  if (!Number.isFinite(ms) || Number(year) < 1970 || Number(year) > 2200) return undefined;
  if (new Date(ms).getUTCDate() !== Number(day) || Number(month) > 12 || Number(hour) > 24) return undefined;
  let ns = BigInt(ms) * NS_PER_MS;
  if (fraction !== undefined) ns += BigInt(fraction.padEnd(9, '0'));
  if (zone !== undefined && zone !== 'Z') {
    const sign = zone.startsWith('-') ? 1n : -1n;
    const digits = zone.replace(/\D/g, '');
    ns += sign * (BigInt(digits.slice(0, 2)) * 60n + BigInt(digits.slice(2, 4))) * 60n * NS_PER_S;
  }
  return {
    ns: epochNs(ns),
    kind: zone === undefined ? 'local' : 'zoned',
    resolutionNs: 10 ** (9 - (fraction?.length ?? 0)),
    zoneAssumed: zone === undefined,
  };
}

/**
 * Year that stands in a stamp whose line names none and whose file gives none either. A leap year, so that 29 February
 * stays; far enough back that no log of ours is really from it.
 */
export const UNKNOWN_YEAR = 1972;
const UNKNOWN_YEAR_FROM = BigInt(Date.UTC(UNKNOWN_YEAR, 0, 1)) * NS_PER_MS;
const UNKNOWN_YEAR_TO = BigInt(Date.UTC(UNKNOWN_YEAR + 1, 0, 1)) * NS_PER_MS;

/** True if only month, day and time of day of this stamp are known: it must be given a year before it is compared. */
export const isYearUnknown = (stamp: Stamp): boolean =>
  stamp.kind === 'local' && stamp.zoneAssumed && stamp.ns >= UNKNOWN_YEAR_FROM && stamp.ns < UNKNOWN_YEAR_TO;

/**
 * Gives a stamp of unknown year the year that brings it nearest to `near` (so 31 December and 1 January stay
 * neighbours). Any other stamp is returned as it is.
 */
export function placeInYear(stamp: Stamp, near: EpochNs): Stamp {
  if (!isYearUnknown(stamp)) return stamp;
  const seconds = placeSecondsInYear(Number(stamp.ns / NS_PER_S), Number(near / NS_PER_S));
  return { ...stamp, ns: epochNs(BigInt(seconds) * NS_PER_S + (stamp.ns % NS_PER_S)) };
}

/** The same for whole seconds since 1970: `seconds` lies in UNKNOWN_YEAR; the result is the like moment nearest to `near`. */
export function placeSecondsInYear(seconds: number, near: number): number {
  const year = new Date(near * 1000).getUTCFullYear();
  const date = new Date(seconds * 1000);
  let best = seconds;
  for (const candidate of [year - 1, year, year + 1]) {
    const at =
      Date.UTC(
        candidate,
        date.getUTCMonth(),
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
      ) / 1000;
    if (best === seconds || Math.abs(at - near) < Math.abs(best - near)) best = at;
  }
  return best;
}
