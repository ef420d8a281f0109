/** Questions about the places of a search's rows: where a line or a moment is, the next error, density and map. */
import { useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { ListChoice, LogsMethods, RowWish } from '#shared/rpc/areas/logs.ts';
import { bridge } from './bridge.ts';
import type { LogSearch } from './log-search.ts';

interface Where {
  readonly caseId: CaseId;
  readonly searchId: number;
}

const whereOf = ({ params, searchId }: LogSearch): Where | null =>
  params === null || searchId === null ? null : { caseId: params.caseId, searchId };

/** Null if the search is gone. */
export async function locateRow(
  search: LogSearch,
  list: ListChoice,
  at: RowWish,
): Promise<LogsMethods['logs.locate']['result'] | null> {
  const where = whereOf(search);
  if (where === null) return null;
  const answer = await bridge.request('logs.locate', { ...where, list, at });
  return answer.ok ? answer.value : null;
}

export async function stepRow(
  search: LogSearch,
  list: ListChoice,
  row: number,
  to: 'error' | 'warning' | 'record',
  by: 1 | -1,
): Promise<number | null> {
  const where = whereOf(search);
  if (where === null) return null;
  const answer = await bridge.request('logs.step', { ...where, list, row, to, by });
  return answer.ok ? answer.value.row : null;
}

export type Density = LogsMethods['logs.density']['result'];

/** Asked again as the search goes on; what is drawn stays meanwhile. `buckets` 0 = not yet. */
export function useDensity(
  search: LogSearch,
  basis: ListChoice['basis'],
  span: { readonly fromNs: number; readonly toNs: number } | null,
  buckets: number,
): Density | null {
  const [density, setDensity] = useState<Density | null>(null);
  const version = search.state?.version ?? -1;
  const caseId = search.params?.caseId ?? null;
  const { searchId } = search;
  const fromNs = span?.fromNs ?? 0;
  const toNs = span?.toNs ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again with each version
  useEffect(() => {
    if (caseId === null || searchId === null || buckets < 1 || !(toNs > fromNs)) return;
    let current = true;
    void bridge
      .request('logs.density', { caseId, searchId, basis, fromNs, toNs, buckets })
      .then((answer) => current && answer.ok && setDensity(answer.value));
    return () => {
      current = false;
    };
  }, [caseId, searchId, version, basis, fromNs, toNs, buckets]);
  return density;
}

export type SetMapAnswer = LogsMethods['logs.map']['result'];

export function useSetMap(search: LogSearch, list: ListChoice, buckets: number): SetMapAnswer | null {
  const [map, setMap] = useState<SetMapAnswer | null>(null);
  const version = search.state?.version ?? -1;
  const caseId = search.params?.caseId ?? null;
  const { searchId } = search;
  const key = JSON.stringify(list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list; asked again with each version
  useEffect(() => {
    if (caseId === null || searchId === null) return;
    let current = true;
    void bridge
      .request('logs.map', { caseId, searchId, list, buckets })
      .then((answer) => current && answer.ok && setMap(answer.value));
    return () => {
      current = false;
    };
  }, [caseId, searchId, version, key, buckets]);
  return map;
}

export type Without = LogsMethods['logs.without']['result'];

/** Which term takes the last match away; null until that is known. Only asked where nothing matches. */
export function useWithout(search: LogSearch, wanted: boolean): Without | null {
  const [without, setWithout] = useState<{ readonly of: number; readonly value: Without } | null>(null);
  const { searchId } = search;
  const caseId = search.params?.caseId ?? null;
  useEffect(() => {
    if (!wanted || searchId === null || caseId === null) return;
    let current = true;
    void bridge
      .request('logs.without', { caseId, searchId })
      .then((answer) => current && answer.ok && setWithout({ of: searchId, value: answer.value }));
    return () => {
      current = false;
    };
  }, [wanted, searchId, caseId]);
  return without !== null && without.of === searchId ? without.value : null;
}
