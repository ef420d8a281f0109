import type { AreaValidators } from './area.ts';

export type ClocksMethods = Record<never, never>;

export const CLOCKS_VALIDATORS: AreaValidators<ClocksMethods> = {};
