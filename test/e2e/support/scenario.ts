/** Starts the app with the fake engine in place of the real one, for one scenario. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseSummary } from '#shared/model/case.ts';
import type { EntryStatus } from '#shared/model/entry.ts';
import { caseId, entryId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import type { EntryRow, RecordView } from '#shared/rpc/contract.ts';
import { makeAppFolder } from './app-folder.ts';
import { type LaunchOptions, launch, type RunningApp } from './launch.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface Scenario {
  readonly cases: readonly CaseSummary[];
  readonly reports: Readonly<Record<string, Report>>;
  readonly entries: readonly EntryRow[];
  readonly texts?: Readonly<Record<number, string>>;
  readonly hex?: Readonly<Record<number, string>>;
  readonly generatedLines?: Readonly<Record<number, number>>;
  readonly records?: Readonly<Record<number, Omit<RecordView, 'record'>>>;
  readonly notStored?: readonly number[];
  readonly jobs?: readonly DistributiveOmit<JobState, 'jobId'>[];
  readonly stepMs?: number;
  readonly delayMs?: Readonly<Record<string, number>>;
  readonly errors?: Readonly<Record<string, string>>;
}

export async function launchScenario(scenario: Scenario, options: LaunchOptions = {}): Promise<RunningApp> {
  const appFolder = makeAppFolder({ engine: join(import.meta.dirname, 'fake-engine.cjs') });
  const file = join(appFolder, 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  process.env['FIRSTFAULT_FAKE_SCENARIO'] = file;
  return launch({ ...options, appFolder });
}

export function summaryOf(id: string, name: string, report: Report, more: Partial<CaseSummary> = {}): CaseSummary {
  return {
    caseId: caseId(id),
    name,
    incidentStart: report.incident.start,
    importedAt: '2026-02-19T16:40:00Z',
    ranks: report.incident.worldSize,
    bytes: report.bundle.bytes,
    files: report.bundle.files.total,
    outcome: report.verdict.outcome,
    status: report.verdict.status,
    firstRanks: report.verdict.firstRanks,
    summary: report.verdict.summary,
    gaps: report.gaps.filter((gap) => gap.state !== 'present').length,
    partial: false,
    example: false,
    toolVersion: '0.1.0',
    ...more,
  };
}

export function entryOf(
  id: number,
  path: string,
  kind: string,
  bytes: number,
  status: EntryStatus,
  detail: string,
  more: Partial<EntryRow> = {},
): EntryRow {
  const text = kind !== 'recorder dump' && kind !== 'core dump' && kind !== 'picture';
  return {
    id: entryId(id),
    path,
    kind,
    format: kind === 'recorder dump' ? 'flight-recorder-pickle' : kind === 'Pod log' ? 'pod-log' : null,
    why: 'by its first bytes',
    bytes,
    sha256: status === 'refused' && bytes === 0 ? null : `${id.toString(16).padStart(4, 'a')}${'0c'.repeat(28)}f0f1`,
    status,
    detail,
    lines: text && bytes > 0 ? Math.max(1, Math.round(bytes / 180)) : null,
    first: text && bytes > 4096 ? '2026-02-18T09:57:50.102Z' : null,
    last: text && bytes > 4096 ? '2026-02-18T10:40:10.481Z' : null,
    duplicateOf: null,
    ...more,
  };
}
