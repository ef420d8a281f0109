import { createContext, useDeferredValue, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { caseOf, type Place, type Step } from '../../stores/navigation.ts';

/** What is done next is meant for the screen that was asked for, not for the one that still stands there. */
const NEXT_ACTS = ['keydown', 'pointerdown', 'paste', 'drop'] as const;

/**
 * The step that is drawn: the present one, but while another screen is made ready the one before. A new screen is drawn in pieces of a few milliseconds
 * between which the pointer is followed, and takes the place of the old one as a whole; at a key or a press it is finished first. A change on the
 * same screen is drawn at once.
 */
export function useShownStep(step: Step): Step {
  const ready = useDeferredValue(step);
  const [hurried, hurry] = useState(-1);
  const isShown = pageOf(ready.place) === pageOf(step.place) || hurried === step.id;
  useLayoutEffect(() => {
    if (isShown) return;
    const finish = (): void => flushSync(() => hurry(step.id));
    for (const act of NEXT_ACTS) window.addEventListener(act, finish, true);
    return () => {
      for (const act of NEXT_ACTS) window.removeEventListener(act, finish, true);
    };
  }, [isShown, step.id]);
  return isShown ? step : ready;
}

/** Id of the step that is drawn: what a screen keeps by it, such as where it is scrolled to, changes with the screen and not before. */
export const ShownStepId = createContext(0);

/** What is drawn anew when it differs. */
function pageOf(place: Place): string {
  const group = place.screen === 'collectives' ? (place.target.group ?? '') : '';
  return `${place.screen} ${caseOf(place) ?? ''} ${place.screen === 'import' ? place.jobId : ''} ${group}`;
}
