/** Keys of the whole screen: V for the picture, Alt with the arrows from one difference to the next. */
import { useEffect, useRef } from 'react';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { isTextField } from '../shell/use-shortcuts.ts';

interface ScreenKeys {
  readonly onMatrix: () => void;
  readonly onDifference: (by: 1 | -1) => void;
}

export function useScreenKeys(keys: ScreenKeys): void {
  const live = useRef(keys);
  live.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usePanels.getState().panel !== null || isTextField(event.target)) return;
      if (event.altKey && !event.ctrlKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        event.preventDefault();
        live.current.onDifference(event.key === 'ArrowDown' ? 1 : -1);
      } else if (
        event.key.toLowerCase() === 'v' &&
        !event.altKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        usePreferences.getState().singleKeys
      ) {
        event.preventDefault();
        live.current.onMatrix();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
