import { describe, expect, it } from 'vitest';
import { EvidenceTable } from '#shared/analysis/clocks/evidence/evidence-table.ts';
import { addSetUps } from '#shared/analysis/clocks/evidence/set-ups.ts';
import { boundsFrom, widen } from '#shared/analysis/clocks/solver/bounds.ts';
import type { EventBody } from '#shared/model/events.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { at, ms, placed } from './placed.ts';

const NODES = ['a', 'b', 'c'];
const begun = (clock: string, t: number, kind?: 'runtime' | 'zoned'): PlacedEvent =>
  placed(clock, t, { kind: 'set-up-begun', what: 'rendezvous', key: undefined }, { kind });
const result = (clock: string, t: number, round = 'a:29400 of 3'): PlacedEvent =>
  placed(clock, t, { kind: 'rendezvous-result', restartCount: 0, groupRank: 0, globalRanks: [], round });

/** Offset of b against a, ms: likely ends, and guaranteed ones. */
function offsets(events: readonly PlacedEvent[]) {
  const table = new EvidenceTable(NODES, at(0));
  addSetUps(table, events);
  const operations = table.finish();
  const nothing = { moments: new Float64Array(3), rates: new Float64Array(3) };
  const likely = boundsFrom(widen(operations, 'likely', nothing), 0);
  const sure = boundsFrom(widen(operations, 'guaranteed', nothing), 0);
  const ends = ({ upper, lower }: typeof likely) => [-(upper[1] ?? 0) / 1e6, -(lower[1] ?? 0) / 1e6];
  return { likely: ends(likely), guaranteed: ends(sure), operations: operations.count };
}

describe('a rendezvous', () => {
  const round = (shift: number, kind: 'runtime' | 'zoned' = 'zoned') => [
    begun('a', 0, kind),
    begun('b', 4_000 + shift, kind),
    result('a', 5_000),
    result('b', 5_010 + shift),
  ];

  it('bounds agents on both sides by what all began before any was done', () => {
    const { likely, guaranteed } = offsets(round(2_000));
    // b began at 6,000 of its clock before a was done at 5,000 of its own; a began at 0 before b was done at 7,010.
    expect(likely[1]).toBeCloseTo(7_010 + 1e-6, 3);
    expect(likely[0]).toBeCloseTo(1_000, 3);
    expect(guaranteed).toEqual([-Infinity, Infinity]);
  });

  it('takes a runtime to write beginnings late', () => {
    expect(offsets(round(2_000, 'runtime')).likely[0]).toBeCloseTo(950, 3);
  });

  it('of two stores are two', () => {
    expect(
      offsets([begun('a', 0), begun('b', 0), result('a', 10, 'a:1 of 2'), result('b', 10, 'b:2 of 2')]).operations,
    ).toBe(0);
  });

  it('pairs rounds of one store by their order only where all logs hold as many', () => {
    const twice = [...round(0), ...[...round(0)].map((one) => later(one, 60_000))];
    expect(offsets(twice).operations).toBe(2);
    expect(offsets(twice.slice(0, -1)).operations).toBe(0);
  });
});

describe('a store barrier', () => {
  it('bounds ranks by key', () => {
    const rank = (clock: string, t: number, r: number, body: EventBody) => placed(clock, t, body, { rank: r });
    const key = 'store_based_barrier_key:1';
    const { likely } = offsets([
      rank('a', 0, 0, { kind: 'set-up-begun', what: 'store-barrier', key }),
      rank('b', 3_000, 1, { kind: 'set-up-begun', what: 'store-barrier', key }),
      rank('a', 100, 0, { kind: 'set-up-over', what: 'store-barrier', key }),
      rank('b', 3_100, 1, { kind: 'set-up-over', what: 'store-barrier', key }),
    ]);
    expect(likely[0]).toBeCloseTo(2_850, 3);
    expect(likely[1]).toBeCloseTo(3_150, 3);
  });
});

const later = (one: PlacedEvent, by: number): PlacedEvent => ({
  ...one,
  event: { ...one.event, stamp: one.event.stamp && { ...one.event.stamp, ns: at(ms(one.event.stamp.ns) + by) } },
});
