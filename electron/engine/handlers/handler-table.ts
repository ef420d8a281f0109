import type { Handlers } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';

/** The handlers of one or more areas: `HandlerTable<'case' | 'entry'>`. */
export type HandlerTable<Area extends string> = {
  readonly [M in keyof Handlers<EngineContext> as M extends `${Area}.${string}`
    ? M
    : never]: Handlers<EngineContext>[M];
};
