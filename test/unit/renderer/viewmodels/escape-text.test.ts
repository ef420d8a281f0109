import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapePieces, escapeText } from '../../../../renderer/viewmodels/escape-text.ts';

describe('escapeText', () => {
  it.each([
    ['plain text stays', 'step 12 — größer', 'step 12 — größer'],
    ['empty', '', ''],
    ['right-to-left override', 'exe\u202egnp', 'exe\\u202egnp'],
    ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['terminal colour', '\u001b[31mred', '\\x1b[31mred'],
    ['NUL', 'a\u0000b', 'a\\x00b'],
    ['tab has its short form', 'a\tb', 'a\\tb'],
    ['C1 control', '\u009b', '\\x9b'],
    ['zero width space', 'a\u200bb', 'a\\u200bb'],
    ['byte order mark', '\ufeffa', '\\ufeffa'],
    ['line separator', 'a\u2028b', 'a\\u2028b'],
    ['tag character beyond the first plane', '\u{e0041}', '\\u{e0041}'],
    ['lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['a whole surrogate pair is a character', '😀', '😀'],
    ['markup is text', '<b>&amp;', '<b>&amp;'],
  ])('%s', (_name, text, expected) => {
    expect(escapeText(text)).toBe(expected);
  });

  it('marks exactly the replaced characters', () => {
    expect(escapePieces('a\u001bb')).toEqual([
      { text: 'a', escape: false },
      { text: '\\x1b', escape: true },
      { text: 'b', escape: false },
    ]);
  });

  it('leaves nothing that could hide or reorder, and its pieces join to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = escapeText(text);
        expect(
          escapePieces(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(shown);
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/);
        expect(escapeText(shown)).toBe(shown);
      }),
    );
  });
});
