/**
 * A case as Parquet files, one table a folder and one file a case in it, so that many cases exported into one folder are one
 * data set: FOLDER/events/*.parquet. Exporting the same bundle again replaces its files.
 */

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileSlug } from '#shared/lib/file-names.ts';
import type { Report } from '#shared/report/schema.ts';
import {
  type CaseTable,
  COLLECTIVES_TABLE,
  dumpRows,
  EVENTS_TABLE,
  eventRow,
  REPORT_TABLES,
  type Row,
  reportRows,
} from '#shared/report/tables/index.ts';
import type { CaseReader } from '../../store/case-reader.ts';
import { isStoredDump } from '../../store/stored-dump.ts';
import { ParquetFile } from './parquet-file.ts';

const EVENT_PAGE = 5_000;
const ENTRY_PAGE = 500;

export interface WrittenTable {
  readonly table: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

/** `reader`: a case with records. `folder` is made if it is missing. Throws the file system's errors; a file is whole or not there. */
export async function writeTables(
  { reader, report, tool }: { readonly reader: CaseReader; readonly report: Report; readonly tool: string },
  folder: string,
): Promise<readonly WrittenTable[]> {
  const caseId = report.bundle.sha256;
  const fileName = `${fileSlug(report.bundle.name)}-${caseId.slice(0, 12)}.parquet`;
  const rows = reportRows(report);
  const sources: [CaseTable, Iterable<Row | undefined>][] = [
    ...Object.entries(rows).flatMap(([name, list]): [CaseTable, Iterable<Row>][] => {
      const table = Object.entries(REPORT_TABLES).find(([key]) => key === name)?.[1];
      return table === undefined ? [] : [[table, list]];
    }),
    [EVENTS_TABLE, eventRows(caseId, reader)],
    [COLLECTIVES_TABLE, collectiveRows(caseId, reader, report)],
  ];
  const written: WrittenTable[] = [];
  for (const [table, source] of sources) {
    mkdirSync(join(folder, table.name), { recursive: true });
    const file = join(folder, table.name, fileName);
    const count = await writeTable({ file, table, tool }, source);
    written.push({ table: table.name, file, rows: count, bytes: statSync(file).size });
  }
  return written;
}

/** `undefined` among the rows is a place to let others work. */
async function writeTable(
  { file, table, tool }: { readonly file: string; readonly table: CaseTable; readonly tool: string },
  rows: Iterable<Row | undefined>,
): Promise<number> {
  const parquet = new ParquetFile(file, table, tool);
  try {
    for (const row of rows) {
      if (row === undefined) await setImmediate();
      else parquet.add(row);
    }
    parquet.finish();
    return parquet.rows;
  } catch (error) {
    parquet.discard();
    throw error;
  }
}

function* eventRows(caseId: string, reader: CaseReader): Generator<Row | undefined> {
  for (const page of reader.eventPages(EVENT_PAGE)) {
    for (const event of page) yield eventRow(caseId, event);
    yield undefined;
  }
}

function* collectiveRows(caseId: string, reader: CaseReader, report: Report): Generator<Row | undefined> {
  const rankOf = ranksOfFiles(report);
  for (let offset = 0; ; offset += ENTRY_PAGE) {
    const entries = reader.entryPage(offset, ENTRY_PAGE);
    for (const { slot, path, status } of entries) {
      if (status === 'duplicate') continue;
      const dump = reader.dump(slot);
      if (!isStoredDump(dump)) continue;
      yield* dumpRows(caseId, { path, rank: rankOf.get(path) ?? null, dump });
      yield undefined;
    }
    if (entries.length < ENTRY_PAGE) return;
  }
}

/** Files that belong to one rank alone. */
function ranksOfFiles(report: Report): ReadonlyMap<string, number> {
  const ranks = new Map<string, number | undefined>();
  for (const { rank, files } of report.ranks) {
    for (const file of files) ranks.set(file, ranks.has(file) ? undefined : rank);
  }
  return new Map([...ranks].flatMap(([file, rank]) => (rank === undefined ? [] : [[file, rank]])));
}
