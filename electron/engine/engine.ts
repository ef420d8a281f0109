/**
 * The engine: imports, cases and queries behind one handler table. The engine process, the terminal and tests make one each; it knows
 * neither Electron nor a command line.
 *
 *   Port ─▶ serve ─▶ handlers ─▶ jobs, library, open cases
 */
import { tmpdir } from 'node:os';
import type { JobState } from '#shared/model/job.ts';
import type { Handlers, Port, TopicName, Topics } from '#shared/rpc/contract.ts';
import { TOPIC_NAMES } from '#shared/rpc/names.ts';
import { serve } from '#shared/rpc/server.ts';
import { ALL_METHODS, WINDOW_METHODS } from '#shared/rpc/validators.ts';
import type { BundleLimits } from './bundle/limits.ts';
import { CaseLibrary } from './case-library.ts';
import { handlers } from './handlers/index.ts';
import { ImportJobs } from './jobs/import-jobs.ts';
import { startImportHere } from './jobs/import-runner.ts';
import { startImportIn } from './jobs/import-worker.ts';
import { OpenCases } from './open-cases.ts';
import type { BlockCodec } from './store/block-codec.ts';
import type { CaseContents } from './store/case-writer.ts';

export interface EngineOptions {
  /** The data folder. Nothing is made in it before the first case is kept. */
  readonly home: string;
  readonly version: string;
  /** The running program's own file, for worker threads (see `jobs/import-worker.ts`); without it imports run in this thread. */
  readonly workerEntry?: string | URL;
  /** Bundled example bundles, by absolute path. */
  readonly examples?: { readonly small?: string; readonly large?: string };
  readonly limits?: Partial<BundleLimits>;
  readonly codec?: BlockCodec;
  /** For encrypted members of zips; of every import. */
  readonly password?: string;
  /** Where imports that are not kept are written. */
  readonly temporaryFolder?: string;
  /** What is written of cases that are not kept; `report` where nobody can ask for more. */
  readonly temporaryContents?: CaseContents;
  /** Nobody is shown who is suspected while an import runs: nothing is spent on it. */
  readonly withoutSoFar?: boolean;
  /** A bug or a failed import, for a local log. Holds no bundle content. */
  readonly log?: (line: string) => void;
  /** How something was done that went well, e.g. in how many threads. Holds no bundle content. */
  readonly trace?: (line: string) => void;
}

export interface EngineContext {
  readonly options: EngineOptions;
  readonly library: CaseLibrary;
  readonly cases: OpenCases;
  readonly jobs: ImportJobs;
  readonly log: (line: string) => void;
  publish<T extends TopicName>(topic: T, value: Topics[T]): void;
}

export interface Engine {
  readonly handlers: Handlers<EngineContext>;
  readonly ctx: EngineContext;
  subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void): () => void;
  /** Serves one window: privileged methods do not exist for it. Returns what is to be called when the port is gone. */
  serveWindow(port: Port): () => void;
  /** Serves main or the terminal: all methods. */
  servePrivileged(port: Port): () => void;
  /** Cancels what runs, closes all files, removes what was not to be kept. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const listeners = new Map<TopicName, Set<(value: never) => void>>();
  const log = options.log ?? (() => undefined);
  const publish = <T extends TopicName>(topic: T, value: Topics[T]): void => {
    for (const listener of listeners.get(topic) ?? []) (listener as (value: Topics[T]) => void)(value);
  };
  const subscribe = <T extends TopicName>(topic: T, listener: (value: Topics[T]) => void) => {
    const set = listeners.get(topic) ?? new Set();
    listeners.set(topic, set);
    set.add(listener);
    return () => {
      set.delete(listener);
    };
  };
  const library = new CaseLibrary(options.home);
  const cases = new OpenCases(library);
  const jobs = new ImportJobs({
    options,
    library,
    cases,
    temporaryFolder: options.temporaryFolder ?? tmpdir(),
    start: options.workerEntry === undefined ? startImportHere : startImportIn(options.workerEntry),
    publishJob: (state: JobState) => publish('job.changed', state),
    casesChanged: () => publish('cases.changed', null),
    log,
  });
  const ctx: EngineContext = { options, library, cases, jobs, log, publish };

  function serveWith(port: Port, methods: ReadonlySet<string>): () => void {
    const served = serve(port, {
      handlers,
      ctx,
      methods,
      onBug: (error, method) =>
        log(`${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
    const stops = TOPIC_NAMES.map((topic) => subscribe(topic, (value) => served.publish(topic, value)));
    return () => {
      for (const stop of stops) stop();
    };
  }

  return {
    handlers,
    ctx,
    subscribe,
    serveWindow: (port) => serveWith(port, WINDOW_METHODS),
    servePrivileged: (port) => serveWith(port, ALL_METHODS),
    async close() {
      await jobs.close();
      cases.close();
    },
  };
}
