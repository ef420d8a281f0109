import './inspector.css';
import { Star, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { NoteSubject } from '#shared/model/note.ts';
import type { Report } from '#shared/report/schema.ts';
import { IconButton } from '../../components/button.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { setStar, useNotes } from '../../data/notes.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { type Selected, useSelection } from '../../stores/selection.ts';
import type { InspectorModel } from '../../viewmodels/inspector.ts';
import { subjectOf } from '../shell/current-thing.ts';
import { useShownKeys } from '../shell/platform.ts';
import { NotesSection } from './notes-section.tsx';
import { Resizer } from './resizer.tsx';
import { SelectedThing } from './selected-thing.tsx';

interface InspectorProps {
  readonly caseId: CaseId;
  readonly report: Report;
}

/** The dock at the right: the one selected thing, and nothing else. It pushes the screen, it never covers it. */
export function Inspector({ caseId, report }: InspectorProps) {
  const open = useSelection((state) => state.inspector);
  const selected = useSelection((state) => state.selected);
  const width = usePreferences((state) => state.inspectorWidth);
  if (!open) return null;
  return (
    <aside
      className="inspector"
      aria-label="Inspector"
      data-pane="inspector"
      data-help="inspector"
      style={{ width: `calc(${width}px * var(--text-scale))` }}
    >
      <Resizer />
      {selected === null ? (
        <>
          <Head kind="Inspector" star={null} />
          <NothingSelected caseId={caseId} />
        </>
      ) : (
        <SelectedThing key={JSON.stringify(selected)} caseId={caseId} report={report} selected={selected}>
          {(model, links, extra) => (
            <Thing caseId={caseId} selected={selected} model={model} links={links} extra={extra} />
          )}
        </SelectedThing>
      )}
    </aside>
  );
}

interface ThingProps {
  readonly caseId: CaseId;
  readonly selected: Selected;
  readonly model: InspectorModel;
  readonly links: ReactNode;
  readonly extra: ReactNode;
}

function Thing({ caseId, selected, model, links, extra }: ThingProps) {
  const notes = useNotes(caseId);
  const subject = useSubject(caseId, selected);
  const star =
    subject === null
      ? null
      : {
          on: notes.isStarred(subject),
          toggle: () => void setStar(caseId, subject, !notes.isStarred(subject)),
        };
  return (
    <>
      <Head kind={model.kind} star={star} />
      <div className="inspector-body">
        <section className="inspector-section" aria-label={model.kind}>
          <h2 className="inspector-title">
            {model.rank !== null && <RankChip look={model.rank.role} label={`rank ${model.rank.rank}`} />}
            <span className="selectable">{model.title}</span>
          </h2>
          <dl className="inspector-fields">
            {model.fields.map((field) => (
              <div key={`${field.name} ${field.value}`} className="inspector-field">
                <dt>{field.name}</dt>
                <dd className="selectable" data-tone={field.tone}>
                  {field.value}
                  {field.note !== undefined && <span className="quiet">{` ${field.note}`}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </section>
        {extra}
        {links}
        {subject !== null && <NotesSection caseId={caseId} subject={subject} notes={notes.of(subject)} />}
        {notes.error !== null && (
          <p className="inspector-section quiet">The notes of this case cannot be read. The case itself is unharmed.</p>
        )}
      </div>
    </>
  );
}

interface HeadProps {
  readonly kind: string;
  readonly star: { readonly on: boolean; readonly toggle: () => void } | null;
}

function Head({ kind, star }: HeadProps) {
  const keys = useShownKeys();
  const setInspector = useSelection((state) => state.setInspector);
  return (
    <div className="inspector-head">
      <strong>{kind}</strong>
      <div className="inspector-head-end">
        {star !== null && (
          <Tooltip text={`${star.on ? 'Take the star away' : 'Star'}, ${keys('b')}`}>
            <IconButton label="Star" aria-pressed={star.on} onClick={star.toggle}>
              <Star className="icon-14" strokeWidth={1.75} fill={star.on ? 'currentColor' : 'none'} />
            </IconButton>
          </Tooltip>
        )}
        <Tooltip text={`Hide the inspector, ${keys('i')}`}>
          <IconButton label="Hide the inspector" onClick={() => setInspector(false)}>
            <X className="icon-14" strokeWidth={1.75} />
          </IconButton>
        </Tooltip>
      </div>
    </div>
  );
}

function NothingSelected({ caseId }: { readonly caseId: CaseId }) {
  const notes = useNotes(caseId);
  return (
    <div className="inspector-body">
      <p className="inspector-section quiet">
        Nothing is selected. Click a rank, a call, a line, a clock or a file to see all of it here.
      </p>
      {notes.all.length > 0 && <NotesSection caseId={caseId} subject={{ kind: 'case' }} notes={notes.all} all />}
    </div>
  );
}

/** The path of a file is asked for once; until it is here there is nothing that a note could be about. */
function useSubject(caseId: CaseId, selected: Selected): NoteSubject | null {
  const [subject, setSubject] = useState<NoteSubject | null>(null);
  useEffect(() => {
    let current = true;
    void subjectOf(caseId, selected).then((found) => current && setSubject(found));
    return () => {
      current = false;
    };
  }, [caseId, selected]);
  return subject;
}
