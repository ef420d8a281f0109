/** Keys (Alt with the arrows, as delivered) go from one difference to the next, wherever the focus is. */
import { useEffect, useRef } from 'react';
import { usePanels } from '../../stores/panels.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { isTextField } from '../shell/use-shortcuts.ts';

export function useDifferenceKeys(step: (by: 1 | -1) => void): void {
  const { actionOf } = useLocalKeys('compare');
  const live = useRef(step);
  live.current = step;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usePanels.getState().panel !== null || isWriting(event.target)) return;
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      live.current(action === 'next-difference' ? 1 : -1);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actionOf]);
}

/** A box to tick is no field that text goes into. */
const isWriting = (target: EventTarget | null): boolean =>
  isTextField(target) && !(target instanceof HTMLInputElement && target.type === 'checkbox');
