/** Keys of the whole screen: the picture, and from one difference to the next. */
import { useEffect, useRef } from 'react';
import { usePanels } from '../../stores/panels.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { isTextField } from '../shell/use-shortcuts.ts';

interface ScreenKeys {
  readonly onMatrix: () => void;
  readonly onDifference: (by: 1 | -1) => void;
}

export function useScreenKeys(keys: ScreenKeys): void {
  const { actionOf } = useLocalKeys('collectives');
  const live = useRef(keys);
  live.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usePanels.getState().panel !== null || isTextField(event.target)) return;
      const action = actionOf(event);
      if (action === 'matrix') live.current.onMatrix();
      else if (action === 'next-difference') live.current.onDifference(1);
      else if (action === 'previous-difference') live.current.onDifference(-1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actionOf]);
}
