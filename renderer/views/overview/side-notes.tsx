import { Star } from 'lucide-react';
import type { CaseId } from '#shared/model/ids.ts';
import { plural } from '#shared/text/format.ts';
import { useNotes } from '../../data/notes.ts';
import { useSelection } from '../../stores/selection.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { subjectWords } from '../../viewmodels/note-words.ts';
import { openSubject } from '../inspector/open-subject.ts';

const MAX_NOTES = 4;

/** The newest notes of the case; all of them are in the inspector. Null where nothing was written. */
export function SideNotes({ caseId }: { readonly caseId: CaseId }) {
  const { all } = useNotes(caseId);
  if (all.length === 0) return null;
  const written = all.filter((note) => note.text !== '' || note.subject.kind === 'time').toReversed();
  const stars = all.filter((note) => note.starred).length;
  return (
    <section className="side-section" aria-label="Notes">
      <div className="side-head">
        <h2>Notes</h2>
        <span className="quiet">
          {[written.length > 0 ? plural(written.length, 'note') : '', stars > 0 ? plural(stars, 'star') : '']
            .filter(Boolean)
            .join(', ')}
        </span>
      </div>
      {written.slice(0, MAX_NOTES).map((note) => (
        <button key={note.id} type="button" className="side-note" onClick={() => openSubject(caseId, note.subject)}>
          <span className="side-note-text">{escapeText(note.text === '' ? 'Mark' : note.text)}</span>
          <span className="quiet">
            {note.starred && <Star className="icon-12" fill="currentColor" aria-label="starred" />}
            {subjectWords(note.subject)}
          </span>
        </button>
      ))}
      {all.length > Math.min(written.length, MAX_NOTES) && (
        <button
          type="button"
          className="side-note quiet"
          onClick={() => {
            useSelection.getState().select(null);
            useSelection.getState().setInspector(true);
          }}
        >
          All notes and stars in the inspector
        </button>
      )}
    </section>
  );
}
