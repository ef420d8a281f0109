import { describe, expect, it } from 'vitest';
import { jobId } from '#shared/model/ids.ts';
import { isCaseFileName, pathArguments } from '../../../../electron/main/flags.ts';
import { createJobSignals } from '../../../../electron/main/job-signals.ts';
import { besides } from '../../../../electron/main/window-bounds.ts';

const PROGRESS = { filesDone: 0, filesTotal: null, bytesDone: 0, bytesTotal: null, secondsLeft: null };
const running = (id: string, fraction: number) =>
  ({
    kind: 'running',
    jobId: jobId(id),
    title: 'a',
    phase: 'reading',
    fraction,
    progress: PROGRESS,
    files: [],
  }) as const;

describe('the bar of the system', () => {
  it('shows the mean of the imports that run, and goes with the last one', () => {
    const signal = createJobSignals();
    expect(signal(running('a', 0.5)).progress).toBe(0.5);
    expect(signal(running('b', 0.1)).progress).toBeCloseTo(0.3);
    expect(signal({ kind: 'cancelled', jobId: jobId('a'), title: 'a' })).toEqual({ progress: 0.1, notice: null });
    expect(signal({ kind: 'failed', jobId: jobId('b'), title: 'b.zip', code: 'internal', detail: 'secret' })).toEqual({
      progress: -1,
      notice: { title: 'Import failed', body: 'b.zip' },
    });
  });
});

describe('what the system hands over', () => {
  it('is every argument that is no switch', () => {
    expect(pathArguments(['--case=x', 'a.zip', '--no-sandbox', '', 'b.firstfault'], (path) => `/w/${path}`)).toEqual([
      '/w/a.zip',
      '/w/b.firstfault',
    ]);
  });

  it('is a case if its name ends so', () => {
    expect(isCaseFileName('/a/Job.FIRSTFAULT')).toBe(true);
    expect(isCaseFileName('/a/firstfault.zip')).toBe(false);
  });
});

describe('a further window', () => {
  it('leaves the title bar of the first one in sight', () => {
    expect(besides({ x: 10, y: 20, width: 1440, height: 900 })).toEqual({ x: 38, y: 48, width: 1440, height: 900 });
  });
});
