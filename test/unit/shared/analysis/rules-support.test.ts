import { describe, expect, it } from 'vitest';
import { busAddress, normalisePci } from '#shared/analysis/rules/gpu-xid.ts';
import { consequenceOf } from '#shared/analysis/rules/support/events.ts';
import { peerHost, placeOfHost, sameHost } from '#shared/analysis/rules/support/hosts.ts';
import { msBetween, precedes } from '#shared/analysis/rules/support/order.ts';
import { ranksOfPod } from '#shared/analysis/rules/support/ranks.ts';
import type { EventBody, ExceptionClass } from '#shared/model/events.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { buildFacts, type ShortPod } from '../../../rules/build-facts.ts';

describe('addresses of GPUs', () => {
  it.each([
    ['PCI:0000:9d:00', '0000:9d:00.0'],
    ['0000:9d:00', '0000:9d:00.0'],
    ['00000000:9D:00.0', '0000:9d:00.0'],
    ['9d:00.1', '0000:9d:00.1'],
    ['nonsense', 'nonsense'],
  ])('%s → %s', (text, address) => expect(normalisePci(text)).toBe(address));

  it.each([
    ['9d000', '0000:9d:00.0'],
    ['1b000', '0000:1b:00.0'],
    ['100000', '0001:00:00.0'],
    ['0x9d000', '0000:9d:00.0'],
  ])('NCCL busId %s → %s', (text, address) => expect(busAddress(text)).toBe(address));
});

describe('hosts', () => {
  it.each([
    ['node-c.internal<55912>', 'node-c.internal'],
    ['[10.244.0.17]:29083', '10.244.0.17'],
    ['10.20.232.172<39936>', '10.20.232.172'],
    ['10.0.0.1:80', '10.0.0.1'],
    ['node-c', 'node-c'],
  ])('%s → %s', (peer, host) => expect(peerHost(peer)).toBe(host));

  it('knows short and long names, and never cuts an address', () => {
    expect(sameHost('node-c', 'node-c.internal')).toBe(true);
    expect(sameHost('node-c', 'node-d')).toBe(false);
    expect(sameHost('10.0.0.1', '10.0.0.2')).toBe(false);
    expect(sameHost('10.0.0.1', '10')).toBe(false);
  });

  it('finds the ranks behind a Pod address', () => {
    const { rankMap, events } = buildFacts({
      pods: [{ pod: 'p0', node: 'n1', ranks: [0, 1], object: { podIp: '10.244.0.17' } }],
    });
    expect(placeOfHost('10.244.0.17', rankMap, events)).toEqual({ ranks: [0, 1], pod: 'p0', node: 'n1' });
    expect(placeOfHost('10.244.9.9', rankMap, events)).toBeUndefined();
  });
});

describe('ranks of a Pod', () => {
  const p0 = { pod: 'p0', ranks: [0, 1], expected: [0, 1] };
  it.each<[string, ShortPod[], number, number[]]>([
    ['those that were seen', [p0, { pod: 'p1', ranks: [2, 3], expected: [0, 1] }], 4, [2, 3]],
    ['the only Pod without any has the rest', [p0, { pod: 'p1', ranks: [], expected: [0, 1] }], 4, [2, 3]],
    [
      'by its spec where the others follow theirs',
      [p0, { pod: 'p1', expected: [2, 3] }, { pod: 'p2', expected: [4, 5] }],
      6,
      [2, 3],
    ],
    [
      'not at all where the others do not follow theirs',
      [
        { pod: 'p0', ranks: [4, 5], expected: [0, 1] },
        { pod: 'p1', expected: [2, 3] },
        { pod: 'p2', expected: [4, 5] },
      ],
      6,
      [],
    ],
  ])('%s', (_name, pods, world, ranks) => {
    expect(ranksOfPod(buildFacts({ world, pods }).rankMap, 'p1')).toEqual(ranks);
  });
});

describe('order without a clock model', () => {
  const event = (at: number, clock: string, zoneAssumed = false, stream?: object): PlacedEvent => {
    const [placed] = buildFacts({ events: [{ kind: 'teardown', at, clock }] }).events;
    if (placed?.event.stamp === undefined) throw new Error('no event');
    return {
      ...placed,
      stream: stream as PlacedEvent['stream'],
      event: { ...placed.event, stamp: { ...placed.event.stamp, zoneAssumed } },
    };
  };

  it('compares on one clock only', () => {
    expect(msBetween(event(10, 'n1'), event(35, 'n1'))).toBe(25);
    expect(msBetween(event(10, 'n1'), event(35, 'n2'))).toBeUndefined();
  });

  it('compares stamps without a zone only inside one stream', () => {
    const stream = {};
    expect(msBetween(event(10, 'n1', true, stream), event(35, 'n1', true, stream))).toBe(25);
    expect(msBetween(event(10, 'n1', true, stream), event(35, 'n1', true, {}))).toBeUndefined();
    expect(msBetween(event(10, 'n1', true, stream), event(35, 'n1'))).toBeUndefined();
  });

  it('falls back to the order of lines of one file', () => {
    const [first, second] = buildFacts({ events: [{ kind: 'teardown' }, { kind: 'teardown' }] }).events;
    if (!first || !second) throw new Error('no events');
    expect([precedes(first, second), precedes(second, first)]).toEqual([true, false]);
  });
});

describe('consequences never name their printer', () => {
  const exception = (errorClass: ExceptionClass, message: string): EventBody => ({
    kind: 'exception',
    type: 'RuntimeError',
    message,
    class: errorClass,
    frames: [],
    handled: false,
  });
  it.each<[EventBody, string | undefined]>([
    [exception('distributed', 'Timed out waiting 15000ms for recv operation to complete'), 'timeout'],
    [exception('distributed', 'Connection closed by peer [10.0.0.1]:1'), 'closed'],
    [exception('distributed', 'Read error [10.0.0.1]:1: Connection reset by peer'), 'closed'],
    [
      exception('distributed', 'Gloo connectFullMesh failed with timed out connecting: SO_ERROR: Connection refused'),
      'refused',
    ],
    [exception('distributed', 'Failed to recv, got 0 bytes'), 'store'],
    [exception('distributed', 'something else'), 'abort'],
    [exception('rendezvous', 'x'), 'store'],
    [exception('python', 'Timed out'), undefined],
    [exception('wrapper', ''), undefined],
    [{ kind: 'watchdog-terminated', error: 'Watchdog caught', errorClass: 'distributed' }, 'abort'],
    [{ kind: 'watchdog-terminated', error: 'CUDA error', errorClass: 'cuda-error' }, undefined],
    [{ kind: 'gloo-closed', peer: undefined, how: 'timeout-closure' }, 'timeout'],
    [{ kind: 'teardown' }, 'abort'],
    [{ kind: 'work-status', work: 76, lastEnqueued: 78, lastCompleted: 75, group: undefined }, 'abort'],
    [{ kind: 'work-status', work: undefined, lastEnqueued: 75, lastCompleted: 75, group: undefined }, undefined],
    [{ kind: 'group-ready' }, undefined],
  ])('%o → %s', (body, how) => expect(consequenceOf(body)).toBe(how));
});
