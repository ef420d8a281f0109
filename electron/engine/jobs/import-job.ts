import type { CaseId, JobId } from '#shared/model/ids.ts';
import type { JobFailure, JobFile, JobPhase, JobProgress, JobQuestion, JobSoFar, JobState } from '#shared/model/job.ts';
import type { QuestionAnswer } from '#shared/rpc/areas/imports.ts';
import type { ImportListener } from '../import/import-progress.ts';
import { ProgressMeter } from './progress-meter.ts';

/** At most ten states a second. */
const MIN_INTERVAL_MS = 100;
/** Rows of one state; the newest win. The file list of the finished case has all of them. */
const MAX_FILES_PER_STATE = 500;

export interface Timers {
  /** Monotonic ms. */
  readonly now: () => number;
  /** Runs `task` once after `ms`; returns the function that prevents it. */
  readonly after: (ms: number, task: () => void) => () => void;
}

export type JobOutcome =
  | { readonly kind: 'done'; readonly caseId: CaseId }
  | { readonly kind: 'failed'; readonly code: JobFailure; readonly detail: string }
  | { readonly kind: 'cancelled' };

/**
 * The states of one import as others see them: thinned out, in order, the last one always sent.
 *
 *   queued ─▶ running … paused … running ─▶ done | failed | cancelled
 */
export class ImportJob implements ImportListener {
  readonly jobId: JobId;
  readonly title: string;
  readonly #timers: Timers;
  readonly #publish: (state: JobState) => void;
  readonly #meter: ProgressMeter;
  #state: JobState;
  #files = new Map<string, JobFile>();
  #sentMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  #ended = false;
  #soFar: JobSoFar | undefined;
  #question: JobQuestion | undefined;
  #answer: ((answer: QuestionAnswer | undefined) => void) | undefined;
  #paused = false;

  constructor(jobId: JobId, title: string, timers: Timers, publish: (state: JobState) => void) {
    this.jobId = jobId;
    this.title = title;
    this.#timers = timers;
    this.#publish = publish;
    this.#meter = new ProgressMeter(timers.now);
    this.#state = { kind: 'queued', jobId, title };
  }

  get state(): JobState {
    return this.#state;
  }

  get ended(): boolean {
    return this.#ended;
  }

  onPhase(phase: JobPhase): void {
    this.#meter.setPhase(phase);
    this.#changed();
  }

  onProgress(progress: Omit<JobProgress, 'secondsLeft'>): void {
    this.#meter.update(progress);
    this.#changed();
  }

  onFile(file: JobFile): void {
    // Deleted first, so that the newest status of a file is also the last in order.
    this.#files.delete(file.path);
    this.#files.set(file.path, file);
    if (this.#files.size > MAX_FILES_PER_STATE) {
      const oldest = this.#files.keys().next();
      if (oldest.done !== true) this.#files.delete(oldest.value);
    }
    this.#changed();
  }

  onSoFar(soFar: JobSoFar): void {
    this.#soFar = soFar;
    this.#changed();
  }

  onPaused(paused: boolean): void {
    if (this.#ended || this.#paused === paused) return;
    this.#paused = paused;
    this.#meter.pause(paused);
    this.#sendNow();
  }

  askPassword(wrong: boolean): Promise<string | null> {
    return this.ask({ kind: 'password', wrong }).then((answer) =>
      answer?.kind === 'password' ? answer.password : null,
    );
  }

  /** Told at once: somebody has to answer. Undefined: nobody will, since the job is to end. */
  ask(question: JobQuestion): Promise<QuestionAnswer | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    this.#question = question;
    this.#sendNow();
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** False if nothing of this kind is asked. */
  answer(answer: QuestionAnswer | undefined): boolean {
    const settle = this.#answer;
    if (settle === undefined || (answer !== undefined && answer.kind !== this.#question?.kind)) return false;
    this.#answer = undefined;
    this.#question = undefined;
    settle(answer);
    if (!this.#ended) this.#sendNow();
    return true;
  }

  end(outcome: JobOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer?.();
    const common = { jobId: this.jobId, title: this.title };
    if (outcome.kind === 'done') {
      this.#send({
        ...common,
        kind: 'done',
        caseId: outcome.caseId,
        files: this.#takeFiles(),
        progress: { ...this.#meter.progress(), secondsLeft: 0 },
      });
    } else {
      this.#send({ ...common, ...outcome });
    }
  }

  #sendNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sendRun();
  }

  #changed(): void {
    if (this.#ended || this.#cancelTimer !== undefined) return;
    const wait = this.#sentMs + MIN_INTERVAL_MS - this.#timers.now();
    if (wait <= 0) {
      this.#sendRun();
      return;
    }
    this.#cancelTimer = this.#timers.after(wait, () => {
      this.#cancelTimer = undefined;
      if (!this.#ended) this.#sendRun();
    });
  }

  #sendRun(): void {
    this.#send({
      jobId: this.jobId,
      title: this.title,
      kind: this.#paused ? 'paused' : 'running',
      phase: this.#meter.phase,
      fraction: this.#meter.fraction,
      progress: this.#meter.progress(),
      files: this.#takeFiles(),
      ...(this.#soFar === undefined ? {} : { soFar: this.#soFar }),
      ...(this.#question === undefined ? {} : { question: this.#question }),
    });
  }

  #takeFiles(): JobFile[] {
    const files = [...this.#files.values()];
    this.#files = new Map();
    return files;
  }

  #send(state: JobState): void {
    this.#state = state;
    this.#sentMs = this.#timers.now();
    this.#publish(state);
  }
}
