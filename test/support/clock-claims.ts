/** What an analysis claims about node clocks, against the truth. */
import { offsetBetween } from '#shared/analysis/clocks/index.ts';
import type { ClocksFact } from '#shared/model/facts.ts';
import type { Report } from '#shared/report/schema.ts';
import type { InMemoryResult } from './in-memory-import.ts';
import { type NodeClock, offsetMsWhenShown } from './incidents/clock.ts';
import type { Truth } from './incidents/spec.ts';

export interface ClockClaims {
  /** Pairs of nodes of one component whose true difference lies in the claimed interval, and those where it does not. */
  readonly held: number;
  readonly broken: readonly string[];
  /** Pairs about which nothing is claimed. */
  readonly unknown: number;
}

/** Bounds are rounded outwards; the true offsets are doubles, exact to far less than this. */
const SLACK_MS = 0.001;

/**
 * A guaranteed interval that does not hold the truth is a defect whatever its width: the report's, and the narrower one by which stamps of
 * two clocks are ordered. The truth is that of the moment that the claim is about, which each clock's fact tells: by drift of its own a
 * difference of the first attempt's fault may be 40 ms off ten minutes later, where the second attempt left its evidence.
 */
export function checkClockClaims(
  { report, result }: Pick<InMemoryResult, 'report' | 'result'>,
  { nodeClocks, originNs }: Pick<Truth, 'nodeClocks' | 'originNs'>,
): ClockClaims {
  const { clocks } = result.facts;
  const nodes = Object.entries(nodeClocks);
  const broken: string[] = [];
  let held = 0;
  let unknown = 0;
  for (const [i, [a, clockA]] of nodes.entries()) {
    const trueA = offsetAtMoment(clocks, a, clockA, originNs);
    for (const [b, clockB] of nodes.slice(i + 1)) {
      const trueB = offsetAtMoment(clocks, b, clockB, originNs);
      const claims = [claimOfReport(report, a, b), offsetBetween(clocks, a, b)].filter((claim) => claim !== undefined);
      if (claims.length === 0 || trueA === undefined || trueB === undefined) {
        unknown++;
        continue;
      }
      const difference = trueA - trueB;
      const wrong = claims.find(({ low, high }) => difference < low - SLACK_MS || difference > high + SLACK_MS);
      if (wrong === undefined) held++;
      else
        broken.push(
          `${a} − ${b}: claimed ${wrong.low.toFixed(1)} … ${wrong.high.toFixed(1)} ms, true ${difference.toFixed(1)} ms`,
        );
    }
  }
  return { held, broken, unknown };
}

/** True offset of a node at the moment that its fact is about, ms; undefined for a clock that has no fact. */
function offsetAtMoment(clocks: ClocksFact, node: string, clock: NodeClock, originNs: bigint): number | undefined {
  const momentNs = clocks.domains.find(({ id }) => id === node)?.momentNs;
  return momentNs === undefined ? undefined : offsetMsWhenShown(clock, Number(momentNs - originNs));
}

interface Claim {
  readonly low: number;
  readonly high: number;
}

/** The difference of the two intervals of one component. */
function claimOfReport({ clock }: Report, a: string, b: string): Claim | undefined {
  const x = clock.domains.find(({ id }) => id === a);
  const y = clock.domains.find(({ id }) => id === b);
  if (!x?.offsetMs || !y?.offsetMs || x.component !== y.component) return undefined;
  return {
    low: (x.offsetMs.low ?? -Infinity) - (y.offsetMs.high ?? Infinity),
    high: (x.offsetMs.high ?? Infinity) - (y.offsetMs.low ?? -Infinity),
  };
}
