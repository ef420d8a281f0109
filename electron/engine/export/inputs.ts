/** What a report of a case is made of: read from the case and its notes, nothing interpreted. */

import { ENTRY_STATUSES } from '#shared/model/entry.ts';
import type { CaseNote, NoteSubject } from '#shared/model/note.ts';
import type { Report } from '#shared/report/schema.ts';
import type { DocumentInput, ManifestFile, ReportNote } from '#shared/report/sections/index.ts';
import { ENTRY_STATUS_WORD } from '#shared/text/entry-text.ts';
import { LANES_VIEW } from '#shared/views/lanes/index.ts';
import { asLanesView } from '#shared/views/stored.ts';
import type { CaseReader } from '../store/case-reader.ts';
import type { EntryRecord } from '../store/queries/read-queries.ts';
import { faultFigure } from './fault-figure.ts';

/** Characters of a starred line that go into a report. */
const MAX_EXCERPT = 4096;
const MAX_FILES = 50_000;
/** Kubernetes objects name namespaces and nodes that the report may not: their heads are read to learn them. */
const MAX_LEARNED_FILES = 200;
const LEARNED_BYTES = 32 * 1024;

export function gatherInputs(
  reader: CaseReader,
  { title, report, notes }: { readonly title: string; readonly report: Report; readonly notes: readonly CaseNote[] },
): DocumentInput {
  const entries = reader.entryPage(0, MAX_FILES);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    title,
    report,
    notes: notes.map((note) => reportNote(note, reader, byPath)),
    files: entries.map(manifestFile),
    figure: faultFigure(asLanesView(reader.view(LANES_VIEW))),
  };
}

/** Heads of the files of a case that describe its objects: only learned from, never exported. */
export function learningTexts(reader: CaseReader): readonly string[] {
  return reader
    .entryPage(0, MAX_FILES)
    .filter(
      ({ kind, format, contentSlot }) =>
        contentSlot >= 0 && /kube|pod|object|event|node/i.test(`${kind} ${format ?? ''}`),
    )
    .slice(0, MAX_LEARNED_FILES)
    .map(({ contentSlot }) =>
      reader.bytes(contentSlot, 0, LEARNED_BYTES).bytes.toString('utf8').replaceAll('\ufffd', ' '),
    );
}

function manifestFile({ path, bytes, sha256, status }: EntryRecord): ManifestFile {
  const known = ENTRY_STATUSES.find((one) => one === status);
  return { path, bytes, sha256, status: known === undefined ? status : ENTRY_STATUS_WORD[known] };
}

function reportNote(note: CaseNote, reader: CaseReader, byPath: ReadonlyMap<string, EntryRecord>): ReportNote {
  return {
    about: aboutWords(note.subject),
    starred: note.starred,
    text: note.text,
    excerpt: excerptOf(note.subject, reader, byPath),
    written: note.changed,
    dissent: note.subject.kind === 'dissent' ? note.subject.status : null,
  };
}

function excerptOf(subject: NoteSubject, reader: CaseReader, byPath: ReadonlyMap<string, EntryRecord>): string | null {
  if (subject.kind !== 'line') return null;
  const entry = byPath.get(subject.path);
  if (entry === undefined) return null;
  const { lines } = reader.lines(entry.contentSlot, { fromLine: subject.line, maxLines: 1, maxLineBytes: MAX_EXCERPT });
  return lines[0]?.bytes.toString('utf8') ?? null;
}

/** As a report names it; times are written out. */
function aboutWords(subject: NoteSubject): string {
  switch (subject.kind) {
    case 'case':
      return 'The case';
    case 'entry':
      return subject.path;
    case 'line':
      return `${subject.path}:${subject.line}`;
    case 'record':
      return `${subject.path} record ${subject.record}`;
    case 'rank':
      return `Rank ${subject.rank}`;
    case 'call':
      return `${subject.group} #${subject.seq}${subject.rank === null ? '' : ` on rank ${subject.rank}`}`;
    case 'clock':
      return `Clock ${subject.clock}`;
    case 'finding':
      return `Finding ${subject.finding}`;
    case 'dissent':
      return subject.statement;
    case 'time':
      return `Mark at ${isoOf(subject.from)}${subject.to === null ? '' : ` to ${isoOf(subject.to)}`}, ${subject.basis}`;
  }
}

const isoOf = (ns: string): string =>
  new Date(Number(BigInt(ns) / 1_000_000n)).toISOString().replace('T', ' ').replace('Z', ' UTC');
