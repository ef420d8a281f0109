/** The drawn bands and the table against another clock than the reference: both must hold the true differences of generated incidents. */
import { describe, expect, it } from 'vitest';
import { buildClocksView } from '#shared/views/clocks/index.ts';
import { differenceOf, pairIn, rebaseView } from '#shared/views/clocks/rebase.ts';
import type { ClocksView } from '#shared/views/clocks/types.ts';
import { rebase } from '../../../../../renderer/viewmodels/clocks/rebased.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { type NodeClock, offsetMsAt } from '../../../../support/incidents/clock.ts';
import { buildIncident } from '../../../../support/incidents/index.ts';
import { createRandom } from '../../../../support/incidents/random.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';
import { buildTopology } from '../../../../support/incidents/topology.ts';

const ORIGIN = 1_773_478_800_000_000_000n;
const SLACK_MS = 0.5;

function caseOf(seed: number) {
  const spec = randomSpec(seed);
  const topology = buildTopology(spec, createRandom(spec.seed).fork('topology'));
  const clocks = new Map<string, NodeClock>(topology.nodes.map(({ node, clock }) => [node, clock]));
  const analysed = analyseFiles(buildIncident(spec).files);
  const trueOf = (id: string, trueNs: number): number => {
    const clock = clocks.get(id);
    return clock === undefined ? 0 : offsetMsAt(clock, trueNs);
  };
  return { trueOf, analysed, view: buildClocksView(analysed) };
}

describe('another reference', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('leaves the true differences inside the bands of incident %i', (seed) => {
    const { trueOf, analysed, view } = caseOf(seed);
    const main = analysed.report.clock.reference;
    if (view === undefined || main === null) return;
    for (const { clock: chosen } of view.bands) {
      const rebased = rebaseView(view, chosen);
      for (const band of rebased.bands) {
        for (const [i, at] of view.momentsNs.entries()) {
          const shown = Number(BigInt(view.originNs) - ORIGIN) + at;
          const trueNs = shown - trueOf(main, shown) * 1e6;
          const difference = trueOf(band.clock, trueNs) - trueOf(chosen, trueNs);
          expect(band.low[i], `${band.clock} against ${chosen} at ${i}`).toBeLessThanOrEqual(difference + SLACK_MS);
          expect(band.high[i], `${band.clock} against ${chosen} at ${i}`).toBeGreaterThanOrEqual(difference - SLACK_MS);
        }
      }
      const { report } = rebase(analysed.report, view, chosen);
      const zero = report.clock.domains.find(({ id }) => id === chosen)?.offsetMs;
      expect(zero).toEqual({ estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 });
    }
  });

  it('takes what was solved for the pair, which intervals do not give', () => {
    let tighter = 0;
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { analysed, view } = caseOf(seed);
      if (view?.matrix == null) continue;
      const ends = (id: string) => analysed.report.clock.domains.find((one) => one.id === id)?.offsetMs;
      for (const a of view.matrix.clocks) {
        for (const b of view.matrix.clocks) {
          const [own, other, pair] = [ends(a), ends(b), pairIn(view, a, b)];
          if (own == null || other == null || pair?.low == null || pair.high === null) continue;
          const bare = differenceOf(own, other, undefined);
          const solved = differenceOf(own, other, pair);
          expect(solved.low).toBeGreaterThanOrEqual(bare.low ?? -Infinity);
          if ((bare.high ?? Infinity) - (bare.low ?? -Infinity) > (solved.high ?? 0) - (solved.low ?? 0) + 0.01)
            tighter += 1;
        }
      }
    }
    expect(tighter).toBeGreaterThan(0);
  });

  it('is the old one again for a clock that nothing relates to it, and for one that the case has not', () => {
    const { analysed, view } = caseOf(1);
    expect(rebase(analysed.report, view ?? null, 'nobody')).toEqual({
      report: analysed.report,
      view: view ?? null,
      own: null,
    });
    expect(rebaseView(view as ClocksView, 'nobody')).toBe(view);
  });
});
