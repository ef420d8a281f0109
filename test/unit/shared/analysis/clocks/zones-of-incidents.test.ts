/** Zones that are claimed, against the zones in which generated incidents were written. */
import { expect, it } from 'vitest';
import { importFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { createRandom } from '../../../../support/incidents/random.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';
import { buildTopology } from '../../../../support/incidents/topology.ts';

const ZONES = [330, -480, 0, 60, 765, -210, 600, 45];

/** Logs without the runtime's stamps, nodes in different zones and minutes apart. */
function specOf(seed: number): IncidentSpec {
  const spec = randomSpec(seed);
  const clocks = Array.from({ length: spec.nodes }, (_, i) => ({
    offsetMs: ((seed * 7919 + i * 104_729) % 240_000) - 120_000,
    zoneMinutes: ZONES[(seed + i) % ZONES.length] ?? 0,
  }));
  return { ...spec, clocks };
}

it('claims no wrong zone, and proves some', () => {
  let proven = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const spec = specOf(seed);
    const topology = buildTopology(spec, createRandom(spec.seed).fork('topology'));
    const input = importFiles(buildIncident(spec).files);
    const paths = new Map(input.entries.map(({ id, path }) => [id, path]));
    for (const { entry, pod, minutes } of input.zones ?? []) {
      if (minutes === undefined) continue;
      const path = paths.get(entry) ?? '';
      // `job-1` is a part of `job-10`: the longest name is the Pod's.
      const named = topology.nodes.filter(
        (node) => pod === node.pod || path.includes(node.pod) || path.includes(node.node),
      );
      const place = named.sort((x, y) => y.pod.length - x.pod.length)[0];
      expect(minutes, `${seed} ${path}`).toBe(place?.clock.zoneMinutes);
      proven += 1;
    }
  }
  expect(proven).toBeGreaterThan(5);
});
