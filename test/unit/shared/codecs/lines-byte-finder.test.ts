import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ByteFinder, createByteFinder, planByteFinder } from '#shared/codecs/lines/byte-finder.ts';

const encoder = new TextEncoder();

/** Numbers of the lines that have a literal, by the finder: it goes on behind the line it found. */
function linesFound(literals: readonly string[], text: string): number[] {
  const bytes = encoder.encode(text);
  const finder = finderOf(literals);
  const found: number[] = [];
  for (let at = 0; ; ) {
    const hit = finder.next(bytes, at, bytes.length);
    if (hit < 0) return found;
    found.push(bytes.subarray(0, hit).filter((byte) => byte === 10).length);
    const feed = bytes.indexOf(10, hit);
    if (feed < 0) return found;
    at = feed + 1;
  }
}

const finderOf = (literals: readonly string[]): ByteFinder => createByteFinder(planByteFinder(literals));

describe('createByteFinder', () => {
  it('tells where a literal begins, wherever it stands', () => {
    const finder = finderOf(['Traceback (most', 'step']);
    for (let before = 0; before < 9; before += 1) {
      const bytes = encoder.encode(`${'.'.repeat(before)}step`);
      expect(finder.next(bytes, 0, bytes.length)).toBe(before);
      expect(finder.next(bytes, before, bytes.length)).toBe(before);
      expect(finder.next(bytes, before + 1, bytes.length)).toBe(-1);
      expect(finder.next(bytes, 0, bytes.length - 1)).toBe(-1);
    }
    expect(finder.next(encoder.encode('Traceback (last'), 0, 15)).toBe(-1);
    expect(finder.next(new Uint8Array(0), 0, 0)).toBe(-1);
  });

  it('refuses literals that are too short, not ASCII or of two lines', () => {
    expect(() => finderOf(['abc'])).toThrow('too short');
    expect(() => finderOf(['caché'])).toThrow('ASCII');
    expect(() => finderOf(['ab\ncd'])).toThrow('one line');
  });

  it('finds exactly the lines that includes() finds, for any texts and literals', () => {
    const literal = fc.string({ unit: fc.constantFrom('a', 'b', 'N', '(', ' '), minLength: 4, maxLength: 9 });
    const part = fc.oneof(literal, fc.constantFrom('\n', '\n', 'é', 'aa', 'step '));
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 1, maxLength: 12 }),
        fc.array(part, { maxLength: 40 }),
        (literals, parts) => {
          const text = parts.join('');
          const expected = text
            .split('\n')
            .flatMap((line, index) => (literals.some((one) => line.includes(one)) ? [index] : []));
          expect(linesFound(literals, text)).toEqual(expected);
        },
      ),
      { numRuns: 600, seed: 4711 },
    );
  });
});
