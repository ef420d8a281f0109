import './app.css';
import { useEffect } from 'react';
import { caseId } from '#shared/model/ids.ts';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import { TooltipRoot } from '../../components/layers.tsx';
import { onNewJob } from '../../data/jobs.ts';
import { type Place, selectStep, useNavigation } from '../../stores/navigation.ts';
import { CasesView } from '../cases/cases-view.tsx';
import { EvidenceView } from '../evidence/evidence-view.tsx';
import { ImportView } from '../import/import-view.tsx';
import { OverviewView } from '../overview/overview-view.tsx';
import { CaseShell } from './case-shell.tsx';
import { showImport } from './commands.ts';
import { DropTarget } from './drop-target.tsx';
import { EngineBanner } from './engine-banner.tsx';
import { Panels } from './panels.tsx';
import { AppContext } from './platform.ts';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useAppearance } from './use-theme.ts';

export function App({ info }: { readonly info: AppInfo }) {
  useFirstPlace(info);
  return (
    <AppContext value={info}>
      <TooltipRoot>
        <Window />
      </TooltipRoot>
    </AppContext>
  );
}

function Window() {
  useAppearance();
  useShortcuts();
  const { id, place } = useNavigation(selectStep);
  return (
    <div className="app">
      <TitleBar />
      <EngineBanner />
      <Screen key={screenKey(place, id)} place={place} />
      <StatusBar place={place} />
      <Panels />
      <DropTarget />
    </div>
  );
}

/** A screen keeps its state while only its target changes, and starts anew for another case or job. */
function screenKey(place: Place, stepId: number): string {
  switch (place.screen) {
    case 'cases':
      return `cases ${stepId}`;
    case 'import':
      return `import ${place.jobId}`;
    case 'overview':
      return `overview ${place.caseId} ${stepId}`;
    case 'evidence':
      return `evidence ${place.caseId}`;
  }
}

function Screen({ place }: { readonly place: Place }) {
  switch (place.screen) {
    case 'cases':
      return <CasesView />;
    case 'import':
      return <ImportView jobId={place.jobId} />;
    case 'overview':
      return (
        <CaseShell caseId={place.caseId} screen="overview">
          {(opened) => <OverviewView caseId={place.caseId} report={opened.report} partial={opened.summary.partial} />}
        </CaseShell>
      );
    case 'evidence':
      return (
        <CaseShell caseId={place.caseId} screen="evidence">
          {(opened) => (
            <EvidenceView caseId={place.caseId} report={opened.report} files={place.files} target={place.target} />
          )}
        </CaseShell>
      );
  }
}

/** The case or import of the command line first; later ones (a second start) take the window over as they come. */
function useFirstPlace(info: AppInfo): void {
  useEffect(() => {
    const { go } = useNavigation.getState();
    if (info.openJob !== null) showImport(info.openJob);
    else if (info.openCase !== null) go({ screen: 'overview', caseId: caseId(info.openCase) });
    return onNewJob(showImport);
  }, [info]);
}
