/** Notes, stars and marks of a case. Each answer is the whole new list: it is short, and so nothing can drift. */
import { z } from 'zod';
import { STATUSES } from '../../model/finding.ts';
import type { CaseId } from '../../model/ids.ts';
import { type CaseNote, MAX_NOTE_TEXT, type NoteId, type NoteSubject } from '../../model/note.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

/** `changed` is the note that was made, changed or removed. */
export interface NotesAnswer {
  readonly notes: readonly CaseNote[];
  readonly changed: CaseNote | null;
}

export type NotesMethods = {
  readonly 'notes.list': {
    readonly params: { readonly caseId: CaseId };
    readonly result: { readonly notes: readonly CaseNote[] };
  };
  /** Adds a note; several on one subject are fine. `restore` brings one back that was removed, under its id if that is free. */
  readonly 'notes.add': {
    readonly params: {
      readonly caseId: CaseId;
      readonly subject: NoteSubject;
      readonly text: string;
      readonly starred: boolean;
      readonly restore?: { readonly id: NoteId; readonly created: string };
    };
    readonly result: NotesAnswer;
  };
  readonly 'notes.edit': {
    readonly params: { readonly caseId: CaseId; readonly id: NoteId; readonly text: string };
    readonly result: NotesAnswer;
  };
  readonly 'notes.remove': {
    readonly params: { readonly caseId: CaseId; readonly id: NoteId };
    readonly result: NotesAnswer;
  };
  /** Stars a subject or takes its star away. A row that then has neither star nor text is removed. */
  readonly 'notes.star': {
    readonly params: { readonly caseId: CaseId; readonly subject: NoteSubject; readonly on: boolean };
    readonly result: NotesAnswer;
  };
};

const id = z
  .int()
  .positive()
  .transform((value) => value as NoteId);
const path = z.string().min(1).max(4096);
const name = z.string().max(1024);
const count = z.int().nonnegative();
const epochNs = z.string().regex(/^-?\d{1,20}$/);

const noteSubjectSchema: z.ZodType<NoteSubject> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('case') }),
  z.strictObject({ kind: z.literal('entry'), path }),
  z.strictObject({ kind: z.literal('line'), path, line: z.int().positive() }),
  z.strictObject({ kind: z.literal('record'), path, record: count }),
  z.strictObject({ kind: z.literal('rank'), rank: count }),
  z.strictObject({ kind: z.literal('call'), group: name, seq: z.int(), rank: count.nullable() }),
  z.strictObject({ kind: z.literal('clock'), clock: name }),
  z.strictObject({ kind: z.literal('finding'), finding: name }),
  z.strictObject({ kind: z.literal('dissent'), statement: z.string().max(MAX_NOTE_TEXT), status: z.enum(STATUSES) }),
  z.strictObject({
    kind: z.literal('time'),
    from: epochNs,
    to: epochNs.nullable(),
    basis: z.enum(['raw', 'corrected']),
  }),
]);

const text = z.string().max(MAX_NOTE_TEXT);

export const NOTES_VALIDATORS: AreaValidators<NotesMethods> = {
  'notes.list': z.strictObject({ caseId }),
  'notes.add': z.strictObject({
    caseId,
    subject: noteSubjectSchema,
    text,
    starred: z.boolean(),
    restore: z.exactOptional(z.strictObject({ id, created: z.iso.datetime() })),
  }),
  'notes.edit': z.strictObject({ caseId, id, text }),
  'notes.remove': z.strictObject({ caseId, id }),
  'notes.star': z.strictObject({ caseId, subject: noteSubjectSchema, on: z.boolean() }),
};
