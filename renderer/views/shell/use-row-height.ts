import { rowHeight } from '../../components/row-height.ts';
import { usePreferences } from '../../stores/preferences.ts';

/** Height of a row in px; changes with density and text size. */
export function useRowHeight(kind: 'row' | 'log'): number {
  return usePreferences((state) => rowHeight(kind, state.density, state.textScale));
}
