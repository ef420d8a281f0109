import { describe, expect, it } from 'vitest';
import { caseFileError } from '#engine/handlers/case-question.ts';
import { UnreadableBlockError } from '#engine/store/block-codec.ts';
import { NewerNotesError } from '#engine/store/notes-db.ts';

const withCode = (code: string): Error => Object.assign(new Error('said by the system'), { code });

describe('an error of a case file', () => {
  it.each([
    ['a full disk', withCode('SQLITE_FULL'), 'disk-full', 'said by the system'],
    ['a damaged page', withCode('SQLITE_CORRUPT_INDEX'), 'case-damaged', 'said by the system'],
    ['a table that is not there', withCode('SQLITE_ERROR'), 'case-damaged', 'said by the system'],
    ['a folder that may not be written', withCode('SQLITE_READONLY'), 'write-failed', 'SQLITE_READONLY'],
    ['notes that may not be opened', withCode('SQLITE_CANTOPEN'), 'write-failed', 'SQLITE_CANTOPEN'],
    ['a file that another program holds', withCode('SQLITE_BUSY_SNAPSHOT'), 'write-failed', 'SQLITE_BUSY_SNAPSHOT'],
    ['a folder that is gone', withCode('ENOENT'), 'write-failed', 'ENOENT'],
    ['a damaged block', new UnreadableBlockError('damaged', 'cut'), 'case-damaged', 'cut'],
    ['a codec of a later version', new UnreadableBlockError('codec-missing', 'lzma'), 'case-version', 'lzma'],
    ['notes of a later version', new NewerNotesError('notes of version 99'), 'case-version', 'notes of version 99'],
  ])('%s', (_name, error, code, detail) => {
    expect(caseFileError(error)).toEqual({ ok: false, error: { code, detail } });
  });

  it('that is none is a bug and goes on', () => {
    expect(() => caseFileError(new TypeError('x is not a function'))).toThrow(TypeError);
  });
});
