/** The present view, kept for this window only: a page that crashed or was loaded again comes back to where it was. */
import { type LocatedView, readLocator, writeLocator } from './locator.ts';
import { selectPlace, useNavigation } from './navigation.ts';
import { useSelection, viewOf } from './selection.ts';

const KEY = 'firstfault-last-view';
const DELAY_MS = 300;

/** Starts keeping; called once by the shell. Returns what ends it. */
export function keepLastView(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    const place = selectPlace(useNavigation.getState());
    if (place.screen === 'import') return;
    if (place.screen === 'cases') sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, `${Date.now()} ${writeLocator({ place, view: viewOf(useSelection.getState()) })}`);
  };
  const keepSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, DELAY_MS);
  };
  const ends = [useNavigation.subscribe(keepSoon), useSelection.subscribe(keepSoon)];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}

/** What the page showed before it was loaded again, and when; null on a first start. */
export function lastView(): { readonly view: LocatedView; readonly at: Date } | null {
  const match = /^(\d{1,16}) (.+)$/.exec(sessionStorage.getItem(KEY) ?? '');
  const view = readLocator(match?.[2] ?? '');
  return view === null ? null : { view, at: new Date(Number(match?.[1])) };
}
