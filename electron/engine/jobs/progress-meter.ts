import type { JobPhase, JobProgress } from '#shared/model/job.ts';

/** Share of the bar at which each phase begins; reading is nearly all of the time (chosen from measured imports). */
const PHASE_START: Record<JobPhase, number> = { inventory: 0, reading: 0.01, analysing: 0.92, finishing: 0.97 };
const PHASE_END: Record<JobPhase, number> = { inventory: 0.01, reading: 0.92, analysing: 0.97, finishing: 1 };

/** Before this, a guess of the remaining time jumps about. */
const MIN_MS_FOR_ESTIMATE = 1500;
const MIN_FRACTION_FOR_ESTIMATE = 0.03;

/** Turns what an import reports into a fraction that never runs backwards, and a guess of the seconds left. */
export class ProgressMeter {
  #phase: JobPhase = 'inventory';
  #fraction = 0;
  #progress: JobProgress = { filesDone: 0, filesTotal: null, bytesDone: 0, bytesTotal: null, secondsLeft: null };
  #startedMs: number;
  #pausedMs: number | undefined;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  get phase(): JobPhase {
    return this.#phase;
  }

  get fraction(): number {
    return this.#fraction;
  }

  progress(): JobProgress {
    return { ...this.#progress, secondsLeft: this.#secondsLeft() };
  }

  /** Time that is spent standing still tells nothing about the time that is left. */
  pause(on: boolean): void {
    if (on) this.#pausedMs ??= this.#now();
    else if (this.#pausedMs !== undefined) {
      this.#startedMs += this.#now() - this.#pausedMs;
      this.#pausedMs = undefined;
    }
  }

  setPhase(phase: JobPhase): void {
    this.#phase = phase;
    this.#raise(PHASE_START[phase]);
  }

  update(progress: Omit<JobProgress, 'secondsLeft'>): void {
    this.#progress = { ...progress, secondsLeft: null };
    if (this.#phase !== 'reading' || progress.bytesTotal === null) return;
    const share = progress.bytesTotal === 0 ? 1 : Math.min(1, progress.bytesDone / progress.bytesTotal);
    this.#raise(PHASE_START.reading + share * (PHASE_END.reading - PHASE_START.reading));
  }

  #raise(fraction: number): void {
    this.#fraction = Math.max(this.#fraction, fraction);
  }

  #secondsLeft(): number | null {
    const elapsedMs = (this.#pausedMs ?? this.#now()) - this.#startedMs;
    if (this.#phase === 'inventory' || elapsedMs < MIN_MS_FOR_ESTIMATE || this.#fraction < MIN_FRACTION_FOR_ESTIMATE)
      return null;
    return Math.round((elapsedMs * (1 - this.#fraction)) / this.#fraction / 1000);
  }
}
