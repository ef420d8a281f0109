/** Starts imports, follows them, and puts their result where it belongs: the library, a file of the user's, or nowhere. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Result } from '#shared/lib/result.ts';
import type { CaseSummary } from '#shared/model/case.ts';
import { type CaseId, type JobId, jobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import type { QuestionAnswer, UnfinishedImport } from '#shared/rpc/areas/imports.ts';
import { newCaseId, placeInFolder, placeOfFile, scratchName, sweepScratch } from '../case-files.ts';
import type { CaseLibrary } from '../case-library.ts';
import { caseSummary } from '../case-summary.ts';
import { type CustodyWriter, importDeed, keepCustody } from '../custody.ts';
import type { EngineOptions } from '../engine.ts';
import type { ImportError, ImportRequest } from '../import/run-import.ts';
import type { OpenCases } from '../open-cases.ts';
import { TOOL_NAME } from '../tool-name.ts';
import { claimUnfinished, forgetUnfinished, listUnfinished, removeNote, writeNote } from '../unfinished-imports.ts';
import { ImportJob, type JobOutcome, type Timers } from './import-job.ts';
import type { RunningImport, StartImport } from './import-runner.ts';
import { findKnownCase } from './known-case.ts';

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

/** What the caller of an import wants beside its result. */
export interface StartOptions {
  /** Somebody is there to be asked: whether to import a known bundle again, and for a password. */
  readonly ask?: boolean;
}

interface Running {
  readonly job: ImportJob;
  /** Undefined while it is not yet clear whether it is to run at all. */
  import: RunningImport | undefined;
  /** Asked to end before it ran. */
  readonly early: { aborted: boolean };
  settled: Promise<void>;
}

