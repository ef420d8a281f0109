/** Which strips of the timeline are shown, by what they show; kept on this machine. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Names of measures come from bundles: as many are remembered as a person can have chosen. */
const MOST = 100;

interface MetricStrips {
  /** Pairs of id and whether it is shown, latest choice last; what is not in it is shown as the screen proposes. */
  readonly chosen: readonly (readonly [string, boolean])[];
  /** Null: open where there is room. */
  readonly open: boolean | null;
  readonly show: (id: string, on: boolean) => void;
  readonly setOpen: (open: boolean) => void;
  /** Back to what the screen proposes. */
  readonly reset: () => void;
}

export const useMetricStrips = create<MetricStrips>()(
  persist(
    (set) => ({
      chosen: [],
      open: null,
      show: (id, on) =>
        set(({ chosen }) => ({
          chosen: [...chosen.filter(([other]) => other !== id), [id, on] as const].slice(-MOST),
        })),
      setOpen: (open) => set({ open }),
      reset: () => set({ chosen: [], open: null }),
    }),
    { name: 'firstfault-strips', version: 1 },
  ),
);

export const isStripShown = (chosen: MetricStrips['chosen'], id: string, proposed: boolean): boolean =>
  chosen.find(([other]) => other === id)?.[1] ?? proposed;
