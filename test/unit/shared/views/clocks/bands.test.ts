/** The drawn bands against the true clocks of generated incidents, at every moment that is drawn. */
import { describe, expect, it } from 'vitest';
import { buildClocksView } from '#shared/views/clocks/index.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { type NodeClock, offsetMsAt } from '../../../../support/incidents/clock.ts';
import { buildIncident } from '../../../../support/incidents/index.ts';
import { createRandom } from '../../../../support/incidents/random.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';
import { buildTopology } from '../../../../support/incidents/topology.ts';

const ORIGIN = 1_773_478_800_000_000_000n;
/** What the true offset moves by while stamps are taken, ms. */
const SLACK_MS = 0.5;
const SEEDS = Array.from({ length: 14 }, (_, i) => i + 1);

function caseOf(seed: number) {
  const spec = randomSpec(seed);
  const topology = buildTopology(spec, createRandom(spec.seed).fork('topology'));
  const clocks = new Map<string, NodeClock>(topology.nodes.map(({ node, clock }) => [node, clock]));
  return { clocks, analysed: analyseFiles(buildIncident(spec).files) };
}

describe('bands of clocks', () => {
  it.each(SEEDS)('hold the true offset at every moment of incident %i', (seed) => {
    const { clocks, analysed } = caseOf(seed);
    const view = buildClocksView(analysed);
    const { reference } = analysed.report.clock;
    if (view === undefined || reference === null) return;
    const trueOf = (id: string, trueNs: number): number | undefined => {
      const clock = clocks.get(id);
      return id === 'api' ? 0 : clock && offsetMsAt(clock, trueNs);
    };
    for (const band of view.bands) {
      for (const [i, at] of view.momentsNs.entries()) {
        const shown = Number(BigInt(view.originNs) - ORIGIN) + at;
        const trueNs = shown - (trueOf(reference, shown) ?? 0) * 1e6;
        const own = trueOf(band.clock, trueNs);
        if (own === undefined) continue;
        const offset = own - (trueOf(reference, trueNs) ?? 0);
        expect(band.low[i], `${band.clock} at ${i}`).toBeLessThanOrEqual(offset + SLACK_MS);
        expect(band.high[i], `${band.clock} at ${i}`).toBeGreaterThanOrEqual(offset - SLACK_MS);
        expect(band.low[i]).toBeLessThanOrEqual((band.likelyLow[i] ?? 0) + 1e-3);
        expect(band.high[i]).toBeGreaterThanOrEqual((band.likelyHigh[i] ?? 0) - 1e-3);
      }
    }
  });

  it('rest on evidence that leads to the very records, and that binds no tighter than the band', () => {
    let records = 0;
    for (const seed of SEEDS) {
      const { analysed } = caseOf(seed);
      const view = buildClocksView(analysed);
      for (const band of view?.bands ?? []) {
        for (const anchor of band.anchors) {
          for (const side of [anchor.before, anchor.after]) {
            if (side?.place?.record == null) continue;
            const dump = analysed.input.dumps.find(({ source }) => source.entry === side.place?.entryId);
            const columns = dump?.columns;
            const stamps = [columns?.createdNs, columns?.completedNs].map(
              (column) => column?.[side.place?.record ?? -1],
            );
            expect(stamps.map(String)).toContain(side.rawNs);
            records += 1;
          }
        }
      }
    }
    expect(records).toBeGreaterThan(20);
  });

  it('are none where nothing relates two clocks', () => {
    const { analysed } = caseOf(1);
    const clocks = { ...analysed.result.facts.clocks, domains: [] };
    const result = { ...analysed.result, facts: { ...analysed.result.facts, clocks } };
    expect(buildClocksView({ ...analysed, result })).toBeUndefined();
  });
});
