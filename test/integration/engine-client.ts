import { createEngine, type Engine, type EngineOptions } from '#engine/engine.ts';
import type { CaseId, JobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { type Client, createClient } from '#shared/rpc/client.ts';
import { createPortPair } from '#shared/rpc/port-pair.ts';

export interface Connected {
  readonly engine: Engine;
  /** Reaches every method, as main does. */
  readonly main: Client;
  /** Reaches what a window may. */
  readonly window: Client;
  /** Every state of every job, in order. */
  readonly states: readonly JobState[];
  /** Resolves with the last state of a job. */
  lastState(jobId: JobId): Promise<JobState>;
  /** Imports into the library and returns the id of the case. */
  importCase(...paths: string[]): Promise<CaseId>;
}

export function connect(options: EngineOptions): Connected {
  const engine = createEngine(options);
  const client = (serve: 'servePrivileged' | 'serveWindow'): Client => {
    const [ours, theirs] = createPortPair();
    engine[serve](theirs);
    return createClient(ours);
  };
  const states: JobState[] = [];
  engine.subscribe('job.changed', (state) => states.push(state));
  const main = client('servePrivileged');
  const lastState = (jobId: JobId): Promise<JobState> =>
    new Promise((resolve) => {
      const ended = () =>
        states.find((state) => state.jobId === jobId && !['queued', 'running', 'paused'].includes(state.kind));
      const known = ended();
      if (known !== undefined) {
        resolve(known);
        return;
      }
      const stop = engine.subscribe('job.changed', () => {
        const state = ended();
        if (state === undefined) return;
        stop();
        resolve(state);
      });
    });
  return {
    engine,
    main,
    window: client('serveWindow'),
    states,
    lastState,
    async importCase(...paths) {
      const started = await main.request('bundle.import', { paths, keep: true });
      if (!started.ok) throw new Error(started.error.detail);
      const state = await lastState(started.value.jobId);
      if (state.kind !== 'done') throw new Error(JSON.stringify(state));
      return state.caseId;
    },
  };
}
