import { describe, expect, it } from 'vitest';
import { resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import {
  call,
  type DumpFile,
  dumpFiles,
  dumpOf,
  encodeDump,
  type Job,
  recv,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import type { Plain } from '../../../../support/pickle-writer.ts';
import { compareFiles, readDumpFiles } from '../../../../support/read-dumps.ts';

type Dict = { readonly [key: string]: Plain };
const entriesOf = (dump: Plain): readonly Dict[] => (dump as { readonly entries: readonly Dict[] }).entries;

/** Files of a run whose dumps were changed first. */
function changed(job: Job, change: (dump: Dict, rank: number) => Plain, without: readonly number[] = []): DumpFile[] {
  const run = simulate(job);
  return run.ranks
    .filter(({ rank }) => !without.includes(rank))
    .map(({ rank }) => ({ path: `rank_${rank}`, bytes: encodeDump(change(dumpOf(run, rank) as Dict, rank)) }));
}

describe('hook recorders that count one number through all groups', () => {
  const groups = { tp0: { desc: 'TP', ranks: [0, 1] }, tp1: { desc: 'TP', ranks: [2, 3] } };
  const steps = [
    call('all_reduce', 4),
    call('all_gather', 4, { group: 'tp0' }),
    call('all_gather', 4, { group: 'tp1' }),
    call('all_reduce', 4, { group: 'tp1' }),
  ];
  /** As TorchComms writes: the counter of the process in place of the group's, no status, the group's description as backend. */
  const hooked = (dump: Dict): Plain => ({
    version: '2.10',
    pg_config: dump['pg_config'],
    entries: entriesOf(dump).map((entry, i) => ({
      ...entry,
      collective_seq_id: i + 1,
      op_id: i + 1,
      p2p_seq_id: 0,
      timeout_ms: 600_000,
    })),
  });

  it('are compared by the order inside each group', () => {
    const job = sameProgram(4, times(5, ...steps), { groups });
    expect(compareFiles(changed(job, hooked))).toMatchObject({ first: undefined, roots: [] });
    job.programs[3]?.splice(10, 99, 'stall');
    const fact = compareFiles(changed(job, hooked));
    expect(fact.roots.map((root) => root.rank)).toEqual([3]);
    expect(fact.first).toMatchObject({ kind: 'missing', ranks: [3] });
  });

  it('say nothing where the ring lost entries: the order is not known then', () => {
    const job = sameProgram(4, times(5, ...steps), { groups });
    const cut = (dump: Dict, rank: number): Plain => {
      const whole = hooked(dump) as Dict;
      return { ...whole, entries: entriesOf(whole).slice(rank + 1) };
    };
    expect(compareFiles(changed(job, cut))).toMatchObject({ first: undefined, roots: [], cycle: [] });
  });
});

describe('coalesced launches', () => {
  const parts = [call('all_gather', 4), call('all_gather', 8), call('coalesced')];
  /** All parts of one launch carry the same collective number. */
  const coalesce = (dump: Dict): Plain => ({
    ...dump,
    pg_status: {},
    entries: entriesOf(dump).map((entry) => ({
      ...entry,
      collective_seq_id: Math.ceil(Number(entry['collective_seq_id']) / 3),
    })),
  });

  it('are compared part by part', () => {
    const job = sameProgram(3, times(4, ...parts));
    expect(compareFiles(changed(job, coalesce)).first).toBe(undefined);
    job.programs[1]?.splice(10, 1, call('all_gather', 6));
    expect(compareFiles(changed(job, coalesce)).first).toMatchObject({ seq: 4, kind: 'size', ranks: [1] });
  });
});

describe('point to point over NCCL', () => {
  const ring = (): Job => {
    const job = sameProgram(4, [], { ahead: 3 });
    job.programs.forEach((program, rank) => {
      program.push(...times(6, send((rank + 1) % 4), recv((rank + 3) % 4), call('all_reduce', 8)));
    });
    return job;
  };

  it('names the rank that left a send out', () => {
    const job = ring();
    job.programs[2]?.splice(12, 1);
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect(fact.roots.map((root) => root.rank)).toEqual([2]);
    expect(fact.first).toMatchObject({ kind: 'order', ranks: [2] });
  });

  it('both ends of one transfer wait: neither waits for the other to come', () => {
    const job = sameProgram(2, [...times(3, call('all_reduce', 8))]);
    job.programs[0]?.push(send(1));
    job.programs[1]?.push(recv(0));
    const run = simulate(job);
    for (const { records } of run.ranks) for (const record of records.slice(-1)) record.completed = undefined;
    expect(compareFiles(dumpFiles(run))).toMatchObject({ roots: [], cycle: [], first: undefined });
  });

  it('lists both ends of a transfer whose sizes differ', () => {
    const job = ring();
    job.programs[2]?.splice(12, 1, { ...send(3, 17) });
    for (const program of job.programs)
      for (const [i, step] of program.entries())
        if (typeof step !== 'string' && step.peer !== undefined) program[i] = { ...step, key: 'p2p' };
    const fact = compareFiles(dumpFiles(simulate(job)));
    const found = fact.groups[0]?.divergence;
    // Both ends complete in the simulation, and a later transfer fits: no harm was done.
    expect(found).toBe(undefined);
    for (const program of job.programs) program.splice(15);
    const run = simulate(job);
    for (const { records } of run.ranks) for (const record of records.slice(-3)) record.completed = undefined;
    const stuck = compareFiles(dumpFiles(run));
    expect(stuck.groups[0]?.divergence).toMatchObject({
      kind: 'size',
      ranks: [],
      sides: [[2], [3]],
      expected: 'send 2->3 [[17]] Float',
      actual: 'recv 3<-2 [[16]] Float',
    });
  });
});

describe('dumps of unlike writers in one job', () => {
  const groups = { a: { desc: '', ranks: [0, 1, 2] }, b: { desc: '', ranks: [3, 4, 5] } };
  const job = (): Job =>
    sameProgram(6, [...times(5, call('all_reduce', 4, { group: 'a' }), call('all_reduce', 4, { group: 'b' }))], {
      groups,
    });
  const OPTIONS = [
    {},
    { version: '2.3' },
    { config: 'none' },
    { style: 'json', version: '2.10' },
    { config: 'none', status: false },
    { style: 'python5' },
  ] as const;
  const files = (made: Job): DumpFile[] => {
    const run = simulate(made);
    return OPTIONS.map((options, rank) => ({
      path: `rank_${rank}`,
      bytes: encodeDump(dumpOf(run, rank, options), 'style' in options ? options.style : 'cpp'),
    }));
  };

  it('are compared together; a dump without members joins the group that has its rank', () => {
    const made = job();
    made.programs[2]?.splice(3, 1, call('barrier', undefined, { group: 'a' }));
    made.programs[4]?.splice(4, 99, 'stall');
    const fact = compareFiles(files(made));
    expect(fact.groups.map((group) => [group.id, group.ranks, group.members.map((member) => member.rank)])).toEqual([
      ['a', [0, 1, 2], [0, 1, 2]],
      ['b', [3, 4, 5], [3, 4, 5]],
    ]);
    expect(fact.roots.map((root) => root.rank)).toEqual([2, 4]);
    expect(fact.first).toMatchObject({ group: 'a', seq: 4, kind: 'op', ranks: [2] });
  });
});

describe('all-to-all', () => {
  it('totals that do not fit are told without naming anybody', () => {
    const job = sameProgram(3, []);
    job.programs.forEach((program, rank) => {
      const sizes = rank === 1 ? [[12]] : [[10]];
      program.push(...times(3, call('all_reduce', 4)), {
        ...call('all_to_all', undefined, { input: [[10]], output: sizes }),
        key: `never ${rank}`,
      });
    });
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect(fact.roots).toEqual([]);
    expect(fact.first).toMatchObject({
      kind: 'size',
      seq: 4,
      ranks: [],
      sides: [],
      expected: '30 elements out of all members together',
      actual: '32 elements into all members together',
    });
    // Before 2.4 the sizes of this operation are not real.
    expect(compareFiles(dumpFiles(simulate(job), { version: '2.3' })).first).toBe(undefined);
  });
});

describe('ranks of dumps', () => {
  const run = simulate(sameProgram(3, times(3, call('all_reduce', 4))));
  const bytes = (rank: number, records = 3): Uint8Array => {
    const cut = { ...run, ranks: run.ranks.map((one) => ({ ...one, records: one.records.slice(0, records) })) };
    return encodeDump(dumpOf(cut, rank));
  };
  const resolve = (files: readonly DumpFile[], worldSize?: number) => resolveDumpRanks(readDumpFiles(files), worldSize);

  it('of two dumps of one rank the newer is compared, in any order, and the other is told', () => {
    const files = [
      { path: 'a/rank_1', bytes: bytes(1, 2) },
      { path: 'b/rank_1', bytes: bytes(1, 3) },
      { path: 'rank_0', bytes: bytes(0) },
    ];
    for (const order of [files, [...files].reverse()]) {
      const { ranked, conflicts } = resolve(order);
      expect(ranked.map((one) => [one.rank, one.current, one.dump.columns.length])).toEqual([
        [0, true, 3],
        [1, true, 3],
        [1, false, 2],
      ]);
      expect(conflicts.map((one) => one.code)).toEqual(['dump-rank-conflict']);
    }
  });

  it('a rank that nothing tells stays unknown and is told', () => {
    const { ranked, conflicts } = resolve([{ path: 'dump', bytes: bytes(1) }]);
    expect([ranked[0]?.rank, ranked[0]?.basis]).toEqual([undefined, 'none']);
    expect(conflicts).toMatchObject([{ code: 'dump-rank-unknown', detail: 'the groups fit rank 0, 1, 2' }]);
  });

  it('a name that no group of the dump has is not believed', () => {
    const { ranked, conflicts } = resolve([{ path: 'rank_7', bytes: bytes(1) }]);
    expect(ranked[0]?.rank).toBe(undefined);
    expect(conflicts[0]?.code).toBe('dump-rank-conflict');
  });

  it('without groups a name beyond the job is not believed', () => {
    const none = encodeDump(dumpOf(run, 1, { config: 'none' }));
    expect(resolve([{ path: 'rank_7', bytes: none }], 3).ranked[0]?.rank).toBe(undefined);
    expect(resolve([{ path: 'rank_2', bytes: none }], 3).ranked[0]?.rank).toBe(2);
    expect(resolve([{ path: 'rank_7', bytes: none }]).ranked[0]?.rank).toBe(7);
  });
});

describe('group facts', () => {
  it('give window, members and places', () => {
    const job = sameProgram(3, times(8, call('all_reduce', 4)));
    job.programs[2]?.splice(6, 99, 'stall');
    const fact = compareFiles(dumpFiles(simulate(job), { ring: 5 }));
    const [group] = fact.groups;
    expect(group).toMatchObject({
      id: '0',
      desc: 'default_pg',
      ranks: [0, 1, 2],
      membersKnown: true,
      p2p: false,
      backend: 'nccl',
      withoutDump: [],
      window: { from: 4, to: 6 },
    });
    expect(
      group?.members.map((member) => [
        member.rank,
        member.basis,
        member.lastEnqueued,
        member.lastCompleted,
        member.newestSeq,
        member.waitsIn?.seq,
        member.waitsIn?.state,
      ]),
    ).toEqual([
      [0, 'dump-status', 8, 6, 8, 7, 'waiting'],
      [1, 'dump-status', 8, 6, 8, 7, 'waiting'],
      [2, 'dump-status', 6, 6, 6, undefined, undefined],
    ]);
    expect(fact.waits).toEqual([
      { rank: 0, group: '0', seq: 7, for: [2] },
      { rank: 1, group: '0', seq: 7, for: [2] },
    ]);
    expect(fact.roots[0]?.evidence).toEqual([
      { kind: 'record', entry: 2, record: 4 },
      { kind: 'record', entry: 0, record: 3 },
      { kind: 'record', entry: 1, record: 3 },
    ]);
    expect(fact.first?.calls.map((one) => [one.rank, one.seq, one.state, one.frames[0]?.name])).toEqual([
      [2, 6, 'completed', 'all_reduce'],
      [0, 7, 'waiting', 'all_reduce'],
    ]);
    expect([fact.dumpsPresent, fact.dumpsExpected, fact.onlyActive]).toEqual([[0, 1, 2], [0, 1, 2], false]);
  });

  it('where two stacks part is told', () => {
    const job = sameProgram(3, [...times(3, call('all_reduce', 4)), call('barrier')]);
    job.programs[1] = [...times(3, call('all_reduce', 4)), call('all_gather', 4)];
    expect(compareFiles(dumpFiles(simulate(job))).first?.why).toBe(
      'all 3 members hold call #4; 2 ranks: barrier; rank 1: all_gather [[4]] → [[4]] Float; their stacks part at train.py:100 all_gather / train.py:70 barrier',
    );
  });

  it('a dump that has lost its place in the call keeps others from being suspected for having none', () => {
    const job = sameProgram(4, times(8, call('all_reduce', 4)), { backend: 'gloo' });
    job.programs[2]?.splice(6, 99, 'stall');
    const files = dumpFiles(simulate(job), {}, [2]);
    expect(compareFiles(files).roots.map((root) => [root.rank, root.hasDump])).toEqual([[2, false]]);
    // The dump of rank 3 is cut before its counters.
    const cut = files.map((file) => (file.path.endsWith('3') ? { ...file, bytes: file.bytes.subarray(0, 120) } : file));
    expect(readDumpFiles(cut)).toHaveLength(3);
    expect(compareFiles(cut).roots.map((root) => root.rank)).toEqual([2, 3]);
    const lost = files.map((file) =>
      file.path.endsWith('3')
        ? {
            ...file,
            bytes: encodeDump({
              version: '2.10',
              pg_status: {
                '9': { last_enqueued_collective: 1, last_started_collective: -1, last_completed_collective: 1 },
              },
              entries: [],
            }),
          }
        : file,
    );
    expect(compareFiles(lost).roots).toEqual([]);
  });

  it('waits for a rank without a dump are listed where it is the answer', () => {
    const job = sameProgram(3, times(8, call('all_reduce', 4)), { backend: 'gloo' });
    job.programs[2]?.splice(6, 99, 'stall');
    const fact = compareFiles(dumpFiles(simulate(job), {}, [2]));
    expect(fact.roots.map((root) => [root.rank, root.hasDump])).toEqual([[2, false]]);
    expect(fact.waits).toEqual([
      { rank: 0, group: '0', seq: 7, for: [2] },
      { rank: 1, group: '0', seq: 7, for: [2] },
    ]);
  });
});
