/** The table below the map: legend and count in one, in the order of the chain. It adds up to all ranks. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import { formatCount } from '#shared/text/format.ts';
import { type Moment, type RanksIndex, type RanksLink, STANDINGS, type Standing } from '#shared/views/ranks/types.ts';
import { escapeText } from '../escape-text.ts';
import { formatBound } from '../times.ts';
import { type CellLook, COLOUR_WORDS, lookOf, type MapColour, scaleOf, standingAt } from './looks.ts';
import type { RankRow } from './rows.ts';

export interface LegendRow {
  readonly key: string;
  readonly look: CellLook;
  readonly state: string;
  readonly ranks: readonly number[];
  /** Cut to a bounded length. */
  readonly which: string;
  /** Moment in the basis; NaN = not known, or clocks that may not be compared. */
  readonly sinceNs: number;
  /** Beside the moment: bound, or why there is none. */
  readonly sinceNote: string;
  /** Escaped: `tp_4 allreduce #731402`. */
  readonly call: string;
  readonly end: string;
  readonly endTone: 'first' | 'plain';
}

const STATE_WORDS: Readonly<Record<Standing, string>> = {
  first: 'First rank',
  absent: 'Awaited, not in the call',
  failed: 'Failed',
  differs: 'Another call than its peers',
  waiting: 'Waits',
  lost: 'Node lost',
  exited: 'Process ended',
  silent: 'Silent',
  'in-call': 'In a call that ends',
  between: 'Between calls',
  logging: 'Writes its log, no dump',
  before: 'Before its first record',
  'no-file': 'No dump',
  'no-records': 'Dump without records',
  overwritten: 'Overwritten',
};

const END_WORDS: Readonly<Record<Standing, string>> = {
  first: 'first',
  absent: 'never enqueued',
  failed: 'failed',
  differs: 'differs',
  waiting: 'running',
  lost: 'lost',
  exited: 'ended',
  silent: 'nothing recorded since',
  'in-call': 'running',
  between: 'last call completed',
  logging: 'no file',
  before: 'not begun, or not kept',
  'no-file': 'no file',
  'no-records': 'no usable records',
  overwritten: 'overwritten in the ring',
};

export const standingWord = (standing: Standing): string => STATE_WORDS[standing];

interface Class {
  readonly standing: Standing;
  readonly link: number;
  readonly members: RankRow[];
}

export function legendRows(
  rows: readonly RankRow[],
  index: RanksIndex,
  moment: Moment | null,
  colour: MapColour,
  basis: 'raw' | 'corrected',
): readonly LegendRow[] {
  if (moment === null)
    return colour === 'state' || colour === 'sequence' || colour === 'errors'
      ? roleRows(rows)
      : valueRows(rows, index, moment, colour);
  return colour === 'state' ? stateRows(rows, index, moment, basis) : valueRows(rows, index, moment, colour);
}

function stateRows(
  rows: readonly RankRow[],
  index: RanksIndex,
  moment: Moment,
  basis: 'raw' | 'corrected',
): readonly LegendRow[] {
  const classes = new Map<string, Class>();
  const unseen: RankRow[] = [];
  for (const row of rows) {
    if (row.at < 0) {
      unseen.push(row);
      continue;
    }
    const standing = standingAt(moment, row.at);
    const group = index.time?.groups[moment.group[row.at] ?? -1];
    const link = standing === 'waiting' ? (group?.link ?? -1) : -1;
    const key = `${standing}/${link}`;
    const known = classes.get(key) ?? { standing, link, members: [] };
    classes.set(key, known);
    known.members.push(row);
  }
  const order = (one: Class): number => STANDINGS.indexOf(one.standing) * 10_000 + (one.link < 0 ? 9999 : one.link);
  const made = [...classes.values()]
    .sort((a, b) => order(a) - order(b))
    .map((one) => stateRow(one, index, moment, basis));
  return unseen.length === 0 ? made : [...made, plainRow('unseen', 'Not in the bundle', 'unseen', unseen, 'no file')];
}

