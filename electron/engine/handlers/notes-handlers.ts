import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { CaseNote } from '#shared/model/note.ts';
import type { NotesAnswer } from '#shared/rpc/areas/notes.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { NotesDb } from '../store/notes-db.ts';
import type { HandlerTable } from './handler-table.ts';

/** More than anyone writes by hand; each list travels whole. */
const MAX_NOTES = 20_000;

export const notesHandlers: HandlerTable<'notes'> = {
  'notes.list': async ({ caseId }, ctx) => {
    const place = ctx.cases.place(caseId);
    if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
    return guarded(() => ok({ notes: NotesDb.list(place.notesDb) }));
  },

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
  const place = ctx.cases.place(caseId);
  if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
  const answer = guarded(() => {
    const notes = NotesDb.open(place.notesDb);
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

/** A notes file that is damaged, newer or cannot be written is expected; the case itself still opens. */
function guarded<T>(act: () => Result<T, RpcError>): Result<T, RpcError> {
  try {
    return act();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'SQLITE_FULL') return err({ code: 'disk-full', detail });
    if (code.startsWith('SQLITE_') || detail.startsWith('notes of version'))
      return err({ code: 'case-damaged', detail });
    throw error;
  }
}
