import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { conclude } from '#shared/analysis/conclude.ts';
import { UNTOLD_PLACE } from '#shared/formats/log/path-facts.ts';
import type { LogStream } from '#shared/model/events.ts';
import type { Facts, Gap } from '#shared/model/finding.ts';
import { entryId } from '#shared/model/ids.ts';
import { buildFacts, type ShortFacts } from '../../../rules/build-facts.ts';
import { analyseFiles } from '../../../support/in-memory-import.ts';

const ROOT = fileURLToPath(new URL('../../../fixtures/recorded/aborted-without-a-word/bundle/', import.meta.url));
const ABORTED = new Map(
  readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [relative(ROOT, path), new Uint8Array(readFileSync(path))]),
);

const BASE: ShortFacts = {
  world: 4,
  pods: [
    { pod: 'p0', node: 'n1', ranks: [0, 1] },
    { pod: 'p1', node: 'n2', ranks: [2, 3] },
  ],
};

function stream(pod: string, more: Partial<LogStream> = {}): LogStream {
  return {
    ...UNTOLD_PLACE,
    pod,
    lines: 5,
    first: undefined,
    last: undefined,
    lastLine: undefined,
    ranks: [],
    ...more,
  };
}

function gapsOf(short: ShortFacts, streams: readonly LogStream[] = []): Map<string, Gap> {
  const facts = buildFacts(short);
  const whole: Facts = { ...facts, input: { ...facts.input, streams } };
  return new Map(conclude(whole).gaps.map((gap) => [gap.item, gap]));
}

const restarted = {
  name: 'trainer',
  init: false,
  containerId: undefined,
  restartCount: 2,
  ready: undefined,
  runningSince: undefined,
  waiting: undefined,
  terminated: undefined,
  lastTerminated: undefined,
};

