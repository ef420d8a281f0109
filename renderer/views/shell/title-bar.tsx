import './title-bar.css';
import {
  ArrowLeft,
  ArrowRight,
  ChevronDown,
  CircleQuestionMark,
  Contrast,
  Ellipsis,
  Minus,
  Moon,
  Search,
  Square,
  Sun,
  X,
} from 'lucide-react';
import type { CaseId } from '#shared/model/ids.ts';
import { IconButton, Kbd } from '../../components/button.tsx';
import { ProductMark } from '../../components/glyphs.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine, Tooltip } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { useCase, useCases } from '../../data/cases.ts';
import { useRunningJob } from '../../data/jobs.ts';
import { caseOf, selectCanBack, selectCanForward, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { type Density, usePreferences } from '../../stores/preferences.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { calendarDayShort } from '../../viewmodels/times.ts';
import { closeWindow } from './close-during-import.tsx';
import { nextTheme, runCommand } from './commands.ts';
import { useApp, useShownKeys } from './platform.ts';
import { useShownTheme } from './use-theme.ts';

export function TitleBar() {
  const { platform } = useApp();
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  return (
    <header className="title-bar" data-platform={platform} data-pane="title">
      <div className="title-bar-start">
        <div className="title-bar-mark">
          <ProductMark />
        </div>
        {caseId === null ? <span className="title-bar-name">Firstfault</span> : <CaseMenu caseId={caseId} />}
        <History />
      </div>
      <PaletteButton />
      <div className="title-bar-end">
        <ThemeButton />
        <Tooltip text="Keyboard shortcuts">
          <IconButton label="Keyboard shortcuts" onClick={() => runCommand('shortcuts')}>
            <CircleQuestionMark className="icon-16" strokeWidth={1.75} />
          </IconButton>
        </Tooltip>
        <MoreMenu />
        {platform !== 'darwin' && <WindowControls />}
      </div>
    </header>
  );
}

function CaseMenu({ caseId }: { readonly caseId: CaseId }) {
  const opened = useCase(caseId);
  const cases = useCases();
  const keys = useShownKeys();
  const go = useNavigation((state) => state.go);
  const summary = opened.state === 'ready' ? opened.value.summary : null;
  const name = summary === null ? caseId : escapeText(summary.name);
  const day = summary?.incidentStart ? `, ${calendarDayShort(summary.incidentStart)}` : '';
  const others = cases.state === 'ready' ? cases.value.cases.filter((item) => item.caseId !== caseId).slice(0, 8) : [];
  return (
    <Menu
      trigger={
        <button type="button" className="title-bar-case">
          <span className="cut">{`${name}${day}`}</span>
          <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      {others.length > 0 && <MenuLabel text="Other cases" />}
      {others.map((item) => (
        <MenuItem
          key={item.caseId}
          label={escapeText(item.name)}
          note={item.incidentStart === null ? undefined : calendarDayShort(item.incidentStart)}
          onSelect={() => go({ screen: 'overview', caseId: item.caseId })}
        />
      ))}
      {others.length > 0 && <MenuLine />}
      <MenuItem label="Show all cases" keys={keys('Mod+Shift+O')} onSelect={() => runCommand('cases')} />
      <MenuItem label="Close case" keys={keys('Mod+W')} onSelect={() => runCommand('close-case')} />
    </Menu>
  );
}

function History() {
  const keys = useShownKeys();
  const canBack = useNavigation(selectCanBack);
  const canForward = useNavigation(selectCanForward);
  if (!canBack && !canForward) return null;
  return (
    <nav className="title-bar-history" aria-label="History">
      <Tooltip text={`Back, ${keys('Alt+ArrowLeft')}`}>
        <IconButton label="Back" aria-disabled={!canBack} onClick={() => runCommand('back')}>
          <ArrowLeft className="icon-16" strokeWidth={1.75} />
        </IconButton>
      </Tooltip>
      <Tooltip text={`Forward, ${keys('Alt+ArrowRight')}`}>
        <IconButton label="Forward" aria-disabled={!canForward} onClick={() => runCommand('forward')}>
          <ArrowRight className="icon-16" strokeWidth={1.75} />
        </IconButton>
      </Tooltip>
    </nav>
  );
}

function PaletteButton() {
  const keys = useShownKeys();
  return (
    <button type="button" className="title-bar-search" onClick={() => runCommand('palette')}>
      <Search className="icon-14" strokeWidth={1.75} aria-hidden="true" />
      <span className="cut">Search or run a command</span>
      <Kbd keys={keys('Mod+K')} />
    </button>
  );
}

const THEME_ICONS = { dark: Moon, light: Sun, 'high-contrast': Contrast } as const;

function ThemeButton() {
  const shown = useShownTheme();
  const Icon = THEME_ICONS[shown];
  return (
    <Tooltip text={`Theme: ${shown.replace('-', ' ')}`}>
      <IconButton label={`Theme: ${shown.replace('-', ' ')}. Next theme`} onClick={nextTheme}>
        <Icon className="icon-16" strokeWidth={1.75} />
      </IconButton>
    </Tooltip>
  );
}

function MoreMenu() {
  const keys = useShownKeys();
  const { version } = useApp();
  const { density, setDensity, theme, setTheme, singleKeys, setSingleKeys } = usePreferences();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="More">
          <Ellipsis className="icon-16" strokeWidth={1.75} />
        </IconButton>
      }
    >
      <MenuItem label="Open bundle…" keys={keys('Mod+O')} onSelect={() => runCommand('open-bundle')} />
      <MenuItem label="Open folder…" onSelect={() => runCommand('open-folder')} />
      <MenuItem label="New window" keys={keys('Mod+Shift+N')} onSelect={() => runCommand('new-window')} />
      <MenuLine />
      <MenuLabel text="Theme" />
      <MenuChoice
        value={theme}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
          { value: 'high-contrast', label: 'High contrast' },
        ]}
        onChoose={(value) => setTheme(value as typeof theme)}
      />
      <MenuLabel text="Rows" />
      <MenuChoice
        value={density}
        options={[
          { value: 'compact', label: 'Compact' },
          { value: 'normal', label: 'Normal' },
          { value: 'comfortable', label: 'Comfortable' },
        ]}
        onChoose={(value) => setDensity(value as Density)}
      />
      <MenuLine />
      <MenuItem label="Larger text" keys={keys('Mod+=')} onSelect={() => runCommand('text-larger')} />
      <MenuItem label="Smaller text" keys={keys('Mod+-')} onSelect={() => runCommand('text-smaller')} />
      <MenuItem
        label={singleKeys ? 'Switch single-letter keys off' : 'Switch single-letter keys on'}
        onSelect={() => setSingleKeys(!singleKeys)}
      />
      <MenuLine />
      <MenuItem label="Export settings…" onSelect={() => runCommand('export-settings')} />
      <MenuItem label="Import settings…" onSelect={() => runCommand('import-settings')} />
      <MenuLine />
      <MenuItem label="Help" keys="F1" onSelect={() => runCommand('help')} />
      <MenuItem label="Keyboard shortcuts" keys="?" onSelect={() => runCommand('shortcuts')} />
      <MenuItem label={`About Firstfault ${version}`} onSelect={() => runCommand('about')} />
    </Menu>
  );
}

function WindowControls() {
  const running = useRunningJob();
  return (
    <div className="window-controls">
      <button
        type="button"
        className="window-control"
        aria-label="Minimize window"
        tabIndex={-1}
        onClick={() => bridge.windowControl('minimize')}
      >
        <Minus className="icon-14" strokeWidth={1.75} />
      </button>
      <button
        type="button"
        className="window-control"
        aria-label="Maximize or restore window"
        tabIndex={-1}
        onClick={() => bridge.windowControl('toggle-maximize')}
      >
        <Square className="icon-12" strokeWidth={1.75} />
      </button>
      <button
        type="button"
        className="window-control"
        aria-label="Close window"
        tabIndex={-1}
        onClick={() => closeWindow(running?.state.jobId ?? null)}
      >
        <X className="icon-14" strokeWidth={1.75} />
      </button>
    </div>
  );
}
