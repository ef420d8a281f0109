import type { AreaValidators } from './area.ts';

export type CollectivesMethods = Record<never, never>;

export const COLLECTIVES_VALIDATORS: AreaValidators<CollectivesMethods> = {};
