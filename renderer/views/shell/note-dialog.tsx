import { useEffect, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { type CaseNote, MAX_NOTE_TEXT, type NoteSubject } from '#shared/model/note.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { addNote, editNote } from '../../data/notes.ts';
import { usePanels } from '../../stores/panels.ts';
import { subjectWords } from '../../viewmodels/note-words.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useShownKeys } from './platform.ts';

interface NoteDialogProps {
  readonly caseId: CaseId;
  readonly subject: NoteSubject;
  readonly note: CaseNote | null;
}

/** Writes a note, or changes one. What is saved can be undone. */
export function NoteDialog({ caseId, subject, note }: NoteDialogProps) {
  const close = usePanels((state) => state.close);
  const keys = useShownKeys();
  const [text, setText] = useState(note?.text ?? '');
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const empty = text.trim() === '' && subject.kind !== 'time';
  const save = async () => {
    if (empty) return;
    const answer = note === null ? await addNote(caseId, subject, text) : await editNote(caseId, note, text);
    if (answer.ok) close();
    else setFailure(RPC_ERROR_WORDS[answer.error.code]);
  };
  return (
    <Dialog
      title={note === null ? 'Write a note' : 'Edit the note'}
      description={`On ${subjectWords(subject)}. Notes stay in the case and go into reports if you choose so.`}
      onClose={close}
    >
      <label className="text-field">
        <span className="sr-only">Note</span>
        <textarea
          ref={field}
          rows={5}
          maxLength={MAX_NOTE_TEXT}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
      </label>
      {failure !== null && <div className="failure-text">{failure}</div>}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Discard
        </Button>
        <Button kind="primary" keys={keys('Mod+Enter')} aria-disabled={empty} onClick={() => void save()}>
          Save note
        </Button>
      </div>
    </Dialog>
  );
}
