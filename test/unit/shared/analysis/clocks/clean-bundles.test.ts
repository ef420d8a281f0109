import { describe, expect, it, test } from 'vitest';
import { computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { ClocksFact } from '#shared/model/facts.ts';
import { importFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type Incident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';
import type { Layout } from '../../../../support/incidents/spec.ts';

const COUNT = Number(process.env['FIRSTFAULT_SEEDS'] ?? 25);
const LAYOUTS: readonly Layout[] = ['kubectl', 'plain', 'prefixed', 'cri', 'torchrun', 'capture'];

function clocksOf(incident: Incident): ClocksFact {
  const input = importFiles(incident.files);
  const { rankMap, events } = computeRankMap(input);
  return computeClocks(input, rankMap, events);
}

function expectNoFault({ faults, misnumbered, domains }: ClocksFact): void {
  expect(faults).toEqual([]);
  expect(misnumbered).toEqual([]);
  expect(domains.filter(({ quality }) => quality === 'contradictory')).toEqual([]);
}

/** The clocks of these incidents drift but are never set: whatever is called a step or a contradiction would be false. */
test.each(Array.from({ length: COUNT }, (_, i) => i + 1))('no clock is called faulty in incident %i', (seed) => {
  expectNoFault(clocksOf(buildIncident(randomSpec(seed))));
});

describe('clean bundles', () => {
  const healthy = (seed: number, layout: Layout, kind: 'healthy' | 'still-running'): IncidentSpec => ({
    ...randomSpec(seed),
    layout,
    fault: { kind },
    missing: {},
  });

  it.each(
    LAYOUTS.flatMap((layout, i) => [
      [layout, 'healthy', 100 + i] as const,
      [layout, 'still-running', 200 + i] as const,
    ]),
  )('%s, %s: nothing is called faulty, and true differences lie inside', (layout, kind, seed) => {
    const incident = buildIncident(healthy(seed, layout, kind));
    const clocks = clocksOf(incident);
    expectNoFault(clocks);
    const { nodeOffsetsMs } = incident.truth;
    const reference = clocks.reference === 'api' ? 0 : nodeOffsetsMs[clocks.reference ?? ''];
    for (const { id, offset, component } of clocks.domains) {
      const own = nodeOffsetsMs[id];
      if (own === undefined || offset === undefined || reference === undefined || component !== 0) continue;
      expect(own - reference, id).toBeGreaterThanOrEqual((offset.low ?? -Infinity) - 0.5);
      expect(own - reference, id).toBeLessThanOrEqual((offset.high ?? Infinity) + 0.5);
    }
  });

  it.each(LAYOUTS.map((layout, i) => [layout, 300 + i] as const))(
    '%s, one node and nothing of the cluster: unknown, never zero',
    (layout, seed) => {
      const spec = healthy(seed, layout, 'healthy');
      const missing = { events: true, leases: true, kernelLog: true, podYaml: true };
      const { domains, reference } = clocksOf(buildIncident({ ...spec, nodes: 1, ranksPerNode: 4, missing }));
      expect(domains.filter(({ kind }) => kind !== 'api').length).toBeGreaterThan(0);
      expect(reference).toBeUndefined();
      for (const { offset, quality } of domains) {
        expect(offset).toBeUndefined();
        expect(quality).toBe('none');
      }
    },
  );
});
