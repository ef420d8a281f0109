/** How a cell is drawn, by what the map is coloured by. Form and glyph carry the meaning; colour only repeats it. */
import { type Moment, type RanksIndex, STANDING, STANDINGS, type Standing } from '#shared/views/ranks/types.ts';
import type { RankRow } from './rows.ts';

export const COLOURS = ['state', 'errors', 'sequence', 'clock', 'evidence'] as const;
export type MapColour = (typeof COLOURS)[number];

export const COLOUR_WORDS: Readonly<Record<MapColour, string>> = {
  state: 'state at cursor',
  errors: 'errors up to cursor',
  sequence: 'last call enqueued',
  clock: 'clock bound',
  evidence: 'evidence',
};

/** How the mark of a cell looks; `step-0` … `step-4`: a scale from little to much. */
export type CellLook =
  | 'first'
  | 'absent'
  | 'failed'
  | 'waits'
  | 'lost'
  | 'ended'
  | 'silent'
  | 'in-call'
  | 'fine'
  | 'empty'
  | 'no-file'
  | 'no-records'
  | 'overwritten'
  | 'unseen'
  | `step-${0 | 1 | 2 | 3 | 4}`;

const LOOK_OF: Readonly<Record<Standing, CellLook>> = {
  first: 'first',
  absent: 'absent',
  failed: 'failed',
  differs: 'failed',
  waiting: 'waits',
  lost: 'lost',
  exited: 'ended',
  silent: 'silent',
  'in-call': 'in-call',
  between: 'fine',
  logging: 'fine',
  before: 'empty',
  'no-file': 'no-file',
  'no-records': 'no-records',
  overwritten: 'overwritten',
};

export const standingAt = (moment: Moment, at: number): Standing => STANDINGS[moment.standing[at] ?? 0] ?? 'between';
export const lookOf = (standing: Standing): CellLook => LOOK_OF[standing];

const STEP: readonly CellLook[] = ['step-0', 'step-1', 'step-2', 'step-3', 'step-4'];

/** One look a row. `moment` null: nothing has a time, so that roles stand in for the state. */
export function cellLooks(
  rows: readonly RankRow[],
  index: RanksIndex,
  moment: Moment | null,
  colour: MapColour,
): readonly CellLook[] {
  if (colour === 'state') return rows.map((row) => stateLook(row, moment));
  const { value, edges } = scaleOf(rows, index, moment, colour);
  return rows.map((row) => {
    if (row.role === 'first' && colour !== 'clock' && colour !== 'evidence') return 'first';
    const at = value(row);
    if (Number.isNaN(at)) return row.row === null ? 'unseen' : colour === 'evidence' ? 'no-file' : 'empty';
    return STEP[edges.filter((edge) => at > edge).length] ?? 'step-4';
  });
}

function stateLook(row: RankRow, moment: Moment | null): CellLook {
  if (moment !== null && row.at >= 0) return lookOf(standingAt(moment, row.at));
  if (row.row === null) return 'unseen';
  if (moment !== null) return 'no-file';
  return row.role === 'first' ? 'first' : row.role === 'victim' ? 'waits' : row.role === 'unknown' ? 'silent' : 'fine';
}

export interface ColourScale {
  /** Above each edge a step more. Ascending, at most four. */
  readonly edges: readonly number[];
  readonly value: (row: RankRow) => number;
}

/** Value of each row and the steps of its scale. NaN = not known. */
export function scaleOf(
  rows: readonly RankRow[],
  index: RanksIndex,
  moment: Moment | null,
  colour: Exclude<MapColour, 'state'>,
): ColourScale {
  const { time } = index;
  switch (colour) {
    case 'errors':
      return { edges: [0, 1, 4, 16], value: (row) => moment?.values?.[row.at] ?? Number.NaN };
    case 'sequence': {
      const value = (row: RankRow): number => moment?.values?.[row.at] ?? Number.NaN;
      const known = rows.map(value).filter((at) => !Number.isNaN(at));
      const most = Math.max(...known);
      // From the front of the job backwards: who is how far behind is what one asks.
      return { edges: [most - 11, most - 3, most - 2, most - 1], value };
    }
    case 'clock':
      return { edges: [1e6, 10e6, 100e6, 1e9], value: (row) => time?.boundNs[row.at] ?? Number.NaN };
    case 'evidence':
      return { edges: [0.2, 0.5, 0.8, 0.95], value: (row) => evidenceShare(row, index) };
  }
}

/** Dump and log of a rank: half of it each; NaN = neither. */
export function evidenceShare({ row, at }: RankRow, { time }: RanksIndex): number {
  if (row === null) return Number.NaN;
  const covered = time?.covered[at] ?? Number.NaN;
  const dump = row.dump === 'present' || row.dump === 'truncated' ? (Number.isNaN(covered) ? 0.5 : covered) : 0;
  const log = (time?.log[at] ?? 0) / 2;
  const share = time?.anyDump === false ? log : (dump + log) / 2;
  return share === 0 && row.files.length === 0 ? Number.NaN : share;
}

/** Standings that the bundle shows nothing of. */
export const isMissing = (standing: number): boolean => standing >= STANDING['no-file'];
