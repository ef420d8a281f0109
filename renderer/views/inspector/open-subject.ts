/** From a note to what it is about. */
import type { CaseId } from '#shared/model/ids.ts';
import type { NoteSubject } from '#shared/model/note.ts';
import { entryOfPath } from '../../data/entries.ts';
import { startOf, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { useSelection } from '../../stores/selection.ts';
import type { RawPlace } from '../../viewmodels/evidence-rows.ts';
import { nsToIso } from '../../viewmodels/times.ts';
import { showClock, showCollective, showOnTimeline, showRank, showSource } from '../shell/links.ts';

export function openSubject(caseId: CaseId, subject: NoteSubject): void {
  switch (subject.kind) {
    case 'case':
    case 'finding':
      useNavigation.getState().go(startOf('overview', caseId));
      break;
    case 'dissent':
      usePanels.getState().open({ kind: 'dissent', caseId });
      break;
    case 'entry':
      void withEntry(caseId, subject.path, { kind: 'whole' });
      break;
    case 'line':
      void withEntry(caseId, subject.path, { kind: 'line', line: subject.line });
      break;
    case 'record':
      void withEntry(caseId, subject.path, { kind: 'record', record: subject.record });
      break;
    case 'rank':
      showRank(caseId, subject.rank);
      break;
    case 'call':
      showCollective(caseId, subject.group, subject.seq);
      break;
    case 'clock':
      showClock(caseId, subject.clock);
      break;
    case 'time':
      useSelection.getState().setBasis(subject.basis);
      showOnTimeline(caseId, nsToIso(BigInt(subject.from)));
      break;
  }
}

async function withEntry(caseId: CaseId, path: string, place: RawPlace): Promise<void> {
  const entry = await entryOfPath(caseId, path);
  if (entry === null) useNotices.getState().show('That file is not in the case any more');
  else showSource(caseId, entry.id, place);
}
