import { describe, expect, it } from 'vitest';
import { readKernelLine } from '#shared/formats/kernel-line.ts';
import kernelLog from '#shared/formats/kernel-log.ts';
import { toStamp } from '#shared/formats/log/stamp.ts';
import { formatEpochNs } from '#shared/model/time.ts';
import { eventsOf, readEntry, streamsOf, toBytes } from './read-entry.ts';

describe('kernel line envelopes', () => {
  it.each([
    ['[8300911.871215] NVRM: x', 'boot', '1970-04-07T01:48:31.871Z', undefined, 'NVRM: x'],
    ['[    0.000000] Linux version 5.15', 'boot', '1970-01-01T00:00:00.000Z', undefined, 'Linux version 5.15'],
    ['<3>[  812.004211] eth0: link down', 'boot', '1970-01-01T00:13:32.004Z', undefined, 'eth0: link down'],
    ['kern  :err   : [  812.004211] eth0: link down', 'boot', '1970-01-01T00:13:32.004Z', undefined, 'eth0: link down'],
    ['[  812.004211] [ T1234] eth0: link down', 'boot', '1970-01-01T00:13:32.004Z', undefined, 'eth0: link down'],
    ['[  812.004211 <    0.000021>] eth0: down', 'boot', '1970-01-01T00:13:32.004Z', undefined, 'eth0: down'],
    ['[Sat Mar  4 10:17:37 2026 <    4.100021>] x', 'local', '2026-03-04T10:17:37.000Z', undefined, 'x'],
    ['[Mar14 10:17] x', 'local', '1972-03-14T10:17:00.000Z', undefined, 'x'],
    ['[Mar 4 10:17] x', 'local', '1972-03-04T10:17:00.000Z', undefined, 'x'],
    ['[Sat Mar  4 10:17:37 2026] x', 'local', '2026-03-04T10:17:37.000Z', undefined, 'x'],
    ['2026-11-29T18:36:35,287604+02:00 x', 'zoned', '2026-11-29T16:36:35.287Z', undefined, 'x'],
    ['2026-03-14T10:17:37.931882+0000 node-3 kernel: x', 'zoned', '2026-03-14T10:17:37.931Z', 'node-3', 'x'],
    ['2026-03-14T10:17:37+0100 node-3 kernel: x', 'zoned', '2026-03-14T09:17:37.000Z', 'node-3', 'x'],
    ['Mar 14 10:17:37 node-3 kernel: [8300911.871215] x', 'local', '1972-03-14T10:17:37.000Z', 'node-3', 'x'],
  ])('%s', (text, kind, stamp, host, message) => {
    const read = readKernelLine(text);
    expect(read).toMatchObject({ host, text: message, program: 'kernel', stamp: { kind } });
    expect(read && formatEpochNs(toStamp(read.stamp).ns, 3)).toBe(stamp);
  });

  it.each([
    '2026-11-29T18:33:01.779332979Z [rank0] INFO x',
    '[rank0] x',
    '[Foo14 10:17] x',
    '[Mar14 10:77] x',
    'Mar 99 10:17:37 h kernel: x',
    '[Sat Feb 30 10:17:37 2026] x',
    '',
  ])('leaves alone %s', (text) => {
    expect(readKernelLine(text)?.program === 'kernel').toBe(false);
  });
});

describe('kernel log', () => {
  it('gives each process of a cgroup kill the Pod that the first line named', () => {
    const uid = 'e4d1f9b2_27aa_47c8_8d5e_b03c6f9a7d04';
    const events = eventsOf(
      readEntry(
        kernelLog,
        toBytes(
          [
            `[1.000001] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/kubepods.slice/kubepods-pod${uid}.slice,task_memcg=/kubepods.slice/kubepods-pod${uid}.slice/cri-containerd-${'9a'.repeat(32)}.scope,task=python,pid=5,uid=0`,
            '[1.000002] Memory cgroup out of memory: Killed process 5 (python) total-vm:1kB',
            '[1.000003] Memory cgroup out of memory: Killed process 6 (python) total-vm:1kB',
            '[9.000003] Out of memory: Killed process 7 (python) total-vm:1kB',
          ].join('\n'),
        ),
        'nodes/n-1/dmesg.txt',
      ),
    );
    expect(events.map(({ body, host }) => [body, host])).toEqual(
      [5, 6, 7].map((pid) => [
        pid === 7
          ? { kind: 'oom-kill', pid, process: 'python', podUid: undefined, containerId: undefined, scope: 'node' }
          : {
              kind: 'oom-kill',
              pid,
              process: 'python',
              podUid: uid.replaceAll('_', '-'),
              containerId: '9a'.repeat(32),
              scope: 'pod',
            },
        'n-1',
      ]),
    );
  });

  it('takes the host from the lines where the path names none, and reads the kernel only', () => {
    const outputs = readEntry(
      kernelLog,
      toBytes('Mar 14 10:17:37 n-7 kernel: eth0: Link is Down\nMar 14 10:17:38 n-7 app[3]: eth0: Link is Down\n'),
      'syslog',
    );
    expect(eventsOf(outputs)).toHaveLength(1);
    expect(streamsOf(outputs)[0]?.host).toBe('n-7');
  });

  it('tells of another boot in the middle of a log, not of the one that the log begins with', () => {
    const boot = '[    0.000000] Linux version 5.15.0-141-generic (build)';
    const lines = [boot, ...Array.from({ length: 6 }, (_, i) => `[${i + 1}.000000] x`), boot];
    const events = eventsOf(readEntry(kernelLog, toBytes(lines.join('\n')), 'dmesg.txt'));
    expect(events.map(({ body, source }) => [body.kind, source.kind === 'line' && source.line])).toEqual([
      ['kernel-note', 8],
    ]);
  });

  it('gives stamps since boot no place on the wall clock', () => {
    const reader = kernelLog.open({ entry: 0 as never, path: 'dmesg.txt' }, () => {});
    expect(reader.line('[8300911.871215] x', 1, 0, 18)).toBeNaN();
    expect(reader.line('[Sat Mar 14 10:17:37 2026] x', 2, 19, 28)).toBe(Date.UTC(2026, 2, 14, 10, 17, 37));
  });
});
