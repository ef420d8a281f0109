/** Lines of the tables: rows, heads of sections, horizons of the recorders. */

import { CELL_STATES } from '#shared/model/divergence-table.ts';
import { formatCount } from '#shared/text/format.ts';
import type { GroupAnswer, JobAnswer, JobSection, TableRow } from '#shared/views/collectives/answers.ts';
import type { CollectiveClock } from '#shared/views/collectives/types.ts';
import { formatRanksShort } from '../ranks-text.ts';
import { type Basis, inBasis, longestText, qualityOf, timeAt } from './call-times.ts';
import { type CellModel, rowCells } from './cells.ts';
import { kindName, kindNote } from './groups.ts';
import { rowLabel } from './table-text.ts';

export interface RowItem {
  readonly kind: 'row';
  readonly key: string;
  readonly label: string;
  readonly cells: readonly CellModel[];
  readonly first: string;
  readonly firstTitle: string;
  readonly longest: string;
  /** The row in which the ranks part; `named` where the verdict names some of them. */
  readonly focus: 'named' | 'odd' | undefined;
  /** Differs after the first difference: likely a consequence. */
  readonly consequence: boolean;
  readonly differs: boolean;
  /** What the row opens. */
  readonly seq: number;
  readonly part: number;
  readonly pair: { readonly from: number; readonly to: number } | null;
  readonly group: string;
}

export type Item =
  | RowItem
  | { readonly kind: 'section'; readonly key: string; readonly title: string; readonly note: string }
  | { readonly kind: 'horizon'; readonly key: string; readonly sets: readonly number[]; readonly text: string };

interface LineTimes {
  readonly originNs: string;
  readonly clocks: readonly CollectiveClock[];
  readonly basis: Basis;
}

function times(
  line: TableRow,
  cells: readonly CellModel[],
  { originNs, clocks, basis }: LineTimes,
): Pick<RowItem, 'first' | 'firstTitle' | 'longest'> {
  const entered = Number.isFinite(line.firstNs);
  const clock = clocks[line.firstClock];
  const first = entered ? timeAt(originNs, inBasis(line.firstNs, clock, basis)) : '';
  return {
    first,
    firstTitle: entered ? `${first}, ${qualityOf(clock, basis)}, rank ${line.firstRank}` : '',
    longest: line.pair === undefined ? longestText(line.longestMs, entered, cells.some(isOpen)) : '',
  };
}

const isOpen = (cell: CellModel): boolean => cell.state === 'waiting' || cell.state === 'enqueued';

const focusForm = (cells: readonly CellModel[]): RowItem['focus'] =>
  cells.some((cell) => cell.form === 'first') ? 'named' : 'odd';

/** Items of the rows of one answer about a group; the list of differences tells which are likely consequences. */
export function groupItems(answer: GroupAnswer, basis: Basis): RowItem[] {
  const consequences = new Set(answer.differences.filter((one) => one.likelyConsequence).map((one) => one.seq));
  const divergence = answer.group.divergence;
  return answer.rows.map((line, row): RowItem => {
    const focus = divergence !== undefined && !divergence.p2p && line.seq === divergence.seq;
    const cells = rowCells({ row, line, sets: answer.sets, cells: answer.cells, contents: answer.contents, focus });
    return {
      kind: 'row',
      key: `${line.seq}.${line.part}`,
      label: rowLabel(line),
      cells,
      ...times(line, cells, { ...answer, basis }),
      focus: focus ? focusForm(cells) : undefined,
      consequence: consequences.has(line.seq),
      differs: line.differs !== 'none' && line.differs !== 'tail',
      seq: line.seq,
      part: line.part,
      pair: null,
      group: answer.group.id,
    };
  });
}

