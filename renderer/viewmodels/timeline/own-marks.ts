/** The analyst's marks: notes about a time, placed on the axis of their own basis. */
import type { CaseNote, NoteId, NoteSubject } from '#shared/model/note.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { escapeText } from '../escape-text.ts';

export type TimeSubject = Extract<NoteSubject, { readonly kind: 'time' }>;

export interface OwnMark {
  readonly id: NoteId;
  readonly note: CaseNote;
  readonly subject: TimeSubject;
  /** ns from the origin, on the basis that is shown. */
  readonly at: number;
  /** Null = a moment. */
  readonly to: number | null;
  /** Escaped; `Mark` where nothing was written. */
  readonly label: string;
}

/** Marks of one basis only: nothing says which clock a moment between the lanes would be moved by. Sorted by time. */
export function ownMarks(notes: readonly CaseNote[], basis: LaneBasis, originNs: bigint): readonly OwnMark[] {
  const marks: OwnMark[] = [];
  for (const note of notes) {
    const { subject } = note;
    if (subject.kind !== 'time' || subject.basis !== basis) continue;
    marks.push({
      id: note.id,
      note,
      subject,
      at: Number(BigInt(subject.from) - originNs),
      to: subject.to === null ? null : Number(BigInt(subject.to) - originNs),
      label: shortLabel(note.text),
    });
  }
  return marks.sort((a, b) => a.at - b.at || a.id - b.id);
}

const MAX_LABEL = 32;

function shortLabel(text: string): string {
  const [line = ''] = text.trim().split('\n');
  if (line === '') return 'Mark';
  return escapeText(line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1)}…` : line);
}

export const timeSubject = (at: number, to: number | null, basis: LaneBasis, originNs: bigint): TimeSubject => ({
  kind: 'time',
  from: (originNs + BigInt(Math.round(at))).toString(),
  to: to === null ? null : (originNs + BigInt(Math.round(to))).toString(),
  basis,
});

/** The nearest mark within `reach` ns of a moment. */
export function markAt(marks: readonly OwnMark[], at: number, reach: number): OwnMark | null {
  let best: OwnMark | null = null;
  for (const mark of marks) if (Math.abs(mark.at - at) <= (best === null ? reach : Math.abs(best.at - at))) best = mark;
  return best;
}

/** The mark after or before the chosen one, else the first one behind or ahead of a moment; around the end. */
export function nextMark(marks: readonly OwnMark[], chosen: NoteId | null, at: number, by: 1 | -1): OwnMark | null {
  if (marks.length === 0) return null;
  const known = marks.findIndex((mark) => mark.id === chosen);
  if (known >= 0) return marks[(known + by + marks.length) % marks.length] ?? null;
  const ahead = by === 1 ? marks.find((mark) => mark.at >= at) : marks.findLast((mark) => mark.at <= at);
  return ahead ?? (by === 1 ? marks[0] : marks.at(-1)) ?? null;
}
