/** What a text typed into Go to may mean. The first one is what Enter takes; none = the text means nothing here. */
import type { Report } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { attemptRow } from './attempt-rows.ts';
import { escapeText } from './escape-text.ts';
import type { RawPlace } from './evidence-rows.ts';
import { parseTimeInput, type TimeInputContext } from './time-input.ts';
import { calendarDay, nsToIso, timeOfDay } from './times.ts';
import { ROLE_WORDS } from './words.ts';

export type GoToMeaning =
  | { readonly kind: 'time'; readonly label: string; readonly note: string; readonly iso: string }
  | { readonly kind: 'rank'; readonly label: string; readonly note: string; readonly rank: number }
  | {
      readonly kind: 'call';
      readonly label: string;
      readonly note: string;
      readonly group: string;
      readonly seq: number;
    }
  | {
      readonly kind: 'file';
      readonly label: string;
      readonly note: string;
      readonly entryId: number;
      readonly place: RawPlace;
    };

export interface GoToContext {
  readonly report: Report;
  readonly entries: readonly EntryRow[];
  readonly time: TimeInputContext;
}

const MAX_PER_KIND = 5;

export function goToMeanings(text: string, context: GoToContext): readonly GoToMeaning[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  return [
    ...times(trimmed, context),
    ...ranks(trimmed, context),
    ...calls(trimmed, context),
    ...files(trimmed, context),
  ];
}

function times(text: string, { time }: GoToContext): GoToMeaning[] {
  const ns = parseTimeInput(text, time);
  if (ns === null) return [];
  const iso = nsToIso(ns);
  return [{ kind: 'time', label: timeOfDay(iso), note: calendarDay(iso), iso }];
}

function ranks(text: string, { report }: GoToContext): GoToMeaning[] {
  const match = /^(?:rank\s*|r\s*)?(\d{1,7})$/i.exec(text);
  if (!match) return [];
  const rank = Number(match[1]);
  const row = attemptRow(report, rank);
  const { worldSize } = report.incident;
  if (row === null && (worldSize === null || rank >= worldSize)) return [];
  const place = [row?.node, row?.pod].filter((part) => part != null).map(escapeText);
  return [
    {
      kind: 'rank',
      label: `rank ${rank}`,
      note: [row === null ? 'not in any file' : ROLE_WORDS[row.role], ...place].join(', '),
      rank,
    },
  ];
}

/** `dp_0#4812`, or `#4812` alone for the groups whose window holds it. */
function calls(text: string, { report }: GoToContext): GoToMeaning[] {
  const match = /^(.*?)\s*#\s*(\d{1,12})$/.exec(text);
  if (!match) return [];
  const wanted = (match[1] ?? '').trim().toLowerCase();
  const seq = Number(match[2]);
  const groups = report.collectives.groups.filter(({ group, desc, window }) => {
    if (wanted === '') return window === null || (seq >= window.from && seq <= window.to);
    return group.toLowerCase() === wanted || desc.toLowerCase() === wanted;
  });
  return groups.slice(0, MAX_PER_KIND).map((group) => ({
    kind: 'call',
    label: `${escapeText(group.desc || group.group)} #${seq}`,
    note: group.window === null ? 'no records' : windowNote(group.window, seq),
    group: group.group,
    seq,
  }));
}

const windowNote = (window: { readonly from: number; readonly to: number }, seq: number): string =>
  seq >= window.from && seq <= window.to ? 'recorded' : `recorded are #${window.from} to #${window.to}`;

/** `vit-large-0.log:120`, `dump@4096`, `nccl_trace_rank_3#12`, or a part of a path alone. */
function files(text: string, { entries }: GoToContext): GoToMeaning[] {
  const match = /^(.+?)(?:([:@#])\s*(\d{1,15}))?$/.exec(text);
  const wanted = match?.[1]?.trim().toLowerCase() ?? '';
  if (!match || wanted === '') return [];
  // A number alone is a rank or nothing, not every file with that digit in its name.
  if (/^\d+$/.test(text)) return [];
  const place = placeIn(match[2], Number(match[3]));
  const hits = entries
    .map((entry) => ({ entry, score: scoreOf(entry.path.toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.path.length - b.entry.path.length || a.entry.id - b.entry.id);
  return hits.slice(0, MAX_PER_KIND).map(({ entry }) => ({
    kind: 'file',
    label: escapeText(entry.path),
    note: placeNote(place, entry),
    entryId: entry.id,
    place,
  }));
}

function placeIn(sign: string | undefined, value: number): RawPlace {
  if (sign === ':') return { kind: 'line', line: Math.max(1, value) };
  if (sign === '@') return { kind: 'byte', byte: value };
  return sign === '#' ? { kind: 'record', record: value } : { kind: 'whole' };
}

function placeNote(place: RawPlace, entry: EntryRow): string {
  switch (place.kind) {
    case 'line':
      return entry.lines !== null && place.line > entry.lines
        ? `ends at line ${formatCount(entry.lines)}`
        : `line ${formatCount(place.line)}`;
    case 'byte':
      return place.byte >= entry.bytes ? `ends at byte ${formatCount(entry.bytes)}` : `byte ${formatCount(place.byte)}`;
    case 'record':
      return `record ${formatCount(place.record)}`;
    case 'whole':
      return entry.kind;
  }
}

/** The path itself, its end at a slash, its name, then any part. */
function scoreOf(path: string, wanted: string): number {
  if (path === wanted) return 4;
  if (path.endsWith(`/${wanted}`)) return 3;
  const name = path.split('/').at(-1) ?? path;
  if (name.startsWith(wanted)) return 2;
  return path.includes(wanted) ? 1 : 0;
}
