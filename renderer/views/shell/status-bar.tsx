import './status-bar.css';
import type { ReactNode } from 'react';
import type { EntryStatus } from '#shared/model/entry.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { plural } from '#shared/text/format.ts';
import { partialText } from '#shared/text/partial-text.ts';
import { FileStatusGlyph, StepGlyph } from '../../components/glyphs.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { useCase, useCases } from '../../data/cases.ts';
import { useEntries } from '../../data/entries.ts';
import { useRunningJob } from '../../data/jobs.ts';
import { ALL_FILES, type Place, useNavigation } from '../../stores/navigation.ts';
import { isOlder } from '../../viewmodels/case-rows.ts';
import { statusParts } from '../../viewmodels/status-parts.ts';
import { analyseAgain } from './analyse-again.ts';
import { goToScreen, showImport } from './commands.ts';
import { useApp } from './platform.ts';

/** One line of what is known about the case or the list; every item leads to the place that explains it. */
export function StatusBar({ place }: { readonly place: Place }) {
  return (
    <footer className="status-bar" data-pane="status">
      {place.screen === 'cases' || place.screen === 'import' ? <ListStatus /> : <CaseStatus caseId={place.caseId} />}
      <RunningJob hidden={place.screen === 'import'} />
      <Tooltip side="top" text="Firstfault has no use for a network; every request is blocked.">
        <span className="status-part" data-end>
          Offline
        </span>
      </Tooltip>
    </footer>
  );
}

function CaseStatus({ caseId }: { readonly caseId: CaseId }) {
  const opened = useCase(caseId);
  const entries = useEntries(caseId);
  const go = useNavigation((state) => state.go);
  const { version } = useApp();
  if (opened.state !== 'ready') return null;
  const parts = statusParts(opened.value.report, entries.total === entries.rows.length ? entries.rows : null);
  const showFiles = (status: EntryStatus | 'all') =>
    go({ screen: 'evidence', caseId, files: { ...ALL_FILES, status }, target: null });
  const showOverview = () => go({ screen: 'overview', caseId });
  return (
    <>
      <Part onClick={() => showFiles('all')}>
        <FileStatusGlyph status="read" />
        {parts.read}
      </Part>
      {parts.statuses.map((part) => (
        <Part key={part.status} onClick={() => showFiles(part.status)}>
          {part.text}
        </Part>
      ))}
      {parts.hashes !== null && <Part onClick={() => showFiles('all')}>{parts.hashes}</Part>}
      <Part onClick={showOverview}>{parts.gaps}</Part>
      <Tooltip side="top" text={parts.clocks.title}>
        <button type="button" className="status-part" onClick={() => goToScreen('clocks')}>
          {parts.clocks.text}
        </button>
      </Tooltip>
      {opened.value.summary.partial && (
        <Part onClick={showOverview}>{`Partial: ${partialText(opened.value.report.bundle)}`}</Part>
      )}
      {isOlder(opened.value.summary.toolVersion, version) && (
        <Tooltip
          side="top"
          text="Rules changed since. Analyse the case again to apply them; notes and clock settings stay."
        >
          <button type="button" className="status-part" onClick={() => void analyseAgain(caseId)}>
            {`Made by version ${opened.value.summary.toolVersion} · analyse again`}
          </button>
        </Tooltip>
      )}
    </>
  );
}

function ListStatus() {
  const cases = useCases();
  if (cases.state !== 'ready') return null;
  const { cases: list, skipped } = cases.value;
  return (
    <>
      <span className="status-part">{list.length === 0 ? 'No cases yet' : plural(list.length, 'case')}</span>
      {skipped > 0 && (
        <span className="status-part">{plural(skipped, 'folder')} in the case folder could not be read</span>
      )}
    </>
  );
}

function RunningJob({ hidden }: { readonly hidden: boolean }) {
  const job = useRunningJob();
  if (job === null || hidden) return null;
  const { state } = job;
  const percent = 'fraction' in state ? ` ${Math.floor(state.fraction * 100)} %` : '';
  return (
    <Part onClick={() => showImport(state.jobId)}>
      <StepGlyph state="running" />
      {`${state.kind === 'paused' ? 'Import paused at' : 'Importing'}${percent}`}
    </Part>
  );
}

function Part({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className="status-part" onClick={onClick}>
      {children}
    </button>
  );
}
