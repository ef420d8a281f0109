import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { entryId } from '#shared/model/ids.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { KubeEvent, LeaseObject, PodObject } from '#shared/model/kubernetes.ts';
import { type EpochNs, epochNs } from '#shared/model/time.ts';
import { incident, jobSetLabels, pod } from '../rank-map/build-incident.ts';

const BASE = 1_800_000_000_000;
const SOURCE = { kind: 'entry', entry: entryId(0) } as const;
/** Milliseconds since the story's start, as the API stores them: whole seconds. */
const stored = (ms: number): EpochNs => epochNs(BigInt(Math.floor((BASE + ms) / 1000)) * 1_000_000_000n);
const exact = (ms: number): EpochNs => epochNs(BigInt(Math.round((BASE + ms) * 1000)) * 1000n);

const lease = (node: string, renewed: number, at: number): LeaseObject => ({
  source: SOURCE,
  node,
  renewTime: exact(renewed),
  managedAt: stored(at),
});

interface Times {
  readonly offset: number;
  readonly bound: number;
  readonly startDelay: number;
  readonly statusDelay: number;
}

/** A Pod as the API server shows it when its node's clock is `offset` ms ahead. */
function podOn(node: string, { offset, bound, startDelay, statusDelay }: Times): PodObject {
  const started = bound + startDelay;
  return pod('job-0', {
    labels: jobSetLabels(0),
    node,
    created: stored(bound - 400),
    startTime: stored(started + offset),
    conditions: [
      { type: 'PodScheduled', status: 'True', reason: undefined, message: undefined, at: stored(bound) },
      { type: 'Ready', status: 'True', reason: undefined, message: undefined, at: stored(started + 700 + offset) },
    ],
    managedFields: [{ manager: 'kubelet', subresource: 'status', at: stored(started + 700 + statusDelay) }],
  });
}

const kubeletEvent = (host: string, first: number, created: number): KubeEvent => ({
  source: SOURCE,
  type: 'Normal',
  reason: 'Started',
  message: '',
  object: { kind: 'Pod', name: 'job-0', namespace: 'ml' },
  component: 'kubelet',
  host,
  first: stored(first),
  last: stored(first),
  created: stored(created),
  count: 1,
  age: undefined,
});

function clockOf(node: string, more: Partial<IncidentInput>) {
  const input = incident([], more);
  const { rankMap, events } = computeRankMap(input);
  return computeClocks(input, rankMap, events).domains.find(({ id }) => id === node);
}

describe('offset of a node against the API server', () => {
  it('of a Lease alone: bounded below, likely above, quality incomplete', () => {
    expect(clockOf('n', { leases: [lease('n', 61_400, 57_050)] })).toMatchObject({
      // 61.400 − 58 = 3.400 at least; stored within 0.2 s of its second at most.
      offset: { low: 3400, high: undefined, likelyLow: 3400, likelyHigh: 4600.001 },
      quality: 'incomplete',
    });
  });

  it('of a Lease and a Pod', () => {
    const found = clockOf('n', {
      leases: [lease('n', 61_400, 57_050)],
      pods: [podOn('n', { offset: 4350, bound: 1200, startDelay: 900, statusDelay: 500 })],
    });
    expect(found).toMatchObject({ quality: 'loose', component: 0, offset: { low: 3400, likelyHigh: 4600.001 } });
    // 6 s, and 600 ppm of the 55.4 s between the start and the moment of the offset, which is that of the Lease.
    expect(found?.offset?.high).toBe(6033.24);
    expect(found?.basis[0]).toBe("the Lease of n: renewed by the node's clock, stored by the API server's");
  });

  it('of one side only: unknown, not zero', () => {
    const onlyEvent = clockOf('n', {
      kubeEvents: [kubeletEvent('n', 5000, 5100)],
      pods: [pod('job-0', { node: 'n', labels: jobSetLabels(0) })],
    });
    expect(onlyEvent).toMatchObject({ offset: undefined, quality: 'none', anchors: 1 });
  });

  it('of bounds that exclude each other: contradictory', () => {
    const stepped = clockOf('n', {
      leases: [lease('n', 90_000, 30_000)],
      pods: [podOn('n', { offset: 0, bound: 1000, startDelay: 500, statusDelay: 100 })],
    });
    expect(stepped).toMatchObject({ offset: undefined, quality: 'contradictory' });
  });

  it('the API server is the reference of those that are known; others stand alone', () => {
    const input = incident([], {
      leases: [lease('a', 1000, 1000), { ...lease('b', 0, 0), managedAt: undefined }],
      pods: [pod('job-0', { node: 'b', labels: jobSetLabels(0) })],
    });
    const { rankMap, events } = computeRankMap(input);
    const clocks = computeClocks(input, rankMap, events);
    expect(clocks.reference).toBe('api');
    expect(clocks.domains.map(({ id, component, offset }) => [id, component, offset?.low])).toEqual([
      ['api', 0, 0],
      ['a', 0, -1000],
      ['b', 1, undefined],
    ]);
  });

  it('does not take the word of schedulers, problem detectors and mirror Pods', () => {
    const scheduler = { ...kubeletEvent('n', 900_000, 1000), component: 'default-scheduler' };
    const mirror = {
      ...podOn('n', { offset: 0, bound: 900_000, startDelay: -890_000, statusDelay: 0 }),
      annotations: { 'kubernetes.io/config.mirror': 'x' },
    };
    const found = clockOf('n', { leases: [lease('n', 1000, 1000)], kubeEvents: [scheduler], pods: [mirror] });
    expect(found?.offset).toMatchObject({ low: -1000, high: undefined });
  });

  it('guaranteed bounds hold whatever the delays were, likely ones if the writes were quick', () => {
    const delay = fc.integer({ min: 0, max: 30_000 });
    fc.assert(
      fc.property(
        fc.record({
          offset: fc.integer({ min: -130_000, max: 130_000 }),
          bound: fc.integer({ min: 0, max: 5000 }),
          startDelay: delay,
          statusDelay: delay,
        }),
        fc.integer({ min: 10_000, max: 60_000 }),
        delay,
        delay,
        (times, renewed, leaseDelay, eventDelay) => {
          const found = clockOf('n', {
            pods: [podOn('n', times)],
            leases: [lease('n', renewed + times.offset, renewed + leaseDelay)],
            kubeEvents: [kubeletEvent('n', renewed + times.offset, renewed + eventDelay)],
          })?.offset;
          expect(found?.low).toBeLessThanOrEqual(times.offset);
          expect(found?.high).toBeGreaterThanOrEqual(times.offset);
          if (leaseDelay <= 200 && times.statusDelay <= 2000)
            expect(found?.likelyHigh).toBeGreaterThanOrEqual(times.offset);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('widens with the distance from the moment that is asked for', () => {
    const late = { kind: 'progress', step: 1, epoch: undefined } as const;
    const input = incident(
      [
        {
          path: 'job-0.log',
          lines: [
            { body: late, stamp: { ns: exact(1_000_000), kind: 'runtime', resolutionNs: 1, zoneAssumed: false } },
          ],
        },
      ],
      {
        leases: [lease('n', 0, 0)],
        pods: [pod('job-0', { node: 'n', labels: jobSetLabels(0) })],
      },
    );
    const { rankMap, events } = computeRankMap(input);
    // 1,000 s at 600 ppm: 0.6 s; likely at 250 ppm: 0.25 s.
    expect(computeClocks(input, rankMap, events).domains.find(({ id }) => id === 'n')?.offset).toMatchObject({
      low: -1600,
      likelyHigh: 450.001,
    });
  });
});
