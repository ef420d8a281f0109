import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRanks, isWithin, nameRanks, nameRanksAtStart, rankSet, without } from '#shared/lib/rank-set.ts';

describe('formatRanks', () => {
  it.each([
    [[], 'none'],
    [[3], '3'],
    [[4, 3], '3, 4'],
    [[0, 1, 2], '0–2'],
    [[5, 0, 1, 2, 2], '0–2, 5'],
    [[...Array(37).keys(), ...Array.from({ length: 50 }, (_, i) => 38 + i)], '0–36, 38–87'],
  ])('%j → %s', (ranks, text) => expect(formatRanks(ranks)).toBe(text));

  it('holds the whole set and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60)), (ranks) => {
        const parts = formatRanks(ranks) === 'none' ? [] : formatRanks(ranks).split(', ');
        const back = parts.flatMap((part) => {
          const [from = 0, to = from] = part.split('–').map(Number);
          return Array.from({ length: to - from + 1 }, (_, i) => from + i);
        });
        expect(back).toEqual(rankSet(ranks));
      }),
    );
  });
});

describe('names', () => {
  it.each([
    [[], 'no rank'],
    [[7], 'rank 7'],
    [[7, 3], 'ranks 3 and 7'],
    [[1, 2, 3, 9], 'ranks 1–3, 9'],
  ])('%j → %s', (ranks, text) => expect(nameRanks(ranks)).toBe(text));

  it('begins a sentence', () => expect(nameRanksAtStart([1])).toBe('Rank 1'));
});

describe('sets', () => {
  it('takes away, sorted', () => expect(without([5, 1, 3, 1], [3])).toEqual([1, 5]));
  it('knows parts', () => {
    expect(isWithin([], [])).toBe(true);
    expect(isWithin([2], [1, 2])).toBe(true);
    expect(isWithin([2, 3], [1, 2])).toBe(false);
  });
});
