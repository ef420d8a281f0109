/** Runs a new analysis of a finished case in a thread of its own. The worker runs the very file that the program started with. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Result } from '#shared/lib/result.ts';
import { err } from '#shared/lib/result.ts';
import type { Report } from '#shared/report/schema.ts';
import type { AnalysisStep } from '#shared/rpc/areas/clocks.ts';
import { type OnStep, type ReanalysisError, type ReanalysisRequest, reanalyse } from '../analysis/reanalyse.ts';

const ROLE = 'firstfault-reanalysis';

interface WorkerInput {
  readonly role: typeof ROLE;
  readonly request: ReanalysisRequest;
}

type WorkerMessage =
  | { readonly kind: 'step'; readonly step: AnalysisStep; readonly fraction: number }
  | { readonly kind: 'answer'; readonly answer: Result<Report, ReanalysisError> };

export type Reanalysed = Result<
  Report,
  ReanalysisError | { readonly code: 'analysis-stopped'; readonly detail: string }
>;

export interface ReanalysisWatch {
  readonly onStep?: OnStep;
  /** Ends the thread, but not while it writes: then the result stands. */
  readonly signal?: AbortSignal;
}

/** Never rejects. Without `entry` it runs here, everything else waits, and it cannot be stopped. */
export function startReanalysis(
  entry: string | URL | undefined,
  request: ReanalysisRequest,
  { onStep = () => undefined, signal }: ReanalysisWatch = {},
): Promise<Reanalysed> {
  const stopped = err({ code: 'analysis-stopped', detail: 'by the user' } as const);
  if (signal?.aborted === true) return Promise.resolve(stopped);
  if (entry === undefined) return Promise.resolve(reanalyse(request, onStep));
  const input: WorkerInput = { role: ROLE, request };
  const worker = new Worker(entry, { workerData: input });
  return new Promise((resolve) => {
    let answer: Reanalysed | undefined;
    let failure = 'the thread ended without an answer';
    let isWriting = false;
    const stop = (): void => {
      // A transaction that is cut off is rolled back, but what is nearly done is better finished.
      if (!isWriting) void worker.terminate();
    };
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'answer') answer = message.answer;
      else {
        isWriting = message.step === 'writing';
        onStep(message.step, message.fraction);
      }
    });
    worker.on('error', (error) => {
      failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    worker.on('exit', () => {
      signal?.removeEventListener('abort', stop);
      resolve(answer ?? (signal?.aborted === true ? stopped : err({ code: 'internal', detail: failure })));
    });
  });
}

/** True if this thread was started to analyse; the work is then done and the caller must do nothing else. */
export function runIfReanalysisWorker(): boolean {
  const input: unknown = workerData;
  if (isMainThread || !isWorkerInput(input)) return false;
  const say = (message: WorkerMessage): void => parentPort?.postMessage(message);
  say({ kind: 'answer', answer: reanalyse(input.request, (step, fraction) => say({ kind: 'step', step, fraction })) });
  return true;
}

const isWorkerInput = (value: unknown): value is WorkerInput =>
  typeof value === 'object' && value !== null && 'role' in value && value.role === ROLE;
