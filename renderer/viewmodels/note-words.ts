import type { NoteSubject } from '#shared/model/note.ts';
import { formatCount } from '#shared/text/format.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { escapeText } from './escape-text.ts';
import { nsToIso, timeOfDay } from './times.ts';

/** What a note is about, in words: `line 1 204 of vit-large-0.log`. */
export function subjectWords(subject: NoteSubject): string {
  switch (subject.kind) {
    case 'case':
      return 'the case';
    case 'entry':
      return fileName(subject.path);
    case 'line':
      return `line ${formatCount(subject.line)} of ${fileName(subject.path)}`;
    case 'record':
      return `record ${formatCount(subject.record)} of ${fileName(subject.path)}`;
    case 'rank':
      return `rank ${subject.rank}`;
    case 'call':
      return `${escapeText(subject.group)} #${subject.seq}${subject.rank === null ? '' : ` on rank ${subject.rank}`}`;
    case 'clock':
      return `clock ${escapeText(subject.clock)}`;
    case 'finding':
      return 'a finding';
    case 'dissent':
      return `the verdict, held to be ${STATUS_WORD[subject.status].toLowerCase()}`;
    case 'time': {
      const from = timeOfDay(nsToIso(BigInt(subject.from)));
      return subject.to === null
        ? `${from}, ${subject.basis}`
        : `${from} – ${timeOfDay(nsToIso(BigInt(subject.to)))}, ${subject.basis}`;
    }
  }
}

const fileName = (path: string): string => escapeText(path.split('/').at(-1) ?? path);
