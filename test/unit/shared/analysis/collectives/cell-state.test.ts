import { describe, expect, it } from 'vitest';
import { type Standpoint, stateWithoutRecord } from '#shared/analysis/collectives/cell-state.ts';

const at = (more: Partial<Standpoint>): Standpoint => ({
  basis: 'dump-status',
  enqueued: 10,
  done: 8,
  open: 9,
  oldest: 5,
  cut: false,
  ...more,
});

describe('a call of which a dump keeps no record', () => {
  it.each([
    ['behind the newest one', at({}), 11, 'never-enqueued'],
    ['the newest one itself, known from counters', at({ open: undefined }), 10, 'enqueued'],
    ['completed by the counters', at({}), 8, 'completed'],
    ['the oldest unfinished one', at({}), 9, 'waiting'],
    ['the one behind the last completed, without an open record', at({ open: undefined }), 9, 'waiting'],
    [
      'older than what the ring kept, without counters',
      at({ basis: 'dump-entries', done: undefined, open: undefined }),
      4,
      'not-held',
    ],
    [
      'inside what the ring kept, without counters',
      at({ basis: 'dump-entries', done: undefined, open: undefined }),
      6,
      'unknown',
    ],
    ['of a cut file', at({ basis: 'dump-entries', open: undefined, done: 5, cut: true }), 9, 'unknown'],
    [
      'of a rank of which nothing is known',
      at({ basis: 'dump-entries', enqueued: undefined, done: undefined, open: undefined, oldest: undefined }),
      3,
      'unknown',
    ],
  ] as const)('%s', (_, place, seq, state) => {
    expect(stateWithoutRecord(place, seq)).toBe(state);
  });
});
