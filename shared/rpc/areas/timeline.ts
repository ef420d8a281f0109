import type { AreaValidators } from './area.ts';

export type TimelineMethods = Record<never, never>;

export const TIMELINE_VALIDATORS: AreaValidators<TimelineMethods> = {};
