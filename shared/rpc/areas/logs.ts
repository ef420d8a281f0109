import type { AreaValidators } from './area.ts';

export type LogsMethods = Record<never, never>;

export const LOGS_VALIDATORS: AreaValidators<LogsMethods> = {};
