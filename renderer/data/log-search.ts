/**
 * One search of the log list at a time: started by its text and filters, followed until all text is searched, ended when another one
 * takes its place or the screen is left. The last good result stays while a query is wrong or the next one begins.
 */
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ListChoice, LogRow, LogsMethods, SearchState } from '#shared/rpc/areas/logs.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';

/** Where the text is no query, and what was expected there. */
export type QueryError = Extract<LogsMethods['logs.search']['result'], { readonly ok: false }>['error'];

export type SearchParams = Omit<LogsMethods['logs.search']['params'], 'replaces' | 'nearNs'>;

export interface LogSearch {
  readonly searchId: number | null;
  /** What is listed now; may be of the query before. */
  readonly state: SearchState | null;
  /** The params that `state` is of. */
  readonly params: SearchParams | null;
  readonly queryError: QueryError | null;
  readonly error: RpcError | null;
  stop(): void;
  /** Starts the same search anew, e.g. after the engine let go of it. */
  again(): void;
}

const WAIT_MS = 400;
/** Answers come at most so often: each draws the list again. */
const PACE_MS = 120;

const NOTHING: Omit<LogSearch, 'stop' | 'again'> = {
  searchId: null,
  state: null,
  params: null,
  queryError: null,
  error: null,
};

type Found = typeof NOTHING;

/** The last finished search of the window, for who comes back from another screen: the engine keeps its lines. */
let last: { readonly key: string; readonly search: Found; readonly chunks: Map<number, RowChunk> } | null = null;

function lastOf(params: SearchParams | null): Found | null {
  return params !== null && last?.key === JSON.stringify(params) ? last.search : null;
}

function keepLast(params: SearchParams, search: Found): void {
  // What is starred changes on other screens.
  if (search.state?.status === 'done' && !params.query.includes('has:'))
    last = { key: JSON.stringify(params), search, chunks: new Map() };
}

// After a new analysis corrected times moved, and lines with them.
bridge.subscribe('cases.changed', () => {
  last = null;
});

/** False if the engine has let go of it, or was started anew. */
async function isHeld({ params, searchId }: Found, list: ListChoice): Promise<boolean> {
  if (params === null || searchId === null) return false;
  const { caseId } = params;
  return (await bridge.request('logs.state', { caseId, searchId, version: -1, waitMs: 0, list })).ok;
}

