import { describe, expect, it } from 'vitest';
import { rankDumps } from '#shared/analysis/collectives/index.ts';
import type { EventBody } from '#shared/model/events.ts';
import type { PlacedEvent, RankMapFact } from '#shared/model/facts.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { readDumpFiles } from '../../../../support/read-dumps.ts';
import { at, placed } from '../clocks/placed.ts';

const LINE: EventBody = { kind: 'progress', step: 1, epoch: undefined };
const [plain] = readDumpFiles(dumpFiles(simulate(sameProgram(1, times(2, call('all_reduce', 4))))));

/** A dump of one rank whose records were made at these milliseconds. */
function dump(rank: number, ...createdMs: readonly number[]): FlightRecorderDump {
  if (plain === undefined) throw new Error('no dump was built');
  const none = new BigInt64Array(createdMs.length);
  return {
    ...plain,
    source: { kind: 'entry', entry: plain.source.entry },
    nameRank: rank,
    groups: [],
    columns: {
      ...plain.columns,
      createdNs: BigInt64Array.from(createdMs, (ms) => at(ms)),
      startedNs: none,
      completedNs: none,
    },
  };
}

const line = (node: string, attempt: number, ms: number): PlacedEvent => ({ ...placed(node, ms, LINE), attempt });

/** Rank 0 on node a, rank 1 on node b. */
function job(attempts: number): RankMapFact {
  const place = (rank: number, node: string) => ({ rank, node, pod: node, attempt: 0, entries: [] });
  return { attempts, worldSize: 2, pods: [], places: [place(0, 'a'), place(1, 'b')] } as unknown as RankMapFact;
}

const kept = (dumps: readonly FlightRecorderDump[], events: readonly PlacedEvent[], attempts = 2) =>
  rankDumps(dumps, job(attempts), events).ranked.map(({ rank, current, attemptUntold }) => [
    rank,
    current,
    attemptUntold === true,
  ]);

describe('dumps of a job with two attempts', () => {
  const lines = [line('a', 0, 900), line('a', 1, 2000), line('b', 0, 900), line('b', 1, 2000)];

  it('of which one is older than the end of the first: it is not compared, and told', () => {
    const dumps = [dump(0, 500, 2500), dump(1, 500, 800)];
    expect(kept(dumps, lines)).toEqual([
      [0, true, false],
      [1, false, false],
    ]);
    expect(rankDumps(dumps, job(2), lines).conflicts.map(({ code }) => code)).toEqual(['dump-of-earlier-attempt']);
  });

  it('all of the first: they are compared with one another', () => {
    expect(kept([dump(0, 500, 850), dump(1, 500, 800)], lines)).toEqual([
      [0, true, false],
      [1, true, false],
    ]);
  });

  it('between the end of the first and what is left of the second one log: untold, and compared', () => {
    const headLost = [line('a', 0, 900), line('a', 1, 2000), line('b', 0, 900), line('b', 1, 9000)];
    expect(kept([dump(0, 2500), dump(1, 2400)], headLost)).toEqual([
      [0, true, false],
      [1, true, true],
    ]);
  });

  it('on a clock where lines of both overlap: none is called earlier', () => {
    const overlapping = [line('a', 0, 900), line('a', 1, 2000), line('b', 0, 5000), line('b', 1, 2000)];
    expect(kept([dump(0, 2500), dump(1, 1500)], overlapping)).toEqual([
      [0, true, false],
      [1, true, true],
    ]);
  });

  it('with one attempt nothing is asked', () => {
    expect(kept([dump(0, 2500), dump(1, 100)], lines, 1)).toEqual([
      [0, true, false],
      [1, true, false],
    ]);
  });
});
