/**
 * Calls of a group by the moment at which sets of ranks entered them, in place of their numbers: who was where at the same time.
 *
 *   10:28:25.456   #977  A allreduce            B in #975
 *   10:28:25.460   #976  A in #977              B all_gather, 4 ms later
 *
 * A set stands at the first of its ranks that were read. Rows whose order the bounds of their clocks do not support carry `≈`. What has no time on
 * the chosen basis stands below, under its own head.
 */
import { formatCount, formatDurationMs } from '#shared/text/format.ts';
import {
  type CallTimesAnswer,
  type GroupAnswer,
  MAX_TIMED_RANKS,
  type RankSetColumn,
} from '#shared/views/collectives/answers.ts';
import { type Basis, fromRaw, qualityOf, timeAt } from './call-times.ts';
import type { CellModel } from './cells.ts';
import type { Item, RowItem } from './items.ts';

/** Ranks whose dumps tell when their set entered a call: its spokesman first, then as many as fit. */
export function readRanks(sets: readonly RankSetColumn[]): readonly number[] {
  const each = Math.max(1, Math.floor(MAX_TIMED_RANKS / Math.max(1, sets.length)));
  return sets.flatMap((set) => {
    if (set.look === 'silent' || set.byLog) return [];
    const others = [...set.ranks].filter((rank) => rank !== set.rank);
    return [set.rank, ...others].slice(0, each);
  });
}

interface Entered {
  readonly set: number;
  readonly row: number;
  readonly rank: number;
  /** ns after the origin on the basis. */
  readonly at: number;
  /** Guaranteed half width, ms; undefined = not known. */
  readonly boundMs: number | undefined;
  readonly quality: string;
  /** Its clock cannot be compared with the others. */
  readonly loose: boolean;
  readonly clock: number;
  /** Ranks of the set with a time, and from the first to the last of them, ns. */
  readonly told: number;
  readonly spreadNs: number;
  /** All of them were written by one clock, so that the spread is what it says. */
  readonly oneClock: boolean;
}

interface Moment {
  readonly row: number;
  readonly at: number;
  readonly events: readonly Entered[];
}

/** Items of the answer's rows; `items`: the same rows by their numbers, for what stands in their cells. */
export function byTimeItems(
  answer: GroupAnswer,
  items: readonly RowItem[],
  times: CallTimesAnswer,
  basis: Basis,
): readonly Item[] {
  const entered = enteredOf(answer, times, basis);
  const timed = entered.filter((one) => !one.loose).sort((a, b) => a.at - b.at || a.row - b.row || a.set - b.set);
  const moments = momentsOf(timed);
  const lastOf = new Map(moments.map((moment, i) => [moment.row, i]));
  const newest = new Map<number, number>();
  const loose = entered.filter((one) => one.loose);
  const looseCells = new Set(loose.map((one) => `${one.set} ${one.row}`));
  const looseSets = new Set(loose.map((one) => one.set));
  const rows = moments.map((moment, i): RowItem => {
    const before = new Map(newest);
    for (const { set, row } of moment.events) newest.set(set, row);
    const item = items[moment.row];
    const [first] = moment.events;
    const told = first === undefined ? '' : timeAt(answer.originNs, moment.at);
    const cells = answer.sets.map((_, set): CellModel => {
      const event = moment.events.find((one) => one.set === set);
      const own = item?.cells[set];
      if (event !== undefined && own !== undefined) return { ...own, note: noteOf(own, event, first ?? event) };
      // At the last row of a call stands also what it is for sets that never entered it, or at no time that can be compared.
      const here = entered.some((one) => one.set === set && one.row === moment.row && !one.loose);
      if (lastOf.get(moment.row) === i && !here && own !== undefined)
        return looseCells.has(`${set} ${moment.row}`) ? { ...own, note: NOT_COMPARED } : own;
      return elsewhere(looseSets.has(set) ? NOT_COMPARED : lastWords(items[before.get(set) ?? -1]));
    });
    const apart = orderKnown(moments[i - 1], moment);
    return {
      ...(item ?? EMPTY),
      key: `${item?.key} ${i}`,
      cells,
      first: `${apart ? '' : '≈ '}${told}`,
      firstTitle: `${told}, ${first?.quality ?? ''}, rank ${first?.rank ?? ''}${apart ? '' : '; order to the row above not determined'}`,
      longest: i === 0 ? '' : `+${gapText(moment.at - (moments[i - 1]?.at ?? 0))}`,
    };
  });
  return [...rows, ...untimed(answer, items, entered, basis)];
}

