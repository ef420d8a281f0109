/** The caller's end of a port: pairs answers with requests and hands out topics. Works over anything that is a `Port`. */
import { err, ok, type Result } from '../lib/result.ts';
import type { Methods, Port, PrivilegedMethods, RpcError, TopicName, Topics } from './contract.ts';
import { RPC_ERROR_CODES } from './contract.ts';

type AllMethods = Methods & PrivilegedMethods;

export interface Client {
  /** Never rejects: a closed port answers `disconnected`. */
  request<M extends keyof AllMethods>(
    method: M,
    params: AllMethods[M]['params'],
  ): Promise<Result<AllMethods[M]['result'], RpcError>>;
  /** Returns the function that ends the subscription. */
  subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void): () => void;
  /** Ends waiting requests as `disconnected` and closes the port. */
  close(): void;
}

const DISCONNECTED: RpcError = { code: 'disconnected', detail: 'the engine is gone' };

export function createClient(port: Port): Client {
  const waiting = new Map<number, (answer: Result<unknown, RpcError>) => void>();
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  let nextId = 1;
  let closed = false;

  port.onMessage((message) => {
    if (typeof message !== 'object' || message === null || !('t' in message)) return;
    if (message.t === 'top' && 'topic' in message && typeof message.topic === 'string' && 'value' in message) {
      for (const listener of listeners.get(message.topic) ?? []) listener(message.value);
    } else if (message.t === 'res' && 'id' in message && typeof message.id === 'number') {
      const settle = waiting.get(message.id);
      waiting.delete(message.id);
      settle?.(
        'ok' in message && message.ok === true ? ok('value' in message ? message.value : null) : err(errorOf(message)),
      );
    }
  });

  return {
    request<M extends keyof AllMethods>(method: M, params: AllMethods[M]['params']) {
      return new Promise<Result<AllMethods[M]['result'], RpcError>>((resolve) => {
        if (closed) {
          resolve(err(DISCONNECTED));
          return;
        }
        const id = nextId;
        nextId += 1;
        // The server is typed by the same contract; its answer to `method` has that method's result.
        waiting.set(id, (answer) => resolve(answer as Result<AllMethods[M]['result'], RpcError>));
        port.post({ t: 'req', id, method, params });
      });
    },
    subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set);
      const entry = (value: unknown) => listener(value as Topics[T]);
      set.add(entry);
      return () => set.delete(entry);
    },
    close() {
      closed = true;
      for (const settle of waiting.values()) settle(err(DISCONNECTED));
      waiting.clear();
      port.close();
    },
  };
}

function errorOf(message: object): RpcError {
  const error: unknown = 'error' in message ? message.error : undefined;
  if (typeof error === 'object' && error !== null && 'code' in error) {
    const code = RPC_ERROR_CODES.find((known) => known === error.code);
    if (code !== undefined) return { code, detail: 'detail' in error ? String(error.detail) : '' };
  }
  return { code: 'internal', detail: 'answer without an error code' };
}
