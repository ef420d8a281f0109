import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, LineBlocks } from '#engine/import/line-blocks.ts';

interface Seen {
  readonly lines: [line: number, byte: number, length: number, text: string][];
  readonly blocks: {
    byte: number;
    firstLine: number;
    lines: number;
    skip: number;
    t0: number | undefined;
    t1: number | undefined;
    bytes: Buffer;
  }[];
  readonly counts: { lines: number; longLines: number; undecodable: number; nul: boolean };
}

function run(chunks: readonly Buffer[], time: (text: string) => number = () => Number.NaN): Seen {
  const lines: Seen['lines'] = [];
  const blocks: Seen['blocks'] = [];
  const cutter = new LineBlocks({
    onBlock: (block) => blocks.push({ ...block, bytes: Buffer.from(block.bytes) }),
    onLine: (text, line, byte, length) => {
      lines.push([line, byte, length, text]);
      return time(text);
    },
  });
  for (const chunk of chunks) cutter.push(chunk);
  cutter.end();
  return {
    lines,
    blocks,
    counts: {
      lines: cutter.lines,
      longLines: cutter.longLines,
      undecodable: cutter.undecodableLines,
      nul: cutter.nulBytes,
    },
  };
}

const runText = (text: string): Seen => run([Buffer.from(text)]);

describe('lines', () => {
  it.each([
    ['empty input has no line', '', []],
    [
      'a last line without line feed counts',
      'a\nb',
      [
        [1, 0, 1, 'a'],
        [2, 2, 1, 'b'],
      ],
    ],
    [
      'empty lines count',
      '\n\nx\n',
      [
        [1, 0, 0, ''],
        [2, 1, 0, ''],
        [3, 2, 1, 'x'],
      ],
    ],
    [
      'a carriage return stays and splits nothing',
      '10%\r20%\r30%\r\nx\n',
      [
        [1, 0, 12, '10%\r20%\r30%\r'],
        [2, 13, 1, 'x'],
      ],
    ],
    [
      'bytes are counted, not characters',
      'größe\nx\n',
      [
        [1, 0, 7, 'größe'],
        [2, 8, 1, 'x'],
      ],
    ],
  ])('%s', (_name, text, expected) => {
    expect(runText(text).lines).toEqual(expected);
  });

  it('counts lines that are not UTF-8 and shows them with replacement', () => {
    const seen = run([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])]);
    expect(seen.lines.map(([, , , text]) => text)).toEqual(['a\ufffd', 'b']);
    expect(seen.counts).toMatchObject({ undecodable: 1, nul: false });
  });

  it('notices NUL bytes', () => {
    expect(run([Buffer.from('a\0b\n')]).counts.nul).toBe(true);
  });
});

describe('a line longer than a block', () => {
  const long = 'x'.repeat(3 * BLOCK_BYTES + 100);
  const seen = runText(`first\n${long}\nlast\n`);

  it('keeps one number, is parsed by its beginning, and is flagged once', () => {
    expect(seen.lines.map(([line, byte, length]) => [line, byte, length])).toEqual([
      [1, 0, 5],
      [2, 6, BLOCK_BYTES],
      [3, 6 + long.length + 1, 4],
    ]);
    expect(seen.counts).toMatchObject({ lines: 3, longLines: 1 });
  });

  it('is stored whole', () => {
    expect(Buffer.concat(seen.blocks.map((block) => block.bytes)).toString()).toBe(`first\n${long}\nlast\n`);
    expect(seen.blocks.map(({ firstLine, lines }) => [firstLine, lines])).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
      [3, 0],
      [3, 1],
    ]);
  });

  it('is never cut inside a character', () => {
    const text = `${'x'.repeat(BLOCK_BYTES - 1)}€€€\n`;
    expect(runText(text).counts.undecodable).toBe(0);
  });
});

describe('blocks', () => {
  it('end at a line feed and know the span of their times', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `${i} some words\n`).join('');
    const seen = run([Buffer.from(text)], (line) => Number.parseInt(line, 10));
    expect(seen.blocks.length).toBeGreaterThan(3);
    for (const block of seen.blocks) {
      expect(block.bytes.at(-1)).toBe(10);
      expect(block.skip).toBe(0);
      expect([block.t0, block.t1]).toEqual([block.firstLine - 1, block.firstLine + block.lines - 2]);
    }
  });

  it('have no span where no line has a time', () => {
    expect(runText('a\n').blocks[0]).toMatchObject({ t0: undefined, t1: undefined });
  });

  it('do not depend on how the bytes arrive, and lose none', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        Buffer.from('\n'),
        Buffer.from('line\n'),
        Buffer.from('ü'),
        Buffer.from([0xff]),
        Buffer.alloc(BLOCK_BYTES / 2, 0x61),
      ),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat({ max: 200_000 }), { maxLength: 6 }),
        (pieces, cuts) => {
          const whole = Buffer.concat(pieces);
          const points = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort(
            (a, b) => a - b,
          );
          const chunks = points.slice(1).map((end, i) => whole.subarray(points[i], end));
          const split = run(chunks);
          expect(split).toEqual(run([whole]));
          expect(Buffer.concat(split.blocks.map((block) => block.bytes)).equals(whole)).toBe(true);
          expect(split.blocks.reduce((sum, block) => sum + block.lines, 0)).toBe(split.counts.lines);
        },
      ),
      { numRuns: 60 },
    );
  });
});
