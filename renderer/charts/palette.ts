/** The tokens that canvases draw with, read once a theme. */
const NAMES = {
  surface0: '--surface-0',
  surface1: '--surface-1',
  surface2: '--surface-2',
  text1: '--text-1',
  text2: '--text-2',
  text3: '--text-3',
  line1: '--line-1',
  line2: '--line-2',
  lineControl: '--line-control',
  grid: '--grid',
  accent: '--accent',
  focus: '--focus',
  selection: '--selection',
  selectionLine: '--selection-line',
  hover: '--hover',
  orderCertain: '--order-certain',
  orderLikely: '--order-likely',
  orderUndecided: '--order-undecided',
  roleFirst: '--role-first',
  roleFirstText: '--role-first-text',
  onRoleFirst: '--on-role-first',
  roleFirstTint: '--role-first-tint',
  roleVictim: '--role-victim',
  roleVictimTint: '--role-victim-tint',
  collNotEnqueued: '--coll-not-enqueued',
  collEnqueued: '--coll-enqueued',
  collRunning: '--coll-running',
  collRunningBody: '--coll-running-body',
  collCompleted: '--coll-completed',
  collFailed: '--coll-failed',
  collMissing: '--coll-missing',
  onCollEnqueued: '--on-coll-enqueued',
  onCollCompleted: '--on-coll-completed',
  onCollFailed: '--on-coll-failed',
  sevInfo: '--sev-info',
  sevWarn: '--sev-warn',
  sevError: '--sev-error',
  sevFatal: '--sev-fatal',
  series1: '--series-1',
  seriesBand: '--series-band',
  seriesEdge: '--series-edge',
  seriesOther: '--series-other',
} as const;

export type Palette = Readonly<Record<keyof typeof NAMES, string>> & {
  readonly font11: string;
  readonly font11Medium: string;
  readonly font12: string;
  readonly font12Medium: string;
  readonly scale: number;
};

const READ = new Map<string, Palette>();

/**
 * Of the theme that `element` stands in. The same object for the same theme and size of text: drawings are made anew with another one, and
 * reading makes the browser compute the styles of the page at once.
 */
export function readPalette(element: Element): Palette {
  const theme = element.closest('[data-theme]')?.getAttribute('data-theme') ?? '';
  const scale = document.documentElement.style.getPropertyValue('--text-scale');
  const key = `${theme} ${scale} ${window.matchMedia('(forced-colors: active)').matches}`;
  const known = READ.get(key) ?? readTokens(element);
  READ.set(key, known);
  return known;
}

function readTokens(element: Element): Palette {
  const style = getComputedStyle(element);
  const colours = Object.fromEntries(
    Object.entries(NAMES).map(([name, token]) => [name, style.getPropertyValue(token).trim()]),
  ) as Record<keyof typeof NAMES, string>;
  const scale = Number(style.getPropertyValue('--text-scale')) || 1;
  const family = style.getPropertyValue('--font-ui').trim() || 'sans-serif';
  const regular = style.getPropertyValue('--weight-regular').trim() || '400';
  const medium = style.getPropertyValue('--weight-medium').trim() || '500';
  const font = (weight: string, px: number): string => `${weight} ${px * scale}px ${family}`;
  return {
    ...colours,
    scale,
    font11: font(regular, 11),
    font11Medium: font(medium, 11),
    font12: font(regular, 12),
    font12Medium: font(medium, 12),
  };
}

/** A colour of the tokens as its four bytes, by drawing it; tokens are written in any form of CSS. */
export function bytesOf(colour: string): readonly [number, number, number, number] {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return [0, 0, 0, 255];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 255] = context.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a];
}
