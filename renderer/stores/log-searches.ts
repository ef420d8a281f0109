/** Queries of the log search that were run or kept, by case; on this machine. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { CaseId } from '#shared/model/ids.ts';

export interface SavedSearch {
  readonly name: string;
  readonly query: string;
}

interface LogSearches {
  /** Newest first. */
  readonly history: readonly string[];
  /** `''` holds those for all cases. */
  readonly saved: Readonly<Record<string, readonly SavedSearch[]>>;
  readonly remember: (query: string) => void;
  /** A name that is there already is taken over. `caseId` null = for all cases. */
  readonly save: (caseId: CaseId | null, search: SavedSearch) => void;
  readonly remove: (caseId: CaseId | null, name: string) => void;
}

const MAX_HISTORY = 50;
const MAX_SAVED = 200;

export const useLogSearches = create<LogSearches>()(
  persist(
    (set) => ({
      history: [],
      saved: {},
      remember: (query) =>
        set(({ history }) =>
          query.trim() === '' || history[0] === query
            ? {}
            : { history: [query, ...history.filter((known) => known !== query)].slice(0, MAX_HISTORY) },
        ),
      save: (caseId, search) =>
        set(({ saved }) => {
          const key = caseId ?? '';
          const others = (saved[key] ?? []).filter(({ name }) => name !== search.name);
          return { saved: { ...saved, [key]: [...others, search].slice(-MAX_SAVED) } };
        }),
      remove: (caseId, name) =>
        set(({ saved }) => {
          const key = caseId ?? '';
          return { saved: { ...saved, [key]: (saved[key] ?? []).filter((known) => known.name !== name) } };
        }),
    }),
    { name: 'firstfault-log-searches', version: 1 },
  ),
);
