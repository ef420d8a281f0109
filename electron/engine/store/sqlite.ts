/** The only place that opens SQLite. */
import Database from 'better-sqlite3';
import { loadBinding } from './native-binding.ts';

export type Db = Database.Database;
export type Statement<P extends unknown[] = unknown[], R = unknown> = Database.Statement<P, R>;

/** What the addon object is to the compiler: the package's types name only a path, the package takes both. */
interface BindingOption {
  readonly nativeBinding: string;
}
const binding = (): BindingOption => ({ nativeBinding: loadBinding() as unknown as string });

/** Opens an existing case for reading. Throws if it is missing or no database. */
export function openForReading(file: string): Db {
  const db = new Database(file, { readonly: true, fileMustExist: true, ...binding() });
  db.pragma('query_only = 1');
  // The file may come from anywhere: no triggers or views of a stranger's schema may call functions, no damaged pages be trusted.
  db.pragma('trusted_schema = 0');
  db.pragma('cell_size_check = 1');
  db.pragma('mmap_size = 0');
  return db;
}

/**
 * Creates a case file for one import, or opens it again: what was committed survives a crash of the process, not of the machine, until the
 * writer has finished. A rollback journal holds only the few old pages that change, since nearly everything is appended; a write-ahead log
 * would write every page twice (measured: half as much processor time again, and a copy of the whole case at the end). Nobody else reads
 * the file meanwhile, so it is locked once.
 */
export function createForImport(file: string): Db {
  const db = new Database(file, binding());
  db.pragma('page_size = 8192');
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = TRUNCATE');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -8192');
  return db;
}

/**
 * True while another connection, of this or another process, writes to the file. A file that a crash left is not locked: its last journal
 * is rolled back by the look. Throws for a file that cannot be opened at all.
 */
export function isBeingWritten(file: string): boolean {
  let db: Db | undefined;
  try {
    db = new Database(file, { fileMustExist: true, timeout: 0, ...binding() });
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    db?.close();
  }
}

/** True for errors that mean another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** Opens or creates a small database that the user's own words live in. */
export function openDurable(file: string): Db {
  const db = new Database(file, binding());
  db.pragma('journal_mode = DELETE');
  db.pragma('synchronous = FULL');
  db.pragma('trusted_schema = 0');
  return db;
}

/** True for errors that mean the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_IOERR_WRITE';
}

/** True for errors that mean the file is no (whole) database. */
export function isDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}
