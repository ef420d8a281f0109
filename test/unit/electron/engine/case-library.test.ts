import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CaseLibrary } from '#engine/case-library.ts';
import { NotesDb } from '#engine/store/notes-db.ts';
import type { CaseSummary } from '#shared/model/case.ts';
import { caseId } from '#shared/model/ids.ts';

const home = mkdtempSync(join(tmpdir(), 'firstfault-library-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const SUMMARY: Omit<CaseSummary, 'caseId'> = {
  name: 'vit-large',
  incidentStart: null,
  importedAt: '2026-02-19T16:40:00Z',
  ranks: 16,
  bytes: 1,
  files: 1,
  outcome: 'group',
  status: 'not-determinable',
  firstRanks: [],
  summary: '',
  gaps: 0,
  partial: false,
  example: false,
  toolVersion: '0.1.0',
};

function keep(library: CaseLibrary, sha256: string): CaseSummary {
  const scratch = library.makeScratch();
  writeFileSync(join(scratch, 'case.db'), 'x');
  return library.keep(scratch, sha256, SUMMARY);
}

describe('a kept case', () => {
  it('is renamed and pinned, and gets the name of its bundle back', () => {
    const library = new CaseLibrary(home);
    const { caseId: id } = keep(library, '1'.repeat(64));
    expect(library.edit(id, { name: '  job of 14 March ', pinned: null })).toMatchObject({
      name: 'job of 14 March',
      bundleName: 'vit-large',
      pinned: false,
    });
    expect(library.edit(id, { name: null, pinned: true })).toMatchObject({ name: 'job of 14 March', pinned: true });
    library.edit(id, { name: '', pinned: null });
    expect(new CaseLibrary(home).summary(id)).toMatchObject({ name: 'vit-large', pinned: true });
    expect(library.edit(caseId('none'), { name: 'x', pinned: null })).toBeUndefined();
  });

  it('takes the notes of the same bundle over, and of no other', () => {
    const library = new CaseLibrary(home);
    const first = keep(library, '2'.repeat(64));
    const notes = NotesDb.open(join(library.folderOf(first.caseId) ?? '', 'notes.db'));
    notes.add({ subject: { kind: 'rank', rank: 3 }, text: 'seen', starred: true, created: '2026-02-19T16:40:00Z' });
    notes.close();
    const again = keep(library, '2'.repeat(64));
    const other = keep(library, '3'.repeat(64));
    const textsOf = (id: CaseSummary['caseId']) =>
      NotesDb.list(join(library.folderOf(id) ?? '', 'notes.db')).map((note) => note.text);
    expect(again.caseId).not.toBe(first.caseId);
    expect(textsOf(again.caseId)).toEqual(['seen']);
    expect(textsOf(other.caseId)).toEqual([]);
  });
});
