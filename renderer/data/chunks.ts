/** Parts of a file, fetched as they come into view and kept while they are near: lines for text, bytes for hex. */
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { CaseId, EntryId } from '#shared/model/ids.ts';
import type { RpcError, TextLine } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';

const LINES_PER_CHUNK = 200;
const BYTES_PER_CHUNK = 4096;
const MAX_CHUNKS = 120;

interface Chunks<T> {
  /** The chunk that holds position `index` (0-based), or undefined while it is not here. */
  chunkAt(index: number): T | undefined;
  /** Asks for all chunks that touch [from, to). */
  want(from: number, to: number): void;
  readonly error: RpcError | null;
}

interface ChunkState<T> {
  readonly chunks: Map<number, T>;
  readonly asked: Set<number>;
  error: RpcError | null;
}

function useChunks<T>(
  key: string,
  size: number,
  load: (chunk: number) => Promise<T | RpcError>,
  isError: (value: T | RpcError) => value is RpcError,
): Chunks<T> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key starts with nothing
  const state = useMemo<ChunkState<T>>(() => ({ chunks: new Map(), asked: new Set(), error: null }), [key]);
  const current = useRef(state);
  useEffect(() => {
    current.current = state;
  }, [state]);
  const loader = useRef(load);
  loader.current = load;

  const want = useCallback(
    (from: number, to: number) => {
      const lastChunk = Math.floor(Math.max(from, to - 1) / size);
      for (let chunk = Math.floor(Math.max(0, from) / size); chunk <= lastChunk; chunk++) {
        if (state.asked.has(chunk) || state.error) continue;
        state.asked.add(chunk);
        void loader.current(chunk).then((value) => {
          if (isError(value)) state.error = value;
          else {
            state.chunks.set(chunk, value);
            dropFar(state, chunk);
          }
          if (current.current === state) redraw();
        });
      }
    },
    [state, size, isError],
  );
  return { chunkAt: (index) => state.chunks.get(Math.floor(index / size)), want, error: state.error };
}

/** Keeps the chunks nearest to the one that just came. */
function dropFar<T>(state: ChunkState<T>, near: number): void {
  if (state.chunks.size <= MAX_CHUNKS) return;
  const [farthest] = [...state.chunks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
  if (farthest === undefined) return;
  state.chunks.delete(farthest);
  state.asked.delete(farthest);
}

export interface LineSource {
  /** 1-based; undefined while it is being fetched. */
  line(number: number): TextLine | undefined;
  /** [from, to), 1-based. */
  want(from: number, to: number): void;
  /** Null until the first chunk is there. */
  readonly totalLines: number | null;
  readonly error: RpcError | null;
}

interface LineChunk {
  readonly lines: readonly TextLine[];
}

const isRpcError = <T extends object>(value: T | RpcError): value is RpcError => 'code' in value;

export function useLines(caseId: CaseId, entryId: EntryId): LineSource {
  const total = useRef<{ key: string; value: number | null }>({ key: '', value: null });
  const key = `${caseId}/${entryId}`;
  if (total.current.key !== key) total.current = { key, value: null };
  const chunks = useChunks<LineChunk>(
    key,
    LINES_PER_CHUNK,
    async (chunk) => {
      const answer = await bridge.request('entry.text', {
        caseId,
        entryId,
        fromLine: chunk * LINES_PER_CHUNK + 1,
        maxLines: LINES_PER_CHUNK,
      });
      if (!answer.ok) return answer.error;
      if (total.current.key === key) total.current.value = answer.value.totalLines;
      return { lines: answer.value.lines };
    },
    isRpcError,
  );
  return {
    line: (number) => chunks.chunkAt(number - 1)?.lines[(number - 1) % LINES_PER_CHUNK],
    want: (from, to) => chunks.want(from - 1, to - 1),
    totalLines: total.current.value,
    error: chunks.error,
  };
}

export interface ByteSource {
  /** The held bytes around `offset` and where they start; undefined while they are being fetched. */
  at(offset: number): { readonly from: number; readonly bytes: Uint8Array } | undefined;
  want(from: number, to: number): void;
  readonly error: RpcError | null;
}

export function useBytes(caseId: CaseId, entryId: EntryId): ByteSource {
  const chunks = useChunks<{ readonly from: number; readonly bytes: Uint8Array }>(
    `${caseId}/${entryId}`,
    BYTES_PER_CHUNK,
    async (chunk) => {
      const answer = await bridge.request('entry.bytes', {
        caseId,
        entryId,
        from: chunk * BYTES_PER_CHUNK,
        maxBytes: BYTES_PER_CHUNK,
      });
      return answer.ok ? { from: answer.value.from, bytes: answer.value.bytes } : answer.error;
    },
    isRpcError,
  );
  return { at: chunks.chunkAt, want: chunks.want, error: chunks.error };
}
