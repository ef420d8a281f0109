import type { RefObject } from 'react';
import type { LocalName } from '../../viewmodels/local-keys.ts';
import type { LocalKeys } from '../shell/platform.ts';
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
  keys: LocalKeys<'logs'>,
): (event: React.KeyboardEvent) => void {
  return (event) => {
    const page = handle.current?.visibleRows() ?? 1;
    const at = cursor.row ?? (handle.current?.first() ?? 0) - 1;
    const acts: Readonly<Record<LocalName<'logs'>, () => void>> = {
      'next-error': () => cursor.step('error', 1),
      'previous-error': () => cursor.step('error', -1),
      'next-warning': () => cursor.step('warning', 1),
      'previous-warning': () => cursor.step('warning', -1),
      'next-record': () => cursor.step('record', 1),
      'previous-record': () => cursor.step('record', -1),
      context: actions.toggleContext,
      'all-files': actions.allFiles,
      copy: actions.copy,
      range: actions.setRange,
    };
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
    const action = keys.actionOf(event);
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey;
    const run = action !== null ? acts[action] : plain ? named.get(event.key) : undefined;
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}
