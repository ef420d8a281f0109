import './overview-view.css';
import { useMemo, useRef } from 'react';
import { type CaseId, entryId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Banner } from '../../components/states.tsx';
import { ALL_FILES, useNavigation } from '../../stores/navigation.ts';
import type { EvidenceRow } from '../../viewmodels/evidence-rows.ts';
import { overviewModel } from '../../viewmodels/overview.ts';
import { rawTarget } from '../evidence/raw-target.ts';
import { useKeptScroll } from '../shell/use-kept-scroll.ts';
import { Actions } from './actions.tsx';
import { Divergence } from './divergence.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import { Findings } from './findings.tsx';
import { Decide, Leads, NextChecks } from './open-questions.tsx';
import { RankTable } from './rank-table.tsx';
import { SideColumn } from './side-column.tsx';
import { VerdictHeaderView } from './verdict-header.tsx';

/** Verdict first: what it says, what speaks for and against it, what is missing, then everything else. */
export function OverviewView({
  caseId,
  report,
  partial,
}: {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly partial: boolean;
}) {
  const model = useMemo(() => overviewModel(report), [report]);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller, 'overview');
  const go = useNavigation((state) => state.go);
  const open = (row: EvidenceRow) =>
    go({ screen: 'evidence', caseId, files: ALL_FILES, target: rawTarget(entryId(row.entryId), row.target) });
  const undecided = model.outcome === 'cannot-tell';
  const ended = model.outcome === 'no-failure';
  const first = model.because[0];
  return (
    <div className="overview">
      <div className="overview-main">
        {partial && (
          <Banner
            tone="warn"
            text={`Based on part of the bundle: ${report.bundle.files.read} of ${report.bundle.files.total} files were read. Counts carry ≥.`}
          />
        )}
        <div ref={scroller} className="overview-scroll" data-pane="overview">
          <VerdictHeaderView header={model.header} report={report} />
          {undecided && <Decide rows={model.gaps} />}
          {undecided && <Actions primary="ask" first={null} wouldChange={[]} onOpen={open} />}
          <EvidenceSection
            title={ended ? 'Checked' : undecided ? 'What the bundle does show' : 'Because'}
            rows={model.because}
            marks="numbers"
            none="The report names no evidence."
            onOpen={open}
          />
          {!(undecided && model.against.length === 0) && (
            <EvidenceSection
              title={ended ? 'Unusual, without effect on the end' : 'Against or not explained'}
              rows={model.against}
              marks="dashes"
              none={ended ? 'Nothing.' : 'Nothing in the bundle contradicts it.'}
              onOpen={open}
            />
          )}
          {!undecided && (
            <Actions
              primary={ended ? null : 'open'}
              first={first ?? null}
              wouldChange={model.wouldChange}
              onOpen={open}
            />
          )}
          {model.leads.length > 0 && <Leads rows={model.leads} undecided={undecided} />}
          <Divergence report={report} />
          <Findings rows={model.findings} onOpen={open} />
          {model.nextChecks.length > 0 && <NextChecks checks={model.nextChecks} />}
          <RankTable report={report} scroller={scroller} />
        </div>
      </div>
      <SideColumn report={report} gaps={model.gaps} />
    </div>
  );
}
