/** Alt with the arrows goes from one difference to the next, wherever the focus is. */
import { useEffect, useRef } from 'react';
import { usePanels } from '../../stores/panels.ts';
import { isTextField } from '../shell/use-shortcuts.ts';

export function useDifferenceKeys(step: (by: 1 | -1) => void): void {
  const live = useRef(step);
  live.current = step;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usePanels.getState().panel !== null || isWriting(event.target)) return;
      if (!event.altKey || event.ctrlKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      live.current(event.key === 'ArrowDown' ? 1 : -1);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** A box to tick is no field that text goes into. */
const isWriting = (target: EventTarget | null): boolean =>
  isTextField(target) && !(target instanceof HTMLInputElement && target.type === 'checkbox');
