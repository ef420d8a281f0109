/** What the timeline keeps of itself while other screens are shown: span, folds, pins. In memory, per case. */
import { useCallback, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { NoteId } from '#shared/model/note.ts';
import type { Tier } from '../../viewmodels/timeline/rows.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';

export interface Board {
  /** Null until the case's own span is known. */
  readonly span: TimeSpan | null;
  readonly toggled: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly pinned: readonly string[];
  readonly tier: Tier | 'auto';
  /** The mark that the keys are about; marks themselves are notes of the case. */
  readonly mark: NoteId | null;
  /** Table instead of the drawing. */
  readonly twin: boolean;
}

const FRESH: Board = {
  span: null,
  toggled: new Set(),
  hidden: new Set(),
  pinned: [],
  tier: 'auto',
  mark: null,
  twin: false,
};

const kept = new Map<CaseId, Board>();
const MOST_CASES = 20;

export function useBoard(
  caseId: CaseId,
): readonly [Board, (change: Partial<Board> | ((board: Board) => Partial<Board>)) => void] {
  const [board, setBoard] = useState(() => kept.get(caseId) ?? FRESH);
  const change = useCallback(
    (part: Partial<Board> | ((board: Board) => Partial<Board>)) =>
      setBoard((old) => {
        const next = { ...old, ...(typeof part === 'function' ? part(old) : part) };
        kept.delete(caseId);
        kept.set(caseId, next);
        const [oldest] = kept.keys();
        if (kept.size > MOST_CASES && oldest !== undefined) kept.delete(oldest);
        return next;
      }),
    [caseId],
  );
  return [board, change];
}

export function toggledSet(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
