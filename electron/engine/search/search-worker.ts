/**
 * Searches blocks in a thread of its own. Like the import's worker it runs the file that the program started with, which calls
 * `runIfSearchWorker` and does nothing else if that returns true.
 */
import { setFlagsFromString } from 'node:v8';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { BatchScanner, type BatchWish } from './batch-scan.ts';
import { helpUnpack, type UnpackJob } from './block-helper.ts';
import { openCaseIndex } from './case-index.ts';
import type { SearchRequest } from './search-request.ts';
import { runSql, type SqlAnswer, type SqlRequest } from './sql-console.ts';

export const SEARCH_ROLE = 'firstfault-search';

export interface SearchWorkerInput {
  readonly role: typeof SEARCH_ROLE;
  readonly caseFile: string;
}

export type ToWorker =
  | { readonly t: 'open' }
  | { readonly t: 'search'; readonly run: number; readonly request: SearchRequest }
  | {
      readonly t: 'batch';
      readonly run: number;
      readonly id: number;
      readonly blocks: Int32Array;
      readonly wish: BatchWish;
    }
  | { readonly t: 'unpack'; readonly job: UnpackJob }
  | { readonly t: 'sql'; readonly id: number; readonly request: SqlRequest };

export type FromWorker =
  /** A batch is taken up: from here its time counts. */
  | { readonly t: 'began' }
  | { readonly t: 'batch'; readonly id: number; readonly result: ReturnType<BatchScanner['scan']> }
  | { readonly t: 'sql'; readonly id: number; readonly answer: SqlAnswer };

/**
 * V8 goes on with its linear-time engine where an expression backtracks more than this often, unless it looks back or around. What it
 * cannot help with, the watch over the thread ends.
 */
const BACKTRACKS = 50_000;

export function boundRegexes(): void {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  setFlagsFromString(`--regexp-backtracks-before-fallback=${BACKTRACKS}`);
}

/** True if this thread was started to search. */
export function runIfSearchWorker(): boolean {
  const input: unknown = workerData;
  if (isMainThread || !isInput(input) || parentPort === null) return false;
  const port = parentPort;
  boundRegexes();
  let index: ReturnType<typeof openCaseIndex> | undefined;
  let run = -1;
  let scanner: BatchScanner | undefined;
  port.on('message', (message: ToWorker) => {
    if (message.t === 'sql') {
      const answer: FromWorker = { t: 'sql', id: message.id, answer: runSql(input.caseFile, message.request) };
      port.postMessage(answer);
      return;
    }
    index ??= openCaseIndex(input.caseFile);
    if (message.t === 'open') return;
    if (message.t === 'unpack') {
      helpUnpack(message.job, index.store);
      return;
    }
    if (message.t === 'search') {
      run = message.run;
      scanner = new BatchScanner(index, message.request);
      return;
    }
    port.postMessage({ t: 'began' } satisfies FromWorker);
    const empty = new Int32Array(0);
    const result = scanner?.scan(message.run === run ? message.blocks : empty, message.wish);
    if (result !== undefined) port.postMessage({ t: 'batch', id: message.id, result } satisfies FromWorker);
  });
  return true;
}

function isInput(value: unknown): value is SearchWorkerInput {
  return typeof value === 'object' && value !== null && 'role' in value && value.role === SEARCH_ROLE;
}
