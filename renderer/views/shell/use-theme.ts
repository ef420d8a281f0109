import { useEffect, useSyncExternalStore } from 'react';
import { usePreferences } from '../../stores/preferences.ts';
import { useWidthSteps } from './window-width.ts';

const LIGHT = window.matchMedia('(prefers-color-scheme: light)');
const CONTRAST = window.matchMedia('(prefers-contrast: more)');

function onSystemChange(listener: () => void): () => void {
  LIGHT.addEventListener('change', listener);
  CONTRAST.addEventListener('change', listener);
  return () => {
    LIGHT.removeEventListener('change', listener);
    CONTRAST.removeEventListener('change', listener);
  };
}

/** The theme that is drawn: the chosen one, or what the system asks for. */
export function useShownTheme(): 'dark' | 'light' | 'high-contrast' {
  const chosen = usePreferences((state) => state.theme);
  const system = useSyncExternalStore(onSystemChange, () =>
    CONTRAST.matches ? 'high-contrast' : LIGHT.matches ? 'light' : 'dark',
  );
  return chosen === 'system' ? system : chosen;
}

/** Writes theme, density, text size and room on the root element, where the style sheets read them. */
export function useAppearance(): void {
  const theme = useShownTheme();
  const density = usePreferences((state) => state.density);
  const textScale = usePreferences((state) => state.textScale);
  const width = useWidthSteps();
  useEffect(() => {
    const root = document.documentElement;
    root.dataset['theme'] = theme;
    if (density === 'normal') delete root.dataset['density'];
    else root.dataset['density'] = density;
    root.style.setProperty('--text-scale', String(textScale));
    root.dataset['width'] = width;
  }, [theme, density, textScale, width]);
}
