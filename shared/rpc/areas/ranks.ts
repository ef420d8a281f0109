import type { AreaValidators } from './area.ts';

export type RanksMethods = Record<never, never>;

export const RANKS_VALIDATORS: AreaValidators<RanksMethods> = {};
