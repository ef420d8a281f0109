import { describe, expect, it } from 'vitest';
import { nodeOfPath } from '#shared/analysis/clocks/evidence/time-service.ts';
import { computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { EntryInfo } from '#shared/model/entry.ts';
import { entryId } from '#shared/model/ids.ts';
import { epochNs } from '#shared/model/time.ts';
import type { TimeReport } from '#shared/model/time-service.ts';
import { file, incident, jobSetLabels, pod, ready } from '../rank-map/build-incident.ts';

describe('node of a path', () => {
  it.each([
    ['node/gpu-node-03/chronyc.txt', 'gpu-node-03'],
    ['hosts/chronyc_gpu-node-03.txt', 'gpu-node-03'],
    ['node/gpu-node-031/chronyc.txt', undefined],
    ['node/my-gpu-node-03/chronyc.txt', undefined],
    ['chronyc.txt', undefined],
  ])('%s', (path, expected) => {
    expect(nodeOfPath(path, ['gpu-node-0', 'gpu-node-03'])).toBe(expected);
  });
});

describe('offsets by time services', () => {
  const at = epochNs(1_800_000_000_000_000_000n);
  const entry = (i: number, path: string): EntryInfo => ({ ...EMPTY, id: entryId(i), path });
  const report = (i: number, lowMs: number, highMs: number): TimeReport => ({
    source: { kind: 'entry', entry: entryId(i) },
    tool: 'chronyc-tracking',
    offset: { lowMs, highMs, certainty: 'guaranteed' },
    at,
    synchronised: true,
    zoneMinutes: undefined,
  });

  it('relate two nodes through true time, which is no clock of the bundle', () => {
    const base = incident([file('x/y.log', [ready()])], {
      pods: ['a', 'b'].map((node, i) => pod(`job-${i}`, { labels: jobSetLabels(i), node })),
    });
    const input = {
      ...base,
      entries: [...base.entries, entry(50, 'node/a/chrony.txt'), entry(51, 'node/b/chrony.txt')],
      timeReports: [report(50, 4700, 4704), report(51, -1, 1)],
    };
    const { rankMap } = computeRankMap(input);
    const { domains, reference } = computeClocks(input, rankMap);
    expect(domains.map(({ id }) => id)).toEqual(['a', 'b']);
    const other = domains.find(({ id }) => id !== reference);
    expect(other?.offset?.estimate).toBeCloseTo(other?.id === 'a' ? 4702 : -4702, 0);
    expect((other?.offset?.high ?? 0) - (other?.offset?.low ?? 0)).toBeCloseTo(6, 1);
  });
});

const EMPTY: Omit<EntryInfo, 'id' | 'path'> = {
  bytes: 0,
  sha256: null,
  format: 'time-service',
  kind: '',
  why: '',
  status: 'read',
  detail: '',
  lines: 1,
  firstNs: null,
  lastNs: null,
  duplicateOf: null,
};
