import { expect, test } from 'vitest';
import { computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { importFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident } from '../../../../support/incidents/index.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';

const COUNT = Number(process.env['FIRSTFAULT_SEEDS'] ?? 25);

/** The clocks of these incidents drift but are never set: whatever is called a step or a contradiction would be false. */
test.each(Array.from({ length: COUNT }, (_, i) => i + 1))('no clock is called faulty in incident %i', (seed) => {
  const input = importFiles(buildIncident(randomSpec(seed)).files);
  const { rankMap, events } = computeRankMap(input);
  const { faults, misnumbered, domains } = computeClocks(input, rankMap, events);
  expect(faults).toEqual([]);
  expect(misnumbered).toEqual([]);
  expect(domains.filter(({ quality }) => quality === 'contradictory')).toEqual([]);
});
