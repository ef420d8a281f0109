/** Serves a handler table over one port. Which methods a port may reach is decided here, once, when the port is accepted. */
import type { Result } from '../lib/result.ts';
import type { Handlers, Port, RpcError, TopicName, Topics } from './contract.ts';
import { isMethod, VALIDATORS } from './validators.ts';

export interface ServeOptions<Ctx> {
  readonly handlers: Handlers<Ctx>;
  readonly ctx: Ctx;
  /** Names this port may call; every other one is `unknown-method`, as if it did not exist. */
  readonly methods: ReadonlySet<string>;
  /** Called with what a handler threw: a bug. The caller gets `internal` without particulars. */
  readonly onBug: (error: unknown, method: string) => void;
}

export interface Served {
  publish<T extends TopicName>(topic: T, value: Topics[T]): void;
}

/** Answers requests until the port closes. Anything on the port that is no request is ignored. */
export function serve<Ctx>(port: Port, options: ServeOptions<Ctx>): Served {
  port.onMessage((message) => {
    const request = asRequest(message);
    if (request === undefined) return;
    void answer(request, options).then((result) => {
      port.post(
        result.ok
          ? { t: 'res', id: request.id, ok: true, value: result.value }
          : { t: 'res', id: request.id, ok: false, error: result.error },
      );
    });
  });
  return { publish: (topic, value) => port.post({ t: 'top', topic, value }) };
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

function asRequest(message: unknown): Request | undefined {
  if (typeof message !== 'object' || message === null || !('t' in message) || message.t !== 'req') return undefined;
  if (
    !('id' in message) ||
    typeof message.id !== 'number' ||
    !('method' in message) ||
    typeof message.method !== 'string'
  )
    return undefined;
  return { id: message.id, method: message.method, params: 'params' in message ? message.params : undefined };
}

async function answer<Ctx>(
  { method, params }: Request,
  options: ServeOptions<Ctx>,
): Promise<Result<unknown, RpcError>> {
  if (!isMethod(method) || !options.methods.has(method)) {
    return { ok: false, error: { code: 'unknown-method', detail: method.slice(0, 100) } };
  }
  try {
    return await call(method, params, options);
  } catch (error) {
    options.onBug(error, method);
    return { ok: false, error: { code: 'internal', detail: method } };
  }
}

async function call<Ctx, M extends keyof Handlers<Ctx>>(
  method: M,
  params: unknown,
  options: ServeOptions<Ctx>,
): Promise<Result<unknown, RpcError>> {
  const checked = VALIDATORS[method].safeParse(params);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    return {
      ok: false,
      error: {
        code: 'invalid-params',
        detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.slice(0, 200),
      },
    };
  }
  const handler = options.handlers[method];
  return handler(checked.data, options.ctx);
}
