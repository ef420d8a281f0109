import { useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';

export interface EntryList {
  readonly rows: readonly EntryRow[];
  /** Null until the first page is there. */
  readonly total: number | null;
  readonly error: RpcError | null;
}

const PAGE_ROWS = 1000;
const EMPTY: EntryList = { rows: [], total: null, error: null };
const kept = new Map<CaseId, EntryList>();

/** All files of a case, page by page; what is there already can be shown while the rest comes. */
export function useEntries(caseId: CaseId | null): EntryList {
  const [list, setList] = useState<EntryList>(() => (caseId === null ? EMPTY : (kept.get(caseId) ?? EMPTY)));
  useEffect(() => {
    if (caseId === null) return;
    let current = true;
    const known = kept.get(caseId);
    setList(known ?? EMPTY);
    if (known && known.rows.length === known.total) return;
    void loadAll(caseId, (next) => {
      if (current) setList(next);
      return current;
    });
    return () => {
      current = false;
    };
  }, [caseId]);
  return list;
}

async function loadAll(caseId: CaseId, onPage: (list: EntryList) => boolean): Promise<void> {
  let list = EMPTY;
  for (;;) {
    const answer = await bridge.request('entry.list', { caseId, offset: list.rows.length, maxRows: PAGE_ROWS });
    if (!answer.ok) {
      onPage({ ...list, error: answer.error });
      return;
    }
    list = { rows: [...list.rows, ...answer.value.rows], total: answer.value.total, error: null };
    const done = list.rows.length >= answer.value.total || answer.value.rows.length === 0;
    if (done) kept.set(caseId, { ...list, total: list.rows.length });
    if (!onPage(list) || done) return;
  }
}

/** More files than these are listed when somebody looks. */
const MOST_AHEAD = 5 * PAGE_ROWS;

/** Reads the list before anybody looks, unless it is long or here already. */
export async function prefetchEntries(caseId: CaseId): Promise<void> {
  if (!kept.has(caseId)) await loadAll(caseId, ({ total }) => (total ?? 0) <= MOST_AHEAD);
}

/** A file of a case if its list is here already. */
function knownEntry(caseId: CaseId, id: number): EntryRow | null {
  return kept.get(caseId)?.rows.find((row) => row.id === id) ?? null;
}

/** The file of that id, or null if there is none; ids are places in the list. */
export async function entryById(caseId: CaseId, id: number): Promise<EntryRow | null> {
  const known = knownEntry(caseId, id);
  if (known) return known;
  const answer = await bridge.request('entry.list', { caseId, offset: id, maxRows: 1 });
  return answer.ok ? (answer.value.rows.find((row) => row.id === id) ?? null) : null;
}

/** The file of that path, or null if the case has none; pages of the list are fetched until it is found. */
export async function entryOfPath(caseId: CaseId, path: string): Promise<EntryRow | null> {
  const known = kept.get(caseId)?.rows.find((row) => row.path === path);
  if (known) return known;
  let found: EntryRow | null = null;
  await loadAll(caseId, ({ rows }) => {
    found = rows.findLast((row) => row.path === path) ?? null;
    return found === null;
  });
  return found;
}

/** Forgets the files of a case that was deleted or imported again. */
export function forgetEntries(caseId: CaseId): void {
  kept.delete(caseId);
}
