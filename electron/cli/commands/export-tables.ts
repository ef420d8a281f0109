/** `--export parquet DIR`: the case as tables for query engines. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Client } from '#shared/rpc/client.ts';

const TABLE_FORMS = ['parquet'] as const;

export interface TableExport {
  readonly form: string;
  /** Undefined: only the form was given. */
  readonly folder: string | undefined;
}

/**
 * `--export FORM DIR` has two values, which the command-line parser does not know: the second becomes an option of its own.
 * Everything else stays as it is.
 */
export function splitExportValues(args: readonly string[]): string[] {
  const at = args.indexOf('--export');
  const folder = args[at + 2];
  if (at === -1 || folder === undefined || folder.startsWith('-')) return [...args];
  return [...args.slice(0, at + 2), '--export-folder', ...args.slice(at + 2)];
}

/** What is wrong with the option, in one line; undefined if nothing is. */
export function exportProblem({ form, folder }: TableExport): string | undefined {
  if (!TABLE_FORMS.some((one) => one === form))
    return `--export ${form}: the form must be ${TABLE_FORMS.join(' or ')}, followed by a folder`;
  if (folder === undefined) return `--export ${form}: say into which folder: --export ${form} DIR`;
  const target = resolve(folder);
  if (existsSync(target) && !statSync(target).isDirectory()) return `--export ${form} ${folder}: is not a folder`;
  if (!existsSync(dirname(target))) return `--export ${form} ${folder}: there is no folder ${dirname(target)}`;
  return undefined;
}

/** The value is one line about what was written; the error one line about what was not. */
export async function exportTables(caseId: CaseId, folder: string, client: Client): Promise<Result<string, string>> {
  const written = await client.request('export.tables', { caseId, folder: resolve(folder) });
  if (!written.ok) return err(`analyze: --export: ${written.error.code}: ${written.error.detail}`);
  const { tables } = written.value;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return ok(`analyze: ${tables.length} tables, ${rows} rows written below ${folder}`);
}