function stateRow(
  { standing, link, members }: Class,
  index: RanksIndex,
  moment: Moment,
  basis: 'raw' | 'corrected',
): LegendRow {
  const { time } = index;
  const links = time?.links ?? [];
  const clocks = new Set(members.map((row) => time?.clock[row.at] ?? -1));
  let [earliest, bound] = [Number.NaN, Number.NaN];
  for (const row of members) {
    const since = moment.sinceNs[row.at] ?? Number.NaN;
    if (Number.isNaN(since) || since >= earliest) continue;
    [earliest, bound] = [since, moment.boundNs[row.at] ?? Number.NaN];
  }
  const unrelated = clocks.size > 1 && (basis === 'raw' || clocks.has(-1));
  const shown = showsSince(standing) && !unrelated;
  return {
    ...plainRow(
      `${standing}/${link}`,
      standing === 'waiting'
        ? link < 0 && members.every((row) => (moment.group[row.at] ?? -1) < 0)
          ? 'Waits, by its log'
          : waitsFor(links[link])
        : standing === 'first' && members.length > 1
          ? 'First ranks'
          : STATE_WORDS[standing],
      lookOf(standing),
      members,
      standing === 'first' ? firstEnd(members, moment, index) : END_WORDS[standing],
    ),
    sinceNs: shown ? earliest : Number.NaN,
    sinceNote:
      !showsSince(standing) || (!unrelated && Number.isNaN(earliest))
        ? ''
        : unrelated
          ? `${formatCount(clocks.size)} clocks, raw`
          : basis === 'raw'
            ? 'raw'
            : Number.isNaN(bound)
              ? 'bound unknown'
              : bound === 0
                ? ''
                : formatBound(bound / 1e6),
    call: callText(standing, members, index, moment),
    endTone: standing === 'first' ? 'first' : 'plain',
  };
}

const showsSince = (standing: Standing): boolean =>
  ['first', 'absent', 'failed', 'differs', 'waiting', 'lost', 'exited', 'silent'].includes(standing);

/** `Waits for rank 37`, `Waits for gpu-a05`, `Waits behind that, dp`. */
export function waitsFor(link: RanksLink | undefined): string {
  if (link === undefined) return 'Waits';
  if (link.ring) return 'Waits in a ring';
  if (link.awaited.length === 0) return `Waits in ${escapeText(link.kind || 'a group')}`;
  if (link.awaited.length <= 3)
    return `Waits for ${link.awaited.length === 1 ? 'rank' : 'ranks'} ${formatRanks(link.awaited)}`;
  if (link.node !== null) return `Waits for ${escapeText(link.node)}`;
  const kind = link.kind === '' || link.kind === 'default' ? '' : `, ${escapeText(link.kind)}`;
  return link.level === 0 ? `Waits for ${formatCount(link.awaited.length)} ranks${kind}` : `Waits behind them${kind}`;
}

/** How the lanes call what a rank did not call. */
const NEVER = 'never enqueued ';

export const isNeverEnqueued = (op: string): boolean => op.startsWith(NEVER);

/** Operation without the library's prefix. */
export const opName = (op: string): string => op.replace(NEVER, '').replace(/^\w+:/, '');

function firstEnd(members: readonly RankRow[], moment: Moment, index: RanksIndex): string {
  const [row] = members;
  if (row === undefined || index.time === null) return 'first';
  return isNeverEnqueued(moment.texts[moment.op[row.at] ?? -1] ?? '') ? 'never enqueued' : 'stands here';
}

/** What most of them are in; several groups of a kind are counted. */
function callText(standing: Standing, members: readonly RankRow[], index: RanksIndex, moment: Moment): string {
  if (standing === 'between') return 'between calls';
  if (['lost', 'logging', 'before', 'no-file', 'no-records', 'overwritten'].includes(standing)) return '';
  const groups = new Map<number, number>();
  let [low, high] = [Number.POSITIVE_INFINITY, -1];
  const ops = new Set<string>();
  for (const { at } of members) {
    const group = moment.group[at] ?? -1;
    if (group < 0) continue;
    groups.set(group, (groups.get(group) ?? 0) + 1);
    const seq = moment.seq[at] ?? -1;
    if (seq >= 0) [low, high] = [Math.min(low, seq), Math.max(high, seq)];
    ops.add(moment.texts[moment.op[at] ?? -1] ?? '');
  }
  const [first] = groups.keys();
  const known = first === undefined ? undefined : index.time?.groups[first];
  if (known === undefined) return '';
  const [op] = ops;
  const kinds = new Set([...groups.keys()].map((group) => index.time?.groups[group]?.kind ?? ''));
  const kind = kinds.size === 1 && known.kind !== '' ? `${known.kind} ` : '';
  const where = groups.size === 1 ? known.desc || known.name : `${formatCount(groups.size)} ${kind}groups`;
  // Each group counts its own calls.
  const number = high < 0 || groups.size > 1 ? '' : low === high ? `#${low}` : `#${low}–${high}`;
  return [where, ops.size === 1 ? opName(op ?? '') : '', number]
    .filter((part) => part !== '')
    .map((part) => escapeText(part.slice(0, 60)))
    .join(' ');
}

