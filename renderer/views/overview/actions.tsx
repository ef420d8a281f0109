import type { CaseId } from '#shared/model/ids.ts';
import { Button } from '../../components/button.tsx';
import { useCase } from '../../data/cases.ts';
import { caseOf, selectPlace, useNavigation } from '../../stores/navigation.ts';
import type { EvidenceRow } from '../../viewmodels/evidence-rows.ts';
import { openBundle, runCommand } from '../shell/commands.ts';
import { useShownKeys } from '../shell/platform.ts';

/** To the lanes: at the moment of the first fault, or where no moment is known, to the lane of the first rank. */
function MomentButton() {
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  return caseId === null ? null : <OpenOnTimeline caseId={caseId} />;
}

function OpenOnTimeline({ caseId }: { readonly caseId: CaseId }) {
  const opened = useCase(caseId);
  if (opened.state !== 'ready') return null;
  const { at, firstRanks } = opened.value.report.verdict;
  const [first] = firstRanks;
  if (at === null && first === undefined) return null;
  const target = { lane: first === undefined ? null : `rank-${first}`, at: at?.time ?? null };
  return (
    <Button kind="outlined" onClick={() => useNavigation.getState().go({ screen: 'timeline', caseId, target })}>
      {at === null ? 'Open on the timeline' : 'Open at the moment'}
    </Button>
  );
}

interface ActionsProps {
  /** `open`: the first evidence; `ask`: what is missing; null: nothing is pressing. */
  readonly primary: 'open' | 'ask' | null;
  readonly first: EvidenceRow | null;
  readonly wouldChange: readonly string[];
  readonly onOpen: (row: EvidenceRow) => void;
}

export function Actions({ primary, first, wouldChange, onOpen }: ActionsProps) {
  const keys = useShownKeys();
  return (
    <div className="overview-actions">
      {primary === 'open' && first !== null && (
        <Button kind="primary" onClick={() => onOpen(first)}>
          Open the first evidence
        </Button>
      )}
      {primary === 'ask' && (
        <Button kind="primary" onClick={() => runCommand('ask')}>
          Ask for these…
        </Button>
      )}
      <MomentButton />
      {primary !== 'open' && (
        <Button kind="outlined" keys={keys('Mod+O')} onClick={() => void openBundle('file')}>
          Open bundle…
        </Button>
      )}
      {wouldChange.length > 0 && (
        <p className="would-change">
          Would change the verdict: <strong>{wouldChange.join('; ')}</strong>
        </p>
      )}
    </div>
  );
}
