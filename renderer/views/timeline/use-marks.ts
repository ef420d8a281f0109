/** The analyst's marks: set, found, moved, named, taken away. They are notes of the case, so each change can be undone. */
import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { addNote, moveMark, removeNote, useNotes } from '../../data/notes.ts';
import { undoLast } from '../../data/undo.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import { markAt, nextMark, type OwnMark, ownMarks, timeSubject } from '../../viewmodels/timeline/own-marks.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import type { Board } from './board-state.ts';

/** Share of the width within which a key or click means the mark that is there already. */
const REACH = 0.005;
/** Share of the width that a key press moves a mark by. */
const STEP = 0.01;
const FINE_STEP = 0.001;

interface MarkParts {
  readonly caseId: CaseId;
  readonly originNs: bigint;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly board: Board;
  readonly change: (part: Partial<Board>) => void;
}

export interface Marks {
  readonly all: readonly OwnMark[];
  readonly chosen: OwnMark | null;
  /** At a moment, or over a span. A mark that is there already is chosen instead. */
  set(at: number, to: number | null): void;
  /** True if there is one. */
  chooseAt(at: number): boolean;
  step(near: number, by: 1 | -1): OwnMark | null;
  move(by: 1 | -1, fine: boolean): void;
  name(): void;
  remove(): void;
  leave(): void;
}

export function useMarks({ caseId, originNs, basis, span, board, change }: MarkParts): Marks {
  const { all: notes } = useNotes(caseId);
  const all = useMemo(() => ownMarks(notes, basis, originNs), [notes, basis, originNs]);
  const chosen = all.find((mark) => mark.id === board.mark) ?? null;
  const length = span.to - span.from;
  const { speak, show } = useNotices.getState();
  const words = (mark: Pick<OwnMark, 'at' | 'label'>) =>
    `${mark.label}, ${momentLabel(mark.at, originNs, span)} ${basis}`;
  const choose = (mark: OwnMark): void => {
    change({ mark: mark.id });
    speak(words(mark));
  };
  const chooseAt = (at: number): boolean => {
    const known = markAt(all, at, length * REACH);
    if (known !== null) choose(known);
    return known !== null;
  };
  return {
    all,
    chosen,
    chooseAt,
    set: (at, to) => {
      if (to === null && chooseAt(at)) return;
      void addNote(caseId, timeSubject(at, to, basis, originNs), '').then((answer) => {
        if (!answer.ok || answer.value === null) return show('The notes of this case cannot be written');
        change({ mark: answer.value.id });
        speak(`Mark set, ${momentLabel(at, originNs, span)} ${basis}`);
      });
    },
    step: (near, by) => {
      const next = nextMark(all, board.mark, near, by);
      if (next === null) speak('No marks yet');
      else choose(next);
      return next;
    },
    move: (by, fine) => {
      if (chosen === null) return;
      const shift = by * length * (fine ? FINE_STEP : STEP);
      const to = chosen.to === null ? null : chosen.to + shift;
      void moveMark(caseId, chosen.note, timeSubject(chosen.at + shift, to, basis, originNs));
      speak(words({ at: chosen.at + shift, label: chosen.label }));
    },
    name: () => {
      if (chosen !== null)
        usePanels.getState().open({ kind: 'note', caseId, subject: chosen.subject, note: chosen.note });
    },
    remove: () => {
      if (chosen === null) return;
      change({ mark: null });
      void removeNote(caseId, chosen.note).then(
        (answer) => answer.ok && show('Mark removed', () => void undoLast(caseId)),
      );
    },
    leave: () => change({ mark: null }),
  };
}
