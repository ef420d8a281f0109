import type { CaseId } from '#shared/model/ids.ts';
import type { ReportPreview } from '#shared/rpc/areas/export.ts';
import type { SaveForm } from '#shared/rpc/bridge.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useCustody } from '../../data/exports.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { FORM_WORD } from '../../viewmodels/report/words.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { CustodyList } from '../evidence/custody-log.tsx';
import { useShownKeys } from '../shell/platform.ts';
import type { SaveState } from './report-view.tsx';

interface ExportSectionProps {
  readonly caseId: CaseId;
  readonly preview: ReportPreview;
  readonly saving: SaveState;
}

const FORMS: readonly SaveForm[] = ['pdf', 'html', 'markdown', 'json', 'patch', 'package'];

export function ExportSection({ caseId, preview, saving }: ExportSectionProps) {
  const keys = useShownKeys();
  const stopped = preview.stoppedBy.length > 0;
  const nothing = preview.document.sections.length === 0;
  return (
    <section className="redaction-part">
      <b>Export</b>
      <div className="export-buttons">
        {FORMS.map((form) => {
          const why = whyNot(form, { stopped, nothing, hasPatch: preview.hasPatch });
          return (
            <Button
              key={form}
              kind={form === 'pdf' && !stopped ? 'primary' : 'outlined'}
              keys={form === 'pdf' && !stopped ? keys('Mod+P') : undefined}
              aria-disabled={why !== null || saving.saving !== null}
              title={why ?? undefined}
              onClick={() => why === null && saving.save(form)}
            >
              {saving.saving === form ? 'Saving…' : FORM_WORD[form]}
            </Button>
          );
        })}
      </div>
      <p className="export-note">
        {stopped
          ? 'Off until every section is scanned or left out.'
          : preview.redaction === null
            ? 'Not redacted. The case package holds the evidence as it came.'
            : 'Marked redacted in the name and on each page. The case package holds the evidence as it came, not redacted.'}
      </p>
      <Outcome saving={saving} />
      <Custody caseId={caseId} />
    </section>
  );
}

function whyNot(
  form: SaveForm,
  { stopped, nothing, hasPatch }: { readonly stopped: boolean; readonly nothing: boolean; readonly hasPatch: boolean },
): string | null {
  if (stopped) return 'A section could not be scanned';
  if (form === 'patch') return hasPatch ? null : 'No setting is missing';
  if (form === 'json' || form === 'package') return null;
  return nothing ? 'No section is switched on' : null;
}

function Outcome({ saving: { last, save } }: { readonly saving: SaveState }) {
  if (last === null || last.answer.state === 'closed') return null;
  const { form, answer } = last;
  if (answer.state === 'saved')
    return (
      <p className="export-saved" role="status">
        ✓ Saved <b>{escapeText(answer.name)}</b>
        {answer.redacted ? '' : ', not redacted'}
      </p>
    );
  return (
    <Failure
      title={`${FORM_WORD[form].replace('…', '')} was not saved`}
      text={`${RPC_ERROR_WORDS[answer.code]}${answer.detail === '' ? '' : ` (${escapeText(answer.detail)})`} Nothing was left behind.`}
      onCopy={() => copyText(`${answer.code}: ${answer.detail}`)}
    >
      {form !== 'reply' && (
        <Button kind="outlined" onClick={() => save(form)}>
          Save again…
        </Button>
      )}
    </Failure>
  );
}

function Custody({ caseId }: { readonly caseId: CaseId }) {
  const entries = useCustody(caseId);
  if (entries.length === 0) return null;
  return (
    <details className="custody">
      <summary>Custody log, {entries.length}</summary>
      <CustodyList entries={entries} />
    </details>
  );
}
