/** Runs a new analysis of a finished case in a thread of its own. The worker runs the very file that the program started with. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Result } from '#shared/lib/result.ts';
import { err } from '#shared/lib/result.ts';
import type { Report } from '#shared/report/schema.ts';
import { type ReanalysisError, type ReanalysisRequest, reanalyse } from '../analysis/reanalyse.ts';

const ROLE = 'firstfault-reanalysis';

interface WorkerInput {
  readonly role: typeof ROLE;
  readonly request: ReanalysisRequest;
}

export type Reanalysed = Result<Report, ReanalysisError>;

/** Never rejects. Without `entry` it runs here, and everything else waits. */
export function startReanalysis(entry: string | URL | undefined, request: ReanalysisRequest): Promise<Reanalysed> {
  if (entry === undefined) return Promise.resolve(reanalyse(request));
  const input: WorkerInput = { role: ROLE, request };
  const worker = new Worker(entry, { workerData: input });
  return new Promise((resolve) => {
    let answer: Reanalysed | undefined;
    let failure = 'the thread ended without an answer';
    worker.on('message', (message: Reanalysed) => {
      answer = message;
    });
    worker.on('error', (error) => {
      failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    worker.on('exit', () => resolve(answer ?? err({ code: 'internal', detail: failure })));
  });
}

/** True if this thread was started to analyse; the work is then done and the caller must do nothing else. */
export function runIfReanalysisWorker(): boolean {
  const input: unknown = workerData;
  if (isMainThread || !isWorkerInput(input)) return false;
  parentPort?.postMessage(reanalyse(input.request));
  return true;
}

const isWorkerInput = (value: unknown): value is WorkerInput =>
  typeof value === 'object' && value !== null && 'role' in value && value.role === ROLE;
