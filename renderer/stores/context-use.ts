/**
 * Which parts of the context bar a screen does not follow, and why. The bar shows such a part struck through with the reason. What
 * always holds for a screen stands in the table; what depends on its state it declares while it is shown.
 */
import { create } from 'zustand';
import type { CaseScreen } from './navigation.ts';

export type ContextPart = 'range' | 'basis' | 'zone' | 'ranks';
export type IgnoredParts = { readonly [P in ContextPart]?: string };

const WHOLE_CASE = 'The report speaks of the whole case.';
const CHOSEN_THERE = 'Each section of the report states its own.';

export const SCREEN_IGNORES: Readonly<Record<CaseScreen, IgnoredParts>> = {
  overview: { range: WHOLE_CASE, ranks: WHOLE_CASE, basis: 'Each time on this screen carries its own basis.' },
  timeline: {},
  collectives: {
    range: 'Calls are compared by their numbers, not by time.',
    ranks: 'Sets of ranks are compared as a whole.',
  },
  logs: {},
  ranks: {},
  clocks: {
    range: 'Offsets hold for the whole case.',
    ranks: 'Clocks belong to nodes, not to ranks.',
    basis: 'This screen compares raw and corrected itself.',
  },
  evidence: {
    range: 'Files are listed whatever time they cover.',
    ranks: 'Files are listed whatever rank wrote them.',
    basis: 'Files are shown as they were written.',
  },
  report: { range: CHOSEN_THERE, ranks: CHOSEN_THERE },
  compare: {
    range: 'Two cases share no time; both are shown around their first fault.',
    ranks: 'Ranks of two cases are compared as a whole.',
  },
};

interface ContextUseState {
  readonly declared: IgnoredParts;
  /** Returns what takes the declaration back. */
  readonly declare: (ignored: IgnoredParts) => () => void;
}

export const useContextUse = create<ContextUseState>()((set, get) => ({
  declared: {},
  declare: (declared) => {
    set({ declared });
    return () => {
      if (get().declared === declared) set({ declared: {} });
    };
  },
}));
