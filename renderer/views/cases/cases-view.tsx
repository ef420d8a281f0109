import './cases-view.css';
import { Ellipsis, Pin } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CaseSummary } from '#shared/model/case.ts';
import { STATUSES } from '#shared/model/finding.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Choice, SearchField } from '../../components/fields.tsx';
import { StatusWord } from '../../components/glyphs.tsx';
import { Menu, MenuItem, MenuLine, Tooltip } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { Empty, Failure, Refreshing, Skeleton } from '../../components/states.tsx';
import { bridge } from '../../data/bridge.ts';
import { useCases } from '../../data/cases.ts';
import { copyText } from '../../data/clipboard.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { usePanels } from '../../stores/panels.ts';
import { COMPARE_START } from '../../stores/targets/compare.ts';
import {
  CASE_SORT_WORDS,
  CASE_SORTS,
  type CaseListOptions,
  type CaseRow,
  caseRows,
  glyphWord,
} from '../../viewmodels/case-rows.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { analyseAgain } from '../shell/analyse-again.ts';
import { openExample, overrideCommand } from '../shell/commands.ts';
import { useApp } from '../shell/platform.ts';
import { CompleteBundle } from './complete-bundle.tsx';
import { DropArea } from './drop-area.tsx';
import { UnfinishedImports } from './unfinished-imports.tsx';

/** The case list; before the first case, what a bundle is and how to begin. */
export function CasesView() {
  const cases = useCases();
  return (
    <main className="cases screen" data-pane="cases">
      {cases.state === 'ready' && cases.refreshing && <Refreshing />}
      {cases.state === 'loading' && <Skeleton words="Reading the case list" />}
      {cases.state === 'failed' && (
        <Failure
          title="The case list cannot be read"
          text={RPC_ERROR_WORDS[cases.error.code]}
          onCopy={() => copyText(`${cases.error.code}: ${cases.error.detail}`)}
        />
      )}
      {cases.state === 'ready' &&
        (cases.value.cases.length === 0 ? <FirstRun /> : <CaseList cases={cases.value.cases} />)}
    </main>
  );
}

function FirstRun() {
  return (
    <>
      <UnfinishedImports />
      <DropArea size="large" />
      <CompleteBundle />
    </>
  );
}

