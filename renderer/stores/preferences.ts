/** How the window looks and listens; kept on this machine. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export const THEMES = ['system', 'dark', 'light', 'high-contrast'] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ['compact', 'normal', 'comfortable'] as const;
export type Density = (typeof DENSITIES)[number];
export const TEXT_SCALES = [1, 1.25, 1.5, 1.75, 2] as const;
export type TextScale = (typeof TEXT_SCALES)[number];

export const ZONES = ['utc', 'local', 'cluster', 'onset', 'epoch'] as const;
export type ZoneKind = (typeof ZONES)[number];

interface Preferences {
  readonly theme: Theme;
  readonly density: Density;
  readonly textScale: TextScale;
  readonly singleKeys: boolean;
  readonly zone: ZoneKind;
  /** Width of the inspector in px at normal text size. */
  readonly inspectorWidth: number;
  readonly setTheme: (theme: Theme) => void;
  readonly setDensity: (density: Density) => void;
  /** One step up or down the list of sizes; stays at the ends. */
  readonly stepTextScale: (by: 1 | -1) => void;
  readonly resetTextScale: () => void;
  readonly setSingleKeys: (on: boolean) => void;
  readonly setZone: (zone: ZoneKind) => void;
  readonly setInspectorWidth: (width: number) => void;
}

export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: 'system',
      density: 'normal',
      textScale: 1,
      singleKeys: true,
      zone: 'utc',
      inspectorWidth: 320,
      setTheme: (theme) => set({ theme }),
      setDensity: (density) => set({ density }),
      stepTextScale: (by) =>
        set((state) => {
          const at = TEXT_SCALES.indexOf(state.textScale) + by;
          return { textScale: TEXT_SCALES[Math.max(0, Math.min(at, TEXT_SCALES.length - 1))] ?? 1 };
        }),
      resetTextScale: () => set({ textScale: 1 }),
      setSingleKeys: (singleKeys) => set({ singleKeys }),
      setZone: (zone) => set({ zone }),
      setInspectorWidth: (width) => set({ inspectorWidth: Math.round(Math.max(320, Math.min(width, 560))) }),
    }),
    { name: 'firstfault-preferences', version: 1 },
  ),
);
