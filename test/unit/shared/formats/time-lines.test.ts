import { describe, expect, it } from 'vitest';
import kernelLog from '#shared/formats/kernel-log.ts';
import timeService from '#shared/formats/time-service/index.ts';
import { formatEpochNs } from '#shared/model/time.ts';
import { eventsOf, readEntry, toBytes } from './read-entry.ts';

describe('a system log', () => {
  it('yields what time services write, and not what others quote of it', () => {
    const text = [
      '2026-03-14T10:17:00.100000+0000 gpu-node-03 kernel: Linux version 5.15',
      '2026-03-14T10:17:37.931882+0000 gpu-node-03 chronyd[840]: Selected source 192.0.2.1 (ntp.example)',
      '2026-03-14T10:17:37.931901+0000 gpu-node-03 chronyd[840]: System clock wrong by -4.731204 seconds',
      '2026-03-14T10:17:33.200697+0000 gpu-node-03 chronyd[840]: System clock was stepped by -4.731204 seconds',
      '2026-03-14T10:17:34.000000+0000 gpu-node-03 monitor[9]: System clock was stepped by -4.731204 seconds',
      '2026-03-14T10:17:34.200000+0000 gpu-node-03 phc2sys[9]: [359.907]: CLOCK_REALTIME phc offset       -20 s2 freq  +10469 delay     37',
      '2026-03-14T10:17:35.200000+0000 gpu-node-03 phc2sys[9]: [360.907]: CLOCK_REALTIME phc offset       -22 s2 freq  +10469 delay     37',
    ].join('\n');
    const found = eventsOf(readEntry(kernelLog, toBytes(text), 'node/gpu-node-03/journal.log'));
    expect(found.map(({ body, host }) => [body, host])).toEqual([
      [{ kind: 'clock-note', tool: 'chronyd', what: 'offset', ms: 4731.204, boundMs: 100 }, 'gpu-node-03'],
      [{ kind: 'clock-note', tool: 'chronyd', what: 'step', ms: -4731.204, boundMs: undefined }, 'gpu-node-03'],
      [{ kind: 'clock-note', tool: 'phc2sys', what: 'offset', ms: -0.00002, boundMs: 1 }, 'gpu-node-03'],
    ]);
  });
});

describe('tracking.log of chronyd', () => {
  const rows = [
    '==================================================================================================',
    '   Date (UTC) Time     IP Address   St   Freq ppm   Skew ppm     Offset L Co  Offset sd Rem. corr. Root delay Root disp. Max. error',
    '==================================================================================================',
    '2017-08-22 13:22:36 203.0.113.15     2     -3.541      0.075 -8.621e-06 N  2  2.940e-06 -2.084e-07  1.534e-02  3.472e-04  8.304e-03',
    '2017-08-22 13:23:40 203.0.113.15     2     -3.540      0.074  4.700e+00 N  2  2.940e-06  0.000e+00  1.534e-02  3.472e-04  8.304e-03',
    '2017-08-22 13:24:44 203.0.113.15     0     -3.539      0.074  2.000e-06 ?  0  2.940e-06 -2.084e-07  1.534e-02  3.472e-04  8.304e-03',
  ];

  it('tells each update with its error, ahead as positive, and nothing of a clock that follows nobody', () => {
    const outputs = readEntry(timeService, toBytes(rows.join('\n')), 'node/a/tracking.log');
    const reports = outputs.flatMap((one) => (one.kind === 'time-report' ? [one.report] : []));
    expect(reports.map(({ at }) => at && formatEpochNs(at, 0))).toEqual([
      '2017-08-22T13:22:36Z',
      '2017-08-22T13:23:40Z',
      '2017-08-22T13:24:44Z',
    ]);
    // 0.3472 ms + 15.34 ms / 2 = 8.0172 ms either way.
    expect(reports[0]?.offset?.lowMs).toBeCloseTo(-8.026, 3);
    expect(reports[1]?.offset?.lowMs).toBeCloseTo(4691.983, 3);
    expect(reports[1]?.offset?.highMs).toBeCloseTo(4708.017, 3);
    expect(reports[2]).toMatchObject({ offset: undefined, synchronised: false });
    expect(reports[1]?.source).toMatchObject({ kind: 'line', line: 5, byte: rows.slice(0, 4).join('\n').length + 1 });
    expect(outputs.at(-1)).toEqual({ kind: 'summary', text: 'tracking.log of chronyd: 3 updates of the clock' });
  });
});