/** `near`: where the user looks, ns from the origin; asked for when a search starts. */
export function useLogSearch(params: SearchParams | null, list: ListChoice, near: () => number | null): LogSearch {
  const [search, setSearch] = useState(() => lastOf(params) ?? NOTHING);
  const live = useRef({ searchId: search.searchId, caseId: search.params?.caseId ?? null, list, near });
  live.current.list = list;
  live.current.near = near;
  const [turn, setTurn] = useState(0);
  const key = params === null ? null : `${turn} ${JSON.stringify(params)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the params, which are new objects each time
  useEffect(() => {
    if (params === null) return;
    let current = true;
    const known = turn === 0 ? lastOf(params) : null;
    if (known !== null) {
      setSearch(known);
      void isHeld(known, live.current.list).then((held) => {
        if (held || !current) return;
        last = null;
        setTurn((count) => count + 1);
      });
      return () => {
        current = false;
      };
    }
    void startSearch(params, live.current.searchId, live.current.near()).then(async (started) => {
      if (!current) {
        if (started.searchId !== null)
          void bridge.request('logs.cancel', { caseId: params.caseId, searchId: started.searchId });
        return;
      }
      if (started.searchId === null) {
        setSearch((before) => ({ ...before, queryError: started.queryError, error: started.error }));
        return;
      }
      live.current = { ...live.current, searchId: started.searchId, caseId: params.caseId };
      setSearch({ ...started, params });
      let { state } = started;
      while (current && state !== null && state.status === 'searching') {
        const asked = bridge.request('logs.state', {
          caseId: params.caseId,
          searchId: started.searchId,
          version: state.version,
          waitMs: WAIT_MS,
          list: live.current.list,
        });
        // The first rows are shown as soon as there are some; later ones draw the list again, and keep the pace.
        const [next] = await Promise.all([asked, state.rows > 0 ? pause(PACE_MS) : null]);
        if (!current) return;
        if (!next.ok) {
          setSearch((before) => ({ ...before, error: next.error }));
          return;
        }
        state = next.value;
        setSearch({ ...started, state, params });
      }
      keepLast(params, { ...started, state, params });
    });
    return () => {
      current = false;
    };
  }, [key]);
  useEffect(
    () => () => {
      const { searchId, caseId } = live.current;
      if (searchId !== null && caseId !== null && searchId !== last?.search.searchId)
        void bridge.request('logs.cancel', { caseId, searchId });
    },
    [],
  );
  const refreshed = useListState(search, list);
  const stop = useCallback(() => {
    const { searchId, caseId } = live.current;
    if (searchId !== null && caseId !== null) void bridge.request('logs.cancel', { caseId, searchId });
  }, []);
  const again = useCallback(() => setTurn((count) => count + 1), []);
  return { ...search, state: refreshed, stop, again };
}

type Started = Omit<LogSearch, 'stop' | 'again' | 'params'>;

async function startSearch(params: SearchParams, replaces: number | null, nearNs: number | null): Promise<Started> {
  const answer = await bridge.request('logs.search', { ...params, nearNs, replaces });
  if (!answer.ok) return { searchId: null, state: null, queryError: null, error: answer.error };
  return answer.value.ok
    ? { searchId: answer.value.searchId, state: answer.value.state, queryError: null, error: null }
    : { searchId: null, state: null, queryError: answer.value.error, error: null };
}

/** Another layout of the same result has another number of rows. */
function useListState(search: Omit<LogSearch, 'stop' | 'again'>, list: ListChoice): SearchState | null {
  const [laidOut, setLaidOut] = useState<{
    readonly of: SearchState;
    readonly key: string;
    readonly state: SearchState;
  } | null>(null);
  const key = JSON.stringify(list);
  const { state, searchId, params } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list
  useEffect(() => {
    if (state === null || searchId === null || params === null || state.status === 'searching') return;
    let current = true;
    void bridge
      .request('logs.state', { caseId: params.caseId, searchId, version: -1, waitMs: 0, list })
      .then((answer) => current && answer.ok && setLaidOut({ of: state, key, state: answer.value }));
    return () => {
      current = false;
    };
  }, [key, state, searchId]);
  return laidOut !== null && laidOut.of === state && laidOut.key === key ? laidOut.state : state;
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const ROWS_PER_CHUNK = 100;
const MAX_CHUNKS = 60;

interface RowChunk {
  readonly stamp: string;
  readonly rows: readonly LogRow[];
}

export interface LogRows {
  /** Undefined while it is being fetched. */
  row(index: number): LogRow | undefined;
  /** Asks for [from, to). */
  want(from: number, to: number): void;
  readonly error: RpcError | null;
}

/** Rows as they come into view. What is drawn stays until newer rows are there. */
export function useLogRows(search: LogSearch, list: ListChoice): LogRows {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const chunks = useRef(last?.search.searchId === search.searchId ? last.chunks : new Map<number, RowChunk>());
  const asked = useRef(new Set<string>());
  const [error, setError] = useState<RpcError | null>(null);
  const { searchId, params, state } = search;
  const stamp = `${searchId} ${state?.version} ${JSON.stringify(list)}`;
  // An error is of one search; the next one may be better off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search begins without one
  useEffect(() => setError(null), [searchId]);
  const live = useRef(stamp);
  live.current = stamp;
  const wish = useRef({ from: 0, to: 0 });
  const caseId = params?.caseId ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp stands for search, version and list
  const want = useCallback(
    (from: number, to: number) => {
      wish.current = { from, to };
      if (searchId === null || caseId === null) return;
      for (let chunk = Math.floor(from / ROWS_PER_CHUNK); chunk * ROWS_PER_CHUNK < to; chunk += 1) {
        const key = `${stamp} ${chunk}`;
        if (asked.current.has(key) || chunks.current.get(chunk)?.stamp === stamp) continue;
        asked.current.add(key);
        void bridge
          .request('logs.window', { caseId, searchId, list, row: chunk * ROWS_PER_CHUNK, maxRows: ROWS_PER_CHUNK })
          .then((answer) => {
            asked.current.delete(key);
            if (live.current !== stamp) return;
            if (!answer.ok) return setError(answer.error);
            chunks.current.set(chunk, { stamp, rows: answer.value.rows });
            dropFar(chunks.current, chunk);
            if (last?.search.searchId === searchId) {
              last.chunks.set(chunk, { stamp, rows: answer.value.rows });
              dropFar(last.chunks, chunk);
            }
            redraw();
          });
      }
    },
    [stamp, caseId],
  );
  useEffect(() => want(wish.current.from, wish.current.to), [want]);
  return {
    row: (index) => chunks.current.get(Math.floor(index / ROWS_PER_CHUNK))?.rows[index % ROWS_PER_CHUNK],
    want,
    error,
  };
}

function dropFar(chunks: Map<number, RowChunk>, near: number): void {
  if (chunks.size <= MAX_CHUNKS) return;
  const [farthest] = [...chunks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
  if (farthest !== undefined) chunks.delete(farthest);
}
