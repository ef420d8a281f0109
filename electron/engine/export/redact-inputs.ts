/** Inputs of a report without the names of the customer. What could not be scanned is told by section; nothing may be exported with it. */

import { withoutArchiveEnding } from '#shared/lib/file-names.ts';
import { type NamedOriginal, Redactor, type StandIn, walkTexts } from '#shared/redaction/index.ts';
import { reportSchema } from '#shared/report/schema.ts';
import {
  type DocumentInput,
  type ReportDocument,
  SECTION_TITLE,
  type SectionId,
} from '#shared/report/sections/index.ts';
import { ENTRY_STATUS_WORD, GAP_STATE_WORD } from '#shared/text/entry-text.ts';
import { SETTING_STATE_WORD } from '#shared/text/setting-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';

export interface RedactionRequest {
  readonly words: readonly string[];
  readonly known: readonly StandIn[];
  /** Further texts that names are learned from. */
  readonly learn: readonly string[];
}

export interface RedactedInputs {
  readonly input: DocumentInput;
  readonly redactor: Redactor;
}

/** A dissent stands beside the verdict that it is about. */
const sectionOfNote = ({ dissent = null }: DocumentInput['notes'][number]): SectionId =>
  dissent === null ? 'starred' : 'verdict';

export function redactInputs(raw: DocumentInput, { words, known, learn }: RedactionRequest): RedactedInputs {
  const redactor = new Redactor({ names: namesOf(raw), words, known, vocabulary: VOCABULARY });
  for (const text of learn) redactor.learn(text);
  walkTexts(reportSchema, raw.report, (text) => {
    redactor.learn(text);
    return text;
  });
  for (const { path } of raw.files) redactor.learn(path);
  for (const note of raw.notes) redactor.learn(`${note.about}\n${note.text}\n${note.excerpt ?? ''}`);
  const inVerdict = new Set(stringsOf(raw.report.verdict));
  const report = walkTexts(reportSchema, raw.report, (text, path) => {
    if (isFixed(text, path)) return text;
    // The first finding is the verdict again, and no other section shows it.
    const shown = path[0] === 'findings' && inVerdict.has(text) ? ['verdict', ...path.slice(1)] : path;
    return redactor.redact(text, sectionOf(shown), path.join('.'));
  });
  const input: DocumentInput = {
    title: redactor.redact(raw.title, 'verdict', 'name of the case'),
    report: reportSchema.parse(report),
    notes: raw.notes.map((note, i) => ({
      ...note,
      about: redactor.redact(note.about, sectionOfNote(note), `record ${i + 1}`),
      text: redactor.redact(note.text, sectionOfNote(note), `note ${i + 1}`),
      excerpt: note.excerpt === null ? null : redactor.redact(note.excerpt, 'starred', `text of record ${i + 1}`),
    })),
    files: raw.files.map((file, i) => ({
      ...file,
      path: redactor.redact(file.path, 'manifest', `name of file ${i + 1}`),
    })),
    figure:
      raw.figure === null
        ? null
        : {
            ...raw.figure,
            caption: raw.figure.caption,
            lanes: raw.figure.lanes.map((lane) => ({
              ...lane,
              label: redactor.redact(lane.label, 'timeline', 'name of a lane'),
              bars: lane.bars.map((bar) => ({
                ...bar,
                label: redactor.redact(bar.label, 'timeline', 'name of a call'),
              })),
            })),
          },
  };
  return { input, redactor };
}

const SHA256 = /^[0-9a-f]{64}$/;
/** Codes of this program that the schema calls text, and hashes of whole files: they name nobody. */
const FIXED = new Set(['schema', 'rule']);

function isFixed(text: string, path: readonly string[]): boolean {
  const key = path.at(-1) ?? '';
  if (key === 'sha256') return SHA256.test(text);
  if (path[0] === 'tool' || (path[0] === 'issues' && key === 'code')) return true;
  return FIXED.has(key) || (path[0] === 'findings' && key === 'id');
}

/** Which section shows a field of the report. */
function sectionOf(path: readonly string[]): SectionId {
  const [top, next] = path;
  switch (top) {
    case 'verdict':
      return next === 'because' || next === 'against' || next === 'wouldChange' || next === 'nextChecks'
        ? 'evidence'
        : next === 'candidates'
          ? 'alternatives'
          : 'verdict';
    case 'findings':
      return 'alternatives';
    case 'ranks':
      return 'ranks';
    case 'collectives':
      return next === 'explanation' ? 'ranks' : 'divergence';
    case 'clock':
      return 'clocks';
    case 'gaps':
      return 'gaps';
    case 'issues':
      return 'issues';
    case 'settings':
      return 'settings';
    default:
      return 'verdict';
  }
}

