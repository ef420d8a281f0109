import { afterEach, describe, expect, it } from 'vitest';
import { clusterZone } from '../../../../renderer/viewmodels/cluster-zone.ts';
import { parseTimeInput } from '../../../../renderer/viewmodels/time-input.ts';
import { axisTicks } from '../../../../renderer/viewmodels/timeline/axis.ts';
import { calendarDay, setDisplayZone, timeOfDay, zoneName } from '../../../../renderer/viewmodels/times.ts';
import { namedReport } from '../../../e2e/support/named-report.ts';

const withZones = (...minutes: (number | null)[]) => {
  const report = namedReport();
  const zones = minutes.map((one, i) => ({
    ...{ file: `${i}.log`, pod: null, minutes: one, candidates: [], anchors: 1, text: '', proof: null },
  }));
  return { ...report, clock: { ...report.clock, zones } };
};

afterEach(() => setDisplayZone({ kind: 'utc' }));

describe('the zone of the cluster', () => {
  it('is the one that all proven logs are in', () => {
    expect(clusterZone(withZones(330, null, 330))).toEqual({ minutes: 330, words: 'UTC+5:30, proven by 2 logs' });
    expect(clusterZone(withZones(0))).toEqual({ minutes: 0, words: 'UTC, proven by 1 log' });
  });

  it('is not told where nothing proves one, or two differ', () => {
    expect(clusterZone(withZones(null))).toBeNull();
    expect(clusterZone(withZones(60, 120))).toBeNull();
    expect(clusterZone(namedReport())).toBeNull();
  });

  it('moves days, digits, typed times and ticks together, and is named', () => {
    const zone = { kind: 'cluster', minutes: 330 } as const;
    expect(timeOfDay('2026-02-18T22:28:25.497Z', zone)).toBe('03:58:25.497');
    expect(calendarDay('2026-02-18T22:28:25.497Z', zone)).toBe('19 Feb 2026');
    expect(zoneName(zone, null)).toBe('cluster, UTC+5:30');
    const [start, end] = ['2026-02-18T22:00:00Z', '2026-02-18T23:00:00Z'];
    expect(parseTimeInput('03:58:25', { start, end, onset: null, zone })).toBe(
      BigInt(Date.parse('2026-02-18T22:28:25Z')) * 1_000_000n,
    );
    const origin = BigInt(Date.parse('2026-02-18T22:00:00Z')) * 1_000_000n;
    const labels = axisTicks({ from: 0, to: 3600e9 }, origin, 1000, 100, zone).map(({ label }) => label);
    expect(labels.some((label) => label.startsWith('04:00'))).toBe(true);
    expect(labels.some((label) => label.startsWith('22:'))).toBe(false);
  });
});
