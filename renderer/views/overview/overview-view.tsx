import './overview-view.css';
import { type ReactNode, useMemo, useRef } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { partialText } from '#shared/text/partial-text.ts';
import { Banner } from '../../components/states.tsx';
import { useSelection } from '../../stores/selection.ts';
import { type OverviewModel, overviewModel } from '../../viewmodels/overview.ts';
import { stallFacts } from '../../viewmodels/stall.ts';
import { useKeptScroll } from '../shell/use-kept-scroll.ts';
import { useIsWidth, useSmallWindow } from '../shell/window-width.ts';
import { Actions, WouldChangeLine } from './actions.tsx';
import { Divergence } from './divergence.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import { Findings } from './findings.tsx';
import { LinesStrip } from './lines-strip.tsx';
import { type EvidenceOpener, useEvidenceOpener } from './open-evidence.ts';
import { Decide, Leads, NextChecks } from './open-questions.tsx';
import { RankTable } from './rank-table.tsx';
import { SideColumn } from './side-column.tsx';
import { VerdictHeaderView } from './verdict-header.tsx';

interface OverviewViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly partial: boolean;
}

/** Verdict first: what it says, what speaks for and against it, what is missing, then everything else. */
export function OverviewView({ caseId, report, partial }: OverviewViewProps) {
  const model = useMemo(() => overviewModel(report), [report]);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller, 'overview');
  const small = useSmallWindow();
  const tiny = useIsWidth('tiny');
  const side = <SideColumn caseId={caseId} report={report} model={model} />;
  const basis = useSelection((state) => state.basis);
  const stall = useMemo(() => stallFacts(report, basis), [report, basis]);
  const opener = useEvidenceOpener(caseId);
  const open = opener.best;
  const undecided = model.outcome === 'cannot-tell';
  const actions = (
    <Actions
      caseId={caseId}
      report={report}
      moment={report.verdict.at?.time ?? report.verdict.between?.until.time ?? null}
      primary={undecided ? 'ask' : model.outcome === 'no-failure' ? null : 'open'}
      first={model.because[0] ?? null}
      wouldChange={small || undecided ? [] : model.wouldChange}
      onOpen={open}
    />
  );
  return (
    <div className="overview">
      <div className="overview-main">
        {partial && (
          <Banner
            tone="warn"
            text={`Based on part of the bundle: ${partialText(report.bundle)} were read. What is not here may be in the others.`}
          />
        )}
        <div ref={scroller} className="overview-scroll" data-pane="overview">
          <VerdictHeaderView header={model.header} report={report} stall={stall} />
          <Argument
            model={model}
            actions={
              !small ? actions : undecided ? null : <WouldChangeLine caseId={caseId} items={model.wouldChange} />
            }
            opener={opener}
          />
          {model.leads.length > 0 && <Leads caseId={caseId} rows={model.leads} undecided={undecided} opener={opener} />}
          <Divergence caseId={caseId} report={report} />
          <Findings rows={model.findings} opener={opener} />
          <LinesStrip caseId={caseId} />
          {model.nextChecks.length > 0 && <NextChecks checks={model.nextChecks} />}
          <RankTable report={report} scroller={scroller} />
          {tiny && side}
        </div>
        {small && <div className="overview-foot">{actions}</div>}
      </div>
      {!tiny && side}
    </div>
  );
}

interface ArgumentProps {
  readonly model: OverviewModel;
  readonly actions: ReactNode;
  readonly opener: EvidenceOpener;
}

/** For and against, in the order that the outcome asks for. */
function Argument({ model, actions, opener }: ArgumentProps) {
  if (model.outcome === 'cannot-tell') {
    return (
      <>
        <Decide rows={model.gaps} />
        {actions}
        <EvidenceSection
          title="What the bundle does show"
          rows={model.because}
          marks="numbers"
          none="Nothing that points at a rank."
          opener={opener}
        />
        {model.against.length > 0 && (
          <EvidenceSection title="Not explained" rows={model.against} marks="dashes" none="" opener={opener} />
        )}
      </>
    );
  }
  const ended = model.outcome === 'no-failure';
  return (
    <>
      <EvidenceSection
        title={ended ? 'Checked' : 'Because'}
        rows={model.because}
        marks="numbers"
        none="The report names no evidence."
        opener={opener}
      />
      <EvidenceSection
        title={ended ? 'Unusual, without effect on the end' : 'Against or not explained'}
        rows={model.against}
        marks="dashes"
        none={ended ? 'Nothing.' : 'Nothing that was read contradicts it.'}
        opener={opener}
      />
      {actions}
    </>
  );
}
