import { describe, expect, it } from 'vitest';
import { jobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { importFileRows, importModel, type JobView } from '../../../../renderer/viewmodels/import-progress.ts';

const MIB = 1024 * 1024;
type Running = Extract<JobState, { kind: 'running' }>;
const running: Running = {
  jobId: jobId('j'),
  title: 'bundle.tar.gz',
  kind: 'running',
  phase: 'reading',
  fraction: 0.5,
  progress: { filesDone: 31, filesTotal: 58, bytesDone: 44 * MIB, bytesTotal: 84 * MIB, secondsLeft: 3.4 },
  files: [],
};
const view = (state: JobState, more: Partial<JobView> = {}): JobView => ({
  state,
  files: [],
  elapsedMs: 1000,
  startBytes: 0,
  lastRun: state.kind === 'running' ? state : null,
  ...more,
});

describe('importModel', () => {
  it('gives its four numbers', () => {
    expect(importModel(view(running)).numbers).toEqual([
      '31 of 58 files',
      '44.0 MiB of 84.0 MiB',
      '44.0 MiB/s',
      'about 3 s left',
    ]);
  });

  it('claims no totals and no rate that it does not know', () => {
    const unknown = {
      ...running,
      progress: { ...running.progress, filesTotal: null, bytesTotal: null, secondsLeft: null },
    };
    expect(importModel(view(unknown, { elapsedMs: 10 })).numbers).toEqual(['31 files', '44.0 MiB']);
    expect(importModel(view(unknown)).subtitle).toBe(
      'size unknown until read, number of files unknown until read. Files are read, never run.',
    );
  });

  it.each([
    ['running', running, ['done', 'running', 'waiting', 'waiting'], 0.5],
    ['paused', { ...running, kind: 'paused' }, ['done', 'running', 'waiting', 'waiting'], 0.5],
    [
      'failed',
      { kind: 'failed', jobId: jobId('j'), title: 't', code: 'disk-full', detail: '' },
      ['done', 'stopped', 'waiting', 'waiting'],
      0.5,
    ],
    ['cancelled', { kind: 'cancelled', jobId: jobId('j'), title: 't' }, ['done', 'stopped', 'waiting', 'waiting'], 0.5],
    ['queued', { kind: 'queued', jobId: jobId('j'), title: 't' }, ['waiting', 'waiting', 'waiting', 'waiting'], 0],
  ] as const)('stages of a %s import', (kind, state, stages, fraction) => {
    const model = importModel(view(state, { lastRun: kind === 'queued' ? null : running }));
    expect(model.stages.map((stage) => stage.state)).toEqual(stages);
    expect(model.fraction).toBe(fraction);
  });

  it('counts what was not plainly read, worst first', () => {
    const files = (['read', 'empty', 'refused', 'warned', 'empty'] as const).map((status, i) => ({
      path: `f${i}`,
      kind: '',
      bytes: 0,
      status,
      detail: '',
    }));
    expect(importModel(view(running, { files })).trouble).toBe('1 refused, 2 empty, 1 with warnings');
    expect(importFileRows(files, 'trouble').map((row) => row.path)).toEqual(['f1', 'f2', 'f3', 'f4']);
  });
});
