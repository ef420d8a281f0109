import type { Db } from '../sqlite.ts';

export interface CustodyRow {
  /** ISO 8601 UTC, wall clock of this machine. */
  readonly at: string;
  /** Of the program. */
  readonly version: string;
  readonly action: string;
  readonly inputs: string;
  readonly result: string;
}

export interface StandInRow {
  readonly text: string;
  readonly kind: string;
  readonly standIn: string;
}

export function prepareExports(db: Db) {
  return {
    custody: db.prepare<[], CustodyRow>('SELECT at, version, action, inputs, result FROM custody ORDER BY id'),
    addCustody: db.prepare<[CustodyRow]>(
      'INSERT INTO custody (at, version, action, inputs, result) VALUES (:at, :version, :action, :inputs, :result)',
    ),
    standIns: db.prepare<[], StandInRow>(
      'SELECT original AS text, kind, stand_in AS standIn FROM stand_ins ORDER BY kind, length(stand_in), stand_in, original',
    ),
    addStandIn: db.prepare<[StandInRow]>(
      'INSERT OR IGNORE INTO stand_ins (original, kind, stand_in) VALUES (:text, :kind, :standIn)',
    ),
    choices: db.prepare<[], string>('SELECT json FROM report_choices WHERE id = 1').pluck(),
    setChoices: db.prepare<[string]>('INSERT OR REPLACE INTO report_choices (id, json) VALUES (1, ?)'),
  };
}
