/** Scroll positions by view state and region, so that Back shows what was seen. Not a choice that draws: no store. */
const positions = new Map<string, number>();
const MAX_POSITIONS = 1000;

export function keepScroll(stepId: number, region: string, top: number): void {
  const key = `${stepId}/${region}`;
  positions.delete(key);
  positions.set(key, top);
  if (positions.size > MAX_POSITIONS)
    for (const oldest of positions.keys()) {
      positions.delete(oldest);
      break;
    }
}

export function keptScroll(stepId: number, region: string): number | undefined {
  return positions.get(`${stepId}/${region}`);
}
