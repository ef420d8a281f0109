import { describe, expect, it } from 'vitest';
import { callKey, callView } from '#shared/analysis/collectives/calls.ts';
import { viewDumps } from '#shared/analysis/collectives/dump-view.ts';
import { mergeGroups, worldSizeOf } from '#shared/analysis/collectives/groups.ts';
import { resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import { computePositions } from '#shared/analysis/collectives/positions.ts';
import { CELL_STATES } from '#shared/model/divergence-table.ts';
import { CellReader } from '#shared/views/collectives/cells.ts';
import { stampReader } from '#shared/views/collectives/group-records.ts';
import { buildCollectivesView, type CollectivesView } from '#shared/views/collectives/index.ts';
import { PLACE_BASES, ROW_DIFFERENCES } from '#shared/views/collectives/types.ts';
import { groupOf, type ViewedJob, viewDumpFiles } from '../../../../support/collectives-view.ts';
import { call, dumpFiles, recv, sameProgram, send, simulate, times } from '../../../../support/dump-builder.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident } from '../../../../support/incidents/index.ts';
import { randomSpec } from '../../../../support/incidents/random-spec.ts';

const stalled = (ranks = 8): ReturnType<typeof sameProgram> => {
  const job = sameProgram(ranks, times(50, call('all_reduce', 64), call('all_gather', 8)));
  job.programs[3]?.splice(60, Number.POSITIVE_INFINITY, 'stall');
  return job;
};

const STALL = { kind: 'stall', rank: 2, step: 9, where: 'data' } as const;

const differing = (view: CollectivesView, id: string): [number, string][] => {
  const { seq, differs } = groupOf(view, id).rows;
  return [...seq].flatMap((one, i): [number, string][] => {
    const kind = ROW_DIFFERENCES[differs[i] ?? 0] ?? 'none';
    return kind === 'none' ? [] : [[one, kind]];
  });
};

describe('the stored view of collectives', () => {
  it('gives nothing where neither a dump nor a line tells of a group', () => {
    expect(buildCollectivesView(analyseFiles(new Map([['notes.log', Buffer.from('nothing here\n')]])))).toBeUndefined();
  });

  it('keeps blocks of like ranks once, however many ranks there are', () => {
    const few = viewDumpFiles(dumpFiles(simulate(stalled(8)))).view;
    const many = viewDumpFiles(dumpFiles(simulate(stalled(32)))).view;
    expect(many.pool.off.length).toBe(few.pool.off.length);
    expect(many.ranks).toHaveLength(32);
  });

  it('holds every record as the dump has it, whatever the ring has lost', () => {
    const job = sameProgram(4, times(40, call('all_reduce', 16), call('barrier')), {
      groups: { tp: { desc: 'tp', ranks: [0, 1] } },
    });
    job.programs[2]?.splice(41, Number.POSITIVE_INFINITY, 'stall');
    for (const options of [{}, { ring: 33 }, { onlyActive: true }, { config: 'none' as const }]) {
      expectSameRecords(viewDumpFiles(dumpFiles(simulate(job), options)));
    }
    const gloo = { ...job, backend: 'gloo' as const };
    expectSameRecords(viewDumpFiles(dumpFiles(simulate(gloo))));
  });

  it('marks the calls in which members differ, and by what', () => {
    expect(differing(viewDumpFiles(dumpFiles(simulate(stalled()))).view, '0')[0]).toEqual([61, 'missing']);

    const other = sameProgram(4, times(6, call('all_reduce', 8)));
    other.programs[2]?.splice(4, 1, call('all_gather', 8));
    expect(differing(viewDumpFiles(dumpFiles(simulate(other))).view, '0')[0]).toEqual([5, 'op']);

    const size = sameProgram(4, times(6, call('all_reduce', 8)));
    size.programs[1]?.splice(4, 1, call('all_reduce', 9));
    expect(differing(viewDumpFiles(dumpFiles(simulate(size))).view, '0')[0]).toEqual([5, 'size']);

    const type = sameProgram(4, times(6, call('all_reduce', 8)));
    type.programs[1]?.splice(4, 1, call('all_reduce', 8, { dtype: 'Half' }));
    expect(differing(viewDumpFiles(dumpFiles(simulate(type))).view, '0')[0]).toEqual([5, 'dtype']);
  });

  it('calls nothing different in a job that ended well', () => {
    const { view } = viewDumpFiles(dumpFiles(simulate(sameProgram(4, times(9, call('all_reduce', 8))))));
    expect(differing(view, '0')).toEqual([]);
    expect(view.job.chain).toEqual([]);
  });

  it('never says that a rank without a dump has not come', () => {
    const { view } = viewDumpFiles(dumpFiles(simulate(stalled()), {}, [5]));
    const group = groupOf(view, '0');
    const member = group.members.indexOf(5);
    expect(PLACE_BASES[group.places.basis[member] ?? 0]).toBe('none');
    const reader = new CellReader(group, view.pool);
    for (const seq of group.rows.seq) expect(CELL_STATES[reader.state(member, seq, -1)]).toBe('no-dump');
  });

  it('says of a gloo call that it ended well only where everybody went on', () => {
    const job = sameProgram(3, times(5, call('all_reduce', 8)), { backend: 'gloo' });
    job.programs[1]?.splice(4, 1, 'stall');
    const { view } = viewDumpFiles(dumpFiles(simulate(job)));
    const group = groupOf(view, '0');
    const reader = new CellReader(group, view.pool);
    const states = [1, 2, 3, 4, 5].map((seq) => CELL_STATES[reader.state(0, seq, reader.record(0, seq, 0))]);
    expect(states).toEqual(['completed', 'completed', 'completed', 'ended', 'waiting']);
  });

  it('pairs transfers where no ring lost anything, and does not where one did', () => {
    const job = sameProgram(2, []);
    job.programs[0]?.push(...times(5, send(1)));
    job.programs[1]?.push(...times(4, recv(0)), 'stall');
    const whole = groupOf(viewDumpFiles(dumpFiles(simulate(job))).view, '0').p2p;
    expect(whole?.matched).toBe(true);
    expect([...(whole?.number ?? [])]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4]);
    const cut = groupOf(viewDumpFiles(dumpFiles(simulate(job), { ring: 3 })).view, '0').p2p;
    expect(cut?.matched).toBe(false);
  });

  it('does not depend on the order of files', () => {
    const files = dumpFiles(simulate(stalled()));
    const plain = (view: CollectivesView) =>
      JSON.stringify({ ...view, ranks: view.ranks.map((one) => ({ ...one, entry: 0 })) });
    expect(plain(viewDumpFiles([...files].reverse()).view)).toBe(plain(viewDumpFiles(files).view));
  });
});

