import { useEffect, useRef, useState } from 'react';
import { STATUSES, type Status } from '#shared/model/finding.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { MAX_NOTE_TEXT } from '#shared/model/note.ts';
import { STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { useCase } from '../../data/cases.ts';
import { dissentOf, useNotes, writeDissent } from '../../data/notes.ts';
import { usePanels } from '../../stores/panels.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useShownKeys } from '../shell/platform.ts';

/** The analyst's own status with its reason. The verdict stays as it is; reports print both. */
export function DissentDialog({ caseId }: { readonly caseId: CaseId }) {
  const close = usePanels((state) => state.close);
  const keys = useShownKeys();
  const opened = useCase(caseId);
  const verdict = opened.state === 'ready' ? opened.value.report.verdict : null;
  const known = dissentOf(useNotes(caseId), verdict?.summary ?? '');
  const [status, setStatus] = useState<Status | null>(null);
  const [text, setText] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  if (verdict === null) return null;
  const chosen = status ?? known?.status ?? 'hypothesis';
  const reason = text ?? known?.note.text ?? '';
  const empty = reason.trim() === '';
  const save = async () => {
    if (empty) return;
    const subject = { kind: 'dissent', statement: verdict.summary, status: chosen } as const;
    const answer = await writeDissent(caseId, known?.note ?? null, subject, reason);
    if (answer.ok) close();
    else setFailure(RPC_ERROR_WORDS[answer.error.code]);
  };
  return (
    <Dialog
      title="I disagree"
      description="Your own status and why. The computed verdict stays; reports print both."
      onClose={close}
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
      <label className="text-field">
        Because
        <textarea
          ref={field}
          rows={5}
          maxLength={MAX_NOTE_TEXT}
          value={reason}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
      </label>
      {failure !== null && <div className="failure-text">{failure}</div>}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Discard
        </Button>
        <Button kind="primary" keys={keys('Mod+Enter')} aria-disabled={empty} onClick={() => void save()}>
          Save my view
        </Button>
      </div>
    </Dialog>
  );
}