export function transferItems(answer: GroupAnswer, basis: Basis): Item[] {
  const { transfers } = answer;
  if (transfers === undefined || transfers.rows.length === 0) return [];
  const left = transfers.left > 0 ? `, ${formatCount(transfers.left)} older ones not shown` : '';
  const numbers = transfers.matched
    ? 'the k-th of each direction'
    : 'numbered by each end: recorders lost the beginning, so ends are not paired';
  return [
    { kind: 'section', key: 'transfers', title: 'point to point', note: `${numbers}${left}` },
    ...transfers.rows.map((line, row): RowItem => {
      const cells = rowCells({
        row,
        line,
        sets: answer.sets.map((set) => ({ ...set, newest: undefined })),
        cells: transfers.cells,
        contents: answer.contents,
        focus: false,
      });
      return {
        kind: 'row',
        key: `p ${line.pair?.from} ${line.pair?.to} ${line.seq}`,
        label: rowLabel(line),
        cells,
        ...times(line, cells, { ...answer, basis }),
        focus: undefined,
        consequence: false,
        differs: line.differs !== 'none',
        seq: line.seq,
        part: 0,
        pair: line.pair === undefined ? null : { from: line.pair.from, to: line.pair.to },
        group: answer.group.id,
      };
    }),
  ];
}

const NOT_HELD = CELL_STATES.indexOf('not-held');

/** A line before the first call that a recorder still holds: above it calls are overwritten, not missing. */
export function withHorizons(answer: GroupAnswer, items: readonly RowItem[]): Item[] {
  const at = new Map<number, number[]>();
  answer.cells.forEach((cells, set) => {
    for (let row = 1; row < cells.state.length; row++) {
      if (cells.state[row - 1] !== NOT_HELD || cells.state[row] === NOT_HELD) continue;
      const list = at.get(row);
      if (list === undefined) at.set(row, [set]);
      else list.push(set);
      break;
    }
  });
  return items.flatMap((item, row): Item[] => {
    const sets = at.get(row);
    if (sets === undefined) return [item];
    const ranks = sets.flatMap((set) => [...(answer.sets[set]?.ranks ?? [])]);
    const who = `${ranks.length === 1 ? 'rank' : 'ranks'} ${formatRanksShort(ranks, 30)}`;
    const text = `recorder horizon of ${who}: calls above were overwritten, not missing`;
    return [{ kind: 'horizon', key: `horizon ${row}`, sets, text }, item];
  });
}

export function jobItems(answer: JobAnswer, basis: Basis): Item[] {
  const anywhere = answer.sets.map((set) => ({ ...set, newest: undefined }));
  return answer.sections.flatMap((section, i): Item[] => {
    const kind = answer.kinds[section.kind];
    const cause = isCause(answer, section);
    return [
      {
        kind: 'section',
        key: `section ${i}`,
        title: section.p2p
          ? `${kindName(kind)}, point to point`
          : kind?.basis === 'default'
            ? 'default_pg'
            : kindName(kind),
        note: kind === undefined ? '' : kindNote(kind, section.groups),
      },
      ...section.rows.map((line, row): RowItem => {
        const focus = cause && row === section.focus;
        const sets = i === 0 ? answer.sets : anywhere;
        const cells = rowCells({
          row,
          line,
          sets,
          cells: section.cells,
          contents: answer.contents,
          focus: row === section.focus,
        });
        return {
          kind: 'row',
          key: `${i} ${line.pair?.from} ${line.pair?.to} ${line.seq} ${line.folded}`,
          label: rowLabel(line),
          cells,
          ...times(line, cells, { ...answer, basis }),
          focus: focus ? focusForm(cells) : undefined,
          consequence: false,
          differs: line.differs !== 'none' && line.differs !== 'tail',
          seq: line.seq,
          part: 0,
          pair: line.pair === undefined ? null : { from: line.pair.from, to: line.pair.to },
          group: section.opens[row] ?? '',
        };
      }),
    ];
  });
}

function isCause({ story, groups }: JobAnswer, section: JobSection): boolean {
  if (section.p2p) return false;
  const first = groups.find((group) => group.id === story.first?.group);
  return first === undefined ? story.chain[0]?.kind === section.kind : first.kind === section.kind;
}
