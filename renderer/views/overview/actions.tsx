import { Button } from '../../components/button.tsx';
import type { EvidenceRow } from '../../viewmodels/evidence-rows.ts';
import { openBundle, runCommand } from '../shell/commands.ts';
import { useShownKeys } from '../shell/platform.ts';

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
