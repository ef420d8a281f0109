import { describe, expect, it } from 'vitest';
import { jobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { barDisplay, plainDisplay } from '../../../../electron/cli/progress/progress-display.ts';
import { progressLine } from '../../../../electron/cli/progress/progress-line.ts';

type Running = Extract<JobState, { kind: 'running' }>;

const running = (fraction: number, path = 'logs/worker-0.log'): Running => ({
  kind: 'running',
  jobId: jobId('j'),
  title: 'b',
  phase: 'reading',
  fraction,
  progress: { filesDone: 3, filesTotal: 64, bytesDone: 1_572_864, bytesTotal: 3_145_728, secondsLeft: 40 },
  files: [{ path, kind: 'Log', bytes: 1, status: 'reading', detail: '' }],
});

function stream() {
  const written: string[] = [];
  return { written, isTTY: true, columns: 120, write: (text: string) => written.push(text) };
}

describe('the progress line', () => {
  it('tells stage, files, bytes, time left and the file at hand', () => {
    expect(progressLine(running(0.5), { width: 120, unicode: true })).toBe(
      '████████████░░░░░░░░░░░░  50 % · reading · 3/64 files · 1.5 MiB of 3.0 MiB · 40 s left · logs/worker-0.log',
    );
  });

  it('never reaches the last column, where terminals wrap', () => {
    expect([...progressLine(running(0.5, 'x'.repeat(300)), { width: 80, unicode: false })].length).toBe(79);
  });

  it('shows no control characters of a file name', () => {
    expect(progressLine(running(0.5, '\u001b[2J'), { width: 200, unicode: true })).not.toContain('\u001b');
  });
});

describe('displays', () => {
  it('redraw one line and take it away at the end', () => {
    const out = stream();
    const display = barDisplay(out, true);
    display.show(running(0.1));
    display.show(running(0.2));
    display.end();
    display.end();
    expect(out.written.map((text) => text.slice(0, 4))).toEqual(['\r\u001b[K', '\r\u001b[K', '\r\u001b[K']);
    expect(out.written.join('')).not.toContain('\n');
  });

  it('print a plain line every five seconds and none before', () => {
    const out = stream();
    let now = 0;
    const display = plainDisplay(out, () => now);
    for (; now <= 11_000; now += 100) display.show(running(now / 20_000));
    expect(out.written).toEqual([
      '25 %, reading, 3/64 files, 1.5 MiB of 3.0 MiB, 40 s left\n',
      '50 %, reading, 3/64 files, 1.5 MiB of 3.0 MiB, 40 s left\n',
    ]);
  });
});
