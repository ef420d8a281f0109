/** Words of the Report screen. */
import type { RedactionKind, Unscanned, UnscannedWhy } from '#shared/redaction/types.ts';
import { SECTION_TITLE, type SectionId } from '#shared/report/sections/types.ts';
import type { ReportChoices, ReportPreview } from '#shared/rpc/areas/export.ts';
import type { SaveForm } from '#shared/rpc/bridge.ts';
import { plural } from '#shared/text/format.ts';

export const KIND_TITLE: Readonly<Record<RedactionKind, string>> = {
  host: 'Hosts and nodes',
  pod: 'Pods and jobs',
  namespace: 'Namespaces',
  user: 'Users',
  ip: 'Addresses',
  mac: 'MAC addresses',
  path: 'Paths',
  email: 'E-mail addresses',
  secret: 'Keys and tokens',
  url: 'URLs',
  bucket: 'Buckets',
  image: 'Images and registries',
  device: 'GPU ids and serials',
  uuid: 'Other ids',
  object: 'Objects of the cluster',
  bundle: 'Names of the bundle',
  word: 'Your own words',
};

const WHY: Readonly<Record<UnscannedWhy, string>> = {
  'not-text': 'holds bytes that are not text',
  'too-long': 'is longer than 1 MiB',
  'too-many': 'holds more names than can be kept apart',
  survived: 'still holds a name after redaction',
};

/** One sentence a section, worst things first named: `Starred records, notes: text of record 1 holds bytes that are not text.` */
export function stopSentences({
  stoppedBy,
  redaction,
}: Pick<ReportPreview, 'stoppedBy' | 'redaction'>): readonly { readonly id: SectionId; readonly text: string }[] {
  return stoppedBy.map((id) => {
    const all = (redaction?.unscanned ?? []).filter(({ section }) => section === id);
    const [first] = all;
    const more = all.length > 1 ? `, and ${all.length - 1} more` : '';
    return {
      id,
      text: first === undefined ? SECTION_TITLE[id] : `${SECTION_TITLE[id]}: ${unscannedWords(first)}${more}`,
    };
  });
}

const unscannedWords = ({ where, why }: Unscanned): string => `${where} ${WHY[why]}`;

/** Another place in the list, by one step. The same choices if there is none. */
export function moveSection(choices: ReportChoices, id: SectionId, to: number): ReportChoices {
  const from = choices.sections.findIndex((row) => row.id === id);
  const row = choices.sections[from];
  const target = Math.max(0, Math.min(choices.sections.length - 1, to));
  if (row === undefined || target === from) return choices;
  const rest = choices.sections.filter((one) => one.id !== id);
  return { ...choices, sections: [...rest.slice(0, target), row, ...rest.slice(target)] };
}

export const switchSection = (choices: ReportChoices, id: SectionId, on: boolean): ReportChoices => ({
  ...choices,
  sections: choices.sections.map((row) => (row.id === id ? { ...row, on } : row)),
});

/** Words typed by hand: one a line or split by commas; too short ones, doubles and words that stand already are left out. */
export function addWords(choices: ReportChoices, typed: string): ReportChoices {
  const words = typed
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter((word) => word.length >= 2 && word.length <= 200);
  const seen = new Set(choices.words.map((word) => word.toLowerCase()));
  const fresh = words.filter((word) => {
    const key = word.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { ...choices, words: [...choices.words, ...fresh].slice(0, 500) };
}

export function documentWords(preview: ReportPreview, pages: number): string {
  const on = preview.document.sections.length;
  const cut = preview.cutRows > 0 ? `, ${plural(preview.cutRows, 'row')} of long tables only in the export` : '';
  return `${on} of ${plural(preview.rows.filter(({ empty }) => !empty).length, 'section')}, about ${plural(pages, 'page')}${cut}`;
}

export const FORM_WORD: Readonly<Record<SaveForm, string>> = {
  pdf: 'PDF',
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  patch: 'Patch YAML',
  reply: 'Reply',
  package: 'Case package…',
};

const STAND_IN =
  /(?<![\w-])(?:host|pod|namespace|user|ip|mac|path|email|secret|url|bucket|image|device|id|object|bundle|word|item|x)-\d{1,6}(?![\w])/g;

export interface PaperPiece {
  readonly text: string;
  readonly standIn: boolean;
}

/** Stand-ins apart from the text around them; they join to `text`. */
export function paperPieces(text: string, redacted: boolean): readonly PaperPiece[] {
  if (!redacted) return [{ text, standIn: false }];
  const out: PaperPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(STAND_IN)) {
    if (match.index > at) out.push({ text: text.slice(at, match.index), standIn: false });
    out.push({ text: match[0], standIn: true });
    at = match.index + match[0].length;
  }
  if (at < text.length || out.length === 0) out.push({ text: text.slice(at), standIn: false });
  return out;
}
