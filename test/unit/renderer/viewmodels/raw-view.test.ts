import { describe, expect, it } from 'vitest';
import { hexRow } from '../../../../renderer/viewmodels/hex-rows.ts';
import {
  linePiece,
  modeFor,
  modeHurdles,
  PIECE_CHARACTERS,
  parsePlace,
} from '../../../../renderer/viewmodels/raw-view.ts';
import { entryOf } from '../../../e2e/support/scenario.ts';

const log = entryOf(0, 'a.log', 'Pod log', 1000, 'read', '');
const dump = entryOf(1, 'nccl_trace_rank_0', 'recorder dump', 1000, 'read', '');
const refused = entryOf(2, 'evil', 'recorder dump', 1000, 'refused', '');

describe('modes of the raw viewer', () => {
  it.each([
    ['a log opens as text', log, null, 'text'],
    ['a dump opens as records', dump, null, 'record'],
    ['a refused dump opens as bytes, never as records', refused, 'record', 'hex'],
    ['a dump is not text', dump, 'text', 'record'],
    ['what is asked for, if there', dump, 'hex', 'hex'],
  ] as const)('%s', (_name, entry, asked, expected) => {
    expect(modeFor(entry, asked)).toBe(expected);
  });

  it('says why a mode is not there', () => {
    expect(modeHurdles(refused).record).toBe('The dump is refused; it has no readable records.');
  });
});

describe('parsePlace', () => {
  it.each([
    ['12345', 'text', 12345],
    ['12\u2009345', 'text', 12345],
    ['line 7', 'text', 7],
    ['0x1F', 'hex', 31],
    ['0x1F', 'text', null],
    ['-1', 'text', null],
    ['1e9', 'text', null],
    ['99999999999999', 'hex', null],
    ['', 'hex', null],
  ] as const)('%s in %s', (text, mode, expected) => {
    expect(parsePlace(text, mode)).toBe(expected);
  });
});

describe('linePiece', () => {
  const text = 'a'.repeat(PIECE_CHARACTERS) + 'b'.repeat(10);
  it('cuts long lines into pieces that join to the line', () => {
    expect(linePiece(text, 0).text + linePiece(text, 1).text).toBe(text);
    expect(linePiece(text, 1).label).toBe('characters 2\u2009049–2\u2009058 of 2\u2009058');
  });
  it('stays inside', () => {
    expect(linePiece(text, 99).index).toBe(1);
    expect(linePiece('', 0)).toMatchObject({ text: '', count: 1 });
  });
});

describe('hexRow', () => {
  it('shows bytes, their text, and blanks past the end', () => {
    const row = hexRow(1, 16, new Uint8Array([0x41, 0x00, 0xff]));
    expect(row.offset).toBe('00000010');
    expect(row.cells.slice(0, 4).map((cell) => [cell.hex, cell.ascii, cell.printable])).toEqual([
      ['41', 'A', true],
      ['00', '·', false],
      ['ff', '·', false],
      ['  ', ' ', false],
    ]);
  });
});
