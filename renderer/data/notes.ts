/**
 * Notes, stars and marks of a case, for every screen: `useNotes` reads them, the functions below change them. Each change can be
 * undone with Ctrl+Z. Subjects name files by path (`shared/model/note.ts`).
 */
import { useEffect, useMemo, useState } from 'react';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { Status } from '#shared/model/finding.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { type CaseNote, type NoteId, type NoteSubject, noteKey } from '#shared/model/note.ts';
import type { NotesAnswer } from '#shared/rpc/areas/notes.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { useQuery } from './query.ts';
import { pushUndo } from './undo.ts';

export interface Notes {
  /** In order of their making. */
  readonly all: readonly CaseNote[];
  readonly error: RpcError | null;
  /** Notes and stars on one thing. */
  of(subject: NoteSubject): readonly CaseNote[];
  isStarred(subject: NoteSubject): boolean;
}

const NONE: readonly CaseNote[] = [];

/** Asked again whenever any window changes a note of the case. */
export function useNotes(caseId: CaseId | null): Notes {
  const [changes, setChanges] = useState(0);
  useEffect(
    () => bridge.subscribe('notes.changed', (change) => change.caseId === caseId && setChanges((count) => count + 1)),
    [caseId],
  );
  const query = useQuery('notes.list', caseId === null ? null : { caseId }, changes);
  const all = query.state === 'ready' ? query.value.notes : NONE;
  const error = query.state === 'failed' ? query.error : null;
  return useMemo(() => {
    const bySubject = new Map<string, CaseNote[]>();
    for (const note of all) {
      const key = noteKey(note.subject);
      bySubject.set(key, [...(bySubject.get(key) ?? []), note]);
    }
    const of = (subject: NoteSubject) => bySubject.get(noteKey(subject)) ?? NONE;
    return { all, error, of, isStarred: (subject) => of(subject).some((note) => note.starred) };
  }, [all, error]);
}

type Done = Promise<Result<CaseNote | null, RpcError>>;

const changedOf = (answer: Result<NotesAnswer, RpcError>): Result<CaseNote | null, RpcError> =>
  answer.ok ? ok(answer.value.changed) : err(answer.error);

const addRaw = async (caseId: CaseId, note: Pick<CaseNote, 'subject' | 'text' | 'starred'>): Done =>
  changedOf(
    await bridge.request('notes.add', {
      caseId,
      subject: note.subject,
      text: note.text,
      starred: note.starred,
    }),
  );
const restoreRaw = async (caseId: CaseId, { id, subject, text, starred, created }: CaseNote): Done =>
  changedOf(await bridge.request('notes.add', { caseId, subject, text, starred, restore: { id, created } }));
const removeRaw = async (caseId: CaseId, id: NoteId): Done =>
  changedOf(await bridge.request('notes.remove', { caseId, id }));
const editRaw = async (caseId: CaseId, id: NoteId, text: string): Done =>
  changedOf(await bridge.request('notes.edit', { caseId, id, text }));

/** Adds a note, or a mark if the subject is a time. */
export async function addNote(caseId: CaseId, subject: NoteSubject, text: string, starred = false): Done {
  const added = await addRaw(caseId, { subject, text, starred });
  const note = added.ok ? added.value : null;
  if (note === null) return added;
  pushUndo(caseId, {
    title: subject.kind === 'time' ? 'add mark' : 'add note',
    undo: async () => void (await removeRaw(caseId, note.id)),
    redo: async () => void (await restoreRaw(caseId, note)),
  });
  return added;
}

export async function editNote(caseId: CaseId, note: CaseNote, text: string): Done {
  const edited = await editRaw(caseId, note.id, text);
  if (edited.ok && edited.value)
    pushUndo(caseId, {
      title: 'edit note',
      undo: async () => void (await editRaw(caseId, note.id, note.text)),
      redo: async () => void (await editRaw(caseId, note.id, text)),
    });
  return edited;
}