function CaseList({ cases }: { readonly cases: readonly CaseSummary[] }) {
  const [options, setOptions] = useState<CaseListOptions>({ find: '', status: 'all', sort: 'imported' });
  const { exampleAvailable, version } = useApp();
  const [chosen, setChosen] = useState<readonly CaseId[]>([]);
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => overrideCommand('find', () => find.current?.focus()), []);
  const rows = caseRows(cases, options, version);
  const choose = (id: CaseId) =>
    setChosen((known) => (known.includes(id) ? known.filter((other) => other !== id) : [...known.slice(-1), id]));
  return (
    <>
      <DropArea size="small" />
      <UnfinishedImports />
      <div className="cases-bar">
        <h1 className="cases-title">
          Cases<span className="quiet">{formatCount(cases.length)}</span>
        </h1>
        <SearchField
          label="Find case"
          value={options.find}
          inputRef={find}
          onChange={(text) => setOptions({ ...options, find: text })}
        />
        <Choice
          label="status"
          value={options.status}
          options={[
            { value: 'all', label: 'all' },
            ...[...STATUSES, 'no-failure' as const]
              .filter((status) => status !== 'ruled-out')
              .map((status) => ({ value: status, label: glyphWord(status) })),
          ]}
          onChoose={(status) => setOptions({ ...options, status: status as CaseListOptions['status'] })}
        />
        <Choice
          label="sort"
          value={options.sort}
          options={CASE_SORTS.map((sort) => ({ value: sort, label: CASE_SORT_WORDS[sort] }))}
          onChoose={(sort) => setOptions({ ...options, sort: sort as CaseListOptions['sort'] })}
        />
        {cases.length > 1 && <CompareChosen chosen={chosen} />}
      </div>
      {rows.length === 0 ? (
        <Empty title={`0 of ${formatCount(cases.length)} cases match`} text="The text and status above leave nothing.">
          <Button kind="outlined" onClick={() => setOptions({ ...options, find: '', status: 'all' })}>
            Show all cases
          </Button>
        </Empty>
      ) : (
        <CaseGrid rows={rows} chosen={chosen} onToggle={choose} />
      )}
      <div className="cases-foot">
        <span>Cases stay on this machine. The bundles they were made of are not changed.</span>
        {exampleAvailable && (
          <div className="cases-foot-end">
            <Button kind="link" onClick={() => void openExample('small')}>
              Open the example case
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

/** The way from two chosen rows to their comparison. */
function CompareChosen({ chosen }: { readonly chosen: readonly CaseId[] }) {
  const go = useNavigation((state) => state.go);
  const [first, second] = chosen;
  if (first === undefined || second === undefined) {
    return (
      <span className="cases-bar-end quiet">{first ? 'Select one more case' : 'Select two cases to compare them'}</span>
    );
  }
  return (
    <span className="cases-bar-end">
      <Button
        kind="outlined"
        onClick={() => go({ screen: 'compare', caseId: first, target: { ...COMPARE_START, other: second } })}
      >
        Compare these two
      </Button>
    </span>
  );
}

interface CaseGridProps {
  readonly rows: readonly CaseRow[];
  readonly chosen: readonly CaseId[];
  readonly onToggle: (caseId: CaseId) => void;
}

function CaseGrid({ rows, chosen, onToggle }: CaseGridProps) {
  const onKeyDown = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.case-open')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at === -1) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus();
  };
  return (
    <div
      className="case-grid"
      role="grid"
      tabIndex={-1}
      aria-label="Cases"
      aria-rowcount={rows.length}
      onKeyDown={onKeyDown}
    >
      <div className="case-head" role="row">
        <span role="columnheader">Case</span>
        <span role="columnheader">Incident</span>
        <span role="columnheader" className="number">
          Ranks
        </span>
        <span role="columnheader" className="number">
          Size
        </span>
        <span role="columnheader">Verdict</span>
        <span role="columnheader" aria-label="Statement" />
        <span role="columnheader" className="number">
          Gaps
        </span>
        <span role="columnheader" aria-label="Actions" />
      </div>
      {rows.map((row) => (
        <CaseGridRow
          key={row.caseId}
          row={row}
          chosen={chosen.includes(row.caseId)}
          onToggle={() => onToggle(row.caseId)}
        />
      ))}
    </div>
  );
}

interface CaseGridRowProps {
  readonly row: CaseRow;
  readonly chosen: boolean;
  readonly onToggle: () => void;
}

const MARK_WORDS: Readonly<Record<string, string>> = {
  example: 'An invented incident that comes with Firstfault.',
  partial: 'The import was ended early; only a part of the bundle was read.',
  older: 'Made by an older version. “Analyse again” in its menu applies the present rules.',
};

function CaseGridRow({ row, chosen, onToggle }: CaseGridRowProps) {
  const go = useNavigation((state) => state.go);
  const open = usePanels((state) => state.open);
  const openCase = () => go({ screen: 'overview', caseId: row.caseId });
  return (
    <div className="case-row" role="row" aria-selected={chosen}>
      <span role="gridcell" className="case-name">
        <button type="button" className="case-open" onClick={openCase}>
          {row.name}
        </button>
        <label className="case-check">
          <input type="checkbox" aria-label={`Select ${row.name}`} checked={chosen} onChange={onToggle} />
        </label>
        {row.pinned && <Pin className="icon-12" strokeWidth={1.75} aria-label="pinned" />}
      </span>
      {row.dayOfImport ? (
        <Tooltip text="Day of the import; the bundle names no time.">
          <span role="gridcell" className="quiet">
            {row.day}
          </span>
        </Tooltip>
      ) : (
        <span role="gridcell">{row.day}</span>
      )}
      <span role="gridcell" className="number">
        {row.ranks}
      </span>
      <span role="gridcell" className="number">
        {row.size}
      </span>
      <span role="gridcell">
        <StatusWord status={row.glyph} />
      </span>
      <span role="gridcell" className="case-clause">
        {row.chip !== null && <RankChip look="first-outlined" label={row.chip} />}
        <span className="cut">{row.clause}</span>
        {row.marks.map((mark) => (
          <span key={mark} className="case-mark" title={MARK_WORDS[mark]}>
            {mark}
          </span>
        ))}
      </span>
      <span role="gridcell" className="number">
        {row.gaps}
      </span>
      <span role="gridcell">
        <Menu
          align="end"
          trigger={
            <IconButton label={`Actions for ${row.name}`}>
              <Ellipsis className="icon-16" strokeWidth={1.75} />
            </IconButton>
          }
        >
          <MenuItem label="Open case" onSelect={openCase} />
          <MenuItem label="Open in a new window" onSelect={() => bridge.openWindow(row.caseId)} />
          <MenuItem
            label="Rename case…"
            onSelect={() => open({ kind: 'rename-case', caseId: row.caseId, name: row.name })}
          />
          <MenuItem
            label={row.pinned ? 'Unpin case' : 'Pin case on top'}
            onSelect={() => void bridge.request('case.edit', { caseId: row.caseId, name: null, pinned: !row.pinned })}
          />
          {row.marks.includes('older') && (
            <MenuItem label="Analyse again with the present rules" onSelect={() => void analyseAgain(row.caseId)} />
          )}
          <MenuLine />
          <MenuItem
            label="Delete case…"
            onSelect={() => open({ kind: 'delete-case', caseId: row.caseId, name: row.name })}
          />
        </Menu>
      </span>
    </div>
  );
}