/** Names that the report holds in fields of their own. */
function namesOf({ report, title, files }: DocumentInput): readonly NamedOriginal[] {
  const names: NamedOriginal[] = [];
  const add = (kind: NamedOriginal['kind'], text: string | null): void => {
    if (text !== null && text !== '') names.push({ kind, text });
  };
  const pods: string[] = [];
  for (const rank of report.ranks) {
    add('host', rank.node);
    if (rank.pod !== null) pods.push(rank.pod);
  }
  for (const { node, pod } of [report.verdict, ...report.findings]) {
    add('host', node);
    if (pod !== null) pods.push(pod);
  }
  for (const { id, kind } of report.clock.domains) if (kind === 'node') add('host', id);
  for (const { pod } of report.clock.zones ?? []) if (pod !== null) pods.push(pod);
  for (const pod of pods) add('pod', pod);
  for (const pod of pods) add('pod', jobOf(pod));
  for (const rank of report.ranks) add('pod', rank.container);
  for (const name of [report.bundle.name, title, topFolder(files)]) {
    if (name === null) continue;
    add('bundle', name);
    const stem = withoutArchiveEnding(name);
    if (stem !== name) add('bundle', stem);
  }
  return names;
}

/** The folder that all files lie in, or null: an archive often carries the name of its job there. */
function topFolder(files: DocumentInput['files']): string | null {
  const tops = new Set(files.map(({ path }) => (path.includes('/') ? (path.split('/')[0] ?? '') : '')));
  const [top] = tops;
  return tops.size === 1 && top !== undefined && top !== '' ? top : null;
}

const ROLES = /-(?:workers?|masters?|launchers?|chief|ps|nodes?|trainers?|replicas?|head)$/;

/** `vit-large-worker-3` → `vit-large`; null if nothing is left that tells more than a role. */
function jobOf(pod: string): string | null {
  const base = pod.replace(/(?:-\d{1,6}){1,3}(?:-[a-z0-9]{5})?$/, '').replace(ROLES, '');
  return base === pod || base.length < 3 ? null : base;
}

/** Hashes of whole files, which a document may hold. */
export function knownHashes({ report, files }: DocumentInput): ReadonlySet<string> {
  return new Set([report.bundle.sha256, ...files.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256]))]);
}

/** Words of the report's own sentences: a case that is called `evicted` would take the word out of all of them. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    STATUS_WORD,
    STATUS_MEANING,
    OUTCOME_WORD,
    STAGE_WORD,
    CAUSE_WORD,
    GAP_STATE_WORD,
    ENTRY_STATUS_WORD,
    SETTING_STATE_WORD,
    SECTION_TITLE,
  ]
    .flatMap((words) => [...Object.keys(words), ...Object.values(words)])
    .flatMap((text) => text.toLowerCase().split(/[^a-z]+/))
    .concat('sigkill', 'sigterm', 'sigabrt', 'sigsegv', 'sigbus', 'sigstop', 'sigint', 'oomkilled', 'watchdog', 'hang')
    .filter((word) => word.length > 1),
);

/** The last pass over a finished document: names that a sentence of the report happens to hold go as well. */
export function redactDocument(
  document: ReportDocument,
  redactor: Redactor,
  allowed: ReadonlySet<string>,
): ReportDocument {
  const clean = (text: string, section: string): string =>
    redactor.redact(text, section, 'the finished section', allowed);
  return {
    ...document,
    title: clean(document.title, 'verdict'),
    foot: clean(document.foot, 'verdict'),
    sections: document.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) => mapTexts(block, (text) => clean(text, section.id))),
    })),
  };
}

/** `kind` and codes of a block are no texts: they have a closed set of values. */
const CODES: ReadonlySet<string> = new Set(['kind', 'status', 'outcome', 'state']);

function mapTexts<T>(value: T, step: (text: string) => string): T;
function mapTexts(value: unknown, step: (text: string) => string): unknown {
  if (typeof value === 'string') return step(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, step));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, CODES.has(key) ? field : mapTexts(field, step)]),
  );
}

/** Every text of a document with the section it stands in. */
export function* documentTexts(
  document: ReportDocument,
): Generator<{ readonly section: SectionId; readonly text: string }> {
  yield { section: 'verdict', text: document.title };
  for (const { id, blocks } of document.sections) {
    for (const text of stringsOf(blocks)) yield { section: id, text };
  }
}

export function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* stringsOf(part);
  }
}
