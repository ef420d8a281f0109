import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import { Button } from '../../components/button.tsx';
import { Choice, TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/layers.tsx';
import { changeSettings, stopAnalysis, useClocksProgress } from '../../data/clocks.ts';
import { analysisWords } from '../../viewmodels/clocks/progress.ts';
import { checkDraft, type SettingDraft } from '../../viewmodels/clocks/setting-draft.ts';
import { titleOf } from '../../viewmodels/clocks/table.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';

interface SettingDialogProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly clock: string;
  readonly settings: readonly ClockSetting[];
  readonly onClose: () => void;
}

/** Sets a clock from what the analyst knows. The reason is required and stands in the report; raw stamps are not touched. */
export function SettingDialog({ caseId, report, clock, settings, onClose }: SettingDialogProps) {
  const known = settings.find((one) => one.clock === clock);
  const [draft, setDraft] = useState<SettingDraft>(() => firstDraft(report, clock, known));
  const [state, setState] = useState<'edit' | 'busy'>('edit');
  const [failure, setFailure] = useState<string | null>(null);
  const progress = useClocksProgress(caseId);
  const { setting, problems } = checkDraft(clock, draft);
  const title = titleOf(report, clock);
  const others = settings.filter((one) => one.clock !== clock);
  const apply = async (after: readonly ClockSetting[], words: string) => {
    if (state === 'busy') return;
    setState('busy');
    setFailure(null);
    const answer = await changeSettings(caseId, { title: `${words} ${title}`, before: settings, after });
    setState('edit');
    if (answer.ok) onClose();
    else setFailure(RPC_ERROR_WORDS[answer.error.code]);
  };
  const save = () => setting !== null && void apply([...others, setting], 'set the clock of');
  const change = (part: Partial<SettingDraft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <Dialog
      title={`Set the clock ${title}`}
      description="It takes the place of all evidence about this clock. The case is analysed again; stamps stay as they were written, and the report names the setting with its reason."
      onClose={onClose}
    >
      <div className="setting-form">
        <Choice
          label="compared with"
          value={draft.against}
          options={report.clock.domains
            .filter(({ id }) => id !== clock)
            .map(({ id }) => ({ value: id, label: titleOf(report, id) }))}
          onChoose={(against) => change({ against })}
        />
        <TextField
          label="Offset, ms (positive = this clock is ahead)"
          value={draft.offset}
          problem={draft.offset === '' ? '' : problems.offset}
          autoFocus
          onChange={(offset) => change({ offset })}
          onEnter={save}
        />
        <TextField
          label="Right to within ± ms"
          value={draft.bound}
          problem={draft.bound === '' ? '' : problems.bound}
          onChange={(bound) => change({ bound })}
          onEnter={save}
        />
        <TextField
          label="Reason"
          value={draft.reason}
          placeholder="chronyc output of that minute, from the ticket"
          onChange={(reason) => change({ reason })}
          onEnter={save}
        />
      </div>
      {failure !== null && <div className="failure-text">{failure}</div>}
      {state === 'busy' && <Running {...analysisWords(progress)} />}
      <div className="dialog-actions">
        {known !== undefined && (
          <Button
            kind="danger"
            aria-disabled={state === 'busy'}
            onClick={() => void apply(others, 'clear the setting of')}
          >
            Clear the setting
          </Button>
        )}
        {state === 'busy' ? (
          <Button kind="outlined" aria-disabled={progress?.step === 'writing'} onClick={() => stopAnalysis(caseId)}>
            Stop
          </Button>
        ) : (
          <Button kind="outlined" onClick={onClose}>
            Discard
          </Button>
        )}
        <Button kind="primary" aria-disabled={setting === null || state === 'busy'} onClick={save}>
          Set and analyse again
        </Button>
      </div>
    </Dialog>
  );
}

function Running({ words, percent }: { readonly words: string; readonly percent: number }) {
  return (
    <div className="setting-running">
      <div role="status">{words}</div>
      <div
        className="setting-bar"
        role="progressbar"
        aria-label="Analysis"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ inlineSize: `${percent}%` }} />
      </div>
    </div>
  );
}

function firstDraft(report: Report, clock: string, known: ClockSetting | undefined): SettingDraft {
  const { reference, domains } = report.clock;
  const other = domains.find(({ id }) => id !== clock)?.id ?? clock;
  if (known === undefined)
    return {
      against: reference === null || reference === clock ? other : reference,
      offset: '',
      bound: '',
      reason: '',
    };
  return {
    against: known.against,
    offset: String(known.offsetMs),
    bound: String(known.boundMs),
    reason: known.reason,
  };
}
