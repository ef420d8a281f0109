/** Words of clocks that terminal, reports and window share. */

/** `UTC`, `UTC+5:30`. */
export function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const whole = Math.abs(minutes);
  const rest = whole % 60 === 0 ? '' : `:${String(whole % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(whole / 60)}${rest}`;
}

const digitsFor = (ms: number): number => (ms >= 1000 ? 0 : ms >= 10 ? 1 : 2);

/** `+55.9`, `−4681`: more digits where they mean something; the minus sign is a real one. */
export function signedMs(ms: number): string {
  const text = Math.abs(ms).toFixed(digitsFor(Math.abs(ms)));
  return Number(text) === 0 ? '0' : `${ms < 0 ? '−' : '+'}${text}`;
}

/** `[+17.9, +93.9]`; an open side is `…`. */
export function intervalMs(low: number | null, high: number | null): string {
  return `[${low === null ? '…' : signedMs(low)}, ${high === null ? '…' : signedMs(high)}]`;
}

/** `±38 ms`, `±1.3 s`. Outwards: a bound never becomes tighter by rounding. `boundMs` >= 0. */
export function plusMinus(boundMs: number): string {
  const up = (value: number, digits: number): number => Math.ceil(value * 10 ** digits - 1e-9) / 10 ** digits;
  if (boundMs > 999) return `±${up(boundMs / 1000, 1)} s`;
  return `±${up(boundMs, boundMs < 1 ? 2 : boundMs < 10 ? 1 : 0)} ms`;
}

/** A bound of zero belongs to the reference clock, which defines the time: it is named, not called exact. */
export const boundText = (boundMs: number): string => (boundMs === 0 ? 'on the reference clock' : plusMinus(boundMs));
