import type { Db } from '../sqlite.ts';

export interface OverrideRow {
  readonly clock: string;
  readonly against: string;
  readonly offsetMs: number;
  readonly boundMs: number;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly created: string;
}

export function prepareOverrides(db: Db) {
  return {
    all: db.prepare<[], OverrideRow>(
      'SELECT clock, against, offset_ms AS offsetMs, bound_ms AS boundMs, reason, created FROM clock_overrides ORDER BY clock',
    ),
    clear: db.prepare<[]>('DELETE FROM clock_overrides'),
    add: db.prepare<[OverrideRow]>(
      `INSERT INTO clock_overrides (clock, against, offset_ms, bound_ms, reason, created)
       VALUES (:clock, :against, :offsetMs, :boundMs, :reason, :created)`,
    ),
  };
}
