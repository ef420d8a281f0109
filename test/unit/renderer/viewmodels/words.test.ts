import { describe, expect, it } from 'vitest';
import { RPC_ERROR_CODES } from '#shared/rpc/contract.ts';
import { axisLabel, whiskerScale, whiskerShape } from '../../../../renderer/viewmodels/whisker.ts';
import { JOB_FAILURE_WORDS, PHASE_WORDS, RPC_ERROR_WORDS } from '../../../../renderer/viewmodels/words.ts';

describe('words of the window', () => {
  it('has a sentence for every error code of the contract', () => {
    for (const code of RPC_ERROR_CODES) expect(RPC_ERROR_WORDS[code]).toMatch(/^[A-Z].*\.$/);
  });

  it('neither shouts nor begs', () => {
    const all = [
      ...Object.values(RPC_ERROR_WORDS),
      ...Object.values(PHASE_WORDS),
      ...Object.values(JOB_FAILURE_WORDS).flatMap((words) => [words.title, words.next]),
    ];
    for (const text of all) expect(text).not.toMatch(/!|please|oops|sorry|unknown error/i);
  });
});

describe('whiskers', () => {
  const row = (low: number | null, high: number | null) => ({
    id: 'n',
    reference: false,
    offset: { estimate: 10, low, high, likelyLow: null, likelyHigh: null },
  });
  it('share one symmetric scale', () => {
    expect(whiskerScale([row(-5, 40), row(null, 20)])).toBe(40);
    expect(whiskerScale([{ id: 'n', reference: false, offset: null }])).toBeNull();
  });
  it('reach the edge where a side is open', () => {
    expect(whiskerShape(row(null, 40), 40, 132)).toMatchObject({ low: 1, high: 131 });
    expect(whiskerShape({ id: 'n', reference: false, offset: null }, 40, 132)).toBeNull();
  });
  it('name the ends of the axis', () => {
    expect([axisLabel(-93), axisLabel(1200)]).toEqual(['−93 ms', '+1.2 s']);
  });
});
