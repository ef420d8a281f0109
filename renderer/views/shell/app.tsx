import './app.css';
import { useEffect } from 'react';
import { caseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import type { Methods } from '#shared/rpc/contract.ts';
import { TooltipRoot } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { useCase } from '../../data/cases.ts';
import { keepHistory } from '../../stores/history.ts';
import { keepLastView, lastView } from '../../stores/last-view.ts';
import { type CaseScreen, caseOf, type Place, selectStep, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePreferences, type ZoneKind } from '../../stores/preferences.ts';
import { clusterZone } from '../../viewmodels/cluster-zone.ts';
import { type DisplayZone, setDisplayZone } from '../../viewmodels/times.ts';
import { CasesView } from '../cases/cases-view.tsx';
import { ClocksView } from '../clocks/clocks-view.tsx';
import { CollectivesView } from '../collectives/collectives-view.tsx';
import { CompareView } from '../compare/compare-view.tsx';
import { EvidenceView } from '../evidence/evidence-view.tsx';
import { ImportView } from '../import/import-view.tsx';
import { LogsView } from '../logs/logs-view.tsx';
import { OverviewView } from '../overview/overview-view.tsx';
import { RanksView } from '../ranks/ranks-view.tsx';
import { ReportView } from '../report/report-view.tsx';
import { TimelineView } from '../timeline/timeline-view.tsx';
import { CaseShell } from './case-shell.tsx';
import { showImport, showOpened } from './commands.ts';
import { DropTarget } from './drop-target.tsx';
import { EngineBanner } from './engine-banner.tsx';
import { openView } from './go-to.tsx';
import { Notices } from './notices.tsx';
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
  useEffect(keepHistory, []);
  useEffect(keepLastView, []);
  const { id, place } = useNavigation(selectStep);
  const zone = useDisplayZone(place);
  return (
    <div className="app">
      <TitleBar />
      <EngineBanner />
      <Screen place={place} stepId={id} zone={zone} />
      <StatusBar place={place} />
      <Panels />
      <Notices />
      <DropTarget />
    </div>
  );
}

/** Sets how times are written before the screen is drawn; another way draws it anew. Returns a key of it. */
function useDisplayZone(place: Place): string {
  const chosen = usePreferences((state) => state.zone);
  const opened = useCase(caseOf(place));
  const report = opened.state === 'ready' ? opened.value.report : null;
  const shown = shownZone(chosen, report);
  setDisplayZone(shown);
  return shown.kind === 'onset' ? shown.onset : shown.kind === 'cluster' ? `cluster ${shown.minutes}` : shown.kind;
}

/** UTC where the case has not what was chosen. */
function shownZone(chosen: ZoneKind, report: Report | null): DisplayZone {
  const onset = report?.verdict.at?.time;
  if (chosen === 'onset') return onset === undefined ? { kind: 'utc' } : { kind: 'onset', onset };
  if (chosen !== 'cluster') return { kind: chosen };
  const zone = report === null ? null : clusterZone(report);
  return zone === null ? { kind: 'utc' } : { kind: 'cluster', minutes: zone.minutes };
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
    case 'timeline':
    case 'collectives':
    case 'logs':
    case 'ranks':
    case 'clocks':
    case 'report':
    case 'compare':
      return `${place.screen} ${place.caseId}`;
  }
}

interface ScreenProps {
  readonly place: Place;
  readonly stepId: number;
  /** Another way to write times draws all anew. */
  readonly zone: string;
}

/** Rail, context bar and inspector stay while screens of one case take turns: only what differs is made anew. */
function Screen({ place, stepId, zone }: ScreenProps) {
  const key = `${screenKey(place, stepId)} ${zone}`;
  switch (place.screen) {
    case 'cases':
      return <CasesView key={key} />;
    case 'import':
      return <ImportView key={key} jobId={place.jobId} />;
    default:
      return (
        <CaseShell key={`${place.caseId} ${zone}`} caseId={place.caseId} screen={place.screen}>
          {(opened) => <CaseScreenView key={key} place={place} opened={opened} />}
        </CaseShell>
      );
  }
}

type CasePlace = Extract<Place, { readonly screen: CaseScreen }>;

function CaseScreenView({
  place,
  opened,
}: {
  readonly place: CasePlace;
  readonly opened: Methods['case.open']['result'];
}) {
  const { caseId: id } = place;
  const { report, summary } = opened;
  switch (place.screen) {
    case 'overview':
      return <OverviewView caseId={id} report={report} partial={summary.partial} />;
    case 'evidence':
      return <EvidenceView caseId={id} report={report} files={place.files} target={place.target} />;
    case 'timeline':
      return <TimelineView caseId={id} report={report} target={place.target} />;
    case 'collectives':
      return <CollectivesView caseId={id} report={report} target={place.target} />;
    case 'logs':
      return <LogsView caseId={id} report={report} target={place.target} />;
    case 'ranks':
      return <RanksView caseId={id} report={report} target={place.target} />;
    case 'clocks':
      return <ClocksView caseId={id} report={report} target={place.target} />;
    case 'report':
      return <ReportView caseId={id} report={report} target={place.target} />;
    case 'compare':
      return <CompareView caseId={id} report={report} target={place.target} />;
  }
}

/** The case or import of the command line first; later ones (a second start) take over the window that main chose. */
function useFirstPlace(info: AppInfo): void {
  useEffect(() => {
    const { go } = useNavigation.getState();
    const last = lastView();
    if (info.openJob !== null) showImport(info.openJob);
    else if (last !== null) {
      openView(last.view);
      useNotices.getState().show(`Restored to the view of ${last.at.toTimeString().slice(0, 8)}`);
    } else if (info.openCase !== null) go({ screen: 'overview', caseId: caseId(info.openCase) });
    return bridge.onOpened(showOpened);
  }, [info]);
}
