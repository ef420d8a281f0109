/** The parts of the context bar: range, basis of time, zone, ranks. */
import type { Report } from '#shared/report/schema.ts';
import { formatCount, formatDurationMs } from '#shared/text/format.ts';
import { boundsOf, clockTitle } from './overview.ts';
import { calendarDay, formatBound, spanMs, timeOfDayShort } from './times.ts';

export interface ContextParts {
  readonly range: string;
  readonly rangeNote: string;
  /** Empty while start and end may come from different clocks. */
  readonly duration: string;
  readonly basis: string;
  readonly basisNote: string;
  readonly raw: boolean;
  readonly zone: string;
  readonly zoneAssumed: boolean;
  /** Empty where all stamps tell their zone. */
  readonly zoneNote: string;
  readonly ranks: string;
}

export function contextParts(report: Report): ContextParts {
  const { start, end } = report.incident;
  const raw = report.clock.reference === null;
  const clocks = report.clock.domains.length;
  const comparable = !raw || clocks <= 1;
  const ms = start !== null && end !== null && comparable ? spanMs(start, end) : null;
  const zoneAssumed = report.issues.some((issue) => issue.code === 'time-zone-assumed');
  return {
    range:
      start === null || end === null ? 'No time in this bundle' : `${timeOfDayShort(start)} – ${timeOfDayShort(end)}`,
    rangeNote: rangeNote(report, comparable),
    duration: ms === null ? '' : formatDurationMs(ms),
    basis: raw ? 'Raw clocks' : `Corrected, ${widestBound(report)}`,
    basisNote: raw
      ? 'Times are as written by each node. Times of different nodes are not compared.'
      : `Times are moved onto the clock of ${referenceTitle(report)}.`,
    raw,
    zoneAssumed,
    zone: zoneAssumed ? 'UTC, partly assumed' : 'UTC',
    zoneNote: zoneAssumed ? 'Some stamps name no zone; UTC was assumed for them.' : '',
    ranks: ranksText(report),
  };
}

function rangeNote(report: Report, comparable: boolean): string {
  const { start, end } = report.incident;
  if (start === null || end === null) return 'No file carries a time that could be read.';
  const days =
    calendarDay(start) === calendarDay(end) ? calendarDay(start) : `${calendarDay(start)} to ${calendarDay(end)}`;
  return comparable
    ? days
    : `${days}. First and last raw stamp over ${formatCount(report.clock.domains.length)} clocks.`;
}

function referenceTitle(report: Report): string {
  const domain = report.clock.domains.find((item) => item.id === report.clock.reference);
  return domain ? clockTitle(domain) : (report.clock.reference ?? '');
}

function widestBound(report: Report): string {
  const halves = boundsOf(report);
  return halves.length === 0 ? 'bound unknown' : formatBound(Math.max(...halves));
}

function ranksText(report: Report): string {
  const { worldSize, ranksSeen } = report.incident;
  if (worldSize === null) return ranksSeen === 0 ? 'No rank named' : `≥ ${formatCount(ranksSeen)} ranks`;
  if (ranksSeen === worldSize) return worldSize === 1 ? '1 rank' : `All ${formatCount(worldSize)} ranks`;
  return `${formatCount(ranksSeen)} of ${formatCount(worldSize)} ranks seen`;
}
