import { useEffect } from 'react';
import { bridge } from '../../data/bridge.ts';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { matchesKeys } from '../../viewmodels/keys.ts';
import { COMMANDS, commandAvailable, runCommand } from './commands.ts';
import { useApp } from './platform.ts';

/** Runs commands by key, from anywhere. Single characters only outside text fields, and only if they are switched on. */
export function useShortcuts(): void {
  const mac = useApp().platform === 'darwin';
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const single = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1;
      if (single && (isTextField(event.target) || !usePreferences.getState().singleKeys)) return;
      if (usePanels.getState().panel !== null) return;
      const command = COMMANDS.find((known) => known.keys.some((spec) => matchesKeys(spec, event, mac)));
      if (!command || !commandAvailable(command)) return;
      event.preventDefault();
      runCommand(command.id);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [mac]);
  useEffect(() => bridge.onCommand((command) => runCommand(command)), []);
}

export function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
