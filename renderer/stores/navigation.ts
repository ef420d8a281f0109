/** Where the user is, and the way there: every place is one view state, 200 deep. */
import { create } from 'zustand';
import type { EntryStatus } from '#shared/model/entry.ts';
import type { CaseId, EntryId, JobId } from '#shared/model/ids.ts';
import { CLOCKS_START, type ClocksTarget } from './targets/clocks.ts';
import { COLLECTIVES_START, type CollectivesTarget } from './targets/collectives.ts';
import { COMPARE_START, type CompareTarget } from './targets/compare.ts';
import { LOGS_START, type LogsTarget } from './targets/logs.ts';
import { RANKS_START, type RanksTarget } from './targets/ranks.ts';
import { REPORT_START, type ReportTarget } from './targets/report.ts';
import { TIMELINE_START, type TimelineTarget } from './targets/timeline.ts';

export type RawMode = 'text' | 'hex' | 'record';

/** What the raw viewer shows. `line` is 1-based, `byte` and `record` 0-based; all null = the file from its start. */
export interface RawTarget {
  readonly entryId: EntryId;
  readonly mode: RawMode | null;
  readonly line: number | null;
  readonly byte: number | null;
  readonly record: number | null;
}

/** Which files the evidence list shows; `all` = no filter. */
export interface FileChoice {
  readonly find: string;
  readonly kind: string;
  readonly status: EntryStatus | 'all';
  /** A node that the files are of. */
  readonly node: string;
  /** One row a file, or bars of the time that each covers. */
  readonly show: 'list' | 'coverage';
}

export const ALL_FILES: FileChoice = { find: '', kind: 'all', status: 'all', node: 'all', show: 'list' };

export type Place =
  | { readonly screen: 'cases' }
  | { readonly screen: 'import'; readonly jobId: JobId }
  | { readonly screen: 'overview'; readonly caseId: CaseId }
  | {
      readonly screen: 'evidence';
      readonly caseId: CaseId;
      readonly files: FileChoice;
      readonly target: RawTarget | null;
    }
  | { readonly screen: 'timeline'; readonly caseId: CaseId; readonly target: TimelineTarget }
  | { readonly screen: 'collectives'; readonly caseId: CaseId; readonly target: CollectivesTarget }
  | { readonly screen: 'logs'; readonly caseId: CaseId; readonly target: LogsTarget }
  | { readonly screen: 'ranks'; readonly caseId: CaseId; readonly target: RanksTarget }
  | { readonly screen: 'clocks'; readonly caseId: CaseId; readonly target: ClocksTarget }
  | { readonly screen: 'report'; readonly caseId: CaseId; readonly target: ReportTarget }
  | { readonly screen: 'compare'; readonly caseId: CaseId; readonly target: CompareTarget };

export type CaseScreen = Exclude<Place['screen'], 'cases' | 'import'>;

/** A screen of a case as the rail opens it. */
export function startOf(screen: CaseScreen, caseId: CaseId): Place {
  switch (screen) {
    case 'overview':
      return { screen, caseId };
    case 'evidence':
      return { screen, caseId, files: ALL_FILES, target: null };
    case 'timeline':
      return { screen, caseId, target: TIMELINE_START };
    case 'collectives':
      return { screen, caseId, target: COLLECTIVES_START };
    case 'logs':
      return { screen, caseId, target: LOGS_START };
    case 'ranks':
      return { screen, caseId, target: RANKS_START };
    case 'clocks':
      return { screen, caseId, target: CLOCKS_START };
    case 'report':
      return { screen, caseId, target: REPORT_START };
    case 'compare':
      return { screen, caseId, target: COMPARE_START };
  }
}

export interface Step {
  /** Unique in this run; scroll positions are kept by it. */
  readonly id: number;
  readonly place: Place;
}

interface NavigationState {
  readonly steps: readonly Step[];
  readonly index: number;
  readonly go: (place: Place) => void;
  /** Changes the present place without a step of its own, e.g. another line of the same file. From a screen that was left it changes nothing. */
  readonly replace: (place: Place) => void;
  readonly back: () => void;
  readonly forward: () => void;
}

const MAX_STEPS = 200;
let nextId = 1;
const step = (place: Place): Step => ({ id: nextId++, place });

export const useNavigation = create<NavigationState>()((set) => ({
  steps: [step({ screen: 'cases' })],
  index: 0,
  go: (place) =>
    set((state) => {
      const steps = [...state.steps.slice(0, state.index + 1), step(place)].slice(-MAX_STEPS);
      return { steps, index: steps.length - 1 };
    }),
  replace: (place) =>
    set((state) =>
      isOf(selectPlace(state), place)
        ? { steps: state.steps.map((known, i) => (i === state.index ? { id: known.id, place } : known)) }
        : state,
    ),
  back: () => set((state) => ({ index: Math.max(0, state.index - 1) })),
  forward: () => set((state) => ({ index: Math.min(state.steps.length - 1, state.index + 1) })),
}));

/** A screen changes its own place; an import becomes its case. */
const isOf = (now: Place, next: Place): boolean =>
  now.screen === 'import' || (now.screen === next.screen && caseOf(now) === caseOf(next));

const FIRST: Step = { id: 0, place: { screen: 'cases' } };

export const selectStep = (state: NavigationState): Step => state.steps[state.index] ?? FIRST;
export const selectPlace = (state: NavigationState): Place => selectStep(state).place;
export const selectCanBack = (state: NavigationState): boolean => state.index > 0;
export const selectCanForward = (state: NavigationState): boolean => state.index < state.steps.length - 1;

export function caseOf(place: Place): CaseId | null {
  return place.screen === 'cases' || place.screen === 'import' ? null : place.caseId;
}
