/** Pictures of the timeline: asked for anew while the view moves; only the newest answer counts, and the last one stays until then. */
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';

type Method =
  | 'timeline.lanes'
  | 'timeline.strips'
  | 'timeline.curves'
  | 'timeline.pick'
  | 'timeline.step'
  | 'timeline.find'
  | 'timeline.rows';

export type LatestAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: RpcError }
  /** A newer question was asked meanwhile. */
  | null;

/** Asks one method; an answer that a newer question has overtaken comes back as null. */
export function latestOf<M extends Method>(method: M) {
  let generation = 0;
  return async (params: Methods[M]['params']): Promise<LatestAnswer<Methods[M]['result']>> => {
    const mine = ++generation;
    const answer = await bridge.request(method, params);
    return mine === generation ? answer : null;
  };
}
