/** The same of a rank in words: beside the pointer, for a screen reader, in the head of a block. */
import { formatCount, plural } from '#shared/text/format.ts';
import type { Moment, RanksIndex, Standing } from '#shared/views/ranks/types.ts';
import { escapeText } from '../escape-text.ts';
import { formatBound, timeOfDayShort } from '../times.ts';
import { DUMP_WORDS, ROLE_WORDS } from '../words.ts';
import { isNeverEnqueued, opName, standingWord, waitsFor } from './legend.ts';
import { type CellLook, type MapColour, scaleOf, standingAt } from './looks.ts';
import type { RankRow } from './rows.ts';

function stateText(row: RankRow, index: RanksIndex, moment: Moment | null): string {
  if (moment === null || row.at < 0) return row.row === null ? 'not in the bundle' : ROLE_WORDS[row.role];
  const standing = standingAt(moment, row.at);
  if (standing !== 'waiting') return standingWord(standing).toLowerCase();
  const group = index.time?.groups[moment.group[row.at] ?? -1];
  return waitsFor(index.time?.links[group?.link ?? -1]).toLowerCase();
}

function callText(row: RankRow, index: RanksIndex, moment: Moment | null): string {
  const group = index.time?.groups[moment?.group[row.at] ?? -1];
  const op = moment?.texts[moment.op[row.at] ?? -1] ?? '';
  const seq = moment?.seq[row.at] ?? -1;
  const parts = [group === undefined ? '' : group.desc || group.name, opName(op), seq < 0 ? '' : `#${seq}`];
  return escapeText(
    parts
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, 120),
  );
}

function sinceText(row: RankRow, moment: Moment | null, timeText: (at: number) => string): string {
  const since = moment?.sinceNs[row.at] ?? Number.NaN;
  if (Number.isNaN(since)) return '';
  const bound = moment?.boundNs[row.at] ?? Number.NaN;
  return `since ${timeText(since)}${Number.isNaN(bound) ? ', bound unknown' : bound === 0 ? '' : ` ${formatBound(bound / 1e6)}`}`;
}

/** At most three lines, escaped. */
export function tooltipLines(
  row: RankRow | undefined,
  index: RanksIndex,
  moment: Moment | null,
  timeText: (at: number) => string,
): readonly string[] {
  if (row === undefined) return [];
  const place = [row.node ?? row.pod, row.row?.gpu == null ? null : `GPU ${row.row.gpu}`].filter(
    (part) => part !== null,
  );
  const state = [stateText(row, index, moment), sinceText(row, moment, timeText)].filter((part) => part !== '');
  const dump = row.row === null || row.row.dump === 'present' ? '' : `dump: ${DUMP_WORDS[row.row.dump]}`;
  const last = [callText(row, index, moment), dump, row.conflicts.length > 0 ? 'conflicting claims' : ''];
  return [
    [`rank ${row.rank}`, ...place.map((part) => escapeText(part))].join(', '),
    state.join(' '),
    last.filter((part) => part !== '').join(', '),
  ].filter((line) => line !== '');
}

/** The same in a cell of a word's width: state and number of the call, or the value that the map is coloured by. */
export function narrowCaption(
  row: RankRow,
  index: RanksIndex,
  moment: Moment | null,
  colour: MapColour,
): readonly string[] {
  if (colour !== 'state') return [valueText(row, index, moment, colour)];
  if (moment === null || row.at < 0) return [row.row === null ? 'unseen' : ROLE_WORDS[row.role]];
  const seq = moment.seq[row.at] ?? -1;
  const standing = standingAt(moment, row.at);
  return [CELL_WORDS[standing] ?? standingWord(standing).toLowerCase(), ...(seq < 0 ? [] : [`#${seq}`])];
}

/** Short enough for a cell; the table below the map has them at length. */
const CELL_WORDS: Readonly<Partial<Record<Standing, string>>> = {
  first: 'first',
  absent: 'awaited',
  differs: 'differs',
  exited: 'ended',
  'in-call': 'in a call',
  between: 'computes',
  logging: 'logs on',
  before: 'not begun',
  'no-records': 'no records',
};

/** `3 errors`, `#65`, `±78 ms`, `98 %`: what the colour of the cell stands for. */
function valueText(
  row: RankRow,
  index: RanksIndex,
  moment: Moment | null,
  colour: Exclude<MapColour, 'state'>,
): string {
  const value = scaleOf([], index, moment, colour).value(row);
  if (Number.isNaN(value)) return 'not known';
  switch (colour) {
    case 'errors':
      return value === 0 ? 'no error' : plural(value, 'error');
    case 'sequence':
      return `#${value}`;
    case 'clock':
      return value === 0 ? 'reference' : formatBound(value / 1e6);
    case 'evidence':
      return `${Math.round(value * 100)} %`;
  }
}

