/**
 * Imports in a thread of their own, so that queries and a cancel are answered while megabytes of YAML are parsed.
 *
 * The worker runs the very file that the program started with: one bundle, no second entry to ship. That file calls
 * `runIfImportWorker` first thing and does nothing else if it returns true.
 */
import { existsSync, rmSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Result } from '#shared/lib/result.ts';
import { err } from '#shared/lib/result.ts';
import type { JobFile, JobPhase, JobProgress, JobSoFar } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import { productParts } from '../analysis/product-parts.ts';
import { DecodePool } from '../decode/decode-pool.ts';
import { runIfDecodeWorker } from '../decode/decode-worker.ts';
import { SharedControl } from '../import/import-control.ts';
import type { ImportListener } from '../import/import-progress.ts';
import { type ImportError, type ImportRequest, journalOf, runImport } from '../import/run-import.ts';
import { type BlockCodec, preferredCodec } from '../store/block-codec.ts';
import { removeDatabase } from '../store/case-writer.ts';
import type { StartImport, WorkBeside } from './import-runner.ts';
import { LastPlace } from './last-place.ts';
import { runIfReanalysisWorker } from './reanalysis-worker.ts';

const ROLE = 'firstfault-import';
/** A worker that does not stop by itself within this time after a cancel is ended: below the half second that is promised. */
const GRACE_MS = 250;
/** Three halves of 8 MB: V8 would let it grow to 48 for large bundles only. */
const YOUNG_MB = 24;
/** Reports to the main thread are gathered this long; the job thins them out further. */
const GATHER_MS = 40;

interface WorkerInput {
  readonly role: typeof ROLE;
  readonly request: ImportRequest;
  /** See SharedControl. */
  readonly control: SharedArrayBuffer;
  /** The running program's own file: path or URL. */
  readonly program: string;
}

interface Gathered {
  phases: JobPhase[];
  progress: Omit<JobProgress, 'secondsLeft'> | undefined;
  files: JobFile[];
  soFar: JobSoFar | undefined;
}

type WorkerMessage =
  | ({ readonly t: 'report' } & Gathered)
  | { readonly t: 'paused'; readonly paused: boolean }
  | { readonly t: 'password-wanted'; readonly wrong: boolean }
  | { readonly t: 'done'; readonly result: Result<Report, ImportError>; readonly beside: WorkBeside };

/** `entry`: URL or path of the running program's own file. `heapMb`: of the thread, for tests. */
export function startImportIn(entry: string | URL, heapMb?: number): StartImport {
  return (request, told) => {
    const control = new SharedControl();
    const input: WorkerInput = { role: ROLE, request, control: control.memory, program: String(entry) };
    const resourceLimits = {
      maxYoungGenerationSizeMb: YOUNG_MB,
      ...(heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb }),
    };
    const worker = new Worker(entry, { workerData: input, resourceLimits });
    const place = new LastPlace(told);
    const listener = place.listener;
    let killer: NodeJS.Timeout | undefined;
    let isLeft = false;
    let beside: WorkBeside = { dumps: 0, unpackedBytes: 0, blocks: 0 };
    const done = new Promise<Result<Report, ImportError>>((resolve) => {
      let result: Result<Report, ImportError> | undefined;
      let failure: string | undefined;
      worker.on('message', (message: WorkerMessage) => {
        if (message.t === 'done') ({ result, beside } = message);
        else if (message.t === 'paused') listener.onPaused?.(message.paused);
        else if (message.t === 'password-wanted') void answerPassword(worker, listener, message.wrong);
        else forward(message, listener);
      });
      worker.on('error', (error) => {
        failure = isOutOfMemory(error)
          ? `the import ran out of memory ${place.words()}`
          : error instanceof Error
            ? (error.stack ?? error.message)
            : String(error);
      });
      worker.on('exit', () => {
        clearTimeout(killer);
        const cancelled = control.aborted || isLeft;
        // What was finished stays, so that it is not read again.
        const canGoOn = request.canGoOn === true && !cancelled && existsSync(journalOf(request.caseFile));
        if (result === undefined && !isLeft && !canGoOn) removeUnfinished(request.caseFile);
        const code = cancelled && failure === undefined ? 'cancelled' : canGoOn ? 'interrupted' : 'internal';
        resolve(result ?? err({ code, detail: failure ?? '' }));
      });
    });
    return {
      done,
      beside: () => beside,
      cancel: () => {
        control.cancel();
        killer ??= setTimeout(() => void worker.terminate(), GRACE_MS);
      },
      pause: (on) => control.pause(on),
      stop: () => control.stop(),
      leave: () => {
        isLeft = true;
        void worker.terminate();
      },
    };
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The answer is a message of its own to the import's thread, and nowhere else. */
async function answerPassword(worker: Worker, listener: ImportListener, wrong: boolean): Promise<void> {
  const password = (await listener.askPassword?.(wrong)) ?? null;
  worker.postMessage({ t: 'password', password });
}

function askForPassword(wrong: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    parentPort?.once('message', (message: unknown) => {
      const isAnswer = typeof message === 'object' && message !== null && 'password' in message;
      resolve(isAnswer && typeof message.password === 'string' ? message.password : null);
    });
    const message: WorkerMessage = { t: 'password-wanted', wrong };
    parentPort?.postMessage(message);
  });
}

