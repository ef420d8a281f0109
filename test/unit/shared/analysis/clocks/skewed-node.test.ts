/** A node that is seconds ahead, told by Leases, Events and time services alone: no dump, no log, no Pod. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { offsetBetween } from '#shared/analysis/clocks/index.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';

const ROOT = fileURLToPath(new URL('../../../../fixtures/clock-skew/', import.meta.url));
const paths = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((item) => item.isFile() && item.name !== 'README.md')
  .map((item) => relative(ROOT, join(item.parentPath, item.name)))
  .sort();
const filesOf = (keep: (path: string) => boolean) =>
  new Map(paths.filter(keep).map((path) => [path, readFileSync(join(ROOT, path))]));
const clocksOf = (keep: (path: string) => boolean) => analyseFiles(filesOf(keep)).result.facts.clocks;

const AHEAD_MS = 4700;

describe('a node that is seconds ahead', () => {
  const clocks = clocksOf(() => true);
  const against = (node: string) => offsetBetween(clocks, node, 'api');

  it('comes out about as far ahead as it is, the others near zero', () => {
    expect(against('gpu-node-03')?.estimate).toBeGreaterThan(AHEAD_MS - 250);
    expect(against('gpu-node-03')?.estimate).toBeLessThan(AHEAD_MS + 250);
    // The API server writes whole seconds: nearer than half of one is chance.
    for (const node of ['gpu-node-01', 'gpu-node-02', 'gpu-node-04'])
      expect(Math.abs(against(node)?.estimate ?? Number.NaN), node).toBeLessThan(550);
  });

  it.each([
    ['gpu-node-01', 0],
    ['gpu-node-02', 0],
    ['gpu-node-03', AHEAD_MS],
    ['gpu-node-04', 0],
  ])('has the true offset of %s in both intervals: %i ms', (node, truth) => {
    const found = against(node);
    expect(found?.low).toBeLessThanOrEqual(truth);
    expect(found?.high).toBeGreaterThanOrEqual(truth);
    expect(found?.likelyLow).toBeLessThanOrEqual(truth);
    expect(found?.likelyHigh).toBeGreaterThanOrEqual(truth);
    expect((found?.likelyHigh ?? Infinity) - (found?.likelyLow ?? -Infinity)).toBeLessThan(2500);
  });

  it('is certainly ahead of each other node', () => {
    for (const node of ['gpu-node-01', 'gpu-node-02', 'gpu-node-04'])
      expect(offsetBetween(clocks, 'gpu-node-03', node)?.likelyLow, node).toBeGreaterThan(2000);
    expect(offsetBetween(clocks, 'gpu-node-03', 'gpu-node-01')).toMatchObject({
      low: expect.closeTo(AHEAD_MS, -3),
      high: expect.closeTo(AHEAD_MS, -3),
    });
  });

  it('is found from its Lease alone, too', () => {
    const found = offsetBetween(
      clocksOf((path) => path.includes('leases')),
      'gpu-node-03',
      'api',
    );
    expect(found?.low).toBeGreaterThan(3500);
    expect(found?.low).toBeLessThanOrEqual(AHEAD_MS);
    expect(found?.likelyHigh).toBeGreaterThanOrEqual(AHEAD_MS);
  });

  it('keeps an unsynchronised service from telling anything', () => {
    const found = clocksOf((path) => path.includes('gpu-node-04') || path.includes('gpu-node-01'));
    expect(found.domains.find(({ id }) => id === 'gpu-node-04')?.offset).toBeUndefined();
  });
});
