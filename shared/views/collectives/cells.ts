/** What one member did at one call, from the stored view. O(log blocks) a cell. */
import { stateWithoutRecord } from '../../analysis/collectives/cell-state.ts';
import { CELL_STATES, type CellState } from '../../model/divergence-table.ts';
import { BLOCK_CALLS, type BlockPool, type CollectiveGroup, PLACE_BASES } from './types.ts';

export const STATE_CODE: Readonly<Record<CellState, number>> = {
  completed: CELL_STATES.indexOf('completed'),
  ended: CELL_STATES.indexOf('ended'),
  waiting: CELL_STATES.indexOf('waiting'),
  enqueued: CELL_STATES.indexOf('enqueued'),
  'never-enqueued': CELL_STATES.indexOf('never-enqueued'),
  'not-held': CELL_STATES.indexOf('not-held'),
  'no-dump': CELL_STATES.indexOf('no-dump'),
  unknown: CELL_STATES.indexOf('unknown'),
};

const NONE = PLACE_BASES.indexOf('none');
const LOG = PLACE_BASES.indexOf('log');

/** Reads the cells of one group; made once a question. */
export class CellReader {
  private readonly group: CollectiveGroup;
  private readonly pool: BlockPool;

  constructor(group: CollectiveGroup, pool: BlockPool) {
    this.group = group;
    this.pool = pool;
  }

  /** Position of the record in the pool; -1 = none is kept. `part` counts the records of one coalesced launch. */
  record(member: number, seq: number, part: number): number {
    const { start, blockNo, block } = this.group.tracks;
    const no = Math.floor(seq / BLOCK_CALLS);
    let low = start[member] ?? 0;
    let high = (start[member + 1] ?? 0) - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((blockNo[middle] ?? 0) < no) low = middle + 1;
      else high = middle;
    }
    if (low > high || blockNo[low] !== no) return -1;
    return this.inBlock(block[low] ?? 0, seq - no * BLOCK_CALLS, part);
  }

  /** Row in the member's dump of a record that `record` found. */
  dumpRow(member: number, seq: number, record: number): number {
    const { start, blockNo, base } = this.group.tracks;
    const no = Math.floor(seq / BLOCK_CALLS);
    for (let i = start[member] ?? 0; i < (start[member + 1] ?? 0); i++)
      if (blockNo[i] === no) return (base[i] ?? 0) + (this.pool.row[record] ?? 0);
    return -1;
  }

  /** Index into CELL_STATES. `record` as `record` gave it. */
  state(member: number, seq: number, record: number): number {
    if (record >= 0) {
      const state = this.pool.state[record] ?? 0;
      return state === STATE_CODE.ended && seq < this.group.endedWellBefore ? STATE_CODE.completed : state;
    }
    return STATE_CODE[this.absent(member, seq)];
  }

  content(record: number): number {
    return record < 0 ? -1 : (this.pool.content[record] ?? -1);
  }

  private inBlock(block: number, off: number, part: number): number {
    const { start, off: offs } = this.pool;
    let low = start[block] ?? 0;
    let high = (start[block + 1] ?? 0) - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offs[middle] ?? 0) < off) low = middle + 1;
      else high = middle;
    }
    if (low > high || offs[low] !== off) return -1;
    const at = low + part;
    return at < (start[block + 1] ?? 0) && offs[at] === off ? at : -1;
  }

  private absent(member: number, seq: number): CellState {
    const { places } = this.group;
    const basis = places.basis[member];
    if (basis === NONE) return 'no-dump';
    const at = {
      enqueued: known(places.enqueued[member]),
      done: known(places.done[member]),
      open: known(places.open[member]),
      oldest: known(places.oldest[member]),
    };
    if (basis !== LOG)
      return stateWithoutRecord(
        { ...at, basis: basis === 0 ? 'dump-status' : 'dump-entries', cut: places.cut[member] === 1 },
        seq,
      );
    if (at.open === seq) return 'waiting';
    if (at.done !== undefined && seq <= at.done) return 'completed';
    if (at.enqueued === undefined) return 'unknown';
    return seq > at.enqueued ? 'never-enqueued' : 'enqueued';
  }
}

const known = (value: number | undefined): number | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : value;

/** True if only log lines tell of this member. */
export const isByLog = (group: CollectiveGroup, member: number): boolean => group.places.basis[member] === LOG;
