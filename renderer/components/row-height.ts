/** Heights of rows in px, as tokens.css computes them from density and text size; virtual lists need the number. */
const HEIGHTS = {
  row: { compact: 24, normal: 28, comfortable: 32 },
  log: { compact: 20, normal: 24, comfortable: 28 },
} as const;

export function rowHeight(
  kind: keyof typeof HEIGHTS,
  density: 'compact' | 'normal' | 'comfortable',
  textScale: number,
): number {
  return HEIGHTS[kind][density] * textScale;
}