describe('gaps', () => {
  it('puts no name into a command that a shell could read as more than a name', () => {
    const pods = (pod: string) => ({ world: 2, pods: [{ pod, node: 'n1', ranks: [0, 1] }] });
    expect(gapsOf(pods('trainer-0')).get('Logs of all ranks')?.collect).toContain('trainer-0 ');
    for (const pod of ['p; rm -rf ~', '$(id)', 'p`id`', 'p > /etc/passwd', '--kubeconfig=/x', 'p\nq', 'P_0']) {
      const collect = gapsOf(pods(pod)).get('Logs of all ranks')?.collect;
      expect(collect).toMatch(/^kubectl logs -n ml POD --all-containers --timestamps > POD\.log$/);
    }
  });

  it('asks for everything when there is nothing', () => {
    const gaps = gapsOf({});
    expect(gaps.get('Logs of all ranks')?.state).toBe('not-collected');
    expect(gaps.get('Flight Recorder dumps')?.state).toBe('not-collected');
    expect(gaps.get('Pod specs and status')?.state).toBe('not-collected');
    expect(gaps.get('Kubernetes events')?.state).toBe('not-collected');
    expect(gaps.get('Kernel logs of the nodes')?.state).toBe('not-collected');
    expect(gaps.get('Which process is which rank')?.state).toBe('absent');
  });

  it('is content with the logs of all Pods, and names the Pod whose log is missing', () => {
    expect(gapsOf(BASE, [stream('p0'), stream('p1')]).get('Logs of all ranks')?.state).toBe('present');
    const partial = gapsOf({ ...BASE, quiet: [2, 3] }, [stream('p0')]).get('Logs of all ranks');
    expect(partial).toMatchObject({ state: 'partial' });
    expect(partial?.where).toMatch(/Pod p1.*ranks 2 and 3/);
    expect(partial?.collect).toContain('kubectl logs -n ml p1');
  });

  it('asks for the previous log of a restarted Pod only', () => {
    const pods = [{ pod: 'p0', node: 'n1', ranks: [0, 1], object: { containers: [restarted] } }];
    expect(gapsOf({ ...BASE, pods }).get('Logs of earlier attempts')).toMatchObject({ state: 'not-collected' });
    expect(gapsOf({ ...BASE, pods }).get('Logs of earlier attempts')?.collect).toContain('--previous');
    expect(gapsOf({ ...BASE, pods }, [stream('p0', { previous: true })]).get('Logs of earlier attempts')?.state).toBe(
      'present',
    );
    expect(gapsOf(BASE).has('Logs of earlier attempts')).toBe(false);
  });

  it('counts dumps and names the ranks without one', () => {
    const collectives = { dumpsPresent: [0, 1, 2], dumpsExpected: [0, 1, 2, 3] };
    expect(gapsOf({ ...BASE, collectives }).get('Flight Recorder dumps')).toMatchObject({
      state: 'partial',
      where: '3 of 4 dumps; none of rank 3',
    });
  });

  it('says of dumps without a call that they are there, and what that can mean', () => {
    const { gaps, verdict } = analyseFiles(ABORTED).report;
    const gap = gaps.find(({ item }) => item === 'Flight Recorder dumps');
    expect(gap?.state).toBe('absent');
    expect(gap?.where).toMatch(/^4 dumps are there and hold no call: the recorder was off/);
    expect(verdict.wouldChange.join()).not.toContain('Flight Recorder dumps of all ranks');
    const withoutDumps = new Map([...ABORTED].filter(([path]) => !path.startsWith('flight-recorder/')));
    const none = analyseFiles(withoutDumps).report.gaps.find(({ item }) => item === 'Flight Recorder dumps');
    expect(none).toMatchObject({ state: 'not-collected', where: 'no dump in the bundle' });
  });

  it('asks for dumps that hold calls where those of the bundle hold none', () => {
    const short = new Map([...ABORTED].filter(([path]) => path.startsWith('flight-recorder/')));
    const { verdict } = analyseFiles(short).report;
    expect(verdict.outcome).toBe('cannot-tell');
    expect(verdict.wouldChange).toContain('Flight Recorder dumps that hold calls (those in the bundle hold none)');
  });

  it('wants NCCL output only where NCCL was used', () => {
    expect(
      gapsOf({ ...BASE, events: [{ kind: 'collective-timeout', rank: 0, seq: 1, op: 'ALLREDUCE' }] }).get('NCCL output')
        ?.state,
    ).toBe('not-collected');
    expect(gapsOf({ ...BASE, events: [{ kind: 'gloo-timeout', rank: 0 }] }).has('NCCL output')).toBe(false);
  });

  it('wants clock anchors only where there is more than one node', () => {
    expect(gapsOf(BASE).get('Clock offsets between nodes')?.state).toBe('not-collected');
    expect(gapsOf({ ...BASE, leases: [{ node: 'n1', offsetMs: 0 }] }).get('Clock offsets between nodes')?.state).toBe(
      'partial',
    );
    expect(
      gapsOf({ world: 2, pods: [{ pod: 'p0', node: 'n1', ranks: [0, 1] }] }).has('Clock offsets between nodes'),
    ).toBe(false);
  });

  it('asks for the kernel log of the very node when a process was killed there', () => {
    const gaps = gapsOf({ ...BASE, exits: [{ rank: 2, signal: 9 }] });
    expect(gaps.get('Kernel log of node n2')?.matters).toMatch(/lack of memory/);
  });

  it.each([
    ['list-empty', 'Event', 'absent', /asked for, and there was none/],
    [
      'collector-message',
      'events is forbidden: User "x" cannot list',
      'not-collected',
      /asked and got none: events is forbidden/,
    ],
  ] as const)('takes the collector at its word: %s %s', (code, detail, state, where) => {
    const facts = buildFacts(BASE);
    const issue = {
      code,
      severity: 'info',
      entry: entryId(0),
      path: 'events',
      source: undefined,
      count: 1,
      detail,
    } as const;
    const gaps = conclude({ ...facts, input: { ...facts.input, issues: [issue] } }).gaps;
    expect(gaps.find((gap) => gap.item === 'Kubernetes events')).toMatchObject({
      state,
      where: expect.stringMatching(where),
    });
  });

  it('has a reason and a way for each', () => {
    for (const gap of gapsOf(BASE).values()) {
      expect(gap.matters).toMatch(/\.$/);
      expect(gap.collect.length).toBeGreaterThan(10);
      expect(gap.where).not.toMatch(/undefined/);
    }
  });
});
