import { describe, expect, it } from 'vitest';
import { buildCollectivesView } from '#shared/views/collectives/index.ts';
import {
  callPaceNs,
  callStreams,
  laneSets,
  runSteps,
  type StepLine,
  sharedCall,
  sharedStep,
} from '#shared/views/compare/run.ts';
import { compareRuns, inSections, type RunFacts } from '#shared/views/compare/run-rows.ts';
import { buildLanes, type LanesView } from '#shared/views/lanes/index.ts';
import { buildRanks, type RanksIndex, ranksIndex, type StoredRanks } from '#shared/views/ranks/index.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { TWO_NODE_STALL } from '../../../../support/two-node-stall.ts';

const SPEC: IncidentSpec = {
  ...TWO_NODE_STALL,
  seed: 5,
  ranksPerNode: 4,
  loop: { ...TWO_NODE_STALL.loop, steps: 40 },
  fault: { kind: 'stall', rank: 5, step: 31, where: 'data' },
};

interface Case {
  readonly lanes: LanesView;
  readonly stored: StoredRanks | undefined;
  readonly index: RanksIndex;
  readonly facts: RunFacts;
}

function caseOf(spec: Partial<IncidentSpec>): Case {
  const source = analyseFiles(buildIncident({ ...SPEC, ...spec }).files);
  const lanes = buildLanes(source);
  if (lanes === undefined) throw new Error('nothing with a time');
  const stored = buildRanks(source);
  const index = ranksIndex({ lanes, stored, collectives: buildCollectivesView(source) });
  const origin = BigInt(lanes.originNs);
  const lines = source.input.events.flatMap((event): StepLine[] =>
    event.body.kind === 'progress' && event.body.step !== undefined && event.stamp !== undefined
      ? [
          {
            entry: Number(event.source.entry),
            rank: event.rank ?? null,
            step: event.body.step,
            rawNs: Number(event.stamp.ns - origin),
          },
        ]
      : [],
  );
  const steps = runSteps(lanes, lines);
  return { lanes, stored, index, facts: { lanes, index, steps, streams: callStreams(lanes, 4) } };
}

const stall = caseOf({});
const later = caseOf({ seed: 6, fault: { kind: 'stall', rank: 2, step: 35, where: 'data' } });
const well = caseOf({ seed: 7, fault: { kind: 'healthy' } });

describe('sets of ranks that stand alike', () => {
  it('have the first rank alone before those that wait for it, and hold every rank once', () => {
    const found = laneSets(stall.lanes, stall.stored, stall.index);
    expect(found?.sets[0]).toMatchObject({ ranks: [5], standing: 'first', recorded: true, rank: 5 });
    expect(found?.sets[1]).toMatchObject({ standing: 'waiting', recorded: true });
    expect(found?.sets[1]?.link?.awaited).toEqual([5]);
    expect(found?.sets.flatMap(({ ranks }) => ranks).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(stall.lanes.lanes[found?.sets[0]?.lane ?? -1]?.rank).toBe(5);
  });

  it('of a run that went well are no silent ranks: it is asked in its middle, and its log is drawn', () => {
    const found = laneSets(well.lanes, well.stored, well.index);
    expect(found?.sets.flatMap(({ ranks }) => ranks)).toHaveLength(8);
    for (const set of found?.sets ?? []) {
      expect(set.recorded).toBe(false);
      expect(set.standing).not.toBe('silent');
    }
  });

  it('come with a pace of calls, and without one where no call is recorded', () => {
    const pace = callPaceNs(stall.lanes) ?? 0;
    // Two calls a step of 200 ms.
    expect(pace).toBeGreaterThan(50e6);
    expect(pace).toBeLessThan(250e6);
    expect(callPaceNs(well.lanes)).toBeNull();
  });
});

describe('what two runs both went through', () => {
  it('is the farthest step that both print', () => {
    const [a, b] = [stall.facts.steps, well.facts.steps];
    if (a === null || b === null) throw new Error('no steps');
    expect(a.last).toBeLessThan(b.last ?? 0);
    expect(sharedStep(a, b)).toBe(a.last);
    expect(sharedStep(a, runSteps(well.lanes, []))).toBeNull();
    expect(a.usualNs).toBeGreaterThan(150e6);
    expect(a.usualNs).toBeLessThan(400e6);
  });

  it('is the call that one of them stopped at, else the last one that both recorded', () => {
    const [stream] = stall.facts.streams;
    const last = Math.max(...(stream?.ops.keys() ?? []));
    const wanted = { group: stream?.group ?? '', seq: last };
    const met = sharedCall(stall.facts.streams, later.facts.streams, wanted);
    expect(met).toMatchObject(wanted);
    expect(met?.a).toEqual(stream?.at.get(last));
    expect(sharedCall(stall.facts.streams, later.facts.streams, null)?.seq).toBe(last);
    expect(sharedCall(stall.facts.streams, well.facts.streams, wanted)).toBeNull();
  });

  it('counts a step by its first print, and the pace on one file, forwards only', () => {
    const line = (step: number, rawNs: number, entry = 1): StepLine => ({ entry, rank: 0, step, rawNs });
    const steps = runSteps(stall.lanes, [
      line(10, 5e9),
      line(20, 7e9),
      line(20, 6e9, 2),
      line(30, 9e9),
      line(10, 20e9),
    ]);
    expect(steps.at.get(20)?.raw).toBe(6e9);
    expect(steps.last).toBe(30);
    expect(steps.usualNs).toBe(0.2e9);
  });
});

describe('rows over two runs', () => {
  const rowsOf = (a: Case, b: Case) => new Map(compareRuns(a.facts, b.facts).map((row) => [row.id, row]));

  it('find no difference between a run and itself, and one program in two runs of it', () => {
    for (const row of rowsOf(stall, stall).values()) expect(row.same, row.id).toBe('equal');
    const program = [...rowsOf(stall, later).values()].find(({ id }) => id.startsWith('program '));
    expect(program).toMatchObject({ same: 'equal', telling: true });
    expect(program?.kind).toMatch(/^\d+ calls alike$/);
  });

  it('name the first call at which two programs part', () => {
    const [stream] = stall.facts.streams;
    if (stream === undefined) throw new Error('no stream');
    const ops = new Map(stream.ops);
    ops.set(12, 'broadcast').set(14, 'broadcast');
    const other = { ...stall.facts, streams: [{ ...stream, ops }] };
    const program = compareRuns(stall.facts, other).find(({ id }) => id.startsWith('program '));
    expect(program).toMatchObject({
      same: 'differs',
      a: `#12 is ${stream.ops.get(12)}`,
      b: '#12 is broadcast',
      kind: 'first of 2 that differ',
    });
  });

  it('tell what only the failed run prints, and what a run does not tell is unknown', () => {
    const rows = rowsOf(stall, well);
    expect(rows.get('messages')).toMatchObject({ same: 'differs', kind: 'only in A' });
    expect(rows.get('messages')?.a).toMatch(/collective timeout \d+×/);
    expect(rows.get('until-fault')).toMatchObject({ b: null, same: 'unknown' });
    expect(rows.get('last-step')).toMatchObject({ same: 'differs', kind: 'how far' });
  });

  it('stand in the order of reading, whatever the order they came in', () => {
    const rows = compareRuns(stall.facts, well.facts);
    const ids = inSections([...rows].reverse()).map(({ section }) => section);
    expect(ids).toEqual(
      [...ids].sort((a, b) => ['call', 'run', 'messages'].indexOf(a) - ['call', 'run', 'messages'].indexOf(b)),
    );
  });
});
