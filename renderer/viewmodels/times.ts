/**
 * Times as the window writes them. The report gives ISO 8601 UTC text; a stamp that was not corrected is never shown
 * bare: it carries the name of its clock and the word raw.
 */
const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `2026-02-18T10:28:25.497123Z` → `10:28:25.497`; whole seconds stay whole. Other text comes back unchanged. */
export function timeOfDay(iso: string): string {
  const match = ISO.exec(iso);
  if (!match) return iso;
  const fraction = match[5];
  return fraction === undefined ? (match[4] ?? iso) : `${match[4]}.${fraction.padEnd(3, '0').slice(0, 3)}`;
}

/** `10:28:25`, without fractions, for ranges. */
export function timeOfDayShort(iso: string): string {
  return ISO.exec(iso)?.[4] ?? iso;
}

/** `18 Feb 2026`. */
export function calendarDay(iso: string): string {
  const match = ISO.exec(iso);
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

/** `±38 ms`; a bound below 1 ms keeps one digit. */
export function formatBound(boundMs: number): string {
  const text =
    boundMs >= 1000
      ? `${Number((boundMs / 1000).toFixed(1))} s`
      : `${Number(boundMs.toFixed(boundMs < 10 ? 1 : 0))} ms`;
  return `±${text}`;
}