function removeUnfinished(caseFile: string): void {
  removeDatabase(`${caseFile}.importing`);
  rmSync(journalOf(caseFile), { force: true });
}

function forward(message: Gathered, listener: ImportListener): void {
  for (const phase of message.phases) listener.onPhase(phase);
  for (const file of message.files) listener.onFile(file);
  if (message.progress !== undefined) listener.onProgress(message.progress);
  if (message.soFar !== undefined) listener.onSoFar?.(message.soFar);
}

/** True if this thread was started to import; the work is then under way and the caller must do nothing else. */
export function runIfImportWorker(): boolean {
  if (runIfReanalysisWorker() || runIfDecodeWorker()) return true;
  const input: unknown = workerData;
  if (isMainThread || !isWorkerInput(input)) return false;
  void importAndReport(input);
  return true;
}

function isWorkerInput(value: unknown): value is WorkerInput {
  return typeof value === 'object' && value !== null && 'role' in value && value.role === ROLE;
}

/** How the case will keep the bytes of dumps; undefined = not at all. */
const blobCodec = ({ codec, contents }: ImportRequest): BlockCodec | undefined =>
  (contents ?? 'everything') === 'everything' ? (codec ?? preferredCodec()) : undefined;

async function importAndReport({ request, control, program }: WorkerInput): Promise<void> {
  const cancel = new SharedControl(control);
  const gathered: Gathered = { phases: [], progress: undefined, files: [], soFar: undefined };
  let sentMs = 0;
  const send = (now: number) => {
    sentMs = now;
    parentPort?.postMessage({ t: 'report', ...gathered });
    gathered.phases = [];
    gathered.files = [];
    gathered.progress = undefined;
    gathered.soFar = undefined;
  };
  const later = () => {
    const now = performance.now();
    if (now - sentMs >= GATHER_MS) send(now);
  };
  const listener: ImportListener = {
    onPhase: (phase) => {
      gathered.phases.push(phase);
      send(performance.now());
    },
    onProgress: (progress) => {
      gathered.progress = progress;
      later();
    },
    onFile: (file) => {
      gathered.files.push(file);
      later();
    },
    onSoFar: (soFar) => {
      gathered.soFar = soFar;
      send(performance.now());
    },
    askPassword: askForPassword,
    onPaused: (paused) => {
      send(performance.now());
      const message: WorkerMessage = { t: 'paused', paused };
      parentPort?.postMessage(message);
    },
  };
  const decoders = new DecodePool({ entry: program, codec: blobCodec(request) });
  let done = { unpackedBytes: 0, blocks: 0 };
  const onBeside = (told: typeof done) => {
    done = told;
  };
  const hooks = { cancel, listener, now: () => performance.now(), decoders, onBeside };
  const result = await runImport(request, hooks, productParts());
  decoders.close();
  send(performance.now());
  const message: WorkerMessage = { t: 'done', result, beside: { dumps: decoders.doneCount, ...done } };
  parentPort?.postMessage(message);
}
