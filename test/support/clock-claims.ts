/** What a report claims about node clocks, against the truth. */
import type { Report } from '#shared/report/schema.ts';
import type { Truth } from './incidents/spec.ts';

export interface ClockClaims {
  /** Pairs of nodes of one component whose true difference lies in the claimed interval, and those where it does not. */
  readonly held: number;
  readonly broken: readonly string[];
  /** Pairs about which nothing is claimed. */
  readonly unknown: number;
}

/** Stamps of whole seconds and the clocks' drift since the fault may move a truth by this much. */
const SLACK_MS = 1.5;

/** A guaranteed interval that does not hold the truth is a defect whatever its width. */
export function checkClockClaims(report: Report, truth: Pick<Truth, 'nodeOffsetsMs'>): ClockClaims {
  const domains = new Map(report.clock.domains.map((domain) => [domain.id, domain]));
  const nodes = Object.entries(truth.nodeOffsetsMs);
  const broken: string[] = [];
  let held = 0;
  let unknown = 0;
  for (const [i, [a, trueA]] of nodes.entries()) {
    for (const [b, trueB] of nodes.slice(i + 1)) {
      const x = domains.get(a);
      const y = domains.get(b);
      if (!x?.offsetMs || !y?.offsetMs || x.component !== y.component) {
        unknown++;
        continue;
      }
      const low = (x.offsetMs.low ?? -Infinity) - (y.offsetMs.high ?? Infinity);
      const high = (x.offsetMs.high ?? Infinity) - (y.offsetMs.low ?? -Infinity);
      const difference = trueA - trueB;
      if (difference >= low - SLACK_MS && difference <= high + SLACK_MS) held++;
      else
        broken.push(`${a} − ${b}: claimed ${low.toFixed(1)} … ${high.toFixed(1)} ms, true ${difference.toFixed(1)} ms`);
    }
  }
  return { held, broken, unknown };
}
