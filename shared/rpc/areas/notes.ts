import type { AreaValidators } from './area.ts';

export type NotesMethods = Record<never, never>;

export const NOTES_VALIDATORS: AreaValidators<NotesMethods> = {};
