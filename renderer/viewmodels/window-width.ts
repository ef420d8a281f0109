/** How much room the window has in terms of its text: its width divided by the text size. */
const STEPS = [
  { name: 'medium', below: 1280 },
  { name: 'narrow', below: 1100 },
  { name: 'tiny', below: 860 },
] as const;
export type WidthStep = (typeof STEPS)[number]['name'];

/** Steps that hold, e.g. `medium narrow`; empty for a wide window. */
export function widthSteps(widthPx: number, textScale: number): string {
  return STEPS.filter((step) => widthPx / textScale < step.below)
    .map((step) => step.name)
    .join(' ');
}
