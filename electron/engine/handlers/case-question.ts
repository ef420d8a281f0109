/** What handlers share: a question to an open case or to its notes, and what it means when one of its files cannot answer. */
import { err, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { parseStoredReport } from '#shared/report/stored-report.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { UnreadableBlockError } from '../store/block-codec.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { NewerNotesError } from '../store/notes-db.ts';
import { isDiskFull } from '../store/sqlite.ts';

/** Asks the reader of a case. Throws only for bugs. */
export function askCase<T>(
  ctx: EngineContext,
  caseId: CaseId,
  question: (reader: CaseReader) => Result<T, RpcError>,
): Result<T, RpcError> {
  const reader = ctx.cases.reader(caseId);
  return reader.ok ? guarded(() => question(reader.value)) : reader;
}

/** The report of a case, which may be damaged, or of another version. Throws only for bugs. */
export const reportOf = (reader: CaseReader): Result<Report, RpcError> =>
  guarded(() => parseStoredReport(reader.reportJson()));

/** Asks or changes the notes of a case, which may not be there yet. Throws only for bugs. */
export function askNotes<T>(
  ctx: EngineContext,
  caseId: CaseId,
  question: (notesDb: string) => Result<T, RpcError>,
): Result<T, RpcError> {
  const place = ctx.cases.place(caseId);
  if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
  return guarded(() => question(place.notesDb));
}

/** Of the system, or of SQLite for a file that another program holds or that this user may not write: nothing is damaged. */
const CLOSED = /^(?:E[A-Z]{3,}|SQLITE_(?:READONLY|CANTOPEN|PERM|BUSY|LOCKED|IOERR)(?:_\w+)?)$/;

function guarded<T>(act: () => Result<T, RpcError>): Result<T, RpcError> {
  try {
    return act();
  } catch (error) {
    return caseFileError(error);
  }
}

/** Files that are damaged, newer, full or closed to writing are expected; anything else that was thrown is a bug and goes on. */
export function caseFileError(error: unknown): Result<never, RpcError> {
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isDiskFull(error)) return err({ code: 'disk-full', detail });
  if (error instanceof UnreadableBlockError)
    return err({ code: error.why === 'damaged' ? 'case-damaged' : 'case-version', detail });
  if (error instanceof NewerNotesError) return err({ code: 'case-version', detail });
  if (CLOSED.test(code)) return err({ code: 'write-failed', detail: code });
  if (code.startsWith('SQLITE_')) return err({ code: 'case-damaged', detail });
  throw error;
}
