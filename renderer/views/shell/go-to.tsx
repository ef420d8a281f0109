import { Clock, Columns3, FileText, Grid3x3, Link, type LucideIcon } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { entryId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { BareDialog } from '../../components/layers.tsx';
import { useCase, useCases } from '../../data/cases.ts';
import { useEntries } from '../../data/entries.ts';
import { LOCATOR_SCHEME, type LocatedView, readLocator } from '../../stores/locator.ts';
import { caseOf, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { usePanels } from '../../stores/panels.ts';
import { useSelection } from '../../stores/selection.ts';
import { type GoToMeaning, goToMeanings } from '../../viewmodels/go-to.ts';
import { displayZone } from '../../viewmodels/times.ts';
import { showCollective, showOnTimeline, showRank, showSource } from './links.ts';

const ICONS: Readonly<Record<Choice['kind'], LucideIcon>> = {
  time: Clock,
  rank: Grid3x3,
  call: Columns3,
  file: FileText,
  locator: Link,
};

type Choice =
  | GoToMeaning
  | { readonly kind: 'locator'; readonly label: string; readonly note: string; readonly to: LocatedView };

/** One box that takes a time, a rank, a call, a place in a file or a locator, and says what it understood. */
export function GoTo() {
  const close = usePanels((state) => state.close);
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const { choices, problem } = useChoices(text, caseId);
  const current = choices[Math.min(at, choices.length - 1)];
  const take = (choice: Choice) => {
    close();
    act(choice, caseId);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      take(current);
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || choices.length === 0) return;
    event.preventDefault();
    setAt((known) => (Math.min(known, choices.length - 1) + by + choices.length) % choices.length);
  };
  return (
    <BareDialog title="Go to" className="palette" onClose={close}>
      <div className="palette-input">
        <input
          className="bare-input"
          type="text"
          role="combobox"
          aria-label="Go to"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-activedescendant={current ? `${listId}-${choices.indexOf(current)}` : undefined}
          placeholder="Time, rank, group#call, file:line, file@byte or locator"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        className="palette-list"
        id={listId}
        {...(choices.length > 0 && { role: 'listbox', 'aria-label': 'What it may mean' })}
      >
        {choices.map((choice, index) => {
          const Icon = ICONS[choice.kind];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input above holds the focus and handles the keys
            <div
              key={`${choice.kind} ${choice.label} ${choice.note}`}
              id={`${listId}-${index}`}
              className="palette-item"
              role="option"
              tabIndex={-1}
              aria-selected={choice === current}
              onPointerMove={() => setAt(index)}
              onClick={() => take(choice)}
            >
              <Icon className="icon-14" strokeWidth={1.75} aria-hidden="true" />
              <span className="palette-text cut">{choice.label}</span>
              <span className="palette-note">{choice.note}</span>
            </div>
          );
        })}
        {choices.length === 0 && (
          <div className="palette-empty" role="status">
            {problem}
          </div>
        )}
      </div>
    </BareDialog>
  );
}

const EXAMPLES = '10:28:25.5  ·  +30 s from the first fault  ·  rank 11  ·  default_pg#4812  ·  vit-large-0.log:120';

function useChoices(
  text: string,
  caseId: CaseId | null,
): { readonly choices: readonly Choice[]; readonly problem: string } {
  const opened = useCase(caseId);
  const entries = useEntries(caseId);
  const cases = useCases();
  const report: Report | null = opened.state === 'ready' ? opened.value.report : null;
  return useMemo(() => {
    if (text.trim().startsWith(LOCATOR_SCHEME)) {
      const to = readLocator(text);
      if (to === null) return { choices: [], problem: 'This locator is cut off or from another program.' };
      const known =
        cases.state === 'ready' ? cases.value.cases.find((item) => item.caseId === to.place.caseId) : undefined;
      if (!known && to.place.caseId !== caseId)
        return { choices: [], problem: `The case ${to.place.caseId} is not on this machine. Import its bundle first.` };
      return { choices: [{ kind: 'locator', label: to.place.screen, note: known?.name ?? '', to }], problem: '' };
    }
    if (report === null)
      return { choices: [], problem: 'Paste a locator. Open a case to go to a time, rank, call or line.' };
    const { start, end } = report.incident;
    const time = { start, end, onset: report.verdict.at?.time ?? null, zone: displayZone() };
    const choices = goToMeanings(text, { report, entries: entries.rows, time });
    return {
      choices,
      problem:
        text.trim() === '' ? EXAMPLES : `“${text.trim().slice(0, 80)}” is no time, rank, call or file of this case.`,
    };
  }, [text, report, entries.rows, cases, caseId]);
}

function act(choice: Choice, caseId: CaseId | null): void {
  if (choice.kind === 'locator') {
    openView(choice.to);
    return;
  }
  if (caseId === null) return;
  switch (choice.kind) {
    case 'time':
      showOnTimeline(caseId, choice.iso);
      break;
    case 'rank':
      useSelection.getState().select({ kind: 'rank', rank: choice.rank });
      useSelection.getState().setInspector(true);
      showRank(caseId, choice.rank);
      break;
    case 'call':
      showCollective(caseId, choice.group, choice.seq);
      break;
    case 'file':
      showSource(caseId, entryId(choice.entryId), choice.place);
      break;
  }
}

/** Restores what a locator names, selection and all. */
export function openView({ place, view }: LocatedView): void {
  useSelection.getState().enterCase(place.caseId);
  useSelection.getState().restore(view);
  if (view.selected !== null) useSelection.getState().setInspector(true);
  useNavigation.getState().go(place);
}
