import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '#shared/search/fold-case.ts';

describe('expressions that take both cases', () => {
  it.each([
    ['err[a-f]\\d', '[eE][rR][rR][a-fA-F]\\d'],
    ['[^x]', '[^xX]'],
    ['(?:a|b)+', '(?:[aA]|[bB])+'],
    ['\\bw\\B', '\\b[wW]\\B'],
    ['[0-9]', '[0-9]'],
  ])('%s', (source, folded) => expect(foldCase(source)).toBe(folded));

  it.each(['(?<name>a)', '\\x41', '\\u0041', '[A-z]', 'é', '\\p{L}'])('leaves %s to the flag', (source) => {
    expect(foldCase(source)).toBeUndefined();
  });

  it('finds what the flag finds', () => {
    const piece = fc.constantFrom('a', 'B', '[a-c]', '[^Xy]', '\\w', '\\d', '.', 'z+', '(ab|Q)', '-', '1', '\\.');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.string({ maxLength: 20 }), (pieces, text) => {
        const source = pieces.join('');
        expect(new RegExp(foldCase(source) ?? '').test(text)).toBe(new RegExp(source, 'i').test(text));
      }),
      { numRuns: 500 },
    );
  });
});
