import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSplices } from '#shared/formats/log/spliced-stamps.ts';

const STAMP = '2026-03-14T10:01:03.100000000Z ';
const encoder = new TextEncoder();

/** As the kubelet prints a line in fragments: cut by bytes, each with its stamp. */
function splice(message: string, size: number, stamp = STAMP): string {
  const bytes = encoder.encode(message);
  const parts: number[] = [];
  for (let at = 0; at < bytes.length; at += size)
    parts.push(...encoder.encode(stamp), ...bytes.subarray(at, at + size));
  return new TextDecoder().decode(new Uint8Array(parts));
}

describe('withoutSplices', () => {
  it.each([
    ['containerd', 16_384],
    ['CRI-O', 8_192],
  ])('takes out the stamps of fragments of %s', (_, size) => {
    const message = `{"cfg":"${'x'.repeat(3 * size)}end"}`;
    expect(withoutSplices(splice(message, size))).toBe(STAMP + message);
  });

  it('counts bytes, not characters', () => {
    const message = 'é€😀a'.repeat(4_000);
    const cut = [...message].length;
    expect(cut).toBe(16_000);
    expect(withoutSplices(splice(message, 16_384)).replace(/\uFFFD+/g, '#')).toMatch(
      /^2026[^T]*T10:01:03\.100000000Z é€/,
    );
    expect(withoutSplices(splice(message, 16_384))).not.toMatch(/.T10:01:03.*T10:01:03/s);
  });

  it('works behind the prefix of kubectl logs --prefix and with a numeric zone', () => {
    const stamp = '2026-03-14T18:01:03.100000000+08:00 ';
    const message = 'x'.repeat(20_000);
    const line = splice(message, 16_384, stamp);
    expect(withoutSplices(`[pod/w-0/main] ${line}`)).toBe(`[pod/w-0/main] ${stamp}${message}`);
  });

  it.each([
    ['a stamp of the program at another place', `${STAMP}${'x'.repeat(16_380)}${STAMP}${'x'.repeat(9_000)}`],
    ['a stamp with fewer digits', `${STAMP}${'x'.repeat(16_384)}2026-03-14T10:01:03.1Z ${'x'.repeat(9)}`],
    ['no stamp in front', `${'x'.repeat(16_384)}${STAMP}x`],
    ['a line that ends with its fragment', `${STAMP}${'x'.repeat(16_384)}`],
  ])('leaves %s', (_, line) => {
    expect(withoutSplices(line)).toBe(line);
  });

  it('gives back any message, whatever its characters, where no character was cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', ' ', '2026-03-14T'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 20_000 }), (head, pad) => {
        const message = head + 'y'.repeat(16_384 + pad);
        expect(withoutSplices(splice(message, 16_384))).toBe(STAMP + message);
      }),
      { seed: 4711, numRuns: 50 },
    );
  });
});
