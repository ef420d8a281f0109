import { describe, expect, it } from 'vitest';
import { callOfRecord } from '../../../../renderer/viewmodels/record-call.ts';

const fields = (known: Record<string, string>) => Object.entries(known).map(([name, value]) => ({ name, value }));

describe('the call of a record', () => {
  it.each([
    [
      'a collective',
      { process_group: '0 (default_pg)', collective_seq_id: '426', is_p2p: 'false' },
      { group: '0', seq: 426 },
    ],
    ['brackets in the description', { process_group: '3 (a (b))', collective_seq_id: '1' }, { group: '3', seq: 1 }],
    ['a transfer', { process_group: '3 (pp)', collective_seq_id: '1', is_p2p: 'true' }, null],
    ['no group', { collective_seq_id: '1' }, null],
    ['no number', { process_group: '0 (default_pg)' }, null],
    ['a number that is none', { process_group: '0 (default_pg)', collective_seq_id: 'x' }, null],
  ])('%s', (_, known, call) => {
    expect(callOfRecord(fields(known))).toEqual(call);
  });
});
