/** Steps of `notes.db`, oldest first; step n leads to version n. Never change one that was released: add another. */
import type { Db } from '../sqlite.ts';
import createNotes from './0001-create-notes.ts';
import subjectsAndStars from './0002-subjects-and-stars.ts';
import clockOverrides from './0003-clock-overrides.ts';
import exports from './0004-exports.ts';
import dissent from './0005-dissent.ts';

export const NOTE_MIGRATIONS: readonly ((db: Db) => void)[] = [
  createNotes,
  subjectsAndStars,
  clockOverrides,
  exports,
  dissent,
];
