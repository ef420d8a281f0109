import { describe, expect, it } from 'vitest';
import { runRule } from '#shared/analysis/conclude.ts';
import { RULES } from '#shared/analysis/rules/index.ts';
import type { PodObject } from '#shared/model/kubernetes.ts';
import { buildFacts, type ShortEvent, type ShortFacts } from '../../../../rules/build-facts.ts';

const PODS = [
  { pod: 'p0', node: 'n1', ranks: [0, 1] },
  { pod: 'p1', node: 'n2', ranks: [2, 3] },
];

function evidenceOf(rule: string, events: readonly ShortEvent[], more: Partial<ShortFacts> = {}): readonly string[] {
  const definition = RULES.find(({ id }) => id === rule);
  if (definition === undefined) throw new Error(`no rule ${rule}`);
  const [finding] = runRule(definition, buildFacts({ world: 4, pods: PODS, events, ...more }));
  return finding?.because.map(({ text }) => text) ?? [];
}

const disk = (of: string, value: number, where: object, bytes?: number): ShortEvent => ({
  kind: 'host-state',
  what: 'disk',
  value,
  of,
  bytes,
  entry: 60,
  text: `df: ${of} is ${value} % full`,
  ...where,
});

describe('readings beside other evidence', () => {
  const noSpace: ShortEvent = {
    kind: 'exception',
    rank: 2,
    at: 5000,
    type: 'OSError',
    message: '[Errno 28] No space left on device',
    class: 'storage',
  };

  it.each([
    [
      'of its node, asked in time',
      disk('/ckpt', 100, { node: 'n2', at: 6000 }),
      'Node n2, df: /ckpt is 100 % full; asked while the job ran, or within a minute of it',
    ],
    [
      'of its Pod, asked long after',
      disk('/ckpt', 100, { pod: 'p1', at: 900_000 }),
      'Pod p1, df: /ckpt is 100 % full; asked outside the time of the job',
    ],
    [
      'at an unknown time',
      disk('/ckpt', 100, { pod: 'p1' }),
      'Pod p1, df: /ckpt is 100 % full; when it was asked is not told',
    ],
  ])('an error about space takes a full disk %s', (_, reading, text) => {
    expect(evidenceOf('rank-raised', [noSpace, reading])).toContain(text);
  });

  it.each([
    ['of another node', disk('/ckpt', 100, { node: 'n1' })],
    ['of nobody', disk('/ckpt', 100, {})],
    ['with room', disk('/ckpt', 99, { node: 'n2' })],
    ['that is shared memory', disk('/dev/shm', 100, { pod: 'p1' }, 67_108_864)],
  ])('and none %s', (_, reading) => {
    expect(evidenceOf('rank-raised', [noSpace, reading])).toHaveLength(1);
  });

  it('an error about something else takes no full disk', () => {
    const other = { ...noSpace, message: '[Errno 5] Input/output error' };
    expect(evidenceOf('rank-raised', [other, disk('/ckpt', 100, { node: 'n2' })])).toHaveLength(1);
  });

  it('a bus error takes the small shared memory of its own Pod, a kill does not', () => {
    const lost = (signal: string): ShortEvent => ({
      kind: 'data-loader-killed',
      rank: 2,
      signal,
      handled: false,
      at: 5000,
    });
    const small = disk('/dev/shm', 3, { pod: 'p1' }, 67_108_864);
    const large = disk('/dev/shm', 3, { pod: 'p1' }, 68_719_476_736);
    expect(evidenceOf('data-loader-worker-killed', [lost('Bus error'), small])).toHaveLength(2);
    expect(evidenceOf('data-loader-worker-killed', [lost('Bus error'), large])).toHaveLength(1);
    expect(evidenceOf('data-loader-worker-killed', [lost('Killed'), small])).toHaveLength(1);
  });

  it('a shortage of shared memory takes what the spec gives the Pod', () => {
    const short: ShortEvent = { ...noSpace, class: 'shared-memory' };
    const withShm = (sharedMemory: PodObject['sharedMemory']) =>
      evidenceOf('shared-memory-too-small', [short], {
        pods: PODS.map((pod) => ({ ...pod, object: { ...(sharedMemory && { sharedMemory }) } })),
      });
    expect(withShm({ kind: 'default' })[1]).toContain('mostly 64 MiB');
    expect(withShm({ kind: 'volume', limit: '2Gi' })[1]).toContain('a limit of 2Gi');
    expect(withShm({ kind: 'volume', limit: undefined })).toHaveLength(1);
    expect(withShm(undefined)).toHaveLength(1);
  });

  it('a SIGKILL beside a counter at 0 says that it was not the OOM killer, one beside a kill says nothing of it', () => {
    const counter = (value: number, pod = 'p1'): ShortEvent => ({
      kind: 'host-state',
      what: 'oom-kills',
      value,
      pod,
      entry: 60,
      text: `memory.events: oom_kill ${value}`,
    });
    const killed = { exits: [{ rank: 2, signal: 9 }] };
    const said = (events: readonly ShortEvent[], more = killed) =>
      evidenceOf('rank-killed', events, more).filter((text) => text.includes('counts no memory kill'));
    expect(said([counter(0)])).toHaveLength(1);
    expect(said([counter(0), counter(2)])).toHaveLength(0);
    expect(said([counter(0, 'p0')])).toHaveLength(0);
    expect(said([counter(0)], { exits: [{ rank: 2, signal: 11 }] })).toHaveLength(0);
  });
});