export async function removeNote(caseId: CaseId, note: CaseNote): Done {
  const removed = await removeRaw(caseId, note.id);
  if (removed.ok && removed.value)
    pushUndo(caseId, {
      title: note.subject.kind === 'time' ? 'remove mark' : 'remove note',
      undo: async () => void (await restoreRaw(caseId, note)),
      redo: async () => void (await removeRaw(caseId, note.id)),
    });
  return removed;
}

export async function setStar(caseId: CaseId, subject: NoteSubject, on: boolean): Done {
  const set = async (to: boolean): Done => changedOf(await bridge.request('notes.star', { caseId, subject, on: to }));
  const answer = await set(on);
  if (answer.ok)
    pushUndo(caseId, {
      title: on ? 'star' : 'remove star',
      undo: async () => void (await set(!on)),
      redo: async () => void (await set(on)),
    });
  return answer;
}

/** Stars several subjects in one step of undo. False = one of them could not be starred. */
export async function starAll(caseId: CaseId, subjects: readonly NoteSubject[]): Promise<boolean> {
  const set = async (on: boolean): Promise<boolean> => {
    for (const subject of subjects) {
      const answer = await bridge.request('notes.star', { caseId, subject, on });
      if (!answer.ok) return false;
    }
    return true;
  };
  const done = await set(true);
  if (done)
    pushUndo(caseId, {
      title: 'add evidence to the report',
      undo: async () => void (await set(false)),
      redo: async () => void (await set(true)),
    });
  return done;
}

/** Stars what is not starred, and the other way round. True = it has a star now; null = the change failed. */
export async function toggleStar(caseId: CaseId, subject: NoteSubject): Promise<boolean | null> {
  const list = await bridge.request('notes.list', { caseId });
  if (!list.ok) return null;
  const key = noteKey(subject);
  const on = !list.value.notes.some((note) => note.starred && noteKey(note.subject) === key);
  return (await setStar(caseId, subject, on)).ok ? on : null;
}

export interface Dissent {
  readonly note: CaseNote;
  readonly status: Status;
}

/** What the analyst holds of the verdict with this sentence; null = nothing was said. */
export function dissentOf({ all }: Notes, statement: string): Dissent | null {
  for (const note of all)
    if (note.subject.kind === 'dissent' && note.subject.statement === statement)
      return { note, status: note.subject.status };
  return null;
}

/** Writes the dissent, in place of the one that is there; one step of undo. */
export async function writeDissent(
  caseId: CaseId,
  known: CaseNote | null,
  subject: Extract<NoteSubject, { readonly kind: 'dissent' }>,
  text: string,
): Done {
  const added = await addRaw(caseId, { subject, text, starred: false });
  const note = added.ok ? added.value : null;
  if (note === null) return added;
  if (known !== null) await removeRaw(caseId, known.id);
  pushUndo(caseId, {
    title: known === null ? 'disagree' : 'change the dissent',
    undo: async () => {
      await removeRaw(caseId, note.id);
      if (known !== null) await restoreRaw(caseId, known);
    },
    redo: async () => {
      if (known !== null) await removeRaw(caseId, known.id);
      await restoreRaw(caseId, note);
    },
  });
  return added;
}

/** Puts a mark elsewhere; it keeps its id. Moves that follow each other are one step of undo. */
export async function moveMark(
  caseId: CaseId,
  note: CaseNote,
  subject: Extract<NoteSubject, { readonly kind: 'time' }>,
): Done {
  const put = async (to: NoteSubject): Done => {
    await removeRaw(caseId, note.id);
    return restoreRaw(caseId, { ...note, subject: to });
  };
  const moved = await put(subject);
  if (moved.ok)
    pushUndo(caseId, {
      title: 'move mark',
      merge: `move mark ${note.id}`,
      undo: async () => void (await put(note.subject)),
      redo: async () => void (await put(subject)),
    });
  return moved;
}
