/** Threads that scan batches of blocks. One that does not answer in time is ended: its batch is told as given up, never waited for. */
import { Worker } from 'node:worker_threads';
import { type BatchResult, BatchScanner, type BatchWish } from './batch-scan.ts';
import type { UnpackJob } from './block-helper.ts';
import type { CaseIndex } from './case-index.ts';
import type { SearchRequest } from './search-request.ts';
import { boundRegexes, type FromWorker, SEARCH_ROLE, type SearchWorkerInput, type ToWorker } from './search-worker.ts';
import { refusalOf, runSql, type SqlAnswer, type SqlRequest } from './sql-console.ts';

/** `stuck`: the thread was ended in the middle of the batch. */
export type ScanOutcome = BatchResult | 'stuck' | 'failed';

export interface Scanner {
  /** Gets ready before it is needed. */
  warm(): void;
  start(run: number, request: SearchRequest): void;
  scan(blocks: Int32Array, wish: BatchWish): Promise<ScanOutcome>;
  /** Unpacks blocks beside this thread if it runs and has nothing to do; false if not. */
  help(job: UnpackJob): boolean;
  close(): void;
}

/**
 * A batch is about 1.5 MB: 30 ms on a usual machine, and its time counts from when the thread takes it up. With an expression in the
 * query only one that backtracks without end takes this long; without one nothing can, and it is the machine that is slow.
 */
const STUCK_MS = 6_000;
const LOST_MS = 120_000;
const SQL_MS = 10_000;

class ThreadScanner implements Scanner {
  readonly #entry: string | URL;
  readonly #caseFile: string;
  #worker: Worker | undefined;
  #run = 0;
  #request: SearchRequest | undefined;
  #nextId = 1;
  readonly #waiting = new Map<number, (outcome: ScanOutcome) => void>();
  #watch: NodeJS.Timeout | undefined;
  /** The query holds an expression. */
  #endless = false;

  constructor(entry: string | URL, caseFile: string) {
    this.#entry = entry;
    this.#caseFile = caseFile;
  }

  warm(): void {
    this.#post({ t: 'open' });
  }

  start(run: number, request: SearchRequest): void {
    this.#run = run;
    this.#request = request;
    this.#endless = request.regex || /\/.+\//.test(request.query);
    this.#post({ t: 'search', run, request });
  }

  scan(blocks: Int32Array, wish: BatchWish): Promise<ScanOutcome> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ t: 'batch', run: this.#run, id, blocks, wish });
    });
  }

  help(job: UnpackJob): boolean {
    if (this.#worker === undefined || this.#waiting.size > 0) return false;
    this.#post({ t: 'unpack', job });
    return true;
  }

  close(): void {
    this.#end('failed');
  }

  #post(message: ToWorker): void {
    if (this.#worker === undefined) {
      const worker = startWorker(this.#entry, this.#caseFile);
      worker.on('message', (answer: FromWorker) => {
        clearTimeout(this.#watch);
        if (answer.t === 'began')
          this.#watch = setTimeout(() => this.#end('stuck'), this.#endless ? STUCK_MS : LOST_MS);
        if (answer.t !== 'batch') return;
        const settle = this.#waiting.get(answer.id);
        this.#waiting.delete(answer.id);
        settle?.(answer.result);
      });
      worker.on('error', () => this.#worker === worker && this.#end('failed'));
      this.#worker = worker;
      if (message.t === 'batch' && this.#request !== undefined)
        worker.postMessage({ t: 'search', run: this.#run, request: this.#request } satisfies ToWorker);
    }
    this.#worker.postMessage(message);
  }

  #end(outcome: 'stuck' | 'failed'): void {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#watch);
    void worker?.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle(outcome);
  }
}

function startWorker(entry: string | URL, caseFile: string): Worker {
  const input: SearchWorkerInput = { role: SEARCH_ROLE, caseFile };
  const worker = new Worker(entry, { workerData: input, resourceLimits: { maxYoungGenerationSizeMb: 24 } });
  worker.unref();
  return worker;
}

/** In this thread, a batch at a time: for small cases, for tests, and where no worker can be started. */
class HereScanner implements Scanner {
  readonly #index: CaseIndex;
  #scanner: BatchScanner | undefined;

  constructor(index: CaseIndex) {
    this.#index = index;
    boundRegexes();
  }

  warm(): void {}

  start(_run: number, request: SearchRequest): void {
    this.#scanner = new BatchScanner(this.#index, request);
  }

  async scan(blocks: Int32Array, wish: BatchWish): Promise<ScanOutcome> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#scanner?.scan(blocks, wish) ?? 'failed';
  }

  help(): boolean {
    return false;
  }

  close(): void {
    this.#scanner = undefined;
  }
}

export const openScannerHere = (index: CaseIndex): Scanner => new HereScanner(index);

/** `entry`: the running program's own file. */
export const openScanners = (entry: string | URL, caseFile: string, threads: number): readonly Scanner[] =>
  Array.from({ length: threads }, () => new ThreadScanner(entry, caseFile));

/** One statement in a thread of its own, ended after ten seconds. Never rejects. */
export function askSql(entry: string | URL | undefined, caseFile: string, request: SqlRequest): Promise<SqlAnswer> {
  const refused = refusalOf(request.sql);
  if (refused !== undefined) return Promise.resolve({ ok: false, error: refused });
  if (entry === undefined) return Promise.resolve(runSql(caseFile, request));
  return new Promise((resolve) => {
    const worker = startWorker(entry, caseFile);
    const finish = (answer: SqlAnswer) => {
      clearTimeout(watch);
      void worker.terminate();
      resolve(answer);
    };
    const watch = setTimeout(
      () => finish({ ok: false, error: `Stopped after ${SQL_MS / 1000} s without an answer.` }),
      SQL_MS,
    );
    worker.on('message', (message: FromWorker) => message.t === 'sql' && finish(message.answer));
    worker.on('error', (error) => finish({ ok: false, error: error instanceof Error ? error.message : String(error) }));
    worker.postMessage({ t: 'sql', id: 1, request } satisfies ToWorker);
  });
}
