import { describe, expect, it } from 'vitest';
import { rankSets } from '#shared/report/rank-sets.ts';
import type { ReportRank } from '#shared/report/schema.ts';

const row = (rank: number, part: Partial<ReportRank> = {}): ReportRank => ({
  ...{ rank, localRank: null, pod: `pod-${rank >> 3}`, node: `gpu-${rank >> 3}`, container: null, gpu: null },
  ...{ attempt: 0, clock: null, clockOffsetMs: null, dump: 'present', role: 'victim' },
  exit: { code: null, signal: 15, reason: 'SIGTERM', at: null },
  ...{ lastSeen: `2026-03-14T09:00:${String(rank % 60).padStart(2, '0')}Z`, files: [], basis: [], conflicts: [] },
  ...part,
});
const job = (size: number, other: Readonly<Record<number, Partial<ReportRank>>>) =>
  Array.from({ length: size }, (_, rank) => row(rank, other[rank]));

describe('ranks that fared alike', () => {
  it('are one row a place, the first rank on top, with the latest that was seen', () => {
    const sets = rankSets({ ranks: job(16, { 11: { role: 'first', exit: null }, 3: { dump: 'absent' } }) });
    expect(sets.map(({ ranks, node }) => [ranks, node])).toEqual([
      ['11', 'gpu-1'],
      ['0–2, 4–7', 'gpu-0'],
      ['3', 'gpu-0'],
      ['8–10, 12–15', 'gpu-1'],
    ]);
    expect(sets[1]).toMatchObject({ exit: 'signal 15, SIGTERM', lastSeen: '2026-03-14T09:00:07Z', role: 'victim' });
    expect(sets[0]?.exit).toBe('');
  });

  it('of thousands of ranks stay few rows, with the first rank at its own place', () => {
    const sets = rankSets({ ranks: job(4096, { 1851: { role: 'first' } }) });
    expect(sets.map(({ ranks, pod, node }) => [ranks, pod, node])).toEqual([
      ['1851', 'pod-231', 'gpu-231'],
      ['0–1850, 1852–4095', '512 Pods', '512 nodes'],
    ]);
  });

  it('hold each row of the report once, whatever their order', () => {
    const ranks = job(64, { 5: { attempt: 1 }, 9: { role: 'bystander', pod: null, node: null, lastSeen: null } });
    const sets = rankSets({ ranks });
    expect(rankSets({ ranks: [...ranks].reverse() })).toEqual(sets);
    expect(sets.at(-1)).toMatchObject({ ranks: '9', pod: '', node: '', lastSeen: null });
    expect(sets.find(({ attempt }) => attempt === 1)?.ranks).toBe('5');
  });
});
