import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLiteralFinder } from '#shared/codecs/lines/literal-finder.ts';

describe('createLiteralFinder', () => {
  it('gives the groups whose literals are in the text, ascending, each once', () => {
    const finder = createLiteralFinder([['Traceback (most'], ['NCCL WARN', 'NCCL INFO'], ['step', 'iter']]);
    expect(finder.find('iteration step 4 and step 5')).toEqual([2]);
    expect(finder.find('h:1:2 [0] NCCL WARN at step 4: Traceback (most recent call last):')).toEqual([0, 1, 2]);
    expect(finder.find('nothing of the kind')).toEqual([]);
    expect(finder.find('')).toEqual([]);
    expect(finder.find('nccl warn')).toEqual([]);
  });

  it('looks only at what lies at or after the start', () => {
    const finder = createLiteralFinder([['abcd']]);
    expect(finder.find('abcd xabcd', 5)).toEqual([0]);
    expect(finder.find('abcd x', 1)).toEqual([]);
  });

  it('refuses literals that are too short to be a filter', () => {
    expect(() => createLiteralFinder([['abc']])).toThrow('too short');
  });

  it('finds exactly what includes() finds, for any texts and literals', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'N', '(', ' ', 'é', '😀'),
      minLength: 4,
      maxLength: 7,
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(letters, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
        fc.array(letters, { maxLength: 30 }),
        (groups, parts) => {
          const text = parts.join('');
          const expected = groups.flatMap((literals, group) =>
            literals.some((literal) => text.includes(literal)) ? [group] : [],
          );
          expect(createLiteralFinder(groups).find(text)).toEqual(expected);
        },
      ),
      { numRuns: 400, seed: 4711 },
    );
  });
});
