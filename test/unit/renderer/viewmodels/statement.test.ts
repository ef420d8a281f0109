import { describe, expect, it } from 'vitest';
import { firstClause, placeChip, splitStatement } from '../../../../renderer/viewmodels/statement.ts';

describe('splitStatement', () => {
  it.each([
    ['one rank becomes the chip', 'Rank 11 entered broadcast.', [11], 'Rank 11', 'entered broadcast.'],
    ['a pair', 'Ranks 3 and 5 parted.', [3, 5], 'Ranks 3, 5', 'parted.'],
    ['a run with an en dash', 'Ranks 4–7 ended together.', [4, 5, 6, 7], 'Ranks 4–7', 'ended together.'],
    ['runs and single ones', 'Ranks 0–2, 9 wait.', [0, 1, 2, 9], 'Ranks 0–2, 9', 'wait.'],
    [
      'another rank at the start is not the chip',
      'Rank 1 waited for rank 2.',
      [2],
      'Rank 2',
      'Rank 1 waited for rank 2.',
    ],
    ['no words of ranks at the start', 'Pod a was evicted.', [4], 'Rank 4', 'Pod a was evicted.'],
    ['a longer number is another rank', 'Rank 110 stopped.', [11], 'Rank 11', 'Rank 110 stopped.'],
    ['no ranks, no chip', 'Nothing can be told.', [], null, 'Nothing can be told.'],
  ])('%s', (_name, summary, ranks, chip, text) => {
    expect(splitStatement(summary, ranks)).toEqual({ chip, text });
  });

  it('cuts the chip of many ranks, never the statement', () => {
    const ranks = Array.from({ length: 40 }, (_, i) => i * 2);
    const { chip, text } = splitStatement('The link is down.', ranks);
    expect(chip?.length).toBeLessThanOrEqual(36);
    expect(chip).toMatch(/, …$/);
    expect(text).toBe('The link is down.');
  });
});

describe('placeChip', () => {
  it.each([
    ['at the start', 'Rank 11 entered broadcast.', [11], '', 'Rank 11', ' entered broadcast.'],
    [
      'inside the sentence',
      'Pod a was evicted; its ranks 4–7 ended together.',
      [4, 5, 6, 7],
      'Pod a was evicted; its ',
      'ranks 4–7',
      ' ended together.',
    ],
    [
      'a pair inside',
      'Left out (ranks 4 and 5); the clock is behind.',
      [4, 5],
      'Left out (',
      'ranks 4, 5',
      '); the clock is behind.',
    ],
    [
      'the mention of the named ranks, not of others',
      'Rank 1 waited for rank 2.',
      [2],
      'Rank 1 waited for ',
      'rank 2',
      '.',
    ],
    [
      'a comma after the number stays text',
      'While rank 3, the last, slept.',
      [3],
      'While ',
      'rank 3',
      ', the last, slept.',
    ],
    ['before a sentence that does not name them', 'The link is down.', [4], '', 'Rank 4', ': The link is down.'],
    ['no ranks', 'Nothing can be told.', [], '', null, 'Nothing can be told.'],
  ])('puts the chip %s', (_name, summary, ranks, before, chip, after) => {
    expect(placeChip(summary, ranks)).toEqual({ before, chip, after });
  });
});

describe('firstClause', () => {
  it.each([
    ['up to the full stop', 'Rank 1 stopped. The others waited.', 'Rank 1 stopped'],
    ['up to the semicolon', 'entered broadcast; 15 waited', 'entered broadcast'],
    ['a stop inside a name does not end it', 'Failed in train.py:131 of step 4', 'Failed in train.py:131 of step 4'],
    ['a final stop goes', 'The job ended well.', 'The job ended well'],
    ['empty', '', ''],
  ])('%s', (_name, text, expected) => {
    expect(firstClause(text)).toBe(expected);
  });
});
