import { describe, expect, it } from 'vitest';
import { type CaseNote, type NoteSubject, noteId } from '#shared/model/note.ts';
import { markAt, nextMark, ownMarks, timeSubject } from '../../../../../renderer/viewmodels/timeline/own-marks.ts';

const ORIGIN = 1_773_478_800_000_000_000n;
let next = 1;
const note = (subject: NoteSubject, text = ''): CaseNote => ({
  id: noteId(next++),
  subject,
  starred: false,
  text,
  created: '2026-03-14T10:00:00Z',
  changed: '2026-03-14T10:00:00Z',
});
const at = (ns: number, text = ''): CaseNote => note(timeSubject(ns, null, 'corrected', ORIGIN), text);

describe('own marks', () => {
  it('are the notes about times of the shown basis, by time', () => {
    const notes = [at(5e9), note({ kind: 'rank', rank: 1 }), at(2e9), note(timeSubject(3e9, null, 'raw', ORIGIN))];
    expect(ownMarks(notes, 'corrected', ORIGIN).map((mark) => mark.at)).toEqual([2e9, 5e9]);
    expect(ownMarks(notes, 'raw', ORIGIN).map((mark) => mark.at)).toEqual([3e9]);
  });

  it('keep a span, and the first line of their words, escaped and short', () => {
    const [mark] = ownMarks(
      [note(timeSubject(1e9, 2e9, 'corrected', ORIGIN), `drain\u202e began ${'x'.repeat(40)}\nmore`)],
      'corrected',
      ORIGIN,
    );
    expect(mark).toMatchObject({ at: 1e9, to: 2e9 });
    expect(mark?.label).toMatch(/^drain\\u\{?202e\}? began x+…$/i);
  });

  it('are found near a moment, the nearest first', () => {
    const marks = ownMarks([at(100), at(130)], 'corrected', ORIGIN);
    expect(markAt(marks, 118, 20)?.at).toBe(130);
    expect(markAt(marks, 60, 20)).toBeNull();
  });

  it('are walked from the chosen one and around, else from the moment', () => {
    const marks = ownMarks([at(1e9), at(2e9), at(3e9)], 'corrected', ORIGIN);
    const [first, , last] = marks;
    expect(nextMark(marks, last?.id ?? null, 0, 1)?.at).toBe(1e9);
    expect(nextMark(marks, first?.id ?? null, 0, -1)?.at).toBe(3e9);
    expect(nextMark(marks, null, 1.5e9, 1)?.at).toBe(2e9);
    expect(nextMark(marks, null, 1.5e9, -1)?.at).toBe(1e9);
    expect(nextMark([], null, 0, 1)).toBeNull();
  });
});
