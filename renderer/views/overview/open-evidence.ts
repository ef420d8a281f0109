/** From an item of evidence to the view that shows it best, with half a minute around it as the range. */
import { type CaseId, entryId } from '#shared/model/ids.ts';
import { bridge } from '../../data/bridge.ts';
import { useOrigin } from '../../data/origin.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import { type EvidenceRow, rangeAround } from '../../viewmodels/evidence-rows.ts';
import { callOfRecord } from '../../viewmodels/record-call.ts';
import { showCollective, showLogs, showOnTimeline, showSource } from '../shell/links.ts';

export interface EvidenceOpener {
  /** Log lines in Logs, calls in Collectives, moments on the Timeline, all else where its bytes are. */
  readonly best: (row: EvidenceRow) => void;
  /** Its bytes in the raw viewer. */
  readonly bytes: (row: EvidenceRow) => void;
}

export function useEvidenceOpener(caseId: CaseId): EvidenceOpener {
  const origin = useOrigin(caseId);
  return {
    best: (row) => void openBest(caseId, row, origin),
    bytes: (row) => showSource(caseId, entryId(row.entryId), row.target),
  };
}

async function openBest(caseId: CaseId, row: EvidenceRow, origin: bigint | null): Promise<void> {
  const { steps, index } = useNavigation.getState();
  const go = await wayTo(caseId, row);
  // Answers come late: whoever went elsewhere meanwhile stays there.
  const now = useNavigation.getState();
  if (now.steps !== steps || now.index !== index) return;
  if (go === null) return showSource(caseId, entryId(row.entryId), row.target);
  const { basis, setRange, ranks, setRanks } = useSelection.getState();
  setRange(rangeAround(row, origin, basis));
  // A filter by rank must not hide what was asked for.
  if (ranks.length > 0 && (row.rank === null || !ranks.includes(row.rank))) setRanks([]);
  go();
}

/** Null = only the raw viewer shows it. */
async function wayTo(caseId: CaseId, row: EvidenceRow): Promise<(() => void) | null> {
  const { target } = row;
  const id = entryId(row.entryId);
  if (target.kind === 'line') {
    const opened = await bridge.request('logs.open', { caseId });
    const isLog = opened.ok && opened.value.files.some((file) => file.entryId === id);
    return isLog ? () => showLogs(caseId, { at: { entryId: id, line: target.line } }) : null;
  }
  if (target.kind === 'record') {
    const answer = await bridge.request('entry.record', { caseId, entryId: id, record: target.record });
    const call = answer.ok ? callOfRecord(answer.value.fields) : null;
    if (call === null) return null;
    return () => {
      if (row.rank !== null)
        useSelection.getState().select({
          kind: 'call',
          ...call,
          rank: row.rank,
          record: { entryId: id, record: target.record },
        });
      showCollective(caseId, call.group, call.seq);
    };
  }
  const { stamp } = row;
  if (target.kind === 'whole' && stamp !== null) return () => showOnTimeline(caseId, stamp.time);
  return null;
}
