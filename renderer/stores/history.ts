/**
 * What was looked at on each step of the history, so that Back and Forward restore range, filters and selection with the screen.
 * A change is written to the step that is current at the end of its turn: a link that sets the range and then goes somewhere
 * changes the new step, not the one it leaves.
 */
import { selectStep, useNavigation } from './navigation.ts';
import { type SelectionView, useSelection, viewOf } from './selection.ts';

const MAX_VIEWS = 1000;
const views = new Map<number, SelectionView>();

function keep(): void {
  const { id } = selectStep(useNavigation.getState());
  views.delete(id);
  views.set(id, viewOf(useSelection.getState()));
  for (const oldest of views.keys()) {
    if (views.size <= MAX_VIEWS) break;
    views.delete(oldest);
  }
}

/** Starts keeping; called once by the shell. Returns what ends it. */
export function keepHistory(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keepSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep);
  };
  const endSelection = useSelection.subscribe((now, before) => {
    const same =
      now.range === before.range &&
      now.ranks === before.ranks &&
      now.basis === before.basis &&
      now.selected === before.selected;
    if (!same) keepSoon();
  });
  const endPlaces = useNavigation.subscribe((now, before) => {
    const step = selectStep(now);
    if (step.id === selectStep(before).id) return;
    const known = views.get(step.id);
    if (known) useSelection.getState().restore(known);
    else keepSoon();
  });
  return () => {
    clearTimeout(timer);
    endSelection();
    endPlaces();
  };
}
