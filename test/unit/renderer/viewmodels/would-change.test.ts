import { describe, expect, it } from 'vitest';
import { ranksIn, wouldChangeItems } from '../../../../renderer/viewmodels/would-change.ts';
import { namedReport } from '../../../e2e/support/named-report.ts';

const items = (texts: readonly string[], missing: readonly string[] = []) => {
  const report = namedReport();
  const [gap] = report.gaps;
  if (gap === undefined) throw new Error('no gap');
  return wouldChangeItems({
    ...report,
    verdict: { ...report.verdict, wouldChange: [...texts] },
    gaps: missing.map((item) => ({ ...gap, item, state: 'absent' })),
  });
};

describe('what would change the verdict', () => {
  it('leads to the ranks that it names, as far as the bundle knows them', () => {
    const [dumps, unseen] = items([
      'the dumps of ranks 3, 5-6 and 9, which are not in the bundle',
      'the log of rank 999',
    ]);
    expect(dumps?.lead).toEqual({ kind: 'ranks', ranks: [3, 5, 6, 9] });
    expect(unseen?.lead).toBeNull();
  });

  it('leads to what is missing only where it is missing', () => {
    const text = 'an Xid of the same GPU in the kernel log';
    expect(items([text], ['Kernel log of node a'])[0]?.lead).toEqual({ kind: 'ask' });
    expect(items([text], ['Kubernetes events'])[0]?.lead).toBeNull();
  });

  it('leads to the clocks where the order would decide', () => {
    expect(items(['clocks of the nodes compared well enough to order these failures'])[0]?.lead).toEqual({
      kind: 'clocks',
    });
  });

  it('takes no other number for a rank, and no range without an end', () => {
    expect(ranksIn('a run with NCCL_P2P_DISABLE=1, 3 ranks')).toEqual([]);
    expect(ranksIn('rank 2 and whether rank 1 was to answer')).toEqual([1, 2]);
    expect(ranksIn('ranks 0-9999999').length).toBeLessThan(5000);
  });

  it('shows text of a bundle escaped', () => {
    expect(items(['log of \u202epod'])[0]?.text).toBe('log of \\u202epod');
  });
});
