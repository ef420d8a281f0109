import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CaseNote, NoteSubject } from '#shared/model/note.ts';
import { addNote, editNote } from '../../data/notes.ts';
import { subjectWords } from '../../viewmodels/note-words.ts';
import { TextDialog } from './text-dialog.tsx';

interface NoteDialogProps {
  readonly caseId: CaseId;
  readonly subject: NoteSubject;
  readonly note: CaseNote | null;
}

/** Writes a note, or changes one. What is saved can be undone. */
export function NoteDialog({ caseId, subject, note }: NoteDialogProps) {
  const [text, setText] = useState(note?.text ?? '');
  return (
    <TextDialog
      title={note === null ? 'Write a note' : 'Edit the note'}
      description={`On ${subjectWords(subject)}. Notes stay in the case and go into reports if you choose so.`}
      label={<span className="sr-only">Note</span>}
      text={text}
      onText={setText}
      mayBeEmpty={subject.kind === 'time'}
      saveLabel="Save note"
      onSave={() => (note === null ? addNote(caseId, subject, text) : editNote(caseId, note, text))}
    />
  );
}
