/** What stands in one cell: glyph, words, form. */
import { CELL_STATES, type CellState } from '#shared/model/divergence-table.ts';
import { formatCount } from '#shared/text/format.ts';
import {
  CELL_CONTENTS,
  CELL_DEVIATES,
  CELL_MIXED,
  NO_PART,
  type RankSetColumn,
  type SetCells,
  type TableRow,
} from '#shared/views/collectives/answers.ts';
import type { CallContent } from '#shared/views/collectives/types.ts';
import { opText, sizeText } from './call-text.ts';

export type CellGlyph =
  | 'completed'
  | 'ended'
  | 'waiting'
  | 'enqueued'
  | 'never'
  | 'dot'
  | 'missing'
  | 'overwritten'
  | 'unknown'
  | 'differs'
  | 'none';
export type CellForm = 'plain' | 'waits' | 'first' | 'odd' | 'missing' | 'overwritten' | 'quiet';

export interface CellModel {
  readonly glyph: CellGlyph;
  readonly form: CellForm;
  /** Operation, in the strong colour; empty = none. */
  readonly op: string;
  /** Sizes and the like, quieter. */
  readonly note: string;
  /** Equal to the set before it that says what was called. */
  readonly same: boolean;
  /** `elsewhere`: at this moment the set is in another call, or before one. */
  readonly state: CellState | 'no part' | 'elsewhere';
}

export const STATE_WORDS: Readonly<Record<CellState, string>> = {
  completed: 'completed',
  ended: 'ended, result unknown',
  waiting: 'waiting',
  enqueued: 'enqueued',
  'never-enqueued': 'never enqueued',
  'not-held': 'overwritten',
  'no-dump': 'no dump',
  unknown: 'cannot be told',
};

interface RowInput {
  readonly row: number;
  readonly line: TableRow;
  readonly sets: readonly RankSetColumn[];
  readonly cells: readonly SetCells[];
  readonly contents: readonly CallContent[];
  /** The row in which the ranks part. */
  readonly focus: boolean;
}

/** Cells of one row; the first set that holds the call says what it is, equal ones say `same`. */
export function rowCells(input: RowInput): CellModel[] {
  const { row, cells, contents } = input;
  const spokesman = cells.findIndex((one) => (one.content[row] ?? -1) >= 0);
  return cells.map((one, i) => {
    const id = one.content[row] ?? -1;
    const content = contents[id];
    const reference = cells[spokesman]?.content[row] ?? -1;
    const alike =
      input.line.pair === undefined
        ? id === reference
        : contents[reference]?.sizeId === content?.sizeId && contents[reference]?.dtypeId === content?.dtypeId;
    return cellOf(input, i, { content, same: i !== spokesman && content !== undefined && alike });
  });
}

function cellOf(
  { row, line, sets, cells, focus }: RowInput,
  set: number,
  { content, same }: { readonly content: CallContent | undefined; readonly same: boolean },
): CellModel {
  const own = cells[set];
  const look = sets[set]?.look ?? 'silent';
  const code = own?.state[row] ?? NO_PART;
  if (own === undefined || code === NO_PART)
    return { glyph: 'none', form: 'quiet', op: '', note: 'no part', same: false, state: 'no part' };
  const state = CELL_STATES[code] ?? 'unknown';
  const flags = own.flags[row] ?? 0;
  const apart = focus && (look === 'first' || look === 'odd');
  const deviates = (flags & CELL_DEVIATES) !== 0;
  const op = content === undefined ? '' : same && line.pair === undefined ? 'same' : opText(content);
  const size = content === undefined || same ? '' : sizeText(content);
  const mixed =
    (flags & CELL_MIXED) !== 0 ? `${formatCount(own.count[row] ?? 0)} of ${formatCount(own.part[row] ?? 0)}` : '';
  const unlike = (flags & CELL_CONTENTS) !== 0 ? 'different calls' : '';
  const notes = (...parts: string[]): string => [...parts, unlike, mixed].filter((part) => part !== '').join(', ');
  const base = { op, same, state };
  switch (state) {
    case 'completed':
    case 'ended':
      return {
        ...base,
        glyph: deviates ? 'differs' : state === 'ended' ? 'ended' : 'completed',
        form: deviates ? formOf(look, 'odd') : 'plain',
        op: op === '' ? (line.folded > 1 ? '' : STATE_WORDS[state]) : op,
        note: line.folded > 1 ? notes('up to here') : notes(size),
      };
    case 'waiting':
    case 'enqueued':
      return {
        ...base,
        glyph: deviates ? 'differs' : state,
        form: deviates
          ? formOf(look, 'odd')
          : apart && look === 'first'
            ? 'first'
            : state === 'waiting'
              ? 'waits'
              : 'plain',
        op: op === '' ? STATE_WORDS[state] : op,
        note: op === '' ? notes() : notes(size, state),
      };
    case 'never-enqueued':
      return apart
        ? {
            ...base,
            glyph: 'never',
            form: formOf(look, 'odd'),
            op: 'never enqueued',
            note: notes(newestNote(sets[set], line)),
          }
        : { ...base, glyph: 'dot', form: 'quiet', op: '', note: notes('not enqueued', newestNote(sets[set], line)) };
    case 'not-held':
      return { ...base, glyph: 'overwritten', form: 'overwritten', op: '', note: notes('overwritten') };
    case 'no-dump':
      return { ...base, glyph: 'missing', form: 'missing', op: '', note: notes('no dump') };
    case 'unknown':
      return { ...base, glyph: 'unknown', form: 'quiet', op: '', note: notes('cannot be told') };
  }
}

const formOf = (look: RankSetColumn['look'], other: CellForm): CellForm => (look === 'first' ? 'first' : other);

/** How far the set got, where the row is not the next call anyway. */
function newestNote(set: RankSetColumn | undefined, line: TableRow): string {
  const newest = set?.newest;
  if (
    newest === undefined ||
    Number.isNaN(line.firstNs) ||
    line.folded > 1 ||
    line.pair !== undefined ||
    newest.to >= line.seq - 1 ||
    newest.from !== newest.to
  )
    return '';
  return `newest #${newest.to}`;
}

/** The cell in one phrase, for the live region and copied text. */
export function cellPhrase(cell: CellModel): string {
  if (cell.state === 'no part') return 'no part';
  if (cell.state === 'elsewhere') return cell.note;
  const parts = [cell.op, cell.note].filter((part) => part !== '');
  const words = parts.join(' ');
  const state = STATE_WORDS[cell.state];
  return words.includes(state) || cell.state === 'never-enqueued' || cell.state === 'unknown'
    ? words
    : `${words}, ${state}`;
}