describe('stamps as doubles', () => {
  it('are exact to the nanosecond over months, absent ones are not a number', () => {
    const origin = 1_795_979_461_123_456_789n;
    const column = BigInt64Array.from([origin, origin + 1n, origin - 7n, origin + 86_400_000_000_000n * 90n, 0n]);
    const read = stampReader(column, origin);
    expect([0, 1, 2, 3].map(read)).toEqual([0, 1, -7, 86_400_000_000_000 * 90]);
    expect(read(4)).toBeNaN();
  });
});

/** Each record of each dump against the view, and each call of the view against the dumps. */
function expectSameRecords({ source, view }: ViewedJob): void {
  const { ranked } = resolveDumpRanks(source.input.dumps, source.result.facts.rankMap.worldSize);
  const views = viewDumps(ranked);
  const wheres = computePositions(mergeGroups(views, worldSizeOf(views.map((one) => one.dump))), views);
  let compared = 0;
  for (const where of wheres) {
    const group = groupOf(view, where.group.id);
    const reader = new CellReader(group, view.pool);
    for (const member of where.group.members) {
      const { local } = member;
      const index = group.members.indexOf(member.rank);
      const held = new Set<number>();
      for (let i = 0; i < (local?.rows.length ?? 0); i++) {
        const [row, seq] = [local?.rows[i] ?? 0, local?.seqs[i] ?? -1];
        held.add(seq);
        const record = reader.record(index, seq, 0);
        expect(reader.dumpRow(index, seq, record)).toBe(row);
        const content = view.contents[reader.content(record)];
        expect(content?.op).toBe(callKey(member.view.dump, row).op);
        const open = where.byRank.get(member.rank)?.open?.seq;
        const { state } = callView(member.view, row, seq, where.endsOnly, open);
        const shown = CELL_STATES[reader.state(index, seq, record)];
        expect(shown).toBe(state === 'ended' && seq < group.endedWellBefore ? 'completed' : state);
        compared++;
      }
      for (const seq of group.rows.seq) if (!held.has(seq)) expect(reader.record(index, seq, 0)).toBe(-1);
    }
  }
  expect(compared).toBeGreaterThan(5);
}

describe('bounds of times', () => {
  it('widen with the distance from the moment that the offset is given for, as everywhere else', () => {
    const source = analyseFiles(buildIncident({ ...randomSpec(3), nodes: 3, fault: STALL, missing: {} }).files);
    const { domains, largestDriftPpm = 0 } = source.result.facts.clocks;
    const view = buildCollectivesView(source);
    const steps = (view?.job.steps ?? []).flatMap(({ at }) => (at === undefined ? [] : [at]));
    const widened = steps.filter(({ clock, rawNs, boundMs }) => {
      const { offset, momentNs } = domains.find(({ id }) => id === clock) ?? {};
      if (offset?.low === undefined || offset.high === undefined || momentNs === undefined || offset.low === 0)
        return false;
      const half = Math.max(offset.estimate - offset.low, offset.high - offset.estimate);
      const distanceMs = Math.abs(Number(BigInt(rawNs) - momentNs)) / 1e6;
      expect(boundMs).toBeCloseTo(half + distanceMs * largestDriftPpm * 1e-6, 6);
      const whole = view?.clocks.find(({ id }) => id === clock)?.boundMs ?? 0;
      expect(whole).toBeGreaterThan(half);
      return distanceMs > 0;
    });
    expect(widened.length).toBeGreaterThan(0);
  });
});
