import { useEffect } from 'react';
import { bridge } from '../../data/bridge.ts';
import { keysOf } from '../../stores/key-bindings.ts';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { matchesKeys } from '../../viewmodels/keys.ts';
import { COMMANDS, commandAvailable, runCommand } from './commands.ts';
import { useApp } from './platform.ts';
import { clearSelection } from './view-commands.ts';

/** Runs commands by key, from anywhere. Single characters only outside text fields, and only if they are switched on. */
export function useShortcuts(): void {
  const mac = useApp().platform === 'darwin';
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const single = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1;
      if (single && (takesText(event.target) || !usePreferences.getState().singleKeys)) return;
      if (usePanels.getState().panel !== null) return;
      if (event.key === 'Escape' && !isTextField(event.target) && !isInLayer(event.target) && clearSelection()) return;
      const command = COMMANDS.find((known) => keysOf(known).some((spec) => matchesKeys(spec, event, mac)));
      if (!command || !commandAvailable(command)) return;
      // A text field has an undo of its own.
      if (isTextField(event.target) && (command.id === 'undo' || command.id === 'redo')) return;
      event.preventDefault();
      runCommand(command.id);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [mac]);
  useEffect(() => bridge.onCommand((command) => runCommand(command)), []);
}

/** Menus and lists of choices find their items by typed letters. */
const isInLayer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="menu"], [role="listbox"], [role="dialog"]') !== null;

const takesText = (target: EventTarget | null): boolean => isTextField(target) || isInLayer(target);

/** Inputs that take no letters. */
const NO_TEXT: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

export function isTextField(target: EventTarget | null): boolean {
  return (
    (target instanceof HTMLInputElement && !NO_TEXT.has(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
