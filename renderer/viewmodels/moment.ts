/** A time of the report with what makes it honest: its clock and the word raw, or its bound. */
import type { Report, ReportEvidence } from '#shared/report/schema.ts';
import { calendarDay, formatBound, timeOfDay } from './times.ts';

export interface Moment {
  readonly time: string;
  readonly day: string;
  readonly basis: 'raw' | 'corrected';
  /** `±38 ms` for corrected times, `reference` (a row) or `reference clock` on that clock itself; null for raw ones and where no bound is known. */
  readonly bound: string | null;
  /** Whose clock wrote it: a node or Pod, else the file. Null for corrected times: they are on the reference clock. */
  readonly clock: string | null;
}

/** `raw, node-d69-1` or `±38 ms`: what must stand beside the time. */
export function momentNote(moment: Moment): string {
  if (moment.basis === 'corrected') return moment.bound ?? 'corrected, bound unknown';
  return `raw, ${clockName(moment)}`;
}

export const clockName = (moment: Moment): string => moment.clock ?? 'clock unknown';

/** A bound of nothing is no measurement without error: the stamp was written by the clock that all others are moved onto. */
const boundWords = (boundMs: number | null, onReference: string): string | null =>
  boundMs === null ? null : boundMs === 0 ? onReference : formatBound(boundMs);

/** Null if the item has no time. */
export function evidenceMoment(report: Report, item: ReportEvidence): Moment | null {
  if (item.time === null) return null;
  const corrected = item.timeBasis === 'corrected';
  return {
    time: timeOfDay(item.time),
    day: calendarDay(item.time),
    basis: corrected ? 'corrected' : 'raw',
    bound: corrected ? boundWords(item.boundMs, 'reference') : null,
    clock: corrected ? null : clockOf(report, item.rank, item.file),
  };
}

/** The moment of the first fault. Its basis is that of the evidence with the same stamp; without one it counts as raw. */
export function verdictMoment(report: Report): Moment | null {
  const { at, because, firstRanks, node, pod } = report.verdict;
  if (at === null) return null;
  const witness = because.find((item) => item.time === at.time);
  const corrected = at.timeBasis
    ? at.timeBasis === 'corrected'
    : witness
      ? witness.timeBasis === 'corrected'
      : report.clock.reference !== null && at.boundMs !== null;
  const rank = firstRanks[0] ?? null;
  return {
    time: timeOfDay(at.time),
    day: calendarDay(at.time),
    basis: corrected ? 'corrected' : 'raw',
    bound: corrected ? boundWords(at.boundMs, 'reference clock') : null,
    clock: corrected ? null : (at.clock ?? clockOf(report, rank, witness?.file ?? null) ?? node ?? pod),
  };
}

/**
 * The clock of a rank's own place (of the attempt that the file belongs to, where it was started again on another node); else the one clock of
 * all ranks that the file belongs to; else the file itself.
 */
export function clockOf(report: Report, rank: number | null, file: string | null): string | null {
  const rows = rank === null ? [] : report.ranks.filter((row) => row.rank === rank && placeName(row) !== null);
  const own = rows.find((row) => file !== null && row.files.includes(file)) ?? rows[0];
  if (own) return placeName(own);
  if (file === null) return null;
  const clocks = new Set(report.ranks.filter((row) => row.files.includes(file)).map(placeName));
  clocks.delete(null);
  const [only] = clocks;
  return clocks.size === 1 && only !== undefined && only !== null ? only : (file.split('/').at(-1) ?? file);
}

function placeName(row: Report['ranks'][number]): string | null {
  return row.clock ?? row.node ?? row.pod;
}
