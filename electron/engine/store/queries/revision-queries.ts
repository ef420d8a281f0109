import type { Db } from '../sqlite.ts';

/** Statements that make room for a new report and new views. */
export function prepareRevisions(db: Db) {
  return {
    removeReport: db.prepare<[]>('DELETE FROM report'),
    removeView: db.prepare<[{ name: string; from: string; to: string }]>(
      'DELETE FROM views WHERE name = :name OR (name >= :from AND name < :to)',
    ),
  };
}
