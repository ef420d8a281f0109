/** A node's clock. Times are nanoseconds; true time starts near 0. */
import type { Random } from '../incidents/random.ts';

export interface NodeClock {
  /** What the clock shows at a moment of true time. */
  readonly shows: (trueNs: number) => number;
}

export interface ClockSpec {
  readonly offsetNs: number;
  readonly driftPpm: number;
  /** From this moment on the clock is slewed by so much in addition. */
  readonly slew?: { readonly fromNs: number; readonly ppm: number };
  /** Moment and size of a jump; negative = set back. */
  readonly step?: { readonly atNs: number; readonly sizeNs: number };
}

export function nodeClock({ offsetNs, driftPpm, slew, step }: ClockSpec): NodeClock {
  return {
    shows(t) {
      let shown = t + offsetNs + t * driftPpm * 1e-6;
      if (slew !== undefined && t > slew.fromNs) shown += (t - slew.fromNs) * slew.ppm * 1e-6;
      if (step !== undefined && t >= step.atNs) shown += step.sizeNs;
      return shown;
    },
  };
}

/** Offsets of 50 ms to 5 min either way, now and then whole hours; drifts of ± 50 ppm. */
export function drawClock(random: Random): ClockSpec {
  const size = 50e6 * (300e9 / 50e6) ** random.next();
  const hours = random.chance(0.1) ? random.int(-3, 3) * 3_600e9 : 0;
  return { offsetNs: (random.chance(0.5) ? size : -size) + hours, driftPpm: random.between(-50, 50) };
}
