/**
 * What the user looks at, shared by all screens of a case: basis of time, range, ranks, the one selected thing. Times are ns
 * relative to the case's origin (its first stamp), exact in a double. The cursor moves with the pointer and is kept outside of
 * React: subscribe and draw.
 */
import { create } from 'zustand';
import type { CaseId, EntryId } from '#shared/model/ids.ts';
import { pushUndo } from '../data/undo.ts';

export type TimeBasis = 'raw' | 'corrected';

/** The one selected thing; the inspector shows it. */
export type Selected =
  | { readonly kind: 'rank'; readonly rank: number }
  | {
      readonly kind: 'call';
      readonly group: string;
      readonly seq: number;
      readonly rank: number;
      /** Place of the rank's own record; null where only others tell. */
      readonly record: { readonly entryId: EntryId; readonly record: number } | null;
    }
  | { readonly kind: 'line'; readonly entryId: EntryId; readonly line: number }
  | { readonly kind: 'clock'; readonly clock: string }
  | { readonly kind: 'entry'; readonly entryId: EntryId };

export interface TimeRange {
  /** Inside. */
  readonly from: number;
  /** Outside. */
  readonly to: number;
}

interface SelectionState {
  /** The case that all of this is about; another case starts anew. */
  readonly caseId: CaseId | null;
  readonly basis: TimeBasis;
  /** Null = the whole case. */
  readonly range: TimeRange | null;
  /** Sorted; empty = all ranks. */
  readonly ranks: readonly number[];
  readonly selected: Selected | null;
  readonly inspector: boolean;
  readonly enterCase: (caseId: CaseId) => void;
  readonly setBasis: (basis: TimeBasis) => void;
  readonly setRange: (range: TimeRange | null) => void;
  readonly setRanks: (ranks: readonly number[]) => void;
  readonly select: (selected: Selected | null) => void;
  readonly setInspector: (open: boolean) => void;
  /** Puts a whole view back (history, locator, undo), without a step of undo of its own. */
  readonly restore: (view: SelectionView) => void;
}

/** What history and locators keep of a view, beside its place. */
export interface SelectionView {
  readonly basis: TimeBasis;
  readonly range: TimeRange | null;
  readonly ranks: readonly number[];
  readonly selected: Selected | null;
}

export const viewOf = ({ basis, range, ranks, selected }: SelectionView): SelectionView => ({
  basis,
  range,
  ranks,
  selected,
});

const FRESH = { range: null, ranks: [], selected: null } as const;

export const useSelection = create<SelectionState>()((set) => ({
  caseId: null,
  basis: 'corrected',
  ...FRESH,
  inspector: false,
  enterCase: (caseId) => set((state) => (state.caseId === caseId ? state : { caseId, basis: 'corrected', ...FRESH })),
  setBasis: (basis) => set({ basis }),
  setRange: (range) => set({ range }),
  setRanks: (ranks) => set({ ranks: [...ranks].sort((a, b) => a - b) }),
  select: (selected) => set({ selected }),
  setInspector: (inspector) => set({ inspector }),
  restore: (view) => {
    restoring = true;
    set(viewOf(view));
    restoring = false;
  },
}));

let restoring = false;

useSelection.subscribe((now, before) => {
  if (restoring || now.caseId === null || now.caseId !== before.caseId) return;
  const what =
    now.range !== before.range
      ? 'time range'
      : now.ranks !== before.ranks
        ? 'ranks'
        : now.basis !== before.basis
          ? 'time basis'
          : null;
  if (what === null) return;
  const put = (view: SelectionView) => () => {
    const { selected } = useSelection.getState();
    useSelection.getState().restore({ ...view, selected });
  };
  pushUndo(now.caseId, {
    title: `change ${what}`, // A drag sets the range many times; it is one step.
    ...(what === 'time range' ? { merge: what } : {}),
    undo: put(viewOf(before)),
    redo: put(viewOf(now)),
  });
});

type CursorListener = (at: number | null) => void;
const cursorListeners = new Set<CursorListener>();
let cursor: number | null = null;
let frame = 0;

/** Moves the cursor of all views; told to them at most once a frame. Null = the pointer left. */
export function setCursor(at: number | null): void {
  cursor = at;
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    for (const listener of cursorListeners) listener(cursor);
  });
}

export const cursorNow = (): number | null => cursor;

/** Returns what ends the subscription. */
export function onCursor(listener: CursorListener): () => void {
  cursorListeners.add(listener);
  return () => {
    cursorListeners.delete(listener);
  };
}
