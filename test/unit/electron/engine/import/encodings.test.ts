import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDocument, moveRefs } from '#engine/import/decoded-document.ts';
import { BLOCK_BYTES, LineBlocks } from '#engine/import/line-blocks.ts';
import { detectEncoding, type TextEncoding } from '#engine/store/text-encoding.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';

const WIDE = ['utf-16le', 'utf-16be'] as const;

function encode(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

interface Line {
  readonly text: string;
  readonly byte: number;
  readonly length: number;
}

function linesOf(bytes: Buffer, encoding: TextEncoding, cuts: readonly number[] = []) {
  const lines: Line[] = [];
  const stored: Buffer[] = [];
  const blocks = new LineBlocks(
    {
      onBlock: (block) => stored.push(Buffer.from(block.bytes)),
      onLine: (text, _line, byte, length) => {
        lines.push({ text, byte, length });
        return Number.NaN;
      },
    },
    encoding,
  );
  const ends = [...cuts].filter((cut) => cut < bytes.length).sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    blocks.push(bytes.subarray(from, end));
    from = end;
  }
  blocks.end();
  return { lines, stored: Buffer.concat(stored), blocks };
}

describe('lines of UTF-16', () => {
  // Characters whose halves look like a line feed, pairs, and plain ones.
  const character = fc.constantFrom('a', 'Z', '0', ' ', 'ü', '\u0a00', '\u0a0a', '\u000a', '\u010a', '\u{1f600}', '\r');

  it('are the lines of the same text, their places count the bytes as they came, and no byte is lost', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WIDE),
        fc.array(character, { maxLength: 200 }),
        fc.array(fc.nat(400), { maxLength: 8 }),
        (encoding, characters, cuts) => {
          const text = characters.join('');
          const bytes = encode(`\ufeff${text}`, encoding);
          const { lines, stored, blocks } = linesOf(bytes, encoding, cuts);
          const expected = `${text}`.split('\n');
          if (expected.at(-1) === '' && text !== '') expected.pop();
          expect(lines.map((line) => line.text)).toEqual(expected);
          expect(stored.equals(bytes)).toBe(true);
          expect(blocks.undecodableLines).toBe(0);
          for (const [i, { text: line, byte, length }] of lines.entries()) {
            expect(bytes.subarray(byte, byte + length).equals(encode((i === 0 ? '\ufeff' : '') + line, encoding))).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(WIDE)('count lone surrogates, half characters and NULs (%s)', (encoding) => {
    const odd = Buffer.concat([encode('\ud800x\nfine\n\0\nend', encoding), Buffer.from([65])]);
    const { blocks, lines } = linesOf(odd, encoding);
    expect(lines).toHaveLength(4);
    expect([blocks.undecodableLines, blocks.nulBytes]).toEqual([2, true]);
  });

  it.each(WIDE)('are cut when they are longer than a block (%s)', (encoding) => {
    const { blocks, lines, stored } = linesOf(encode(`${'x'.repeat(BLOCK_BYTES)}\nnext\n`, encoding), encoding);
    expect(blocks.longLines).toBe(1);
    expect(lines.map(({ text, byte }) => [text.length, byte])).toEqual([
      [BLOCK_BYTES / 2, 0],
      [4, BLOCK_BYTES * 2 + 2],
    ]);
    expect(stored).toHaveLength(BLOCK_BYTES * 2 + 2 + 10);
  });
});

describe('lines of UTF-8', () => {
  it('lose the mark from the text of the first line, not from its place', () => {
    const { lines } = linesOf(encode('\ufeffone\n\ufefftwo\n', 'utf-8'), 'utf-8');
    expect(lines).toEqual([
      { text: 'one', byte: 0, length: 6 },
      { text: '\ufefftwo', byte: 7, length: 6 },
    ]);
  });

  it('count Latin-1 as damage, line by line', () => {
    const { lines, blocks } = linesOf(Buffer.from('gr\xf6\xdfe\nplain\nStra\xdfe\n', 'latin1'), 'utf-8');
    expect(lines.map((line) => line.text)).toEqual(['gr��e', 'plain', 'Stra�e']);
    expect(blocks.undecodableLines).toBe(2);
  });
});

describe('detectEncoding', () => {
  it.each<[string, Buffer, TextEncoding, number]>([
    ['no mark', Buffer.from('text'), 'utf-8', 0],
    ['UTF-8 with a mark', encode('\ufeffx', 'utf-8'), 'utf-8', 3],
    ['UTF-16 of PowerShell', encode('\ufeffkind: Pod\r\n', 'utf-16le'), 'utf-16le', 2],
    ['UTF-16 big-endian', encode('\ufeffkind: Pod\r\n', 'utf-16be'), 'utf-16be', 2],
    ['UTF-16 without a mark', encode('kind: Pod\r\n', 'utf-16le'), 'utf-16le', 0],
    ['UTF-16 big-endian without a mark', encode('kind: Pöd → \r\n', 'utf-16be'), 'utf-16be', 0],
    ['small numbers of 16 bits', Buffer.from('0100020041000700', 'hex'), 'utf-8', 0],
    ['a log with NULs between', Buffer.from('a\0b\0\0c\0d'), 'utf-8', 0],
    ['an MP3 frame', Buffer.from('fffe9064000ff000', 'hex'), 'utf-8', 0],
    ['nothing', Buffer.alloc(0), 'utf-8', 0],
  ])('%s', (_name, head, encoding, markBytes) => {
    expect(detectEncoding(head)).toEqual({ encoding, markBytes });
  });
});

describe('decodeDocument', () => {
  it('relates every offset to the bytes as they came', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<TextEncoding>('utf-8', ...WIDE),
        fc.array(fc.constantFrom('a', '\n', 'ü', '→', '\u{1f600}', 'long '.repeat(900)), { maxLength: 30 }),
        (encoding, parts) => {
          const original = encode(`\ufeff${parts.join('')}`, encoding);
          const { bytes, toOriginal } = decodeDocument(original, encoding, encode('\ufeff', encoding).length);
          expect(bytes.toString('utf8')).toBe(parts.join(''));
          let text = '';
          for (const part of parts) {
            const at = toOriginal(Buffer.byteLength(text));
            expect(original.subarray(at, at + encode(part, encoding).length).equals(encode(part, encoding))).toBe(true);
            text += part;
          }
          expect(toOriginal(bytes.length)).toBe(original.length);
        },
      ),
    );
  });

  it('moves each place of an output once', () => {
    const source = { kind: 'byte', entry: entryId(0), byte: 2, length: 1 } as const;
    const output: FormatOutput = {
      kind: 'issue',
      code: 'json-invalid',
      severity: 'error',
      source: { ...source },
      detail: '',
    };
    const document = decodeDocument(encode('\ufeffabc', 'utf-16le'), 'utf-16le', 2);
    const moved = new WeakSet();
    moveRefs(output, document, moved);
    moveRefs(output, document, moved);
    expect(output.source).toEqual({ ...source, byte: 6, length: 2 });
  });
});
