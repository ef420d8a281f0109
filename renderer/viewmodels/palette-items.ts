/** What the palette offers for a text: commands, findings, ranks, files; the best of each first. */
import type { Report, ReportRank } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatBytes } from '#shared/text/format.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { escapeText } from './escape-text.ts';
import { placeOf, type RawPlace } from './evidence-rows.ts';
import { ROLE_WORDS } from './words.ts';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

export type PaletteItem =
  | {
      readonly kind: 'command';
      readonly key: string;
      readonly text: string;
      readonly note: string;
      readonly id: string;
    }
  | {
      readonly kind: 'finding';
      readonly key: string;
      readonly text: string;
      readonly note: string;
      readonly entryId: number | null;
      readonly target: RawPlace;
    }
  | {
      readonly kind: 'rank';
      readonly key: string;
      readonly text: string;
      readonly note: string;
      readonly rank: number;
      readonly role: ReportRank['role'];
      readonly file: string | null;
    }
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly text: string;
      readonly note: string;
      readonly entryId: number;
    };

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

export interface PaletteSources {
  readonly commands: readonly PaletteCommand[];
  readonly report: Report | null;
  readonly entries: readonly EntryRow[];
}

const MAX_PER_GROUP = 6;

/** `>` at the start asks for commands only. Every word of the text must occur; earlier and whole-word hits come first. */
export function paletteGroups(query: string, sources: PaletteSources): readonly PaletteGroup[] {
  const commandsOnly = query.startsWith('>');
  const words = (commandsOnly ? query.slice(1) : query)
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const commands = best(words, sources.commands.map(commandItem), words.length === 0 ? 12 : MAX_PER_GROUP);
  const groups: PaletteGroup[] = [];
  const add = (title: string, items: readonly PaletteItem[]) => {
    if (items.length > 0) groups.push({ title, items });
  };
  if (!commandsOnly && words.length > 0) {
    add('Ranks', best(words, rankItems(sources.report), MAX_PER_GROUP));
    add('Commands', commands);
    add('Findings', best(words, findingItems(sources.report), MAX_PER_GROUP));
    add('Files', best(words, sources.entries.map(fileItem), MAX_PER_GROUP));
  } else add('Commands', commands);
  return groups;
}

const commandItem = (command: PaletteCommand): PaletteItem => ({
  kind: 'command',
  key: `command ${command.id}`,
  text: command.title,
  note: command.keys,
  id: command.id,
});

function rankItems(report: Report | null): readonly PaletteItem[] {
  return (report?.ranks ?? []).map((row) => ({
    kind: 'rank',
    key: `rank ${row.rank}/${row.attempt}`,
    text: [`rank ${row.rank}`, row.pod, row.node]
      .filter((part) => part !== null)
      .map(escapeText)
      .join(', '),
    note: ROLE_WORDS[row.role],
    rank: row.rank,
    role: row.role,
    file: row.files[0] ?? null,
  }));
}

function findingItems(report: Report | null): readonly PaletteItem[] {
  return (report?.findings ?? []).map((finding, index) => {
    const first = finding.because[0];
    return {
      kind: 'finding',
      key: `finding ${index}`,
      text: escapeText(finding.summary),
      note: STATUS_WORD[finding.status],
      entryId: first?.entryId ?? null,
      target: first ? placeOf(first) : { kind: 'whole' },
    };
  });
}

const fileItem = (entry: EntryRow): PaletteItem => ({
  kind: 'file',
  key: `file ${entry.id}`,
  text: escapeText(entry.path),
  note: `${formatBytes(entry.bytes)}, ${entry.status}`,
  entryId: entry.id,
});

function best(words: readonly string[], items: readonly PaletteItem[], limit: number): readonly PaletteItem[] {
  return items
    .map((item, order) => ({ item, order, score: scoreOf(words, item.text.toLowerCase()) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0) || a.order - b.order)
    .slice(0, limit)
    .map(({ item }) => item);
}

/** The words as they stand beat the same words apart: `rank 1` means rank 1, then rank 10, before rank 8 of Pod 1. */
function phraseBonus(phrase: string, text: string): number {
  const at = text.indexOf(phrase);
  if (at === -1) return 0;
  return /^$|[^a-z0-9]/.test(text.charAt(at + phrase.length)) ? -1000 : -500;
}

/** Smaller is better: whole words before beginnings of words before the middle, early before late. Null = no match. */
function scoreOf(words: readonly string[], text: string): number | null {
  let score = phraseBonus(words.join(' '), text);
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === -1) return null;
    const startsWord = at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1));
    const endsWord = /^$|[^a-z0-9]/.test(text.charAt(at + word.length));
    score += at + (startsWord ? 0 : 200) + (startsWord && endsWord ? 0 : 100);
  }
  return score;
}