/** What is known of the node of a line: who stands there, its clock's bound, its Pod. Escaped. */
export function lineFacts(
  members: readonly number[],
  rows: readonly RankRow[],
  index: RanksIndex,
  looks: readonly CellLook[],
): readonly string[] {
  const own = members.flatMap((i) => rows[i] ?? []);
  const bounds = own.flatMap((row) => (row.at < 0 ? [] : [index.time?.boundNs[row.at] ?? Number.NaN]));
  const bound = bounds.length === 0 ? null : Math.max(...bounds);
  const clock =
    bound === null
      ? ''
      : Number.isNaN(bound)
        ? 'clock bound unknown'
        : bound === 0
          ? 'reference clock'
          : `clock ${formatBound(bound / 1e6)}`;
  const pods = new Set(own.flatMap((row) => row.pod ?? []));
  const [pod] = pods;
  const place = pod === undefined ? '' : pods.size === 1 ? escapeText(pod) : plural(pods.size, 'Pod');
  return [blockNote(members, looks), clock, place].filter((fact) => fact !== '');
}

/** Its state says so already. */
const isWithoutDump = (row: RankRow, moment: Moment | null): boolean =>
  moment !== null && row.at >= 0 && standingAt(moment, row.at) === 'no-file';

/** What a large cell says under its number: state, call, since when, what is missing, the last line of its log (raw). Escaped; empty texts are left out. */
export function cellCaption(
  row: RankRow,
  index: RanksIndex,
  moment: Moment | null,
  { timeText, colour }: { readonly timeText: (at: number) => string; readonly colour: MapColour },
): readonly string[] {
  const since = moment?.sinceNs[row.at] ?? Number.NaN;
  const text = moment?.texts[moment.op[row.at] ?? -1] ?? '';
  const seq = moment?.seq[row.at] ?? -1;
  const call = [isNeverEnqueued(text) ? 'missed' : opName(text), seq < 0 ? '' : `#${seq}`];
  const lastSeen = row.row?.lastSeen ?? null;
  return [
    ...(colour === 'state' ? [] : [valueText(row, index, moment, colour)]),
    stateText(row, index, moment),
    escapeText(
      call
        .filter((part) => part !== '')
        .join(' ')
        .slice(0, 60),
    ),
    Number.isNaN(since) ? '' : timeText(since),
    row.row === null || row.row.dump === 'present' || index.time?.anyDump !== true || isWithoutDump(row, moment)
      ? ''
      : `dump: ${DUMP_WORDS[row.row.dump]}`,
    lastSeen === null ? '' : `log to ${timeOfDayShort(lastSeen)}`,
  ].filter((line) => line !== '');
}

/** `rank 37, gpu-a05, waits for rank 3, tp_4 allreduce #4812, since 12:03:41.200 plus or minus 3 ms`. */
export function rankWords(
  row: RankRow,
  index: RanksIndex,
  moment: Moment | null,
  timeText: (at: number) => string,
): string {
  const parts = [
    `rank ${row.rank}`,
    row.role === 'first' ? 'first' : '',
    escapeText(row.node ?? row.pod ?? 'place not known'),
    stateText(row, index, moment),
    callText(row, index, moment),
    sinceText(row, moment, timeText).replace('±', 'plus or minus '),
    row.conflicts.length > 0 ? 'conflicting claims' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const NOTES: readonly (readonly [CellLook, string])[] = [
  ['first', 'first'],
  ['absent', 'awaited'],
  ['failed', 'failed'],
  ['waits', 'wait'],
  ['lost', 'lost'],
  ['no-file', 'no dump'],
  ['no-records', 'no records'],
  ['ended', 'ended'],
];

/** `1 first, 7 wait, 2 no dump`: what is not plain in a block. */
export function blockNote(members: readonly number[], looks: readonly CellLook[]): string {
  const counts = new Map<CellLook, number>();
  for (const row of members) {
    const look = looks[row];
    if (look !== undefined) counts.set(look, (counts.get(look) ?? 0) + 1);
  }
  return NOTES.flatMap(([look, word]) => (counts.has(look) ? [`${formatCount(counts.get(look) ?? 0)} ${word}`] : []))
    .slice(0, 3)
    .join(', ');
}
