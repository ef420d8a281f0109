/**
 * Answers of the engine, kept by question. While a known answer is asked again it stays in view (`refreshing`);
 * only the newest answer to a question is applied.
 */
import { useEffect, useSyncExternalStore } from 'react';
import type { MethodName, Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { sameJson } from './same-json.ts';

export type Query<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: RpcError }
  | { readonly state: 'ready'; readonly value: T; readonly refreshing: boolean };

interface Slot {
  query: Query<unknown>;
  generation: number;
  /** Asks the last question again. */
  again: (() => void) | null;
  readonly listeners: Set<() => void>;
}

const MAX_SLOTS = 200;
const LOADING: Query<never> = { state: 'loading' };
const slots = new Map<string, Slot>();

function slotFor(key: string): Slot {
  const known = slots.get(key);
  if (known) return known;
  if (slots.size >= MAX_SLOTS) {
    const idle = [...slots].find(([, slot]) => slot.listeners.size === 0);
    if (idle) slots.delete(idle[0]);
  }
  const slot: Slot = { query: LOADING, generation: 0, again: null, listeners: new Set() };
  slots.set(key, slot);
  return slot;
}

function setQuery(slot: Slot, query: Query<unknown>): void {
  slot.query = query;
  for (const listener of slot.listeners) listener();
}

async function ask<M extends MethodName>(slot: Slot, method: M, params: Methods[M]['params']): Promise<void> {
  const generation = ++slot.generation;
  slot.again = () => void ask(slot, method, params);
  setQuery(slot, slot.query.state === 'ready' ? { ...slot.query, refreshing: true } : LOADING);
  const answer = await bridge.request(method, params);
  if (slot.generation !== generation) return;
  if (!answer.ok) return setQuery(slot, { state: 'failed', error: answer.error });
  // What did not change stays the same object: a screen of many pages is not drawn twice.
  const known = slot.query.state === 'ready' ? slot.query.value : undefined;
  const value = known !== undefined && sameJson(known, answer.value) ? known : answer.value;
  setQuery(slot, { state: 'ready', value, refreshing: false });
}

/** Asks before anybody looks, unless it was asked already. Resolves when the answer is there. */
export async function prefetch<M extends MethodName>(method: M, params: Methods[M]['params']): Promise<void> {
  const slot = slotFor(`${method} ${JSON.stringify(params)}`);
  if (slot.generation === 0) await ask(slot, method, params);
}

/** Asks once for each question, again when `reload` changes. `params` null = nothing to ask yet. */
export function useQuery<M extends MethodName>(
  method: M,
  params: Methods[M]['params'] | null,
  reload: number | string = 0,
): Query<Methods[M]['result']> {
  const key = params === null ? null : `${method} ${JSON.stringify(params)}`;
  const query = useSyncExternalStore(
    (listener) => subscribe(key, listener),
    () => (key === null ? LOADING : slotFor(key).query),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the params, which are new objects each time
  useEffect(() => {
    if (key === null || params === null) return;
    const slot = slotFor(key);
    if (slot.generation === 0 || slot.query.state === 'failed' || reload !== 0) void ask(slot, method, params);
  }, [key, reload]);
  // Slots are keyed by method, so the value is that method's result.
  return query as Query<Methods[M]['result']>;
}

function subscribe(key: string | null, listener: () => void): () => void {
  if (key === null) return () => undefined;
  const slot = slotFor(key);
  slot.listeners.add(listener);
  return () => slot.listeners.delete(listener);
}

/** Asks all questions of one method again: what changed is in its answers. Those that nobody looks at are forgotten. */
export function askAgain(method: MethodName): void {
  for (const [key, slot] of slots) {
    if (!key.startsWith(`${method} `)) continue;
    if (slot.listeners.size === 0) slots.delete(key);
    else void ask(slot, method, JSON.parse(key.slice(method.length + 1)));
  }
}

/** Forgets all answers, e.g. of a case that was imported again. */
export function forgetAnswers(): void {
  for (const [key, slot] of slots) {
    if (slot.listeners.size === 0) slots.delete(key);
    else slot.generation = 0;
  }
}

/** Asks everything about one case again, e.g. after it was analysed anew; what is in view stays until the answer is there. */
export function askAgainAbout(caseId: string): void {
  const part = `"caseId":${JSON.stringify(caseId)}`;
  for (const [key, slot] of slots) {
    if (!key.includes(part)) continue;
    if (slot.listeners.size === 0 || slot.again === null) slots.delete(key);
    else slot.again();
  }
}
