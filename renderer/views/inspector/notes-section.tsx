import { Pencil, Star, Trash2 } from 'lucide-react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CaseNote, NoteSubject } from '#shared/model/note.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { removeNote } from '../../data/notes.ts';
import { undoLast } from '../../data/undo.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { subjectWords } from '../../viewmodels/note-words.ts';
import { useShownKeys } from '../shell/platform.ts';
import { openSubject } from './open-subject.ts';

interface NotesSectionProps {
  readonly caseId: CaseId;
  readonly subject: NoteSubject;
  readonly notes: readonly CaseNote[];
  /** Notes of many things: each says what it is about. */
  readonly all?: boolean;
}

/** Notes on one thing, or all notes of the case; what is removed can be brought back. */
export function NotesSection({ caseId, subject, notes, all = false }: NotesSectionProps) {
  const keys = useShownKeys();
  const open = usePanels((state) => state.open);
  const shown = all ? notes : notes.filter((note) => note.text !== '');
  const remove = async (note: CaseNote) => {
    const removed = await removeNote(caseId, note);
    if (removed.ok) useNotices.getState().show('Note removed', () => void undoLast(caseId));
  };
  return (
    <section className="inspector-section" aria-label="Notes">
      <h3>{all ? 'Notes and stars of this case' : 'Notes'}</h3>
      {shown.map((note) => (
        <div key={note.id} className="inspector-note">
          <div>
            {all && (
              <button type="button" className="note-subject" onClick={() => openSubject(caseId, note.subject)}>
                {note.starred && <Star className="icon-12" fill="currentColor" aria-label="starred" />}
                {subjectWords(note.subject)}
              </button>
            )}
            <p className="selectable">{escapeLines(note.text)}</p>
          </div>
          <IconButton label="Edit note" onClick={() => open({ kind: 'note', caseId, subject: note.subject, note })}>
            <Pencil className="icon-12" strokeWidth={1.75} />
          </IconButton>
          <IconButton label="Remove note" onClick={() => void remove(note)}>
            <Trash2 className="icon-12" strokeWidth={1.75} />
          </IconButton>
        </div>
      ))}
      <Button
        kind="outlined"
        keys={all ? undefined : keys('Mod+E')}
        onClick={() => open({ kind: 'note', caseId, subject, note: null })}
      >
        {all ? 'Write a note on the case…' : 'Write a note…'}
      </Button>
    </section>
  );
}

/** Line feeds are the writer's own and stay. */
const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n');
