/** Ticks of a time axis: round moments, labelled with as much as tells them apart. */
import {
  type DisplayZone,
  displayZone,
  formatSignedNs,
  isoToNs,
  nsToIso,
  timeOfDayShort,
  zoneMinutes,
} from '../times.ts';
import type { TimeSpan } from './span.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
  /** Has a label; the others are short marks between. */
  readonly major: boolean;
}

const S = 1e9;
const STEPS = [
  1e3,
  2e3,
  5e3,
  1e4,
  2e4,
  5e4,
  1e5,
  2e5,
  5e5,
  1e6,
  2e6,
  5e6,
  1e7,
  2e7,
  5e7,
  1e8,
  2e8,
  5e8,
  S,
  2 * S,
  5 * S,
  10 * S,
  15 * S,
  30 * S,
  60 * S,
  120 * S,
  300 * S,
  600 * S,
  900 * S,
  1800 * S,
  3600 * S,
  7200 * S,
  10_800 * S,
  21_600 * S,
  43_200 * S,
  86_400 * S,
  172_800 * S,
  604_800 * S,
] as const;

/** At least `minPx` between labels of a span drawn over `widthPx`. Empty for a width of nothing. */
export function axisTicks(
  span: TimeSpan,
  originNs: bigint,
  widthPx: number,
  minPx: number,
  zone = displayZone(),
): Tick[] {
  if (widthPx < 2 * minPx) return [];
  const step = stepFor(span, widthPx, minPx);
  // Ticks stand on round moments of the clock that is shown, not on round distances from the origin.
  const whole = BigInt(Math.round(step));
  const zero = Number(((phaseOf(originNs, zone) % whole) + whole) % whole);
  const ticks: Tick[] = [];
  const minor = step / 2;
  const first = Math.ceil((span.from + zero) / minor) * minor - zero;
  const halves = Math.round((first + zero) / minor);
  for (let i = 0; first + i * minor < span.to; i++) {
    const at = first + i * minor;
    const major = (halves + i) % 2 === 0;
    ticks.push({
      at,
      major,
      label: major
        ? tickLabel(
            at,
            originNs,
            step,
            zone,
            ticks.every((tick) => !tick.major),
          )
        : '',
    });
  }
  return ticks;
}

/** The round step between ticks of which `minPx` fit, ns; also of axes that count from a moment. */
export function stepFor(span: TimeSpan, widthPx: number, minPx: number): number {
  const least = ((span.to - span.from) * minPx) / widthPx;
  return STEPS.find((step) => step >= least) ?? 604_800 * S;
}

function phaseOf(originNs: bigint, zone: DisplayZone): bigint {
  if (zone.kind === 'onset') {
    const onset = isoToNs(zone.onset);
    return onset === null ? 0n : originNs - onset;
  }
  return originNs + BigInt(zoneMinutes(zone, Number(originNs / 1_000_000n))) * 60_000_000_000n;
}

/** The first label says the whole time, the following ones what changes. */
function tickLabel(at: number, originNs: bigint, step: number, zone: DisplayZone, whole: boolean): string {
  const ns = originNs + BigInt(Math.round(at));
  const digits = step >= S ? 0 : Math.min(9, Math.ceil(-Math.log10(step / S) - 1e-9));
  if (zone.kind === 'onset') {
    const onset = isoToNs(zone.onset);
    return onset === null ? '' : formatSignedNs(ns - onset, digits === 0 ? 0 : digits <= 3 ? 3 : 6);
  }
  const time = timeOfDayShort(nsToIso(ns), zone.kind === 'epoch' ? { kind: 'utc' } : zone);
  const fraction = digits === 0 ? '' : `.${fractionOf(ns).slice(0, digits)}`;
  if (step >= 86_400 * S) return nsToIso(ns).slice(5, 10);
  if (step >= 60 * S) return time.slice(0, 5);
  if (whole) return `${time}${fraction}`;
  return digits === 0 ? `:${time.slice(6)}` : `${time.slice(6)}${fraction}`;
}

const fractionOf = (ns: bigint): string =>
  (((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n).toString().padStart(9, '0');

/** `10:28:25.497`, finer while the span is short: three digits, six below 10 ms a screen, nine below 10 µs. */
export function momentLabel(at: number, originNs: bigint, span: TimeSpan, zone = displayZone()): string {
  const length = span.to - span.from;
  const digits = length < 1e4 ? 9 : length < 1e7 ? 6 : 3;
  const ns = originNs + BigInt(Math.round(at));
  if (zone.kind === 'onset') {
    const onset = isoToNs(zone.onset);
    return onset === null ? '' : formatSignedNs(ns - onset, digits === 9 ? 6 : digits);
  }
  if (zone.kind === 'epoch') return ns.toString();
  return `${timeOfDayShort(nsToIso(ns), zone)}.${fractionOf(ns).slice(0, digits)}`;
}

/** Relative time of an ISO 8601 stamp; null for other text. */
export function relativeOf(iso: string, originNs: bigint): number | null {
  const ns = isoToNs(iso);
  return ns === null ? null : Number(ns - originNs);
}
