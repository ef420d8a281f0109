import { useState } from 'react';
import { STATUSES, type Status } from '#shared/model/finding.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';
import { useCase } from '../../data/cases.ts';
import { dissentOf, useNotes, writeDissent } from '../../data/notes.ts';
import { TextDialog } from '../shell/text-dialog.tsx';

/** The analyst's own status with its reason. The verdict stays as it is; reports print both. */
export function DissentDialog({ caseId }: { readonly caseId: CaseId }) {
  const opened = useCase(caseId);
  const verdict = opened.state === 'ready' ? opened.value.report.verdict : null;
  const known = dissentOf(useNotes(caseId), verdict?.summary ?? '');
  const [status, setStatus] = useState<Status | null>(null);
  const [text, setText] = useState<string | null>(null);
  if (verdict === null) return null;
  const chosen = status ?? known?.status ?? 'hypothesis';
  const reason = text ?? known?.note.text ?? '';
  const subject = { kind: 'dissent', statement: verdict.summary, status: chosen } as const;
  return (
    <TextDialog
      title="I disagree"
      description="Your own status and why. The computed verdict stays; reports print both."
      label="Because"
      text={reason}
      onText={setText}
      saveLabel="Save my view"
      onSave={() => writeDissent(caseId, known?.note ?? null, subject, reason)}
    >
      <fieldset className="dissent-statuses">
        <legend>I hold it to be</legend>
        {STATUSES.map((one) => (
          <label key={one} title={STATUS_MEANING[one]}>
            <input type="radio" name="dissent" checked={one === chosen} onChange={() => setStatus(one)} />
            {STATUS_WORD[one]}
            {one === verdict.status && <span className="quiet">as computed</span>}
          </label>
        ))}
      </fieldset>
    </TextDialog>
  );
}
