import type { AreaValidators } from './area.ts';

export type CompareMethods = Record<never, never>;

export const COMPARE_VALIDATORS: AreaValidators<CompareMethods> = {};
