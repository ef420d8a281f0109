import { ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { CaseNote } from '#shared/model/note.ts';
import type { NotesAnswer } from '#shared/rpc/areas/notes.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { NotesDb } from '../store/notes-db.ts';
import { askNotes } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

/** More than anyone writes by hand; each list travels whole. */
const MAX_NOTES = 20_000;

export const notesHandlers: HandlerTable<'notes'> = {
  'notes.list': async ({ caseId }, ctx) => askNotes(ctx, caseId, (notesDb) => ok({ notes: NotesDb.list(notesDb) })),

  'notes.add': async ({ caseId, subject, text, starred, restore }, ctx) =>
    change(ctx, caseId, (notes, now) => {
      if (notes.all().length >= MAX_NOTES) return undefined;
      return notes.find(notes.add({ subject, text, starred, created: restore?.created ?? now }, restore?.id));
    }),

  'notes.edit': async ({ caseId, id, text }, ctx) => change(ctx, caseId, (notes, now) => notes.edit(id, text, now)),

  'notes.remove': async ({ caseId, id }, ctx) =>
    change(ctx, caseId, (notes) => {
      const known = notes.find(id);
      notes.remove(id);
      return known;
    }),

  'notes.star': async ({ caseId, subject, on }, ctx) =>
    change(ctx, caseId, (notes, now) => notes.star(subject, on, now)),
};

/** Runs one change on the notes of a case and answers with all of them; other windows of the case are told. */
function change(
  ctx: EngineContext,
  caseId: CaseId,
  act: (notes: NotesDb, now: string) => CaseNote | undefined,
): Result<NotesAnswer, RpcError> {
  const answer = askNotes(ctx, caseId, (notesDb) => {
    const notes = NotesDb.open(notesDb);
    try {
      const changed = act(notes, new Date().toISOString()) ?? null;
      return ok({ notes: notes.all(), changed });
    } finally {
      notes.close();
    }
  });
  if (answer.ok) ctx.publish('notes.changed', { caseId });
  return answer;
}
