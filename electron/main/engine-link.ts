/**
 * The engine process as main sees it: started, restarted when it ends, asked over its privileged parent port, and
 * given one message channel for each window.
 *
 *   main ──parentPort: requests of every method──▶ engine        ('bundle.import' is reachable only here)
 *   main ──parentPort: { t: 'window' } + port───▶ engine ◀──port──▶ preload of one window
 */
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { Methods, PrivilegedMethods, RpcError, TopicName } from '#shared/rpc/contract.ts';
import { TOPIC_NAMES } from '#shared/rpc/names.ts';
import type { EngineState } from '#shared/rpc/window-channels.ts';

type AllMethods = Methods & PrivilegedMethods;

/** The part of Electron's `UtilityProcess` that is used; `P` is the port type it can carry. */
export interface EngineChild<P> {
  postMessage(message: unknown, transfer?: P[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

export interface EngineLinkOptions<P> {
  start(): EngineChild<P>;
  onState(state: EngineState): void;
  /** Topics that the engine tells main; `value` is that topic's. */
  onTopic?(topic: TopicName, value: unknown): void;
  now(): number;
}

/** More ends than this within `CRASH_WINDOW_MS` and the engine stays down: chosen, not measured. */
const MAX_CRASHES = 5;
const CRASH_WINDOW_MS = 60_000;

const GONE: RpcError = { code: 'disconnected', detail: 'the engine process ended before it answered' };

export interface EngineLink<P> {
  request<M extends keyof AllMethods>(
    method: M,
    params: AllMethods[M]['params'],
  ): Promise<Result<AllMethods[M]['result'], RpcError>>;
  connectWindow(port: P): void;
  state(): EngineState;
  /** Ends the engine for good. */
  stop(): void;
}

export function createEngineLink<P>(options: EngineLinkOptions<P>): EngineLink<P> {
  const waiting = new Map<number, (answer: Result<unknown, RpcError>) => void>();
  const ends: number[] = [];
  let nextId = 1;
  let stopped = false;
  let state: EngineState = 'running';
  let child: EngineChild<P> | null = launch();

  function launch(): EngineChild<P> {
    const started = options.start();
    started.on('message', receive);
    started.once('exit', () => {
      if (child === started) onExit();
    });
    return started;
  }

  function onExit(): void {
    child = null;
    for (const settle of waiting.values()) settle(err(GONE));
    waiting.clear();
    if (stopped) return;
    const now = options.now();
    ends.push(now);
    while (ends[0] !== undefined && now - ends[0] > CRASH_WINDOW_MS) ends.shift();
    if (ends.length > MAX_CRASHES) {
      setState('stopped');
      return;
    }
    setState('restarting');
    child = launch();
    setState('running');
  }

  function setState(next: EngineState): void {
    state = next;
    options.onState(next);
  }

  function receive(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('t' in message)) return;
    if (message.t === 'top' && 'topic' in message && 'value' in message) {
      const topic = TOPIC_NAMES.find((known) => known === message.topic);
      if (topic) options.onTopic?.(topic, message.value);
      return;
    }
    if (message.t !== 'res') return;
    if (!('id' in message) || typeof message.id !== 'number') return;
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    if ('ok' in message && message.ok === true) settle?.(ok('value' in message ? message.value : null));
    else settle?.(err(errorOf(message)));
  }

  return {
    request<M extends keyof AllMethods>(method: M, params: AllMethods[M]['params']) {
      return new Promise<Result<AllMethods[M]['result'], RpcError>>((resolve) => {
        if (!child) {
          resolve(err(GONE));
          return;
        }
        const id = nextId++;
        // The engine is typed by the same contract; its answer to `method` has that method's result.
        waiting.set(id, (answer) => resolve(answer as Result<AllMethods[M]['result'], RpcError>));
        child.postMessage({ t: 'req', id, method, params });
      });
    },
    connectWindow: (port) => child?.postMessage({ t: 'window' }, [port]),
    state: () => state,
    stop() {
      stopped = true;
      child?.kill();
    },
  };
}

function errorOf(message: object): RpcError {
  const error: unknown = 'error' in message ? message.error : null;
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return { code: error.code as RpcError['code'], detail: String(error.detail) };
  }
  return { code: 'internal', detail: 'the engine sent an answer without an error code' };
}
