/** A package of another machine → a case of the library, with its notes. The package itself is left as it is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseSummary } from '#shared/model/case.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { parseStoredReport } from '#shared/report/stored-report.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { CaseReader } from '../store/case-reader.ts';
import { isDiskFull } from '../store/sqlite.ts';
import { isPackage, readPackage } from './case-package.ts';

/** What is used of the engine: its library, and how it tells the windows. */
export interface PackageHome {
  readonly library: {
    makeScratch(): string;
    keep(scratch: string, sha256: string, summary: Omit<CaseSummary, 'caseId'>): CaseSummary;
  };
  summaryOf(report: Report, importedAt: string): Omit<CaseSummary, 'caseId'>;
}

/** False also for files that cannot be read: who opens them next tells why. */
export function isPackageFile(file: string): boolean {
  try {
    return isPackage(file);
  } catch {
    return false;
  }
}

export async function adoptPackage(
  file: string,
  home: PackageHome,
): Promise<Result<{ readonly caseId: CaseId }, RpcError>> {
  const scratch = home.library.makeScratch();
  try {
    const manifest = await readPackage(file, scratch);
    if (!manifest.ok) return manifest;
    const reader = CaseReader.open(join(scratch, 'case.db'));
    if (!reader.ok) return reader;
    const report = parseStoredReport(reader.value.reportJson());
    reader.value.close();
    if (!report.ok) return report;
    const summary = { ...home.summaryOf(report.value, new Date().toISOString()), name: manifest.value.name };
    return ok({ caseId: home.library.keep(scratch, report.value.bundle.sha256, summary).caseId });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return err({ code: isDiskFull(error) ? 'disk-full' : 'case-damaged', detail });
  } finally {
    // After `keep` the folder has another name, and there is nothing to remove.
    rmSync(scratch, { recursive: true, force: true });
  }
}
