import type { JobPhase, JobSoFar, JobState } from '#shared/model/job.ts';
import { formatBytes, formatDurationMs } from '#shared/text/format.ts';
import { cutTo } from '../print/text-layout.ts';
import { visibleText } from '../print/visible-text.ts';

const PHASE_WORD: Record<JobPhase, string> = {
  inventory: 'listing',
  reading: 'reading',
  analysing: 'analysing',
  finishing: 'writing',
};
const BAR_CELLS = 24;

type Running = Extract<JobState, { kind: 'running' }>;

/** One line: bar, per cent, stage, files, bytes, time left, who is suspected so far, and the file at hand as far as there is room. */
export function progressLine(state: Running, options: { readonly width: number; readonly unicode: boolean }): string {
  const filled = Math.round(state.fraction * BAR_CELLS);
  const [full, empty] = options.unicode ? ['█', '░'] : ['#', '.'];
  const bar = (full ?? '').repeat(filled) + (empty ?? '').repeat(BAR_CELLS - filled);
  const file = state.files.at(-1)?.path;
  const parts = [
    `${bar} ${String(Math.floor(state.fraction * 100)).padStart(3)} %`,
    ...progressParts(state),
    ...(state.soFar === undefined || state.soFar.firstRanks.length === 0 ? [] : [suspect(state.soFar)]),
    ...(file === undefined ? [] : [visibleText(file)]),
  ];
  return cutTo(parts.join(options.unicode ? ' · ' : ' | '), Math.max(20, options.width - 1));
}

const MAX_RANKS = 4;

/** `so far rank 37 (hypothesis)`: not a verdict. */
function suspect({ firstRanks, status }: JobSoFar): string {
  const more = firstRanks.length > MAX_RANKS ? ', …' : '';
  return `so far ${firstRanks.length === 1 ? 'rank' : 'ranks'} ${firstRanks.slice(0, MAX_RANKS).join(', ')}${more} (${status})`;
}

/** `reading`, `12/64 files`, `1.5 MiB of 3.0 MiB`, `40 s left`. */
export function progressParts({ phase, progress }: Running): string[] {
  const { filesDone, filesTotal, bytesDone, bytesTotal, secondsLeft } = progress;
  return [
    PHASE_WORD[phase],
    `${filesDone}${filesTotal === null ? '' : `/${filesTotal}`} files`,
    bytesTotal === null ? formatBytes(bytesDone) : `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
    ...(secondsLeft === null || secondsLeft === 0 ? [] : [`${formatDurationMs(secondsLeft * 1000)} left`]),
  ];
}
