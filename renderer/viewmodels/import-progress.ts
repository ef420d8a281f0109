/** The import screen: four numbers, the row of stages, the files as they come. */
import type { JobFile, JobPhase, JobState } from '#shared/model/job.ts';
import { formatBytes, formatCount, formatDurationMs, plural } from '#shared/text/format.ts';
import { escapeText } from './escape-text.ts';
import { rankLabel } from './ranks-text.ts';
import { PHASE_WORDS } from './words.ts';

/** What the window has seen of one job: its last state and every file that any state named. */
export interface JobView {
  readonly state: JobState;
  /** In the order in which they were first named; the newest status of each. */
  readonly files: readonly JobFile[];
  /** Since the window first saw it run. */
  readonly elapsedMs: number;
  /** Bytes at that moment, so that the rate is that of the watched time. */
  readonly startBytes: number;
  /** The last state in which it ran: what a failed or cancelled import had reached. */
  readonly lastRun: JobRunState | null;
}

export type JobRunState = Extract<JobState, { readonly kind: 'running' | 'paused' }>;

/** What can be said while files are read. Not a verdict: it has no mark of one. */
export interface SoFarModel {
  /** `Rank 37`, or null: nobody is suspected so far. */
  readonly chip: string | null;
  /** `Supported`, `Hypothesis`, or empty text. */
  readonly status: string;
  readonly text: string;
  /** `based on 312 of 640 files so far`. */
  readonly basis: string;
}

export interface StageStep {
  readonly phase: JobPhase;
  readonly word: string;
  readonly state: 'done' | 'running' | 'waiting' | 'stopped';
  readonly note: string;
}

export interface ImportModel {
  readonly title: string;
  readonly subtitle: string;
  /** 0..1. */
  readonly fraction: number;
  readonly numbers: readonly string[];
  /** `1 refused, 1 empty`, or empty text. */
  readonly trouble: string;
  readonly stages: readonly StageStep[];
  readonly soFar: SoFarModel | null;
}

const PHASES: readonly JobPhase[] = ['inventory', 'reading', 'analysing', 'finishing'];

export function importModel(view: JobView): ImportModel {
  const { state, lastRun } = view;
  const progress = state.kind === 'done' ? state.progress : (lastRun?.progress ?? null);
  return {
    title: escapeText(state.title),
    subtitle: subtitleOf(view),
    fraction: state.kind === 'done' ? 1 : (lastRun?.fraction ?? 0),
    numbers: progress === null ? [] : numbersOf(view, progress),
    trouble: troubleOf(view.files),
    stages: PHASES.map((phase) => stageStep(view, phase)),
    soFar: state.kind === 'running' || state.kind === 'paused' ? soFarModel(state) : null,
  };
}

const SO_FAR_STATUS = { supported: 'Supported', hypothesis: 'Hypothesis', 'not-determinable': '' } as const;

function soFarModel({ soFar }: JobRunState): SoFarModel | null {
  if (soFar === undefined) return null;
  const { filesRead, filesTotal, logEnds = 0, firstRanks, status, summary } = soFar;
  const read =
    filesTotal === null ? plural(filesRead, 'file') : `${formatCount(filesRead)} of ${plural(filesTotal, 'file')}`;
  return {
    chip: firstRanks.length === 0 ? null : rankLabel(firstRanks),
    status: SO_FAR_STATUS[status],
    text: escapeText(summary),
    basis: `based on ${read}${logEnds === 0 ? '' : ` and the ends of ${plural(logEnds, 'log')}`} so far`,
  };
}

function subtitleOf(view: JobView): string {
  const { state } = view;
  if (state.kind === 'queued') return 'Waits for its turn';
  if (state.kind === 'paused') return 'Paused. Nothing is lost if Firstfault is closed meanwhile.';
  if (state.kind !== 'running') return '';
  const { bytesTotal, filesTotal } = state.progress;
  const size = bytesTotal === null ? 'size unknown until read' : formatBytes(bytesTotal);
  const files = filesTotal === null ? 'number of files unknown until read' : plural(filesTotal, 'file');
  return `${size}, ${files}. Files are read, never run.`;
}

type Progress = Extract<JobState, { kind: 'running' }>['progress'];

function numbersOf(view: JobView, progress: Progress): string[] {
  const { filesDone, filesTotal, bytesDone, bytesTotal, secondsLeft } = progress;
  const rate = view.elapsedMs >= 300 ? (bytesDone - view.startBytes) / (view.elapsedMs / 1000) : 0;
  return [
    filesTotal === null ? plural(filesDone, 'file') : `${formatCount(filesDone)} of ${plural(filesTotal, 'file')}`,
    bytesTotal === null ? formatBytes(bytesDone) : `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
    ...(rate > 0 && view.state.kind === 'running' ? [`${formatBytes(rate)}/s`] : []),
    ...(secondsLeft === null || view.state.kind !== 'running'
      ? []
      : [`about ${formatDurationMs(Math.max(1, Math.round(secondsLeft)) * 1000)} left`]),
  ];
}

/** Statuses that are not plainly read, worst first, with their counts. */
export function troubleOf(files: readonly JobFile[]): string {
  return (['refused', 'failed', 'empty', 'truncated', 'warned', 'duplicate', 'skipped'] as const)
    .map((status) => ({ status, count: files.filter((file) => file.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${formatCount(count)} ${status === 'warned' ? 'with warnings' : status}`)
    .join(', ');
}

function stageStep(view: JobView, phase: JobPhase): StageStep {
  const { state, lastRun } = view;
  const at = state.kind === 'done' ? PHASES.length : lastRun === null ? -1 : PHASES.indexOf(lastRun.phase);
  const index = PHASES.indexOf(phase);
  const ended = state.kind === 'failed' || state.kind === 'cancelled';
  const done = view.files.filter((file) => file.status !== 'reading').length;
  return {
    phase,
    word: PHASE_WORDS[phase],
    state: index < at ? 'done' : index > at ? 'waiting' : ended ? 'stopped' : 'running',
    note: phase === 'reading' && done > 0 ? formatCount(done) : '',
  };
}

export interface ImportFileRow {
  readonly key: string;
  readonly path: string;
  readonly kind: string;
  readonly size: string;
  readonly status: JobFile['status'];
  readonly detail: string;
}

export function importFileRows(files: readonly JobFile[], only: 'all' | 'trouble'): readonly ImportFileRow[] {
  return files
    .filter((file) => only === 'all' || (file.status !== 'read' && file.status !== 'reading'))
    .map((file) => ({
      key: file.path,
      path: escapeText(file.path),
      kind: file.kind,
      size: formatBytes(file.bytes),
      status: file.status,
      detail: escapeText(file.detail),
    }));
}