/** How often the note of an import that can be taken up again is renewed. */
const NOTE_EVERY_MS = 2000;

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
  readonly #left = new Set<JobId>();
  #count = 0;

  constructor(options: ImportJobsOptions) {
    this.#with = options;
  }

  /** Returns at once; everything else is told by `job.changed`. */
  start(paths: readonly string[], destination: Destination, { ask = false }: StartOptions = {}): JobId {
    const folder = this.#makeFolder(destination);
    const caseFile = destination.kind === 'file' ? resolve(destination.file) : placeInFolder(folder ?? '').caseDb;
    const title = paths
      .map((path) => basename(resolve(path)))
      .join(' + ')
      .slice(0, 200);
    const target = { destination, folder, caseFile, paths: paths.map((path) => resolve(path)), ask, isTakenUp: false };
    return this.#launch(jobId(randomUUID()), title, target);
  }

  /** Goes on with an import that was interrupted, under its old id; undefined if there is none. */
  takeUp(id: JobId): JobId | undefined {
    if (this.#running.has(id)) return id;
    const claimed = claimUnfinished(this.#with.library, id);
    if (claimed === undefined) return undefined;
    const { folder, note } = claimed;
    const destination: Destination = { kind: 'library', example: note.example };
    const caseFile = placeInFolder(folder).caseDb;
    return this.#launch(id, note.title, {
      destination,
      folder,
      caseFile,
      paths: note.paths,
      ask: true,
      isTakenUp: true,
    });
  }

  #launch(id: JobId, title: string, target: Target): JobId {
    const note = target.destination.kind === 'library' ? this.#noter(title, target) : undefined;
    const job: ImportJob = new ImportJob(id, title, TIMERS, (state) => {
      this.#remember(state);
      note?.(state);
      this.#with.publishJob(state);
    });
    this.#remember(job.state);
    note?.(job.state);
    const running: Running = { job, import: undefined, early: { aborted: false }, settled: Promise.resolve() };
    this.#running.set(id, running);
    running.settled = this.#run(running, target);
    return id;
  }

  async #run(running: Running, target: Target): Promise<void> {
    const { job, early } = running;
    if (target.ask && !target.isTakenUp) {
      const known = await findKnownCase(this.#with.library, target.paths, early);
      const { caseId = undefined, name = '', importedAt = '' } = known?.summary ?? {};
      const files = known?.folderFiles;
      const answer =
        caseId === undefined || early.aborted
          ? undefined
          : await job.ask({ kind: 'known-case', caseId, name, importedAt, ...(files === undefined ? {} : { files }) });
      if (early.aborted) return this.#endWith(job, { kind: 'cancelled' }, target);
      if (caseId !== undefined && answer?.kind === 'known-case' && answer.open)
        return this.#endWith(job, { kind: 'done', caseId }, target);
    }
    running.import = this.#with.start(this.#requestOf(target), job);
    const result = await running.import.done;
    const { dumps, unpackedBytes, blocks } = running.import.beside?.() ?? { dumps: 0, unpackedBytes: 0, blocks: 0 };
    const { trace } = this.#with.options;
    if (dumps > 0) trace?.(`import: ${dumps} recorder dumps decoded in threads`);
    if (unpackedBytes > 0 || blocks > 0)
      trace?.(`import: ${unpackedBytes} bytes unpacked and ${blocks} blocks packed in threads`);
    if (!this.#left.has(job.jobId)) this.#end(job, result, target);
  }

  #requestOf({ paths, caseFile, destination, ask }: Target): ImportRequest {
    const { version, limits, codec, password, temporaryContents, withoutSoFar = false } = this.#with.options;
    return {
      paths,
      caseFile,
      tool: { name: TOOL_NAME, version },
      ...(limits === undefined ? {} : { limits }),
      ...(codec === undefined ? {} : { codec }),
      ...(destination.kind === 'temporary' && temporaryContents !== undefined ? { contents: temporaryContents } : {}),
      ...(password === undefined ? {} : { password }),
      ...(withoutSoFar ? { withoutSoFar } : {}),
      ...(destination.kind === 'library' ? { canGoOn: true } : {}),
      ...(ask ? { mayAsk: true } : {}),
    };
  }

  /** Keeps the note in the scratch folder up to date, so that the import can be taken up after a crash at any time. */
  #noter(title: string, { folder, paths, destination }: Target): (state: JobState) => void {
    let writtenMs = Number.NEGATIVE_INFINITY;
    let wasPaused = false;
    return (state) => {
      const isRun = state.kind === 'queued' || state.kind === 'running' || state.kind === 'paused';
      if (folder === undefined || !isRun) return;
      const paused = state.kind === 'paused';
      if (paused === wasPaused && TIMERS.now() - writtenMs < NOTE_EVERY_MS) return;
      [writtenMs, wasPaused] = [TIMERS.now(), paused];
      const { filesDone, filesTotal } = state.kind === 'queued' ? { filesDone: 0, filesTotal: null } : state.progress;
      const example = destination.kind === 'library' && destination.example;
      const lastAt = new Date().toISOString();
      try {
        const note = { jobId: state.jobId, title, paths: [...paths], example, lastAt, filesDone, filesTotal, paused };
        writeNote(folder, note);
      } catch (error) {
        // A full disk ends the import itself; without a note it only cannot be taken up.
        this.#with.log(`import note: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
  }

  state(id: JobId): JobState | undefined {
    return this.#states.get(id);
  }

  unfinished(): readonly UnfinishedImport[] {
    return listUnfinished(this.#with.library);
  }

  /** False if there is no unfinished import of this id. */
  forget(id: JobId): boolean {
    return !this.#running.has(id) && forgetUnfinished(this.#with.library, id);
  }

  /** Answers at once; the job becomes `cancelled` when everything it wrote is gone. False if there is no such job. */
  cancel(id: JobId): boolean {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.early.aborted = true;
      running.import?.cancel();
      running.job.answer(undefined);
    }
    return this.#states.has(id);
  }

  /** The job becomes `paused`, or `running` again, when it does. False if no such job runs. */
  pause(id: JobId, on: boolean): boolean {
    const running = this.#running.get(id);
    running?.import?.pause(on);
    return running !== undefined;
  }

  /** Reads no further: what was read becomes a case. False if no such job runs. */
  stop(id: JobId): boolean {
    const running = this.#running.get(id);
    running?.import?.stop();
    running?.job.answer(undefined);
    return running !== undefined;
  }

  /** False if no such job runs, or nothing of the kind is asked. */
  answer(id: JobId, answer: QuestionAnswer): boolean {
    return this.#running.get(id)?.job.answer(answer) ?? false;
  }

  /** Resolves when the job has ended and its last state was sent. */
  async whenEnded(id: JobId): Promise<void> {
    await this.#running.get(id)?.settled;
  }

  /** Imports that stand still are left to be taken up again; those that run are cancelled. */
  async close(): Promise<void> {
    for (const [id, running] of this.#running) {
      if (running.job.state.kind === 'paused' && running.import !== undefined) {
        this.#left.add(id);
        running.import.leave();
      } else this.cancel(id);
    }
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
    let outcome: JobOutcome;
    try {
      outcome = result.ok ? { kind: 'done', caseId: this.#keep(result.value, target) } : failed(result.error);
    } catch (error) {
      outcome = failed({
        code: 'internal',
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    this.#endWith(job, outcome, target);
  }

  /** Tells how it ended. What was written for a case that did not come about is removed. */
  #endWith(job: ImportJob, outcome: JobOutcome, { folder, destination }: Target): void {
    this.#running.delete(job.jobId);
    const isKept = outcome.kind === 'done' && (destination.kind !== 'library' || !existsSync(folder ?? ''));
    const isLeft = outcome.kind === 'failed' && outcome.code === 'interrupted';
    if (isLeft && folder !== undefined) this.#with.library.leaveScratch(folder);
    else if (!isKept && folder !== undefined) {
      rmSync(folder, { recursive: true, force: true });
      this.#temporary.delete(folder);
    }
    if (outcome.kind === 'failed' && (isLeft || outcome.code === 'internal'))
      this.#with.log(`import: ${outcome.detail}`);
    job.end(outcome);
    if ((outcome.kind === 'done' && destination.kind === 'library') || isLeft) this.#with.casesChanged();
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
    if (destination.kind === 'library' && folder !== undefined) removeNote(folder);
    if (destination.kind === 'library' && folder !== undefined) {
      const { caseId } = library.keep(folder, report.bundle.sha256, summary);
      const kept = library.folderOf(caseId);
      // After the notes of an earlier case of this bundle were taken over: its log goes on.
      if (kept !== undefined)
        keepCustody(placeInFolder(kept).notesDb, importDeed(report, target.paths, target.isTakenUp), this.#custody);
      return caseId;
    }
    const caseId = newCaseId(summary.name, report.bundle.sha256, (id) => cases.has(id as CaseId));
    const place = folder === undefined ? placeOfFile(caseFile) : placeInFolder(folder);
    cases.addElsewhere({ caseId, ...summary }, place);
    return caseId;
  }

  get #custody(): CustodyWriter {
    return { version: this.#with.options.version, log: this.#with.log };
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
  readonly ask: boolean;
  /** It goes on with what an earlier run wrote. */
  readonly isTakenUp: boolean;
}

function failed({ code, detail }: ImportError): JobOutcome {
  return code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', code, detail };
}
