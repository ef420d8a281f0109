/** Keys of a time view, by physical place where the map says so. Returns true if the key was used. */
import type { KeyboardEvent } from 'react';
import { usePreferences } from '../../stores/preferences.ts';

export type TimelineAction =
  | 'zoom-in'
  | 'zoom-out'
  | 'pan-left'
  | 'pan-right'
  | 'page-left'
  | 'page-right'
  | 'lane-up'
  | 'lane-down'
  | 'section-up'
  | 'section-down'
  | 'first-lane'
  | 'last-lane'
  | 'next-record'
  | 'previous-record'
  | 'next-related'
  | 'previous-related'
  | 'centre'
  | 'fit'
  | 'zoom-area'
  | 'whole'
  | 'range'
  | 'mark'
  | 'mark-area'
  | 'next-mark'
  | 'previous-mark'
  | 'mark-earlier'
  | 'mark-later'
  | 'mark-bit-earlier'
  | 'mark-bit-later'
  | 'name-mark'
  | 'remove-mark'
  | 'pin'
  | 'hide'
  | 'show-all'
  | 'twin'
  | 'open'
  | 'preview'
  | 'fold'
  | 'clear';

const BY_PLACE: Readonly<Record<string, TimelineAction>> = { KeyW: 'zoom-in', KeyS: 'zoom-out' };
const BY_CHARACTER: Readonly<Record<string, TimelineAction>> = {
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  '.': 'next-record',
  ',': 'previous-record',
  ']': 'next-related',
  '[': 'previous-related',
  z: 'zoom-area',
  '0': 'whole',
  r: 'range',
  m: 'mark',
  M: 'mark-area',
  n: 'next-mark',
  N: 'previous-mark',
  p: 'pin',
  h: 'hide',
  H: 'show-all',
  v: 'twin',
};
const NAMED: Readonly<Record<string, TimelineAction>> = {
  ArrowUp: 'lane-up',
  ArrowDown: 'lane-down',
  Home: 'first-lane',
  End: 'last-lane',
  Enter: 'open',
  ' ': 'preview',
  Escape: 'clear',
  F2: 'name-mark',
  Delete: 'remove-mark',
  Backspace: 'remove-mark',
};

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

function withMod({ key, shiftKey }: Pressed): TimelineAction | null {
  switch (key) {
    case 'ArrowUp':
      return 'section-up';
    case 'ArrowDown':
      return 'section-down';
    case 'ArrowLeft':
      return shiftKey ? 'mark-bit-earlier' : 'mark-earlier';
    case 'ArrowRight':
      return shiftKey ? 'mark-bit-later' : 'mark-later';
    default:
      return null;
  }
}

export function actionOf(event: Pressed, singleKeys = usePreferences.getState().singleKeys): TimelineAction | null {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  if (mod) return withMod(event);
  if (event.key === 'ArrowLeft') return event.shiftKey ? 'page-left' : 'pan-left';
  if (event.key === 'ArrowRight') return event.shiftKey ? 'page-right' : 'pan-right';
  const named = NAMED[event.key];
  if (named !== undefined) return named;
  if (!singleKeys) return null;
  if (event.code === 'KeyA') return event.shiftKey ? 'page-left' : 'pan-left';
  if (event.code === 'KeyD') return event.shiftKey ? 'page-right' : 'pan-right';
  if (event.key === 'f' || event.key === 'F') return 'centre';
  if (event.key === 'x') return 'fold';
  return BY_PLACE[event.code] ?? BY_CHARACTER[event.key] ?? null;
}
