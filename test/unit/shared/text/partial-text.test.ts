import { describe, expect, it } from 'vitest';
import { filesText, outOfText, partialText } from '#shared/text/partial-text.ts';

const files = { total: 312 };

describe('files of a bundle', () => {
  it('are all of them where it was read to its end', () => {
    expect(filesText({ files })).toBe('312 files');
    expect(outOfText({ files })).toBe('312');
  });

  it('are out of what the bundle holds where the import was ended early', () => {
    const stopped = { filesRead: 312, filesTotal: 640 };
    expect(filesText({ files, stopped })).toBe('312 of 640 files');
    expect(partialText({ files, stopped })).toBe('312 of 640 files');
    expect(outOfText({ files, stopped })).toBe('640');
  });

  it('are out of an unknown number where only reading on would tell, or an older report does not', () => {
    const stopped = { filesRead: 1, filesTotal: null };
    expect(filesText({ files, stopped })).toBe('1 file of an unknown number');
    expect(outOfText({ files, stopped })).toBe('≥ 1');
    expect(partialText({ files })).toBe('312 files of an unknown number');
  });
});
