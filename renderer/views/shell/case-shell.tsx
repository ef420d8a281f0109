import './case-shell.css';
import {
  ChartGantt,
  Clock4,
  Columns3,
  FileOutput,
  FolderTree,
  Grid3x3,
  ListChecks,
  type LucideIcon,
  TextSearch,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { partialText } from '#shared/text/partial-text.ts';
import { Button } from '../../components/button.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { Banner, Failure, LeaveWaiting, Refreshing, Skeleton } from '../../components/states.tsx';
import { useCase } from '../../data/cases.ts';
import { copyText } from '../../data/clipboard.ts';
import { useLikelyNext } from '../../data/likely-next.ts';
import { type CaseScreen, useNavigation } from '../../stores/navigation.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import { widthSteps } from '../../viewmodels/window-width.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { Inspector } from '../inspector/inspector.tsx';
import { goToCases, goToScreen } from './commands.ts';
import { ContextBar } from './context-bar.tsx';
import { useShownKeys } from './platform.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { BodyWidth, useBodyWidth } from './window-width.ts';

type Opened = Methods['case.open']['result'];

interface CaseShellProps {
  readonly caseId: CaseId;
  readonly screen: CaseScreen;
  readonly children: (opened: Opened) => ReactNode;
}

/** Rail and context bar around a screen of a case; the case's own loading and failed states. */
export function CaseShell({ caseId, screen, children }: CaseShellProps) {
  const opened = useCase(caseId);
  useEffect(() => useSelection.getState().enterCase(caseId), [caseId]);
  useLikelyNext(opened.state === 'ready' ? caseId : null);
  const body = useRef<HTMLElement>(null);
  const width = useBodyWidth(body);
  const textScale = usePreferences((state) => state.textScale);
  return (
    <div className="case-shell screen">
      <Rail screen={screen} />
      <div className="case-shell-main">
        {opened.state === 'ready' ? (
          <ContextBar caseId={caseId} screen={screen} report={opened.value.report} />
        ) : (
          <div className="context-bar" />
        )}
        {opened.state === 'ready' && screen !== 'overview' && <PartialBanner opened={opened.value} />}
        <div className="case-shell-work">
          <main
            ref={body}
            className="case-shell-body"
            data-width={width === null ? undefined : widthSteps(width, textScale)}
          >
            <LeaveWaiting value={leaveScreen}>
              {opened.state === 'ready' && opened.refreshing && <Refreshing />}
              {opened.state === 'ready' && (
                <BodyWidth value={width}>
                  <ScreenBoundary key={screen}>{children(opened.value)}</ScreenBoundary>
                </BodyWidth>
              )}
              {opened.state === 'loading' && <Skeleton words="Opening the case" />}
            </LeaveWaiting>
            {opened.state === 'failed' && <CaseFailure error={opened.error} />}
          </main>
          {opened.state === 'ready' && <Inspector caseId={caseId} report={opened.value.report} />}
        </div>
      </div>
    </div>
  );
}

/** Back to what was shown before, or to the case list; what was asked for is kept when it comes. */
function leaveScreen(): void {
  const { index, back } = useNavigation.getState();
  if (index > 0) back();
  else goToCases();
}

/** Every screen of a case that rests on a part of its bundle says so; the Overview has words of its own. */
function PartialBanner({ opened }: { readonly opened: Opened }) {
  if (!opened.summary.partial) return null;
  return (
    <Banner
      tone="warn"
      text={`Based on ${partialText(opened.report.bundle)}: the import was ended early, and what is not here may be in the others.`}
    >
      <Button kind="plain" onClick={() => goToScreen('evidence')}>
        Show the files
      </Button>
    </Banner>
  );
}

function CaseFailure({ error }: { readonly error: RpcError }) {
  return (
    <div className="case-shell-state">
      <Failure
        title="The case cannot be opened"
        text={RPC_ERROR_WORDS[error.code]}
        onCopy={() => copyText(`${error.code}: ${error.detail}`)}
      >
        <Button kind="outlined" onClick={goToCases}>
          Show all cases
        </Button>
      </Failure>
    </div>
  );
}

interface RailItem {
  readonly word: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** The digit of its shortcut. */
  readonly digit: number;
  readonly screen: CaseScreen;
}

const RAIL: readonly RailItem[] = [
  { word: 'Overview', name: 'Overview', icon: ListChecks, digit: 1, screen: 'overview' },
  { word: 'Timeline', name: 'Timeline', icon: ChartGantt, digit: 2, screen: 'timeline' },
  { word: 'Calls', name: 'Collectives', icon: Columns3, digit: 3, screen: 'collectives' },
  { word: 'Logs', name: 'Logs', icon: TextSearch, digit: 4, screen: 'logs' },
  { word: 'Ranks', name: 'Ranks', icon: Grid3x3, digit: 5, screen: 'ranks' },
  { word: 'Clocks', name: 'Clocks', icon: Clock4, digit: 6, screen: 'clocks' },
  { word: 'Evidence', name: 'Evidence', icon: FolderTree, digit: 7, screen: 'evidence' },
  { word: 'Report', name: 'Report', icon: FileOutput, digit: 8, screen: 'report' },
];

function Rail({ screen }: { readonly screen: CaseScreen }) {
  const keys = useShownKeys();
  return (
    <nav className="rail" aria-label="Screens" data-pane="rail">
      {RAIL.map((item) => (
        <Tooltip key={item.word} side="right" text={`${item.name}, ${keys(`Mod+${item.digit}`)}`}>
          <button
            type="button"
            className="rail-item"
            aria-current={item.screen === screen ? 'page' : undefined}
            // Who speaks to the window says the word that stands there.
            aria-label={item.word === item.name ? item.name : `${item.word}, ${item.name}`}
            onClick={() => goToScreen(item.screen)}
          >
            <item.icon className="icon-18" strokeWidth={1.6} aria-hidden="true" />
            <span>{item.word}</span>
          </button>
        </Tooltip>
      ))}
    </nav>
  );
}
