/** The window's end of the engine's port: pairs answers with requests and hands out topics. */
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { MethodName, Methods, Port, RpcError, TopicName, Topics } from '#shared/rpc/contract.ts';

export interface PortLink {
  /** A new port replaces the old one; requests that still wait on the old one end as `disconnected`. */
  attach(port: Port): void;
  /** The engine is gone: every waiting request ends as `disconnected`; later ones wait for the next port. */
  detach(): void;
  request<M extends MethodName>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Result<Methods[M]['result'], RpcError>>;
  subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void): () => void;
}

type Answer = Result<unknown, RpcError>;
type Listener = (value: unknown) => void;

const DISCONNECTED: RpcError = { code: 'disconnected', detail: 'the engine process ended before it answered' };

export function createPortLink(names: { isMethod(name: string): boolean; isTopic(name: string): boolean }): PortLink {
  let port: Port | null = null;
  let nextId = 1;
  const waiting = new Map<number, (answer: Answer) => void>();
  const queued: { readonly id: number; readonly method: string; readonly params: unknown }[] = [];
  const listeners = new Map<string, Set<Listener>>();

  function detach(): void {
    if (port) {
      port.close();
      port = null;
    }
    const unsent = new Set(queued.map((request) => request.id));
    for (const [id, settle] of [...waiting]) {
      if (unsent.has(id)) continue;
      waiting.delete(id);
      settle(err(DISCONNECTED));
    }
  }

  function receive(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('t' in message)) return;
    if (message.t === 'top' && 'topic' in message && typeof message.topic === 'string') {
      if (!names.isTopic(message.topic) || !('value' in message)) return;
      for (const listener of listeners.get(message.topic) ?? []) listener(message.value);
      return;
    }
    if (message.t !== 'res' || !('id' in message) || typeof message.id !== 'number') return;
    const settle = waiting.get(message.id);
    if (!settle) return;
    waiting.delete(message.id);
    settle(answerOf(message));
  }

  return {
    attach(next) {
      detach();
      port = next;
      next.onMessage((message) => {
        if (port === next) receive(message);
      });
      for (const request of queued.splice(0)) next.post({ t: 'req', ...request });
    },
    detach,
    request<M extends MethodName>(method: M, params: Methods[M]['params']) {
      if (typeof method !== 'string' || !names.isMethod(method)) {
        return Promise.resolve(err<RpcError>({ code: 'unknown-method', detail: String(method).slice(0, 100) }));
      }
      const id = nextId++;
      return new Promise<Result<Methods[M]['result'], RpcError>>((resolve) => {
        // The engine is typed by the same contract; its answer to `method` has that method's result.
        waiting.set(id, (answer) => resolve(answer as Result<Methods[M]['result'], RpcError>));
        if (port) port.post({ t: 'req', id, method, params });
        else queued.push({ id, method, params });
      });
    },
    subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void) {
      if (!names.isTopic(topic)) return () => undefined;
      const set = listeners.get(topic) ?? new Set<Listener>();
      listeners.set(topic, set);
      const entry: Listener = (value) => listener(value as Topics[T]);
      set.add(entry);
      return () => set.delete(entry);
    },
  };
}

function answerOf(message: object): Answer {
  if ('ok' in message && message.ok === true) return ok('value' in message ? message.value : null);
  const error: unknown = 'error' in message ? message.error : null;
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return err({ code: error.code as RpcError['code'], detail: String(error.detail) });
  }
  return err({ code: 'internal', detail: 'the engine sent an answer without an error code' });
}
