import { describe, expect, it } from 'vitest';
import { containerKind, parseTarNumber } from '#engine/bundle/container-kind.ts';
import { formatLimit } from '#engine/bundle/limits.ts';
import { checkMemberPath, linkRefusal, linkStaysInside } from '#engine/bundle/member-path.ts';

describe('checkMemberPath', () => {
  it.each([
    ['plain', 'a/b.log', 'a/b.log'],
    ['leading ./ and doubled slashes', './a//b.log', 'a/b.log'],
    ['backslashes of Windows', 'a\\b.log', 'a/b.log'],
    ['a colon inside a name', 'support-bundle-2026-03-14T10:25:02/x', 'support-bundle-2026-03-14T10:25:02/x'],
    ['names of dots that are no parents', '..a/b../...', '..a/b../...'],
    ['control characters made visible', 'a\u001b[2J/b\n', 'a\\x1b[2J/b\\x0a'],
  ])('accepts %s', (_name, raw, path) => {
    expect(checkMemberPath(raw, 1024)).toEqual({ ok: true, path });
  });

  it.each([
    ['absolute', '/etc/passwd', 'entry-path-escapes'],
    ['absolute on a share', '\\\\host\\share', 'entry-path-escapes'],
    ['a drive', 'C:/x', 'entry-path-escapes'],
    ['a drive without a slash', 'c:x', 'entry-path-escapes'],
    ['a parent first', '../x', 'entry-path-escapes'],
    ['a parent inside', 'a/../../x', 'entry-path-escapes'],
    ['a parent that stays inside all the same', 'a/../x', 'entry-path-escapes'],
    ['a parent by backslashes', 'a\\..\\..\\x', 'entry-path-escapes'],
    ['NUL', 'a\0b', 'entry-path-escapes'],
    ['nothing', './/', 'entry-path-escapes'],
    ['too many bytes', 'ü'.repeat(600), 'path-too-long'],
  ])('refuses %s', (_name, raw, code) => {
    expect(checkMemberPath(raw, 1024)).toMatchObject({ ok: false, refusal: { code, status: 'refused' } });
  });
});

describe('links', () => {
  it.each([
    ['a/link', 'b', true],
    ['a/link', '../b', true],
    ['a/link', '../../b', false],
    ['link', '..', false],
    ['a/b/link', '../../c/../d', true],
    ['link', '/etc/passwd', false],
    ['link', 'C:\\x', false],
    ['link', 'a\0', false],
  ])('%s → %s stays inside: %s', (path, target, inside) => {
    expect(linkStaysInside(path, target)).toBe(inside);
  });

  it('judges a hard link from the root of the archive', () => {
    expect(linkRefusal('a/b/link', '../c', true).status).toBe('refused');
    expect(linkRefusal('a/b/link', '../c', false).status).toBe('skipped');
  });
});

describe('parseTarNumber', () => {
  it.each<[string, number[], number | undefined]>([
    ['octal', [0x30, 0x31, 0x37, 0], 15],
    ['padded with spaces', [0x20, 0x37, 0x20, 0], 7],
    ['empty', [0, 0, 0, 0], 0],
    ['no digits', [0x39, 0x39, 0, 0], undefined],
    ['base 256', [0x80, 0, 1, 0], 256],
    ['negative base 256', [0xff, 0xff, 0xff, 0xff], undefined],
    ['beyond what a double holds', [0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], undefined],
  ])('%s', (_name, bytes, expected) => {
    expect(parseTarNumber(Uint8Array.from(bytes))).toBe(expected);
  });
});

describe('containerKind', () => {
  it.each<[string, number[], string]>([
    ['gzip', [0x1f, 0x8b, 8], 'gzip'],
    ['gzip with an unknown method', [0x1f, 0x8b, 9], 'plain'],
    ['zip', [0x50, 0x4b, 3, 4], 'zip'],
    ['an empty zip', [0x50, 0x4b, 5, 6], 'zip'],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
    ['zstd behind a skippable frame', [0x5a, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9, 0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
    ['a skippable frame and something else', [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0, 1, 2, 3, 4], 'plain'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'xz'],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 'bzip2'],
    ['an empty bzip2', [0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90], 'bzip2'],
    ['text that begins with BZh', [0x42, 0x5a, 0x68, 0x39, 0x20, 0x69, 0x73, 0x20, 0x61, 0x20], 'plain'],
    ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'unsupported'],
    ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], 'unsupported'],
    ['lz4', [0x04, 0x22, 0x4d, 0x18], 'unsupported'],
    ['nothing', [], 'plain'],
    ['a block of zeros is no tar', Array.from({ length: 512 }, () => 0), 'plain'],
  ])('%s', (_name, bytes, kind) => {
    expect(containerKind(Uint8Array.from(bytes)).kind).toBe(kind);
  });
});

describe('formatLimit', () => {
  it.each([
    [512, '512 bytes'],
    [65_536, '64 KiB'],
    [1.5 * 2 ** 20, '1.5 MiB'],
    [2 ** 36, '64 GiB'],
  ])('%d → %s', (bytes, text) => {
    expect(formatLimit(bytes)).toBe(text);
  });
});
