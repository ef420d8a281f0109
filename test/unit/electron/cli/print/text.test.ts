import { describe, expect, it } from 'vitest';
import { showsUnicode, wantsColour } from '../../../../../electron/cli/print/paint.ts';
import { cutTo, hangText, padTo, textWidth, wrapText } from '../../../../../electron/cli/print/text-layout.ts';
import { visibleText } from '../../../../../electron/cli/print/visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['plain text stays', 'größe 漢字 – €', 'größe 漢字 – €'],
    ['escape sequences', '\u001b[2Jx', '\\x1b[2Jx'],
    ['the C1 introducer', '\u009b31m', '\\x9b31m'],
    ['line feeds, tabs, bells, DEL', 'a\n\t\u0007\u007f', 'a\\x0a\\x09\\x07\\x7f'],
    ['direction marks', 'a\u202eb\u2066', 'a\\u{202e}b\\u{2066}'],
    ['zero-width and tag characters', 'a\u200b\u{e0041}', 'a\\u{200b}\\u{e0041}'],
  ])('%s', (_name, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });
});

describe('text layout', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['', 0],
  ])('%s takes %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('wraps at spaces and keeps long words whole', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapText('see /a/very/long/path/that/is/longer.log now', 10)).toEqual([
      'see',
      '/a/very/long/path/that/is/longer.log',
      'now',
    ]);
    expect(wrapText('  ', 10)).toEqual([]);
  });

  it('hangs wrapped lines under the first', () => {
    expect(hangText(' 1. ', 'one two three four five', 24)).toEqual([' 1. one two three four', '    five']);
  });

  it('cuts and pads by columns', () => {
    expect(cutTo('漢字漢字', 5)).toBe('漢字…');
    expect(cutTo('abc', 3)).toBe('abc');
    expect(padTo('漢', 4)).toBe('漢  ');
  });
});

describe('colour', () => {
  it.each([
    ['a terminal', { isTTY: true }, {}, true],
    ['a pipe', {}, {}, false],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR says nothing', { isTTY: true }, { NO_COLOR: '' }, true],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
    ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['FORCE_COLOR=0 on a terminal', { isTTY: true }, { FORCE_COLOR: '0' }, false],
  ])('%s', (_name, stream, env, expected) => {
    expect(wantsColour(stream, env)).toBe(expected);
  });
});

describe('glyphs', () => {
  it.each([
    ['no locale at all', {}, 'linux', true],
    ['a UTF-8 locale', { LANG: 'de_DE.UTF-8' }, 'linux', true],
    ['plain C', { LANG: 'C' }, 'linux', false],
    ['LC_ALL wins', { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, 'linux', false],
    ['the Linux console', { TERM: 'linux', LANG: 'en_US.UTF-8' }, 'linux', false],
    ['Windows', { LANG: 'C' }, 'win32', true],
  ])('%s', (_name, env, platform, expected) => {
    expect(showsUnicode(env, platform)).toBe(expected);
  });
});
