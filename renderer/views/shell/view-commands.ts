/** Commands on what is looked at: basis, inspector, stars and notes, undo, locators. */
import type { CaseId } from '#shared/model/ids.ts';
import { bridge } from '../../data/bridge.ts';
import { copyText } from '../../data/clipboard.ts';
import { toggleStar } from '../../data/notes.ts';
import { redoLast, undoLast } from '../../data/undo.ts';
import { writeLocator } from '../../stores/locator.ts';
import { caseOf, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { useSelection, viewOf } from '../../stores/selection.ts';
import { subjectWords } from '../../viewmodels/note-words.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import type { Command } from './commands.ts';
import { currentSubject } from './current-thing.ts';

const say = (text: string): void => useNotices.getState().show(text);

/** The present view as a locator; null where no case is open. */
export function presentLocator(): string | null {
  const place = selectPlace(useNavigation.getState());
  if (place.screen === 'cases' || place.screen === 'import') return null;
  return writeLocator({ place, view: viewOf(useSelection.getState()) });
}

function copyLocator(): void {
  const text = presentLocator();
  if (text !== null) say(copyText(text) ? 'Locator copied' : 'The system refused the clipboard');
}

async function star(): Promise<void> {
  const current = await currentSubject();
  if (current === null) return say('Nothing is selected that could be starred');
  const on = await toggleStar(current.caseId, current.subject);
  const words = subjectWords(current.subject);
  say(on === null ? 'The notes of this case cannot be written' : `${on ? 'Starred' : 'No star on'} ${words}`);
}

async function note(): Promise<void> {
  const current = await currentSubject();
  if (current === null) return say('Nothing is selected that a note could be about');
  usePanels.getState().open({ kind: 'note', ...current, note: null });
}

/** What is marked on the page, else the selected line, with the stand-ins of the case's reports. */
async function copyRedacted(): Promise<void> {
  const caseId = caseOf(selectPlace(useNavigation.getState()));
  if (caseId === null) return;
  const text = window.getSelection()?.toString() || (await selectedLine(caseId));
  if (text === '') return say('Mark a text, or select a line, to copy it');
  const answer = await bridge.request('export.redact', { caseId, text });
  if (!answer.ok)
    return say(
      answer.error.code === 'export-stopped'
        ? 'Not copied: a name in it could not be replaced'
        : RPC_ERROR_WORDS[answer.error.code],
    );
  if (answer.value.text === null) return say('Not copied: redaction is off in the report of this case');
  say(copyText(answer.value.text) ? 'Copied with names replaced' : 'The system refused the clipboard');
}

async function selectedLine(caseId: CaseId): Promise<string> {
  const { selected } = useSelection.getState();
  if (selected?.kind !== 'line') return '';
  const { entryId, line } = selected;
  const answer = await bridge.request('entry.text', { caseId, entryId, fromLine: line, maxLines: 1 });
  return answer.ok ? (answer.value.lines[0]?.text ?? '') : '';
}

async function step(move: (scope: string) => Promise<string | null>, word: string): Promise<void> {
  const caseId = caseOf(selectPlace(useNavigation.getState()));
  if (caseId === null) return;
  const title = await move(caseId);
  say(title === null ? `Nothing to ${word.toLowerCase()}` : `${word}: ${title}`);
}

function toggleBasis(): void {
  const { basis, setBasis } = useSelection.getState();
  setBasis(basis === 'raw' ? 'corrected' : 'raw');
  useNotices.getState().speak(basis === 'raw' ? 'Corrected times' : 'Raw times');
}

/** Escape: the selection goes; popups have closed before. */
export function clearSelection(): boolean {
  const { selected, select } = useSelection.getState();
  if (selected === null) return false;
  select(null);
  return true;
}

export const VIEW_COMMANDS: readonly Command[] = [
  {
    id: 'inspector',
    title: 'Show or hide the inspector',
    group: 'View',
    keys: ['i'],
    needsCase: true,
    run: () => useSelection.getState().setInspector(!useSelection.getState().inspector),
  },
  {
    id: 'toggle-basis',
    title: 'Raw or corrected times',
    group: 'View',
    keys: ['t'],
    needsCase: true,
    run: toggleBasis,
  },
  {
    id: 'clear-filters',
    title: 'Remove all filters',
    group: 'View',
    keys: [],
    needsCase: true,
    run: () => {
      useSelection.getState().setRange(null);
      useSelection.getState().setRanks([]);
    },
  },
  {
    id: 'star',
    title: 'Star what is selected',
    group: 'Notes',
    keys: ['Mod+D', 'b'],
    needsCase: true,
    run: () => void star(),
  },
  {
    id: 'note',
    title: 'Write a note on what is selected…',
    group: 'Notes',
    keys: ['Mod+E'],
    needsCase: true,
    run: () => void note(),
  },
  {
    id: 'undo',
    title: 'Undo',
    group: 'Notes',
    keys: ['Mod+Z'],
    needsCase: true,
    run: () => void step(undoLast, 'Undo'),
  },
  {
    id: 'redo',
    title: 'Redo',
    group: 'Notes',
    keys: ['Mod+Shift+Z'],
    needsCase: true,
    run: () => void step(redoLast, 'Redo'),
  },
  {
    id: 'copy-redacted',
    title: 'Copy with names replaced',
    group: 'Notes',
    keys: ['Mod+Alt+C'],
    needsCase: true,
    run: () => void copyRedacted(),
  },
  {
    id: 'copy-locator',
    title: 'Copy a locator of this view',
    group: 'Go to',
    keys: ['Mod+Shift+C'],
    needsCase: true,
    run: copyLocator,
  },
];
