import type { AreaValidators } from './area.ts';

export type ExportMethods = Record<never, never>;

export const EXPORT_VALIDATORS: AreaValidators<ExportMethods> = {};
