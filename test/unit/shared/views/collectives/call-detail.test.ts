import { describe, expect, it } from 'vitest';
import { callDetail } from '#shared/views/collectives/call-detail.ts';
import { kindOf } from '#shared/views/collectives/kinds.ts';
import { groupOf, viewDumpFiles } from '../../../../support/collectives-view.ts';
import { call, dumpFiles, type Job, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';

const detailOf = (job: Job, asked: { seq: number; ranks: number[] }) => {
  const { source, view } = viewDumpFiles(dumpFiles(simulate(job)));
  const load = (entry: number) => {
    const dump = source.input.dumps.find((one) => one.source.entry === entry);
    return { dump, path: `nccl_trace_rank_${dump?.nameRank}` };
  };
  return callDetail(view, groupOf(view, '0'), { part: 0, pair: null, ...asked }, load);
};
const field = (answer: ReturnType<typeof detailOf>, name: string) => answer.fields.find((one) => one.name === name);

describe('one call side by side', () => {
  const mismatch = (): Job => {
    const job = sameProgram(4, times(6, call('all_reduce', 8)));
    job.programs[2]?.splice(5, 1, call('all_gather', 4, { output: [[16]] }));
    return job;
  };

  it('shows what differs and leads each side to its own record', () => {
    const answer = detailOf(mismatch(), { seq: 6, ranks: [0, 2] });
    expect(field(answer, 'op')).toMatchObject({ values: ['all_reduce', 'all_gather'], differs: true });
    expect(field(answer, 'input')).toMatchObject({ values: ['[[8]] Float', '[[4]] Float'], differs: true });
    expect(field(answer, 'state')).toMatchObject({ values: ['waiting', 'waiting'], differs: false });
    expect(answer.sides.map((side) => [side.rank, side.record, side.found])).toEqual([
      [0, 5, true],
      [2, 5, true],
    ]);
    expect(answer.divergence).toBe('op');
  });

  it('aligns frames from the outermost and marks the first that differs', () => {
    const answer = detailOf(mismatch(), { seq: 6, ranks: [0, 2] });
    expect(answer.sides.map((side) => side.frames.map((frame) => frame?.name))).toEqual([
      ['train', 'all_reduce'],
      ['train', 'all_gather'],
    ]);
    expect(answer.firstDifference).toBe(1);
    expect(detailOf(mismatch(), { seq: 5, ranks: [0, 2] }).firstDifference).toBe(-1);
  });

  it('says where a rank stands that never enqueued the call, and calls nothing equal or different that is not recorded', () => {
    const job = sameProgram(3, times(6, call('all_reduce', 8)));
    job.programs[1]?.splice(4, Number.POSITIVE_INFINITY, 'stall');
    const answer = detailOf(job, { seq: 5, ranks: [0, 1] });
    expect(answer.sides[1]).toMatchObject({ state: 'never-enqueued', found: false, record: 3, frames: [null, null] });
    expect(field(answer, 'newest call')?.values).toEqual([null, '#4 all_reduce']);
    expect(field(answer, 'op')).toMatchObject({ values: ['all_reduce', null], differs: false });
    expect(answer.firstDifference).toBe(-1);
  });

  it('answers for a rank that is no member', () => {
    const answer = detailOf(mismatch(), { seq: 6, ranks: [99] });
    expect(answer.sides[0]).toMatchObject({ rank: 99, state: 'no-dump', found: false });
  });
});

describe('kinds of groups', () => {
  const kind = (desc: string, ranks: number[] = [0, 1], more = {}) =>
    kindOf({ id: '5', desc, isDefault: false, ranks, p2p: false, ...more }).name;
  it.each([
    ['TENSOR_MODEL_PARALLEL_GROUP', 'tp'],
    ['PIPELINE_MODEL_PARALLEL_GROUP', 'pp'],
    ['DATA_PARALLEL_GROUP_WITH_CP', 'dp'],
    ['TENSOR_AND_DATA_PARALLEL_GROUP_WITH_CP', 'tp+dp'],
    ['TENSOR_AND_CONTEXT_PARALLEL_GROUP', 'tp+cp'],
    ['EXPERT_MODEL_PARALLEL_GROUP', 'ep'],
    ['tp_4', 'tp'],
    ['mesh_dp', 'dp'],
    ['mesh_dp_shard', 'fsdp+dp'],
    ['step_sync', 'step_sync'],
    ['undefined', 'groups of 2 consecutive'],
  ])('%s is %s', (desc, name) => {
    expect(kind(desc)).toBe(name);
  });

  it('reads the shape where nothing else tells, and the id before it', () => {
    expect(kind('', [0, 8, 16])).toBe('groups of 3, every 8th');
    expect(kind('', [0, 8, 11])).toBe('groups of 3');
    expect(kind('', [0, 8], { id: 'pp_3' })).toBe('pp');
    expect(kind('', [0, 1], { isDefault: true })).toBe('default');
    expect(kind('x'.repeat(5000))).toBe('groups of 2 consecutive');
  });
});
