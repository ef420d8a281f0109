import './report-view.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { SectionId } from '#shared/report/sections/types.ts';
import type { ReportChoices, ReportPreview } from '#shared/rpc/areas/export.ts';
import type { SaveAnswer, SaveForm } from '#shared/rpc/bridge.ts';
import { Banner, Empty, Refreshing, Skeleton } from '../../components/states.tsx';
import { chooseReport, saveReport, useReportPreview } from '../../data/exports.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { useReplyDrafts } from '../../stores/reply-drafts.ts';
import type { ReportTarget } from '../../stores/targets/report.ts';
import { pagesOf } from '../../viewmodels/report/pages.ts';
import { documentWords } from '../../viewmodels/report/words.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { overrideCommand } from '../shell/commands.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { useIsWidth } from '../shell/window-width.ts';
import { Paper } from './paper.tsx';
import { RedactionPanel } from './redaction-panel.tsx';
import { ReplyPanel } from './reply-panel.tsx';
import { SectionList } from './section-list.tsx';

interface ReportViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: ReportTarget;
}

/** What goes out of the case: which sections, in which order, with which names replaced, in which form. */
export function ReportView({ caseId, target }: ReportViewProps) {
  const preview = useReportPreview(caseId);
  if (preview.state === 'loading') return <Skeleton words="Preparing the report" />;
  if (preview.state === 'failed')
    return <ReadFailure title="The report cannot be prepared" error={preview.error} method="export.preview" />;
  return (
    <>
      {preview.refreshing && <Refreshing />}
      <Builder caseId={caseId} target={target} preview={preview.value} />
    </>
  );
}

export type Saving = SaveForm | null;
export interface SaveState {
  readonly saving: Saving;
  readonly last: { readonly form: SaveForm; readonly answer: SaveAnswer } | null;
  readonly save: (form: SaveForm, text?: string | null) => void;
}

function useSaving(caseId: CaseId): SaveState {
  const [saving, setSaving] = useState<Saving>(null);
  const [last, setLast] = useState<SaveState['last']>(null);
  const busy = useRef(false);
  const save = (form: SaveForm, text: string | null = null): void => {
    if (busy.current) return;
    busy.current = true;
    setSaving(form);
    void saveReport(caseId, form, text).then((answer) => {
      busy.current = false;
      setSaving(null);
      setLast(answer.state === 'closed' ? null : { form, answer });
    });
  };
  return { saving, last, save };
}

interface BuilderProps {
  readonly caseId: CaseId;
  readonly target: ReportTarget;
  readonly preview: ReportPreview;
}

function Builder({ caseId, target, preview }: BuilderProps) {
  const { choices, choose, problem } = useChoices(caseId, preview);
  const saving = useSaving(caseId);
  const replace = useNavigation((state) => state.replace);
  const show = (section: string | null) => replace({ screen: 'report', caseId, target: { section } });
  const paper = useRef<HTMLDivElement>(null);
  const pages = useMemo(() => pagesOf(preview.document), [preview.document]);
  const replyOpen = target.section === 'reply';
  const edited = useReplyDrafts((state) => state.drafts.get(caseId) ?? null);
  const stopped = preview.stoppedBy.length > 0;
  useSaveKey(() => !stopped && saving.save('pdf'));
  const bring = (id: SectionId): void => {
    show(id);
    paper.current?.querySelector(`[data-section="${id}"]`)?.scrollIntoView({ block: 'start' });
  };
  const tiny = useIsWidth('tiny');
  const side = (
    <div className="report-side" data-pane="sections">
      <SectionList rows={preview.rows} choices={choices} onChoose={choose} onBring={bring} shown={target.section} />
      <ReplyTeaser gaps={preview.gaps} open={replyOpen} onOpen={() => show(replyOpen ? null : 'reply')} />
    </div>
  );
  const redaction = (
    <RedactionPanel
      caseId={caseId}
      preview={preview}
      choices={choices}
      onChoose={choose}
      onBring={bring}
      saving={saving}
    />
  );
  return (
    <div className="report">
      <div className="report-bar" data-pane="options">
        <span>
          times <b>UTC</b>
        </span>
        <span>
          page <b>A4</b>
        </span>
        <span className="report-count">{documentWords(preview, pages.length)}</span>
      </div>
      {tiny ? (
        <div className="report-lists">
          {side}
          {redaction}
        </div>
      ) : (
        side
      )}
      <div className="report-main">
        {problem !== null && (
          <Banner tone="error" text={`The choices could not be kept: ${RPC_ERROR_WORDS[problem]}`} />
        )}
        <section
          className="report-preview"
          aria-label="Preview"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs keys
          tabIndex={0}
          ref={paper}
          data-pane="preview"
          data-reply={replyOpen}
        >
          {preview.document.sections.length === 0 ? (
            <Empty
              title="No section is switched on"
              text="A report needs one at least. The reply, the JSON form and the case package do not."
            />
          ) : (
            <Paper document={preview.document} pages={pages} />
          )}
        </section>
      </div>
      {replyOpen && (
        <ReplyPanel
          caseId={caseId}
          generated={preview.reply}
          edited={edited}
          redacted={choices.redact}
          stopped={stopped}
          saving={saving}
          onClose={() => show(null)}
        />
      )}
      {!tiny && redaction}
    </div>
  );
}

/** Choices are shown at once and kept with the case; the answer replaces them. */
function useChoices(caseId: CaseId, preview: ReportPreview) {
  const [pending, setPending] = useState<ReportChoices | null>(null);
  const [problem, setProblem] = useState<keyof typeof RPC_ERROR_WORDS | null>(null);
  const kept = JSON.stringify(preview.choices);
  useEffect(() => {
    setPending((known) => (known !== null && JSON.stringify(known) === kept ? null : known));
  }, [kept]);
  const choose = (choices: ReportChoices): void => {
    if (JSON.stringify(choices) === JSON.stringify(pending ?? preview.choices)) return;
    setPending(choices);
    void chooseReport(caseId, choices).then((error) => {
      setProblem(error?.code ?? null);
      if (error !== null) setPending(null);
    });
  };
  return { choices: pending ?? preview.choices, choose, problem };
}

/** While this screen is shown the command of the export means its report. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => overrideCommand('print', () => latest.current()), []);
}

interface ReplyTeaserProps {
  readonly gaps: number;
  readonly open: boolean;
  readonly onOpen: () => void;
}

function ReplyTeaser({ gaps, open, onOpen }: ReplyTeaserProps) {
  return (
    <div className="reply-teaser">
      <button type="button" className="reply-teaser-title" aria-expanded={open} onClick={onOpen}>
        Reply to the sender
      </button>
      <p>
        {gaps === 0 ? 'Nothing is missing; it says so.' : `Made from the ${gaps === 1 ? 'gap' : `${gaps} gaps`}.`}{' '}
        Nothing is sent; copy it or save it.
      </p>
    </div>
  );
}
