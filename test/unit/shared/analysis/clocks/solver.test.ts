import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsFrom, widen } from '#shared/analysis/clocks/solver/bounds.ts';
import { componentsOf } from '#shared/analysis/clocks/solver/components.ts';
import { findCycle } from '#shared/analysis/clocks/solver/cycle.ts';
import { OperationBuilder } from '#shared/analysis/clocks/solver/operations.ts';

interface Row {
  readonly domain: number;
  readonly low?: number;
  readonly high?: number;
}

function systemOf(domains: number, operations: readonly (readonly Row[])[], rate = 0, moments?: readonly number[]) {
  const builder = new OperationBuilder(domains);
  for (const rows of operations) {
    builder.begin(0);
    for (const { domain, low = -Infinity, high = Infinity } of rows) builder.row(domain, low, high);
  }
  return widen(builder.finish(), 'guaranteed', {
    moments: Float64Array.from(moments ?? new Array(domains).fill(0)),
    rates: new Float64Array(domains).fill(rate),
  });
}

describe('bounds', () => {
  it('of one call of two clocks: each entered before the other left', () => {
    const system = systemOf(2, [
      [
        { domain: 0, low: 100, high: 130 },
        { domain: 1, low: 1100, high: 1120 },
      ],
    ]);
    const { upper, lower, feasible } = boundsFrom(system, 0);
    // 1100 + c ≤ 130 and 100 ≤ 1120 + c.
    expect([lower[1], upper[1], feasible]).toEqual([-1020, -970, true]);
  });

  it('go through clocks that share no call', () => {
    const system = systemOf(3, [
      [
        { domain: 0, low: 0, high: 10 },
        { domain: 1, low: 50, high: 60 },
      ],
      [
        { domain: 1, low: 70, high: 75 },
        { domain: 2, low: 0, high: 5 },
      ],
    ]);
    const { upper, lower } = boundsFrom(system, 0);
    expect([lower[2], upper[2]]).toEqual([-60 + 65, -40 + 75]);
  });

  it('stay open where evidence goes one way only', () => {
    const system = systemOf(2, [
      [
        { domain: 0, low: 5 },
        { domain: 1, high: 9 },
      ],
    ]);
    const { upper, lower } = boundsFrom(system, 0);
    expect([lower[1], upper[1]]).toEqual([-4, Infinity]);
    expect([...componentsOf(system)]).toEqual([-1, -1]);
  });

  it('widen by the rate times the distance from the moment', () => {
    const rows = [
      [
        { domain: 0, low: 0, high: 10 },
        { domain: 1, low: 0, high: 10 },
      ],
    ];
    const wide = boundsFrom(systemOf(2, rows, 0.01, [1000, 1000]), 0);
    expect(wide.upper[1]).toBeCloseTo(10 + 9.9 + 10, 9);
  });

  it('are empty together with a cycle that says why', () => {
    const system = systemOf(2, [
      [
        { domain: 0, low: 0, high: 10 },
        { domain: 1, low: 0, high: 10 },
      ],
      [
        { domain: 0, low: 100, high: 110 },
        { domain: 1, low: 150, high: 160 },
      ],
    ]);
    expect(boundsFrom(system, 0).feasible).toBe(false);
    const cycle = findCycle(system);
    expect([...(cycle?.domains ?? [])].sort()).toEqual([0, 1]);
    expect([...(cycle?.operations ?? [])].sort()).toEqual([0, 1]);
  });

  it('hold the truth and mirror, whatever the delays', () => {
    const scenario = fc.record({
      offsets: fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 3, maxLength: 3 }),
      calls: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 1e6 }),
          rows: fc.array(
            fc.record({ domain: fc.integer({ min: 0, max: 2 }), early: fc.nat(5000), late: fc.nat(5000) }),
            { minLength: 2, maxLength: 4 },
          ),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    });
    fc.assert(
      fc.property(scenario, ({ offsets, calls }) => {
        const system = systemOf(
          3,
          calls.map(({ at, rows }) =>
            rows.map(({ domain, early, late }) => ({
              domain,
              low: at + (offsets[domain] ?? 0) - early,
              high: at + (offsets[domain] ?? 0) + late,
            })),
          ),
        );
        expect(findCycle(system)).toBeUndefined();
        for (const source of [0, 1, 2]) {
          const { upper, lower, feasible } = boundsFrom(system, source);
          expect(feasible).toBe(true);
          for (const d of [0, 1, 2]) {
            const correction = (offsets[source] ?? 0) - (offsets[d] ?? 0);
            expect(upper[d]).toBeGreaterThanOrEqual(correction);
            expect(lower[d]).toBeLessThanOrEqual(correction);
            expect(boundsFrom(system, d).lower[source]).toBeCloseTo(-(upper[d] ?? 0), 6);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('components', () => {
  const rowOf = fc.record({ domain: fc.nat(11), low: fc.boolean(), high: fc.boolean() });

  it('are the clocks whose difference the bounds close on both sides, numbered by their first clock', () => {
    let several = 0;
    fc.assert(
      fc.property(fc.array(fc.array(rowOf, { minLength: 1, maxLength: 4 }), { maxLength: 14 }), (operations) => {
        const system = systemOf(
          12,
          operations.map((rows) =>
            rows.map(({ domain, low, high }) => ({
              domain,
              ...(low ? { low: -9 } : {}),
              ...(high ? { high: 9 } : {}),
            })),
          ),
        );
        const expected = new Array<number>(12).fill(-1);
        let next = 0;
        for (let d = 0; d < 12; d++) {
          if (expected[d] !== -1) continue;
          const { upper, lower } = boundsFrom(system, d);
          const mates = [...upper.keys()].filter(
            (e) => e === d || (Number.isFinite(upper[e]) && Number.isFinite(lower[e])),
          );
          if (mates.length < 2) continue;
          for (const mate of mates) expected[mate] = next;
          next += 1;
        }
        if (next > 1) several += 1;
        expect([...componentsOf(system)]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect(several).toBeGreaterThan(0);
  });

  it('do not look at every row again for each clock that stands alone', () => {
    const domains = 4000;
    const alone = Array.from({ length: domains }, (_, domain) => [
      { domain, low: 0 },
      { domain: (domain + 1) % domains, low: 0 },
    ]);
    const pair = [
      { domain: 7, low: 0, high: 1 },
      { domain: 3999, low: 0, high: 1 },
    ];
    const component = componentsOf(systemOf(domains, [...alone, pair]));
    expect([...component.keys()].filter((d) => component[d] !== -1)).toEqual([7, 3999]);
  });
});
