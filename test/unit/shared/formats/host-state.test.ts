import { describe, expect, it } from 'vitest';
import hostState from '#shared/formats/host-state/index.ts';
import { claimsOn } from '#shared/formats/index.ts';
import { eventsOf, readEntry, toBytes, toHead } from './read-entry.ts';

interface Told {
  readonly what: string;
  readonly value: number;
  readonly whose: string;
}

function toldIn(text: string, path = 'x.txt'): readonly Told[] {
  return eventsOf(readEntry(hostState, toBytes(text), path)).flatMap(({ body, pod, container, host }) =>
    body.kind === 'host-state'
      ? [
          {
            what: body.what,
            value: body.value,
            whose: [pod, container, host].filter((one) => one !== undefined).join('/'),
          },
        ]
      : [],
  );
}

const EVENTS = 'low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n';
const PSI = 'some avg10=1.00 avg60=64.80 avg300=3.00 total=88\nfull avg10=1.00 avg60=44.80 avg300=3.00 total=48\n';

describe('whose reading it is', () => {
  it.each([
    ['nobody says so', EVENTS, ''],
    [
      'kubectl exec',
      `$ kubectl exec -it -n ml trainer-1 -c=trainer -- cat /sys/fs/cgroup/memory.events\n${EVENTS}`,
      'trainer-1/trainer',
    ],
    [
      'kubectl exec with the container first',
      `+ kubectl -n ml exec -c side pod/trainer-1 -- cat memory.events\n${EVENTS}`,
      'trainer-1/side',
    ],
    ['ssh', `# ssh root@gpu-node-3 cat /sys/fs/cgroup/x/memory.events\n${EVENTS}`, 'gpu-node-3'],
    ['a section of its own', `=== trainer-1 ===\n\n--- memory.events ---\n${EVENTS}`, 'trainer-1'],
    ['a section with a bracket', `--- [pod/trainer-1/trainer] ---\n${EVENTS}`, 'trainer-1/trainer'],
    ['a name beside the file', `## trainer-1: memory.events\n${EVENTS}`, 'trainer-1'],
    ['a namespace is no name', `# kubectl top pods -n ml-prod\n${EVENTS}`, ''],
    ['exec holds for its own reading only', `$ kubectl exec trainer-1 -- df -h\n$ cat memory.events\n${EVENTS}`, ''],
    ['a section ends with the next', `=== trainer-1 ===\n=== trainer-2 ===\n${EVENTS}`, 'trainer-2'],
  ])('%s', (_, text, whose) => {
    expect(toldIn(text)[0]).toEqual({ what: 'oom-kills', value: 1, whose });
  });

  it('takes Pod and container out of the path of a cgroup', () => {
    const id = '0123456789abcdef'.repeat(4);
    const path = `n1/kubepods-pod0a1b2c3d_1111_2222_3333_0123456789ab.slice/cri-containerd-${id}.scope/memory.events`;
    const [event] = eventsOf(readEntry(hostState, toBytes(EVENTS), path));
    expect(event?.body).toMatchObject({ podUid: '0a1b2c3d-1111-2222-3333-0123456789ab', containerId: id });
  });
});

describe('readings whose meaning is in a name', () => {
  it.each([
    ['ns/trainer-0/memory.peak', '68719476736\n', [{ what: 'memory-peak-bytes', value: 68719476736, whose: '' }]],
    ['trainer-0_memory.max.txt', 'max\n', []],
    ['memory.limit_in_bytes', '9223372036854771712\n', []],
    ['proc/pressure/io', PSI, [{ what: 'io-pressure', value: 44.8, whose: '' }]],
    ['trainer-0/cpu.pressure', PSI, [{ what: 'cpu-pressure', value: 64.8, whose: '' }]],
    ['trainer-0/unknown', PSI, []],
    ['trainer-0/unknown', '68719476736\n', []],
  ])('%s', (path, text, told) => {
    expect(toldIn(text, path)).toEqual(told);
  });

  it('claims a lone number only under such a name', () => {
    const score = (path: string) => claimsOn(toHead(toBytes('68719476736\n'), path))[0];
    expect(score('trainer-0/memory.peak')).toMatchObject({ format: { id: 'host-state' }, score: 0.3 });
    expect(score('trainer-0/answer.txt')?.format.id).not.toBe('host-state');
  });
});

