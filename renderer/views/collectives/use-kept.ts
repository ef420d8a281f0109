/** The last answer stays in view until the next one is there: nothing flickers, the focus stays where it is. */
import { useRef } from 'react';
import type { Query } from '../../data/query.ts';

/** `scope`: answers of another scope are not kept. */
export function useKept<T>(query: Query<T>, scope: string): Query<T> {
  const kept = useRef<{ readonly scope: string; readonly value: T } | null>(null);
  if (query.state === 'ready') kept.current = { scope, value: query.value };
  if (query.state === 'loading' && kept.current !== null && kept.current.scope === scope)
    return { state: 'ready', value: kept.current.value, refreshing: true };
  return query;
}
