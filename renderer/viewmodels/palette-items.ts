/** What the palette offers for a text: commands, ranks, groups, findings, saved searches, files, help; the best of each first. */
import type { Report, ReportRank } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatBytes, plural } from '#shared/text/format.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { escapeText } from './escape-text.ts';
import { placeOf, type RawPlace } from './evidence-rows.ts';
import type { HelpPage } from './help-text.ts';
import { ROLE_WORDS } from './words.ts';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

interface ItemBase {
  readonly key: string;
  readonly text: string;
  readonly note: string;
}

export type PaletteItem =
  | (ItemBase & { readonly kind: 'command'; readonly id: string })
  | (ItemBase & { readonly kind: 'finding'; readonly entryId: number | null; readonly target: RawPlace })
  | (ItemBase & {
      readonly kind: 'rank';
      readonly rank: number;
      readonly role: ReportRank['role'];
      readonly file: string | null;
    })
  /** What can be done with one rank. */
  | (ItemBase & { readonly kind: 'rank-action'; readonly rank: number; readonly action: RankAction })
  | (ItemBase & { readonly kind: 'group'; readonly group: string })
  | (ItemBase & { readonly kind: 'search'; readonly query: string })
  | (ItemBase & { readonly kind: 'help'; readonly page: string })
  | (ItemBase & { readonly kind: 'file'; readonly entryId: number });

export type RankAction = 'timeline' | 'logs' | 'filter' | 'inspect';

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

export interface SavedSearch {
  readonly name: string;
  readonly query: string;
}

export interface PaletteSources {
  readonly commands: readonly PaletteCommand[];
  readonly report: Report | null;
  readonly entries: readonly EntryRow[];
  readonly searches?: readonly SavedSearch[];
  readonly help?: readonly HelpPage[];
}

const MAX_PER_GROUP = 6;

/** Words of a query as the palette looks for them, lower case. */
export function paletteWords(query: string): readonly string[] {
  return query
    .replace(/^[>?]/, '')
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * `>` at the start asks for commands only, `?` for help only. Every word of the text must occur; earlier and whole-word hits come
 * first.
 */
export function paletteGroups(query: string, sources: PaletteSources): readonly PaletteGroup[] {
  const words = paletteWords(query);
  const commands = best(words, sources.commands.map(commandItem), words.length === 0 ? 12 : MAX_PER_GROUP);
  const help = (sources.help ?? []).map(helpItem);
  if (query.startsWith('?')) return [{ title: 'Help', items: best(words, help, words.length === 0 ? 40 : 12) }];
  if (query.startsWith('>') || words.length === 0) return grouped([['Commands', commands]]);
  const { report, entries, searches = [] } = sources;
  return grouped([
    ['Ranks', best(words, rankItems(report), MAX_PER_GROUP)],
    ['Commands', [...rankActions(words, report), ...commands]],
    ['Findings', best(words, findingItems(report), MAX_PER_GROUP)],
    ['Groups', best(words, groupItems(report), MAX_PER_GROUP)],
    ['Saved searches', best(words, searches.map(searchItem), MAX_PER_GROUP)],
    ['Files', best(words, entries.map(fileItem), MAX_PER_GROUP)],
    ['Help', best(words, help, 3)],
  ]);
}

const grouped = (groups: readonly (readonly [string, readonly PaletteItem[]])[]): readonly PaletteGroup[] =>
  groups.filter(([, items]) => items.length > 0).map(([title, items]) => ({ title, items }));

const commandItem = (command: PaletteCommand): PaletteItem => ({
  kind: 'command',
  key: `command ${command.id}`,
  text: command.title,
  note: command.keys,
  id: command.id,
});

const helpItem = (page: HelpPage): PaletteItem => ({
  kind: 'help',
  key: `help ${page.id}`,
  text: page.title,
  note: '',
  page: page.id,
});

const searchItem = (search: SavedSearch, index: number): PaletteItem => ({
  kind: 'search',
  key: `search ${index}`,
  text: escapeText(search.name),
  note: escapeText(search.query),
  query: search.query,
});

const ACTIONS: readonly (readonly [RankAction, (rank: number) => string])[] = [
  ['timeline', (rank) => `Show rank ${rank} on the timeline`],
  ['logs', (rank) => `Show the log lines of rank ${rank}`],
  ['filter', (rank) => `Show only rank ${rank} on all screens`],
  ['inspect', (rank) => `Open rank ${rank} in the inspector`],
];

/** Only for a text that names one rank and nothing else. */
function rankActions(words: readonly string[], report: Report | null): readonly PaletteItem[] {
  const match = /^(?:rank )?(\d{1,7})$/.exec(words.join(' '));
  const rank = Number(match?.[1]);
  if (!match || !report?.ranks.some((row) => row.rank === rank)) return [];
  return ACTIONS.map(([action, title]) => ({
    kind: 'rank-action',
    key: `rank ${rank} ${action}`,
    text: title(rank),
    note: '',
    rank,
    action,
  }));
}

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

function groupItems(report: Report | null): readonly PaletteItem[] {
  return (report?.collectives.groups ?? []).map((group) => ({
    kind: 'group',
    key: `group ${group.group}`,
    text: escapeText(group.desc === '' || group.desc === group.group ? group.group : `${group.desc}, ${group.group}`),
    note: plural(group.ranks.length, 'rank'),
    group: group.group,
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

export interface HitPiece {
  readonly text: string;
  readonly hit: boolean;
}

/** The text cut where the words of the query stand in it, first hit of each word, for the underline. */
export function hitPieces(text: string, words: readonly string[]): readonly HitPiece[] {
  const lower = text.toLowerCase();
  // Lower case of a few letters is longer than they are: then places do not fit, and nothing is marked.
  if (lower.length !== text.length || words.length === 0) return [{ text, hit: false }];
  const phrase = words.join(' ');
  const found = lower.includes(phrase) ? [phrase] : words;
  const marked = new Array<boolean>(text.length).fill(false);
  for (const word of found) {
    const at = lower.indexOf(word);
    if (at !== -1) marked.fill(true, at, at + word.length);
  }
  const pieces: { text: string; hit: boolean }[] = [];
  for (const [index, hit] of marked.entries()) {
    const last = pieces.at(-1);
    if (last && last.hit === hit) last.text += text.charAt(index);
    else pieces.push({ text: text.charAt(index), hit });
  }
  return pieces;
}