const WHICH_LENGTH = 64;

function plainRow(key: string, state: string, look: CellLook, members: readonly RankRow[], end: string): LegendRow {
  const ranks = members.map((row) => row.rank);
  const text = formatRanks(ranks);
  const cut = text.length <= WHICH_LENGTH ? text : `${text.slice(0, text.lastIndexOf(', ', WHICH_LENGTH))}, …`;
  return {
    ...{ key, look, state, ranks, end },
    which: cut,
    sinceNs: Number.NaN,
    sinceNote: '',
    call: '',
    endTone: 'plain',
  };
}

const ROLES = [
  ['first', 'First rank', 'first'],
  ['victim', 'Waits or follows', 'waits'],
  ['bystander', 'Fine', 'fine'],
  ['unknown', 'Unknown', 'silent'],
] as const;

/** Nothing has a time: what the findings say of each rank is all there is. */
function roleRows(rows: readonly RankRow[]): readonly LegendRow[] {
  const made = ROLES.flatMap(([role, word, look]) => {
    const members = rows.filter((row) => row.row !== null && row.role === role);
    return members.length === 0 ? [] : plainRow(role, word, look, members, 'by the findings');
  });
  const unseen = rows.filter((row) => row.row === null);
  return unseen.length === 0 ? made : [...made, plainRow('unseen', 'Not in the bundle', 'unseen', unseen, 'no file')];
}

const LOOKS: readonly CellLook[] = ['step-0', 'step-1', 'step-2', 'step-3', 'step-4'];

function valueRows(
  rows: readonly RankRow[],
  index: RanksIndex,
  moment: Moment | null,
  colour: Exclude<MapColour, 'state'>,
): readonly LegendRow[] {
  const { edges, value } = scaleOf(rows, index, moment, colour);
  const steps = new Map<number, RankRow[]>();
  for (const row of rows) {
    const at = value(row);
    const step = Number.isNaN(at) ? -1 : edges.filter((edge) => at > edge).length;
    const members = steps.get(step) ?? [];
    steps.set(step, members);
    members.push(row);
  }
  return [...steps]
    .sort(([a], [b]) => (a < 0 ? 1 : b < 0 ? -1 : b - a))
    .map(([step, members]) =>
      step < 0
        ? plainRow('none', `${COLOUR_WORDS[colour]}: not known`, 'empty', members, '')
        : plainRow(String(step), stepWord(colour, step, edges), LOOKS[step] ?? 'step-0', members, ''),
    );
}

function stepWord(colour: Exclude<MapColour, 'state'>, step: number, edges: readonly number[]): string {
  const [from, to] = [edges[step - 1], edges[step]];
  switch (colour) {
    case 'errors':
      return ['0 errors', '1 error', '2–4 errors', '5–16 errors', 'over 16 errors'][step] ?? '';
    case 'sequence': {
      const most = (edges[3] ?? 0) + 1;
      if (step === 0) return `#${Math.max(0, most - 11)} or earlier`;
      return step === 1 ? `#${Math.max(0, most - 10)}–${Math.max(0, most - 3)}` : `#${Math.max(0, most - 4 + step)}`;
    }
    case 'clock':
      return from === undefined
        ? `up to ${formatBound((to ?? 0) / 1e6)}`
        : to === undefined
          ? `over ${formatBound(from / 1e6)}`
          : `${formatBound(from / 1e6)} to ${formatBound(to / 1e6)}`;
    case 'evidence':
      return ['hardly any', 'under half', 'more than half', 'most', 'dump and log, whole'][step] ?? '';
  }
}
