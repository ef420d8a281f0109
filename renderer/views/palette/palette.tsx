import '../../components/search-field.css';
import './palette.css';
import {
  BookOpen,
  Columns3,
  FileText,
  Grid3x3,
  ListChecks,
  type LucideIcon,
  Search,
  SquareTerminal,
  TextSearch,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { type CaseId, entryId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import { Kbd } from '../../components/button.tsx';
import { BareDialog } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { useCase } from '../../data/cases.ts';
import { useEntries } from '../../data/entries.ts';
import { useLogSearches } from '../../stores/log-searches.ts';
import { caseOf, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { usePanels } from '../../stores/panels.ts';
import { useSelection } from '../../stores/selection.ts';
import { attemptRow } from '../../viewmodels/attempt-rows.ts';
import {
  hitPieces,
  type PaletteItem,
  paletteGroups,
  paletteWords,
  type RankAction,
} from '../../viewmodels/palette-items.ts';
import { HELP_PAGES } from '../help/pages.ts';
import { COMMANDS, commandAvailable, hasOverride, runCommand } from '../shell/commands.ts';
import { showCollective, showLogs, showOnTimeline, showSource } from '../shell/links.ts';
import { useApp, useShownKeys } from '../shell/platform.ts';

const ICONS: Readonly<Record<PaletteItem['kind'], LucideIcon>> = {
  command: SquareTerminal,
  finding: ListChecks,
  rank: Grid3x3,
  'rank-action': SquareTerminal,
  group: Columns3,
  search: TextSearch,
  help: BookOpen,
  file: FileText,
};
/** Of no use from inside the palette. */
const HIDDEN = new Set(['palette', 'next-pane', 'previous-pane']);
/** Only meant where the screen answers them. */
const BY_SCREEN = new Set(['find']);

export function Palette() {
  const close = usePanels((state) => state.close);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const groups = usePaletteGroups(query);
  const words = paletteWords(query);
  const items = groups.flatMap((group) => group.items);
  const current = items[Math.min(chosen, items.length - 1)];
  const act = useAct(close);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      act(current);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const by = event.key === 'ArrowDown' ? 1 : -1;
    setChosen((at) => (items.length === 0 ? 0 : (Math.min(at, items.length - 1) + by + items.length) % items.length));
  };

  return (
    <BareDialog title="Search or run a command" className="palette" onClose={close}>
      <div className="palette-input">
        <Search className="icon-16" strokeWidth={1.75} aria-hidden="true" />
        <input
          className="bare-input"
          type="text"
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded={items.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={current ? optionId(current) : undefined}
          placeholder="Command, rank, group, finding, file or help"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {query !== '' && <span className="palette-note">{plural(items.length, 'result')}</span>}
      </div>
      <div
        className="palette-list"
        id="palette-list"
        {...(items.length > 0 && { role: 'listbox', 'aria-label': 'Results' })}
      >
        {items.length === 0 && (
          <div className="palette-empty" role="status">
            Nothing matches “{query}”.
          </div>
        )}
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div className="palette-head">{group.title}</div>
            {group.items.map((item) => (
              <Option
                key={item.key}
                item={item}
                words={words}
                chosen={item === current}
                onPoint={() => setChosen(items.indexOf(item))}
                onChoose={() => act(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="palette-foot" aria-hidden="true">
        <Kbd keys="↑" />
        <Kbd keys="↓" />
        <span>move</span>
        <Kbd keys="↵" />
        <span>open</span>
        <div className="palette-foot-end">
          <Kbd keys=">" />
          <span>commands only</span>
          <Kbd keys="?" />
          <span>help</span>
          <Kbd keys="Esc" />
          <span>close</span>
        </div>
      </div>
    </BareDialog>
  );
}

const optionId = (item: PaletteItem): string => `palette ${item.key}`.replaceAll(/[^A-Za-z0-9]/g, '-');

interface OptionProps {
  readonly item: PaletteItem;
  readonly words: readonly string[];
  readonly chosen: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Option({ item, words, chosen, onPoint, onChoose }: OptionProps) {
  const Icon = ICONS[item.kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input above holds the focus and handles the keys
    <div
      ref={(element) => {
        if (chosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      id={optionId(item)}
      className="palette-item"
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Icon className="icon-14" strokeWidth={1.75} aria-hidden="true" />
      {item.kind === 'rank' && <RankChip look={item.role} label={`rank ${item.rank}`} />}
      <span className={item.kind === 'file' ? 'palette-text cut mono' : 'palette-text cut'}>
        {hitPieces(item.kind === 'rank' ? item.text.replace(/^rank \d+(?:, )?/, '') : item.text, words).map(
          (piece, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in their order
            piece.hit ? <mark key={index}>{piece.text}</mark> : piece.text,
        )}
      </span>
      {item.kind === 'command' && item.note !== '' ? (
        <Kbd keys={item.note} />
      ) : (
        <span className="palette-note">{item.note}</span>
      )}
    </div>
  );
}

function usePaletteGroups(query: string) {
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  const opened = useCase(caseId);
  const entries = useEntries(caseId);
  const keys = useShownKeys();
  const { exampleAvailable } = useApp();
  const report = opened.state === 'ready' ? opened.value.report : null;
  const commands = useMemo(
    () =>
      COMMANDS.filter((command) => commandAvailable(command) && !HIDDEN.has(command.id))
        .filter((command) => !BY_SCREEN.has(command.id) || hasOverride(command.id))
        .filter((command) => !command.id.startsWith('example') || exampleAvailable)
        .map((command) => ({
          id: command.id,
          title: command.title,
          keys: command.keys[0] === undefined ? '' : keys(command.keys[0]),
        })),
    [keys, exampleAvailable],
  );
  const saved = useLogSearches((state) => state.saved);
  return useMemo(() => {
    const searches = [...(saved[caseId ?? ''] ?? []), ...(caseId === null ? [] : (saved[''] ?? []))];
    return paletteGroups(query, { commands, report, entries: entries.rows, searches, help: HELP_PAGES });
  }, [query, commands, report, entries.rows, saved, caseId]);
}

function useAct(close: () => void): (item: PaletteItem) => void {
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  const go = useNavigation((state) => state.go);
  const query = useCase(caseId);
  const opened = query.state === 'ready' ? query.value.report : null;
  return (item) => {
    close();
    if (item.kind === 'command') {
      // After the dialog has given the focus back, so that a command may take it.
      setTimeout(() => runCommand(item.id));
      return;
    }
    if (item.kind === 'help') {
      usePanels.getState().open({ kind: 'help', page: item.page });
      return;
    }
    if (caseId === null) return;
    switch (item.kind) {
      case 'group':
        showCollective(caseId, item.group, null);
        break;
      case 'search':
        showLogs(caseId, { query: item.query });
        break;
      case 'rank-action':
        actOnRank(caseId, item.rank, item.action, opened);
        break;
      case 'rank':
        useSelection.getState().select({ kind: 'rank', rank: item.rank });
        useSelection.getState().setInspector(true);
        break;
      case 'finding':
      case 'file':
        if (item.entryId === null) go({ screen: 'overview', caseId });
        else showSource(caseId, entryId(item.entryId), item.kind === 'finding' ? item.target : { kind: 'whole' });
    }
  };
}

function actOnRank(caseId: CaseId, rank: number, action: RankAction, report: Report | null): void {
  const { select, setInspector, setRanks } = useSelection.getState();
  select({ kind: 'rank', rank });
  switch (action) {
    case 'timeline':
      showOnTimeline(caseId, report === null ? null : (attemptRow(report, rank)?.lastSeen ?? null));
      break;
    case 'logs':
      showLogs(caseId, { query: `rank:${rank}` });
      break;
    case 'filter':
      setRanks([rank]);
      break;
    case 'inspect':
      setInspector(true);
      break;
  }
}
