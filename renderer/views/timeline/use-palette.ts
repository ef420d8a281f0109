import { type RefObject, useLayoutEffect, useState } from 'react';
import { type Palette, readPalette } from '../../charts/palette.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { useShownTheme } from '../shell/use-theme.ts';

/** The tokens of the theme that is shown; read anew with it, and with the size of text. */
export function usePalette(host: RefObject<HTMLElement | null>): Palette | null {
  const theme = useShownTheme();
  const scale = usePreferences((state) => state.textScale);
  const [palette, setPalette] = useState<Palette | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and scale change what the style sheet says, not the element
  useLayoutEffect(() => {
    // The shell writes the theme on the root element in an effect of its own: after this one.
    const read = () => host.current && setPalette(readPalette(host.current));
    read();
    const frame = requestAnimationFrame(read);
    return () => cancelAnimationFrame(frame);
  }, [theme, scale, host]);
  return palette;
}
