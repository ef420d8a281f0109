/** What alignment changed, in sentences: where raw stamps and corrected ones tell a different last or first. */
import type { ClocksFact } from '../../model/facts.ts';
import type { EpochNs } from '../../model/time.ts';
import { offsetBetween } from './pair-bounds.ts';

export interface Moment {
  /** What a person calls it: "rank 3 on node-b". */
  readonly name: string;
  readonly clock: string;
  readonly rawNs: EpochNs;
}

/**
 * One sentence if the extreme of the raw stamps is not that of the corrected ones, else none. Moments of clocks that are not
 * related to the first one's are left out; fewer than two give no sentence.
 */
export function whatAlignmentChanged(
  moments: readonly Moment[],
  extreme: 'first' | 'last',
  clocks: ClocksFact,
): readonly string[] {
  const [base] = moments;
  if (base === undefined) return [];
  const placed = moments.flatMap((moment) => {
    const offset = offsetBetween(clocks, moment.clock, base.clock);
    if (offset === undefined) return [];
    const rawMs = Number(moment.rawNs - base.rawNs) / 1e6;
    return [{ moment, rawMs, correctedMs: rawMs - offset.estimate }];
  });
  if (placed.length < 2) return [];
  const sign = extreme === 'first' ? 1 : -1;
  const best = (by: 'rawMs' | 'correctedMs') =>
    [...placed].sort((a, b) => sign * (a[by] - b[by]) || (a.moment.name < b.moment.name ? -1 : 1))[0]?.moment;
  const [raw, corrected] = [best('rawMs'), best('correctedMs')];
  if (raw === undefined || corrected === undefined || raw === corrected) return [];
  return [`With raw stamps ${raw.name} looks ${extreme}; aligned it is ${corrected.name}.`];
}
