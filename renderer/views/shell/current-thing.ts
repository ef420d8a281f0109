/** What star, note, copy and Go to are about: the selected thing, else what the screen itself shows. */
import type { CaseId } from '#shared/model/ids.ts';
import type { NoteSubject } from '#shared/model/note.ts';
import { entryById } from '../../data/entries.ts';
import { type Place, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { type Selected, useSelection } from '../../stores/selection.ts';

/** Null = nothing is selected and the screen shows no one thing. */
export async function currentSubject(): Promise<{ readonly caseId: CaseId; readonly subject: NoteSubject } | null> {
  const place = selectPlace(useNavigation.getState());
  if (place.screen === 'cases' || place.screen === 'import') return null;
  const { caseId } = place;
  const { selected } = useSelection.getState();
  const subject = selected === null ? await subjectOfPlace(place) : await subjectOf(caseId, selected);
  return subject === null ? null : { caseId, subject };
}

export async function subjectOf(caseId: CaseId, selected: Selected): Promise<NoteSubject | null> {
  switch (selected.kind) {
    case 'rank':
      return { kind: 'rank', rank: selected.rank };
    case 'call':
      return { kind: 'call', group: selected.group, seq: selected.seq, rank: selected.rank };
    case 'clock':
      return { kind: 'clock', clock: selected.clock };
    case 'line': {
      const entry = await entryById(caseId, selected.entryId);
      return entry === null ? null : { kind: 'line', path: entry.path, line: selected.line };
    }
    case 'entry': {
      const entry = await entryById(caseId, selected.entryId);
      return entry === null ? null : { kind: 'entry', path: entry.path };
    }
  }
}

async function subjectOfPlace(place: Place): Promise<NoteSubject | null> {
  switch (place.screen) {
    case 'evidence': {
      const entry = place.target === null ? null : await entryById(place.caseId, place.target.entryId);
      if (place.target === null || entry === null) return null;
      const { line, record } = place.target;
      if (line !== null) return { kind: 'line', path: entry.path, line };
      return record === null ? { kind: 'entry', path: entry.path } : { kind: 'record', path: entry.path, record };
    }
    case 'logs': {
      const entry = place.target.at === null ? null : await entryById(place.caseId, place.target.at.entryId);
      return place.target.at === null || entry === null
        ? null
        : { kind: 'line', path: entry.path, line: place.target.at.line };
    }
    case 'collectives': {
      const { group, seq } = place.target;
      return group === null || seq === null ? null : { kind: 'call', group, seq, rank: null };
    }
    case 'ranks':
      return place.target.rank === null ? null : { kind: 'rank', rank: place.target.rank };
    case 'clocks':
      return place.target.clock === null ? null : { kind: 'clock', clock: place.target.clock };
    case 'overview':
      return { kind: 'case' };
    default:
      return null;
  }
}