describe('what is another file', () => {
  it.each([
    ['status of a process', 'VmPeak:\t  812 kB\nVmRSS:     412 kB\n'],
    ['two columns of anything', 'low 1\nhigh 2\nmax 3\n'],
    ['a table of something else', 'Filesystem of the year\nNAME AGE\n'],
    ['prose with a command in it', '# df -h\nis what I would try first\n'],
  ])('%s', (_, text) => {
    expect(claimsOn(toHead(toBytes(text), 'x.txt')).map(({ format }) => format.id)).not.toContain('host-state');
  });
});

describe('what is no sign of pressure', () => {
  it.each([
    [
      'a container that was never held back',
      'nr_periods 9000\nnr_throttled 0\nthrottled_usec 0\n',
      [{ what: 'throttled', value: 0, whose: '' }],
    ],
    ['too few periods', 'nr_periods 99\nnr_throttled 99\nthrottled_usec 1\n', []],
    ['more than there can be', 'nr_periods 900\nnr_throttled 901\nthrottled_usec 1\n', []],
    ['a disk with room', 'Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 1T 900G 100G 90% /\n', []],
    ['a file system of size 0', 'Filesystem Size Used Avail Use% Mounted on\nefivarfs 0 0 0 100% /sys/x\n', []],
    [
      'room in shared memory is told with its size',
      'Filesystem 1K-blocks Used Available Use% Mounted on\nshm 65536 0 65536 0% /dev/shm\n',
      [{ what: 'disk', value: 0, whose: '' }],
    ],
    ['load averages', '210.11 190.20 88.10 34/2211 71301\n', []],
  ])('%s', (_, text, told) => {
    expect(toldIn(text)).toEqual(told);
  });
});

describe('times', () => {
  const at = (text: string) => eventsOf(readEntry(hostState, toBytes(text), 'x'))[0]?.stamp;
  it.each([
    ['Sat Mar 14 10:25:02 UTC 2026', false],
    ['Sat Mar 14 10:25:02 AM UTC 2026', false],
    ['Sat 14 Mar 2026 10:25:02 AM UTC', false],
    ['2026-03-14T10:25:02Z', false],
    ['=== 2026-03-14T10:25:02+00:00 ===', false],
    ['Sat Mar 14 10:25:02 CET 2026', true],
  ])('%s', (date, zoneAssumed) => {
    expect(at(`${date}\n${EVENTS}`)).toMatchObject({ ns: 1773483902000000000n, zoneAssumed });
  });

  it('does not carry a time over to another place', () => {
    expect(at(`2026-03-14T10:25:02Z\n=== trainer-1 ===\n${EVENTS}`)).toBeUndefined();
    expect(at(`Sat Foo 14 10:25:02 UTC 2026\n${EVENTS}`)).toBeUndefined();
  });
});

describe('hostile sizes', () => {
  it('keeps long lines, many headings and many rows bounded', () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `pod-${n} 1m 9Mi`).join('\n');
    expect(toldIn(`NAME CPU(cores) MEMORY(bytes)\n${rows}\n`).length).toBeLessThanOrEqual(1_001);
    const started = process.cpuUsage().user;
    const nasty = ['#', '= ', '- a', 'a/', ' 1%', '[pod/', '$ kubectl exec ', 'avg10='].map((part) =>
      part.repeat(30_000),
    );
    toldIn(`${nasty.join('\n')}\n${'# dmesg\n'.repeat(5_000)}${nasty.join('\n')}`);
    expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(5);
  });
});
