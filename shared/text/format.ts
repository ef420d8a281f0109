/** How numbers, sizes, durations and rank sets are written, everywhere the same and in no locale. */
export { formatRanks, nameRanks, nameRanksAtStart } from '../lib/rank-set.ts';

const THIN_SPACE = '\u2009';

/** Whole numbers in groups of three, split by a thin space: `1 234 567`. */
export function formatCount(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

/** `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes in binary units with one decimal from KiB on: `512 B`, `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // As it will be written: 1023.96 KiB are 1.0 MiB, not 1024.0 KiB.
  while (Number(value.toFixed(1)) >= 1024 && unit < BINARY_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${Math.trunc(bytes)} B` : `${value.toFixed(1)} ${BINARY_UNITS[unit]}`;
}

/** `850 ms`, `15 s`, `1.2 s`, `10 m 12 s`, `2 h 3 m`. Negative durations keep their sign. Rounded before the unit is chosen. */
export function formatDurationMs(ms: number): string {
  if (ms < 0) return `−${formatDurationMs(-ms)}`;
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (Number(seconds.toFixed(1)) < 60) return Number.isInteger(seconds) ? `${seconds} s` : `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} m`;
}

/** `3fa9c1…0d12`: first and last characters of a hash. Short text is returned as it is. */
export function shortenHash(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`;
}
