/**
 * Times as the window writes them. The report gives ISO 8601 UTC text; a stamp that was not corrected is never shown
 * bare: it carries the name of its clock and the word raw.
 */
import { plusMinus, zoneName as utcName } from '#shared/text/clock-text.ts';
import { formatDurationMs } from '#shared/text/format.ts';

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** How times are written in the whole window. `onset`: the moment from which they count. */
export type DisplayZone =
  | { readonly kind: 'utc' }
  | { readonly kind: 'local' }
  /** The one that the stamps of the cluster's own logs are proven to be in; minutes ahead of UTC. */
  | { readonly kind: 'cluster'; readonly minutes: number }
  | { readonly kind: 'onset'; readonly onset: string }
  | { readonly kind: 'epoch' };

let zone: DisplayZone = { kind: 'utc' };

/** One zone for all screens, so that no column can mix two. The shell sets it and draws the screen anew. */
export function setDisplayZone(next: DisplayZone): void {
  zone = next;
}

export const displayZone = (): DisplayZone => zone;

/** `2026-02-18T10:28:25.497123Z` → `10:28:25.497`; whole seconds stay whole. Other text comes back unchanged. */
export function timeOfDay(iso: string, shown: DisplayZone = zone): string {
  const match = ISO.exec(iso);
  if (!match) return iso;
  const fraction = match[5];
  const digits = fraction === undefined ? 0 : 3;
  return timeIn(iso, digits, shown);
}

/** `10:28:25`, without fractions, for ranges. */
export function timeOfDayShort(iso: string, shown: DisplayZone = zone): string {
  return ISO.test(iso) ? timeIn(iso, 0, shown) : iso;
}

function timeIn(iso: string, digits: 0 | 3, shown: DisplayZone): string {
  const match = ISO.exec(shiftedIso(iso, shown));
  if (!match) return iso;
  switch (shown.kind) {
    case 'utc':
    case 'local':
    case 'cluster':
      return digits === 0 ? (match[4] ?? iso) : `${match[4]}.${(match[5] ?? '').padEnd(3, '0').slice(0, 3)}`;
    case 'onset':
      return fromOnset(iso, shown.onset, digits);
    case 'epoch':
      return isoToNs(iso)?.toString() ?? iso;
  }
}

/** How far the digits that are shown are ahead of UTC at a moment, minutes. */
export function zoneMinutes(shown: DisplayZone, epochMs: number): number {
  if (shown.kind === 'cluster') return shown.minutes;
  return shown.kind === 'local' ? -new Date(epochMs).getTimezoneOffset() : 0;
}

/** The same stamp with the digits of the shown zone; still ends in `Z`, which is not shown. */
function shiftedIso(iso: string, shown: DisplayZone): string {
  if (shown.kind !== 'local' && shown.kind !== 'cluster') return iso;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  const shifted = new Date(ms + zoneMinutes(shown, ms) * 60_000).toISOString().slice(0, 19);
  const fraction = ISO.exec(iso)?.[5];
  return fraction === undefined ? `${shifted}Z` : `${shifted}.${fraction}Z`;
}

/** `+1.204 s`, `−10 m 03.000 s`: always signed. */
function fromOnset(iso: string, onset: string, digits: 0 | 3): string {
  const at = isoToNs(iso);
  const zero = isoToNs(onset);
  if (at === null || zero === null) return iso;
  return formatSignedNs(at - zero, digits);
}

/** A signed span in minutes and seconds; `digits` after the second, cut. */
export function formatSignedNs(ns: bigint, digits: 0 | 3 | 6): string {
  const abs = ns < 0n ? -ns : ns;
  const seconds = abs / 1_000_000_000n;
  const fraction = digits === 0 ? '' : `.${(abs % 1_000_000_000n).toString().padStart(9, '0').slice(0, digits)}`;
  const minutes = seconds / 60n;
  const rest = minutes === 0n ? String(seconds) : String(seconds % 60n).padStart(2, '0');
  const hours = minutes / 60n;
  const large =
    minutes === 0n ? '' : hours === 0n ? `${minutes} m ` : `${hours} h ${String(minutes % 60n).padStart(2, '0')} m `;
  return `${ns < 0n ? '−' : '+'}${large}${rest}${fraction} s`;
}

/** Epoch ns of an ISO 8601 UTC stamp; null for other text. */
export function isoToNs(iso: string): bigint | null {
  const match = ISO.exec(iso);
  if (!match) return null;
  const ms = Date.parse(`${iso.slice(0, 19)}Z`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt((match[5] ?? '').padEnd(9, '0').slice(0, 9));
}

/** ISO 8601 UTC with six digits of epoch ns. */
export function nsToIso(ns: bigint): string {
  const seconds = ns >= 0n ? ns / 1_000_000_000n : (ns - 999_999_999n) / 1_000_000_000n;
  const fraction = (ns - seconds * 1_000_000_000n).toString().padStart(9, '0').slice(0, 6);
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** `1.400 s`, `340 ms`, `10 m 12 s`, `250 ns` of a span in ns, `from` ≤ `to`. Rounded before the unit is chosen: never `1000 ms`. */
export function rangeDuration(range: { readonly from: number; readonly to: number }): string {
  const ns = range.to - range.from;
  if (ns < 1000) return `${Math.round(ns)} ns`;
  const us = Math.round(ns / 1000);
  if (us < 1000) return `${us} µs`;
  const ms = Number((ns / 1e6).toFixed(ns < 1e7 ? 1 : 0));
  if (ms < 1000) return `${ms} ms`;
  const s = (ns / 1e9).toFixed(3);
  return Number(s) < 60 ? `${s} s` : formatDurationMs(Math.round(ns / 1e6));
}

/** What the context bar and exports call the zone. `at`: a moment of the case, because zones change with the seasons. */
export function zoneName(shown: DisplayZone, at: string | null): string {
  switch (shown.kind) {
    case 'utc':
      return 'UTC';
    case 'local': {
      const minutes = -new Date(at === null ? Number.NaN : Date.parse(at)).getTimezoneOffset();
      if (Number.isNaN(minutes)) return 'local time';
      const abs = Math.abs(minutes);
      const text = `${String(Math.floor(abs / 60)).padStart(2, '0')}:${String(abs % 60).padStart(2, '0')}`;
      return `local, UTC${minutes < 0 ? '−' : '+'}${text}`;
    }
    case 'cluster':
      return `cluster, ${utcName(shown.minutes)}`;
    case 'onset':
      return 'from first fault';
    case 'epoch':
      return 'epoch ns';
  }
}

/** `18 Feb 2026`. */
export function calendarDay(iso: string, shown: DisplayZone = zone): string {
  const match = ISO.exec(shiftedIso(iso, shown));
  if (!match) return iso;
  return `${Number(match[3])} ${MONTHS[Number(match[2]) - 1] ?? ''} ${match[1]}`;
}

/** `18 Feb`, for the title bar. */
export function calendarDayShort(iso: string): string {
  return calendarDay(iso).replace(/ \d{4}$/, '');
}

/** Milliseconds between two stamps of the same clock; null if either is not a stamp. */
export function spanMs(from: string, to: string): number | null {
  const a = Date.parse(from);
  const b = Date.parse(to);
  return Number.isNaN(a) || Number.isNaN(b) ? null : b - a;
}

/** `±38 ms`, as all written forms say it. */
export const formatBound = plusMinus;
