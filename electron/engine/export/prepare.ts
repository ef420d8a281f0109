/** One report of a case as it is chosen now: its document, its reply, what is replaced in it and what stops its export. */
import { createHash } from 'node:crypto';
import type { CaseNote } from '#shared/model/note.ts';
import { REDACTION_KINDS, type Redactor, type StandIn, type Unscanned } from '#shared/redaction/index.ts';
import { replyToSender } from '#shared/report/reply/index.ts';
import type { Report } from '#shared/report/schema.ts';
import {
  buildDocument,
  buildSections,
  type DocumentInput,
  type ReportDocument,
  SECTION_IDS,
  type Section,
  type SectionId,
} from '#shared/report/sections/index.ts';
import { fittingForm } from '#shared/report/settings-text.ts';
import { choicesSchema, type ReportChoices } from '#shared/rpc/areas/export.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { keepStandIns, listStandIns, readChoices, type StandInRow } from '../store/export-log.ts';
import { gatherInputs, learningTexts } from './inputs.ts';
import { documentTexts, knownHashes, redactDocument, redactInputs, stringsOf } from './redact-inputs.ts';

export interface CaseSource {
  readonly reader: CaseReader;
  readonly notesDb: string;
  readonly title: string;
  readonly report: Report;
  readonly notes: readonly CaseNote[];
}

export interface PreparedReport {
  readonly choices: ReportChoices;
  /** What everything below is made from; redacted if that was chosen. */
  readonly input: DocumentInput;
  readonly sections: readonly Section[];
  readonly document: ReportDocument;
  readonly reply: string;
  readonly patch: string | null;
  readonly redactor: Redactor | null;
  readonly unscanned: readonly Unscanned[];
  /** Sections that are on and hold something that could not be scanned. */
  readonly stoppedBy: readonly SectionId[];
  readonly hashes: ReadonlySet<string>;
}

const DEFAULT_CHOICES: ReportChoices = {
  sections: SECTION_IDS.map((id) => ({ id, on: true })),
  redact: true,
  words: [],
};

/** Choices of an older or a newer version, or of a damaged file, count as none. */
function choicesOf(notesDb: string): ReportChoices {
  try {
    const parsed = choicesSchema.safeParse(JSON.parse(readChoices(notesDb) ?? 'null'));
    return parsed.success ? parsed.data : DEFAULT_CHOICES;
  } catch (error) {
    if (error instanceof SyntaxError) return DEFAULT_CHOICES;
    throw error;
  }
}

/** Made once for the same case, notes and words: switching a section costs nothing. */
let last: { readonly key: string; readonly made: Made } | undefined;

interface Made {
  readonly input: DocumentInput;
  readonly redactor: Redactor | null;
  readonly hashes: ReadonlySet<string>;
}

export function prepareReport(source: CaseSource): PreparedReport {
  const choices = choicesOf(source.notesDb);
  const { input, redactor, hashes } = make(source, choices);
  const sections = buildSections(input);
  const built = buildDocument(input, choices.sections, choices.redact);
  const document = redactor === null ? built : redactDocument(built, redactor, hashes);
  const plainReply = replyToSender(input.report);
  const reply = redactor === null ? plainReply : redactor.redact(plainReply, 'gaps', 'reply to the sender', hashes);
  const unscanned = [...(redactor?.unscanned ?? [])];
  if (redactor !== null) {
    unscanned.push(...survivors(redactor, hashes, document));
    if (redactor.survives(reply, hashes))
      unscanned.push({ section: 'gaps', where: 'reply to the sender', why: 'survived' });
  }
  const on = new Set(choices.sections.flatMap((row) => (row.on ? [row.id] : [])));
  const blocked = new Set(unscanned.map(({ section }) => section));
  return {
    choices,
    input,
    sections,
    document,
    reply,
    patch: input.report.settings === undefined ? null : (fittingForm(input.report.settings)?.text ?? null),
    redactor,
    unscanned,
    stoppedBy: SECTION_IDS.filter((id) => on.has(id) && blocked.has(id)),
    hashes,
  };
}

function make(source: CaseSource, choices: ReportChoices): Made {
  const key = createHash('sha256')
    .update(JSON.stringify([source.notesDb, source.title, source.notes, choices.redact, choices.words, source.report]))
    .digest('hex');
  if (last?.key === key) return last.made;
  const raw = gatherInputs(source.reader, source);
  const hashes = knownHashes(raw);
  let made: Made = { input: raw, redactor: null, hashes };
  if (choices.redact) {
    const known = listStandIns(source.notesDb).flatMap(standInOf);
    const redacted = redactInputs(raw, { words: choices.words, known, learn: learningTexts(source.reader) });
    made = { ...redacted, hashes };
  }
  last = { key, made };
  return made;
}

/** Null = reports of the case are not redacted; undefined = a name would be left. Keeps the stand-ins. */
export function redactText(source: CaseSource, text: string): string | null | undefined {
  const choices = choicesOf(source.notesDb);
  const { redactor, hashes } = make(source, choices);
  if (redactor === null) return null;
  // What is copied is no part of a report: its places and doubts must not be counted there.
  last = undefined;
  const before = redactor.unscanned.length;
  const redacted = redactor.redact(text, 'starred', 'copied text', hashes);
  if (redactor.unscanned.length > before || redactor.survives(redacted, hashes)) return undefined;
  keepStandIns(source.notesDb, redactor.table());
  return redacted;
}

/** Keeps the table in the case, so that the next report of it uses the same stand-ins. */
export function keepTable({ notesDb }: CaseSource, { redactor }: PreparedReport): void {
  if (redactor !== null) keepStandIns(notesDb, redactor.table());
}

const standInOf = ({ kind, text, standIn }: StandInRow): StandIn[] => {
  const known = REDACTION_KINDS.find((one) => one === kind);
  return known === undefined ? [] : [{ kind: known, text, standIn }];
};

function survivors(redactor: Redactor, hashes: ReadonlySet<string>, document: ReportDocument): Unscanned[] {
  const found = new Set<SectionId>();
  for (const { section, text } of documentTexts(document)) {
    if (!found.has(section) && redactor.survives(text, hashes)) found.add(section);
  }
  return [...found].map((section) => ({ section, where: 'the finished section', why: 'survived' }));
}

/** A look over a whole object before it is written as JSON. */
export const jsonSurvives = ({ redactor, hashes, input }: PreparedReport): boolean =>
  redactor !== null && [...stringsOf(input.report)].some((text) => redactor.survives(text, hashes));
