/** Two sides of one rank each in a group of a mesh: the other groups of its kind speak, where they ran the same program so far. */
import { describe, expect, it } from 'vitest';
import {
  call,
  dumpFiles,
  type Job,
  type Step,
  sameProgram,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import { compareFiles } from '../../../../support/read-dumps.ts';

const ROWS = { tp0: { desc: 'mesh_tp', ranks: [0, 1] }, tp1: { desc: 'mesh_tp', ranks: [2, 3] } } as const;
const row = (op: string, size = 8): Step[] => ['tp0', 'tp1'].map((group) => call(op, size, { group }));

/** Five reductions in each row, then another operation, which rank 3 leaves out. */
function meshJob(groups: Job['groups'] = ROWS, earlier = times(5, ...row('all_reduce'))): Job {
  const job = sameProgram(4, [...earlier, ...row('barrier'), ...times(2, ...row('all_reduce'))], { groups });
  const program = job.programs[3];
  program?.splice(earlier.length / 2, 1);
  return job;
}

const first = (job: Job, without: readonly number[] = []) =>
  compareFiles(dumpFiles(simulate(job), {}, without), { worldSize: 4 }).first;

describe('a row of two without a majority', () => {
  it('is decided by the other row, and says so', () => {
    expect(first(meshJob())).toMatchObject({ kind: 'op', seq: 6, ranks: [3], agreeing: [2] });
    expect(first(meshJob())?.why).toContain(
      'in the other groups of mesh_tp, whose earlier calls are the same, ranks 0 and 1 made the call of rank 2',
    );
  });

  const undecided = { kind: 'op', seq: 6, ranks: [], sides: [[2], [3]] };

  it('stays open without the other row', () => {
    expect(first(meshJob(), [0, 1])).toMatchObject(undecided);
  });

  it('stays open where the groups are described as unlike, or not at all', () => {
    for (const desc of ['mesh_dp', ''])
      expect(first(meshJob({ ...ROWS, tp0: { desc, ranks: [0, 1] } }))).toMatchObject(undecided);
    expect(first(meshJob({ tp0: { desc: '', ranks: [0, 1] }, tp1: { desc: '', ranks: [2, 3] } }))).toMatchObject(
      undecided,
    );
  });

  it('stays open where the other row made another call before: it may be another stage', () => {
    const earlier = times(5, ...row('all_reduce'));
    earlier[4] = call('all_reduce', 9, { group: 'tp0' });
    expect(first(meshJob(ROWS, earlier))).toMatchObject(undecided);
  });

  it('stays open where too few earlier calls show that it is one program', () => {
    const job = meshJob(ROWS, times(2, ...row('all_reduce')));
    expect(first(job)).toMatchObject({ ...undecided, seq: 3 });
    expect(first(meshJob(ROWS, times(3, ...row('all_reduce'))))).toMatchObject({ seq: 4, ranks: [3] });
  });

  it('does not depend on the order of the files', () => {
    const files = dumpFiles(simulate(meshJob()));
    const [forward, backward] = [files, [...files].reverse()].map((list) => {
      const { ranks, agreeing, why } = compareFiles(list, { worldSize: 4 }).first ?? {};
      return { ranks, agreeing, why };
    });
    expect(backward).toEqual(forward);
  });
});
