import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '#shared/codecs/csv/index.ts';

const cellsOf = (text: string) => [...readCsv(text)].map((row) => (row.kind === 'row' ? row.cells : row.reason));

describe('readCsv', () => {
  it.each([
    [
      'plain',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR LF, no line end at the end',
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes, commas and lines inside', '"a ""x"", b","1\n2"\n', [['a "x", b', '1\n2']]],
    [
      'empty cells',
      ',\n"",x\n',
      [
        ['', ''],
        ['', 'x'],
      ],
    ],
    ['a byte order mark and blank lines', '\uFEFFa\n\nb\n', [['a'], ['b']]],
    ['nothing', '', []],
  ])('%s', (_, text, rows) => {
    expect(cellsOf(text)).toEqual(rows);
  });

  it('goes on behind a row that breaks the rules', () => {
    expect(cellsOf('a,b"c\nd\n"e"f\ng\n')).toEqual([
      'a quote inside a cell that has none around it',
      ['d'],
      'text behind a closing quote',
      ['g'],
    ]);
  });

  it('ends at a quote that is never closed', () => {
    expect(cellsOf('a\n"b\nc\n')).toEqual([['a'], 'a quoted cell is not closed']);
  });

  it('reads back what was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }), (rows) => {
        const text = rows.map((row) => row.map((c) => `"${c.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        expect(cellsOf(text)).toEqual(rows);
      }),
      { seed: 4711 },
    );
  });

  it('gives the place of each row', () => {
    const text = 'a,b\n"c\nd",e\n';
    const rows = [...readCsv(text)].flatMap((row) => (row.kind === 'row' ? [text.slice(row.at, row.end)] : []));
    expect(rows).toEqual(['a,b', '"c\nd",e']);
  });
});
