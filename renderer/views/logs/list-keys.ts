import type { RefObject } from 'react';
import { usePreferences } from '../../stores/preferences.ts';
import type { LogListHandle } from './log-list.tsx';
import type { LogCursor } from './use-log-cursor.ts';

export interface ListActions {
  readonly open: () => void;
  readonly toggleContext: () => void;
  readonly allFiles: () => void;
  readonly copy: () => void;
  readonly setRange: () => void;
  readonly unfold: () => void;
}

/** Keys of the list. Stars, notes and the rest of the window's keys pass through. */
export function listKeys(
  cursor: LogCursor,
  handle: RefObject<LogListHandle | null>,
  actions: ListActions,
): (event: React.KeyboardEvent) => void {
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = handle.current?.visibleRows() ?? 1;
    const at = cursor.row ?? (handle.current?.first() ?? 0) - 1;
    const single = new Map<string, () => void>([
      ['e', () => cursor.step('error', 1)],
      ['E', () => cursor.step('error', -1)],
      ['w', () => cursor.step('warning', 1)],
      ['W', () => cursor.step('warning', -1)],
      ['n', () => cursor.step('record', 1)],
      ['N', () => cursor.step('record', -1)],
      ['.', () => cursor.step('record', 1)],
      [',', () => cursor.step('record', -1)],
      ['c', actions.toggleContext],
      ['C', actions.allFiles],
      ['x', actions.copy],
      ['r', actions.setRange],
      ['R', actions.setRange],
    ]);
    const named = new Map<string, () => void>([
      ['ArrowDown', () => cursor.moveTo(at + 1)],
      ['ArrowUp', () => cursor.moveTo(at - 1)],
      ['PageDown', () => cursor.moveTo(at + page)],
      ['PageUp', () => cursor.moveTo(at - page)],
      ['Home', () => cursor.moveTo(0)],
      ['End', () => cursor.moveTo(Number.MAX_SAFE_INTEGER)],
      ['Enter', actions.open],
      ['ArrowRight', actions.unfold],
      ['ArrowLeft', actions.unfold],
    ]);
    const run = named.get(event.key) ?? (usePreferences.getState().singleKeys ? single.get(event.key) : undefined);
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}