const EMPTY: RowItem = {
  ...{ kind: 'row', key: '', label: '', cells: [], first: '', firstTitle: '', longest: '', focus: undefined },
  ...{ consequence: false, differs: false, seq: 0, part: 0, pair: null, group: '' },
};

function enteredOf(answer: GroupAnswer, times: CallTimesAnswer, basis: Basis): Entered[] {
  const byRank = new Map(times.ranks.map((one) => [one.rank, one]));
  return answer.sets.flatMap((set, at) => {
    const read = [...set.ranks].flatMap((rank) => byRank.get(rank) ?? []);
    return answer.rows.flatMap((_, row): Entered[] => {
      const found = read.flatMap(({ rank, clock, rawNs }) => {
        const raw = rawNs[row] ?? Number.NaN;
        return Number.isNaN(raw) ? [] : [{ rank, clock, at: fromRaw(raw, times.clocks[clock], basis) }];
      });
      const known = found.filter(({ clock }) => basis === 'raw' || times.clocks[clock]?.offsetMs !== undefined);
      const list = (known.length > 0 ? known : found).sort((a, b) => a.at - b.at || a.rank - b.rank);
      const [first] = list;
      if (first === undefined) return [];
      const clock = times.clocks[first.clock];
      return [
        {
          ...{ set: at, row, rank: first.rank, clock: first.clock, at: first.at, told: list.length },
          boundMs: basis === 'raw' ? undefined : clock?.boundMs,
          quality: qualityOf(clock, basis),
          loose: known.length === 0,
          spreadNs: (list.at(-1)?.at ?? first.at) - first.at,
          oneClock: list.every((one) => one.clock === first.clock && one.clock >= 0),
        },
      ];
    });
  });
}

/** Neighbours in time that entered the same call share a row. */
function momentsOf(timed: readonly Entered[]): Moment[] {
  const moments: { row: number; at: number; events: Entered[] }[] = [];
  for (const one of timed) {
    const last = moments.at(-1);
    if (last !== undefined && last.row === one.row) last.events.push(one);
    else moments.push({ row: one.row, at: one.at, events: [one] });
  }
  return moments;
}

/** By the widest that their clocks may be off; stamps of one clock are in order as they are. */
function orderKnown(a: Moment | undefined, b: Moment): boolean {
  const [x, y] = [a?.events.at(-1), b.events[0]];
  return x === undefined || y === undefined || isApart(x, y);
}

function isApart(x: Entered, y: Entered): boolean {
  if (x.clock === y.clock && x.clock >= 0) return true;
  if (x.boundMs === undefined || y.boundMs === undefined) return false;
  return (y.at - x.at) / 1e6 > x.boundMs + y.boundMs;
}

function noteOf(cell: CellModel, event: Entered, first: Entered): string {
  const later = event.at - first.at;
  const parts = [
    cell.same ? '' : cell.note,
    later > 0 ? `${isApart(first, event) ? '' : '≈ '}${gapText(later)} later` : '',
    event.told > 1 && event.spreadNs > 0
      ? `${formatCount(event.told)} ranks within ${event.oneClock ? '' : '≈ '}${gapText(event.spreadNs)}`
      : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const NOT_COMPARED = 'clock not known';

const elsewhere = (note: string): CellModel => ({
  ...{ glyph: 'none', form: 'quiet', op: '', same: false, state: 'elsewhere' },
  note,
});

const lastWords = (item: RowItem | undefined): string =>
  item === undefined ? 'before these calls' : `entered #${item.label} last`;

/** Calls that nobody entered at a time that can be placed. */
function untimed(
  answer: GroupAnswer,
  items: readonly RowItem[],
  entered: readonly Entered[],
  basis: Basis,
): readonly Item[] {
  const placed = new Set(entered.filter((one) => !one.loose).map((one) => one.row));
  const left = items.filter((_, row) => !placed.has(row) && answer.rows[row] !== undefined);
  if (left.length === 0) return [];
  const loose = entered.some((one) => one.loose);
  return [
    {
      kind: 'section',
      key: 'untimed',
      title: 'no time',
      note:
        loose && basis === 'corrected'
          ? 'entered on clocks that cannot be compared, or no record holds a time'
          : 'no record of these calls holds a time',
    },
    ...left,
  ];
}

/** `3.1 ms`, `0.02 ms`. */
function gapText(ns: number): string {
  const ms = ns / 1e6;
  return ms < 1000 ? `${ms < 10 ? Number(ms.toFixed(2)) : Math.round(ms)} ms` : formatDurationMs(ms);
}
