import { Fragment } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { Button, type ButtonKind } from '../../components/button.tsx';
import { dissentOf, type Notes, starAll, useNotes } from '../../data/notes.ts';
import { undoLast } from '../../data/undo.ts';
import { startOf, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { useSelection } from '../../stores/selection.ts';
import { type EvidenceRow, evidenceSubjects } from '../../viewmodels/evidence-rows.ts';
import type { WouldChangeItem } from '../../viewmodels/would-change.ts';
import { openBundle, runCommand } from '../shell/commands.ts';
import { showRank } from '../shell/links.ts';
import { useShownKeys } from '../shell/platform.ts';

interface ActionsProps {
  readonly caseId: CaseId;
  readonly report: Report;
  /** ISO 8601 UTC: the first fault, or the end of the interval it lies in; null = neither is known. */
  readonly moment: string | null;
  /** `open`: the moment, or the first evidence where none is known; `ask`: what is missing; null: nothing is pressing. */
  readonly primary: 'open' | 'ask' | null;
  readonly first: EvidenceRow | null;
  readonly wouldChange: readonly WouldChangeItem[];
  readonly onOpen: (row: EvidenceRow) => void;
}

/** What follows from a verdict: look, take along, object, ask. */
export function Actions({ caseId, report, moment, primary, first, wouldChange, onOpen }: ActionsProps) {
  const keys = useShownKeys();
  const notes = useNotes(caseId);
  const { firstRanks, because } = report.verdict;
  const hasMoment = moment !== null || firstRanks.length > 0;
  return (
    <div className="overview-actions">
      {primary === 'ask' && (
        <Button kind="primary" onClick={() => runCommand('ask')}>
          Ask for these…
        </Button>
      )}
      {hasMoment && (
        <MomentButton
          caseId={caseId}
          report={report}
          moment={moment}
          kind={primary === 'open' ? 'primary' : 'outlined'}
        />
      )}
      {primary === 'open' && !hasMoment && first !== null && (
        <Button kind="primary" onClick={() => onOpen(first)}>
          Open the first evidence
        </Button>
      )}
      {because.length > 0 && <ReportButton caseId={caseId} report={report} notes={notes} />}
      {primary !== 'open' && (
        <Button kind="outlined" keys={keys('Mod+O')} onClick={() => void openBundle('file')}>
          Open bundle…
        </Button>
      )}
      <DissentButton caseId={caseId} report={report} notes={notes} />
      <WouldChangeLine caseId={caseId} items={wouldChange} />
    </div>
  );
}

/** Nothing where nothing is known that would. */
export function WouldChangeLine({
  caseId,
  items,
}: {
  readonly caseId: CaseId;
  readonly items: readonly WouldChangeItem[];
}) {
  if (items.length === 0) return null;
  return (
    <p className="would-change">
      Would change the verdict:{' '}
      {items.map((item, i) => (
        <Fragment key={item.text}>
          {i > 0 && '; '}
          <WouldChange caseId={caseId} item={item} />
        </Fragment>
      ))}
    </p>
  );
}

const LEAD_WORDS = {
  ranks: 'Show on Ranks',
  ask: 'Missing: how to ask for it',
  clocks: 'Show the clocks',
} as const;

/** Leads to the ranks, the gap or the clocks that it names. */
function WouldChange({ caseId, item: { text, lead } }: { readonly caseId: CaseId; readonly item: WouldChangeItem }) {
  if (lead === null) return <strong>{text}</strong>;
  const open = (): void => {
    if (lead.kind === 'ask') runCommand('ask');
    else if (lead.kind === 'clocks') useNavigation.getState().go(startOf('clocks', caseId));
    else {
      const [first = 0] = lead.ranks;
      if (lead.ranks.length > 1) useSelection.getState().setRanks([...lead.ranks]);
      showRank(caseId, first);
    }
  };
  return (
    <button type="button" className="would-change-link" title={LEAD_WORDS[lead.kind]} onClick={open}>
      {text}
    </button>
  );
}

/** To the lanes: at the moment of the first fault, or where no moment is known, to the lane of the first rank. */
function MomentButton({
  caseId,
  report,
  moment,
  kind,
}: {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly moment: string | null;
  readonly kind: ButtonKind;
}) {
  const [first] = report.verdict.firstRanks;
  const target = { lane: first === undefined ? null : `rank-${first}`, at: moment };
  return (
    <Button kind={kind} onClick={() => useNavigation.getState().go({ screen: 'timeline', caseId, target })}>
      {moment === null ? 'Open on the timeline' : 'Open at the moment'}
    </Button>
  );
}

interface NotedProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly notes: Notes;
}

/** Stars the lines and records that the verdict rests on: the report prints starred ones in full. */
function ReportButton({ caseId, report, notes }: NotedProps) {
  const subjects = evidenceSubjects(report.verdict.because);
  const missing = subjects.filter((subject) => !notes.isStarred(subject));
  if (missing.length === 0)
    return (
      <Button kind="outlined" onClick={() => useNavigation.getState().go(startOf('report', caseId))}>
        In the report, open it
      </Button>
    );
  const add = async () => {
    const done = await starAll(caseId, missing);
    const { show } = useNotices.getState();
    if (done) show(`${plural(missing.length, 'record')} added to the report`, () => void undoLast(caseId));
    else show('The notes of this case cannot be written');
  };
  return (
    <Button kind="outlined" title="Stars the lines and records under Because" onClick={() => void add()}>
      Add to report
    </Button>
  );
}

function DissentButton({ caseId, report, notes }: NotedProps) {
  const known = dissentOf(notes, report.verdict.summary);
  return (
    <Button kind="plain" onClick={() => usePanels.getState().open({ kind: 'dissent', caseId })}>
      {known === null ? 'I disagree…' : `You hold it to be ${STATUS_WORD[known.status].toLowerCase()}…`}
    </Button>
  );
}
