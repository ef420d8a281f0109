/** Starts imports, follows them, and puts their result where it belongs: the library, a file of the user's, or nowhere. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Result } from '#shared/lib/result.ts';
import type { CaseSummary } from '#shared/model/case.ts';
import { type CaseId, type JobId, jobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import { newCaseId, placeInFolder, placeOfFile, scratchName, sweepScratch } from '../case-files.ts';
import type { CaseLibrary } from '../case-library.ts';
import { caseSummary } from '../case-summary.ts';
import type { EngineOptions } from '../engine.ts';
import type { ImportError, ImportRequest } from '../import/run-import.ts';
import type { OpenCases } from '../open-cases.ts';
import { TOOL_NAME } from '../tool-name.ts';
import { ImportJob, type JobOutcome, type Timers } from './import-job.ts';
import type { RunningImport, StartImport } from './import-runner.ts';

/** Ended jobs whose last state can still be asked for. */
const MAX_REMEMBERED = 100;
const TEMPORARY = 'firstfault-';

export interface ImportJobsOptions {
  readonly options: EngineOptions;
  readonly library: CaseLibrary;
  readonly cases: OpenCases;
  readonly temporaryFolder: string;
  readonly start: StartImport;
  readonly publishJob: (state: JobState) => void;
  readonly casesChanged: () => void;
  readonly log: (line: string) => void;
}

/** Where the case goes: into the library, to a file of the user's, or away when the engine closes. */
export type Destination =
  | { readonly kind: 'library'; readonly example: boolean }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'temporary' };

interface Running {
  readonly job: ImportJob;
  import: RunningImport;
  readonly settled: Promise<void>;
}

const TIMERS: Timers = {
  now: () => performance.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

export class ImportJobs {
  readonly #with: ImportJobsOptions;
  readonly #running = new Map<JobId, Running>();
  readonly #states = new Map<JobId, JobState>();
  readonly #temporary = new Set<string>();
  #count = 0;

  constructor(options: ImportJobsOptions) {
    this.#with = options;
  }

  /** Returns at once; everything else is told by `job.changed`. */
  start(paths: readonly string[], destination: Destination): JobId {
    const id = jobId(randomUUID());
    const title = paths
      .map((path) => basename(resolve(path)))
      .join(' + ')
      .slice(0, 200);
    const job = new ImportJob(id, title, TIMERS, (state) => {
      this.#remember(state);
      this.#with.publishJob(state);
    });
    this.#remember(job.state);
    const folder = this.#makeFolder(destination);
    const caseFile = destination.kind === 'file' ? resolve(destination.file) : placeInFolder(folder ?? '').caseDb;
    const { version, limits, codec, password, temporaryContents } = this.#with.options;
    const request: ImportRequest = {
      paths: paths.map((path) => resolve(path)),
      caseFile,
      tool: { name: TOOL_NAME, version },
      ...(limits === undefined ? {} : { limits }),
      ...(codec === undefined ? {} : { codec }),
      ...(destination.kind === 'temporary' && temporaryContents !== undefined ? { contents: temporaryContents } : {}),
      ...(password === undefined ? {} : { password }),
    };
    const running = this.#with.start(request, job);
    const settled = running.done.then((result) =>
      this.#end(job, result, { destination, folder, caseFile, paths: request.paths }),
    );
    this.#running.set(id, { job, import: running, settled });
    return id;
  }

  state(id: JobId): JobState | undefined {
    return this.#states.get(id);
  }

  /** Answers at once; the job becomes `cancelled` when everything it wrote is gone. False if there is no such job. */
  cancel(id: JobId): boolean {
    this.#running.get(id)?.import.cancel();
    return this.#states.has(id);
  }

  /** Resolves when the job has ended and its last state was sent. */
  async whenEnded(id: JobId): Promise<void> {
    await this.#running.get(id)?.settled;
  }

  async close(): Promise<void> {
    for (const running of this.#running.values()) running.import.cancel();
    await Promise.all([...this.#running.values()].map((running) => running.settled));
    for (const folder of this.#temporary) rmSync(folder, { recursive: true, force: true });
    this.#temporary.clear();
  }

  #makeFolder(destination: Destination): string | undefined {
    switch (destination.kind) {
      case 'library':
        return this.#with.library.makeScratch();
      case 'file':
        return undefined;
      case 'temporary': {
        sweepScratch(this.#with.temporaryFolder, TEMPORARY);
        this.#count += 1;
        const folder = join(this.#with.temporaryFolder, scratchName(`${TEMPORARY}`, Date.now() * 100 + this.#count));
        mkdirSync(folder, { mode: 0o700 });
        this.#temporary.add(folder);
        return folder;
      }
    }
  }

  #end(job: ImportJob, result: Result<Report, ImportError>, target: Target): void {
    this.#running.delete(job.jobId);
    let outcome: JobOutcome;
    try {
      outcome = result.ok ? { kind: 'done', caseId: this.#keep(result.value, target) } : failed(result.error);
    } catch (error) {
      outcome = failed({
        code: 'internal',
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    if (outcome.kind !== 'done' && target.folder !== undefined) {
      rmSync(target.folder, { recursive: true, force: true });
      this.#temporary.delete(target.folder);
    }
    if (outcome.kind === 'failed' && outcome.code === 'internal') this.#with.log(`import: ${outcome.detail}`);
    job.end(outcome);
    if (outcome.kind === 'done' && target.destination.kind === 'library') this.#with.casesChanged();
  }

  #keep(report: Report, target: Target): CaseId {
    const { destination, folder, caseFile } = target;
    const { library, cases, options } = this.#with;
    const example = destination.kind === 'library' && destination.example;
    const summary: Omit<CaseSummary, 'caseId'> = caseSummary(report, {
      importedAt: new Date().toISOString(),
      example,
      toolVersion: options.version,
      paths: target.paths,
    });
    if (destination.kind === 'library' && folder !== undefined)
      return library.keep(folder, report.bundle.sha256, summary).caseId;
    const caseId = newCaseId(summary.name, report.bundle.sha256, (id) => cases.has(id as CaseId));
    const place = folder === undefined ? placeOfFile(caseFile) : placeInFolder(folder);
    cases.addElsewhere({ caseId, ...summary }, place);
    return caseId;
  }

  #remember(state: JobState): void {
    this.#states.delete(state.jobId);
    this.#states.set(state.jobId, state);
    for (const id of this.#states.keys()) {
      if (this.#states.size <= MAX_REMEMBERED) break;
      if (!this.#running.has(id)) this.#states.delete(id);
    }
  }
}

interface Target {
  readonly destination: Destination;
  readonly folder: string | undefined;
  readonly caseFile: string;
  /** Absolute. */
  readonly paths: readonly string[];
}

function failed({ code, detail }: ImportError): JobOutcome {
  return code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', code, detail };
}
