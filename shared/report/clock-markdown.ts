/** The clocks of a report as Markdown. `md` escapes what stands in the bundle. */
import { boundText, intervalMs, signedMs, zoneName } from '../text/clock-text.ts';
import type { Report } from './schema.ts';

type Escape = (text: string) => string;

/** Rows that a ticket can hold; the JSON report has all. */
const MAX_ROWS = 64;

/** Overrides, faults, changed orders, evidence left out and zones, each as one sentence or two. */
export function clockItems({ clock }: Pick<Report, 'clock'>, md: Escape): readonly string[] {
  return [
    ...(clock.overrides ?? []).map(
      ({ clock: id, against, offsetMs, boundMs, reason }) =>
        `Set by an analyst: ${md(id)} ${signedMs(offsetMs)} ms against ${md(against)}, ${boundMs === 0 ? 'exactly' : boundText(boundMs)}. Reason: ${md(reason)}`,
    ),
    ...(clock.faults ?? []).map(
      ({ text, cycle }) =>
        `${md(text)}${cycle.length === 0 ? '' : ` Excluding each other: ${cycle.map(md).join('; ')}.`}`,
    ),
    ...(clock.changed ?? []).map(md),
    ...(clock.rejected ?? []).map(({ text, count }) => `${md(text)}${count > 1 ? ` (${count} times)` : ''}`),
    ...zoneItems({ clock }, md),
  ];
}

export function clockMarkdown({ clock }: Report, md: Escape): string {
  const known = clock.domains.filter((domain) => domain.offsetMs !== null);
  const parts =
    known.length === 0
      ? ['## Clocks\n\nOffsets between the clocks are not known: times of different nodes may not be compared.']
      : [offsetTable({ clock }, md)];
  const items = clockItems({ clock }, md);
  if (items.length > 0) parts.push(items.map((item) => `- ${item}`).join('\n'));
  return parts.join('\n\n');
}

function offsetTable({ clock }: Pick<Report, 'clock'>, md: Escape): string {
  const rows = clock.domains.slice(0, MAX_ROWS).map(({ id, offsetMs, anchors, quality }) => {
    const offset =
      id === clock.reference ? 'reference' : offsetMs === null ? 'unknown' : `${signedMs(offsetMs.estimate)} ms`;
    const bounds = (low: number | null | undefined, high: number | null | undefined): string =>
      offsetMs === null || id === clock.reference ? '' : intervalMs(low ?? null, high ?? null);
    return `| ${md(id)} | ${offset} | ${bounds(offsetMs?.low, offsetMs?.high)} | ${bounds(offsetMs?.likelyLow, offsetMs?.likelyHigh)} | ${anchors} | ${quality} |`;
  });
  const more = clock.domains.length - MAX_ROWS;
  const note = more > 0 ? `\n\n${more} more in the JSON report.` : '';
  return `## Clocks\n\nRelative to ${md(clock.reference ?? '')}; positive = ahead of it.\n\n| clock | offset | guaranteed, ms | likely, ms | anchors | quality |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}${note}`;
}

/** Proven zones other than UTC, and those that are open: both change how a line's time is to be read. */
function zoneItems({ clock }: Pick<Report, 'clock'>, md: Escape): string[] {
  const zones = clock.zones ?? [];
  const moved = zones.filter(({ minutes }) => minutes !== null && minutes !== 0);
  const open = zones.filter(({ minutes }) => minutes === null);
  return [
    ...moved
      .slice(0, MAX_ROWS)
      .map(({ file, minutes, text }) => `${md(file)} is written in ${zoneName(minutes ?? 0)}: ${md(text)}.`),
    ...(open.length === 0
      ? []
      : [
          `The zone of ${open.length === 1 ? '1 log' : `${open.length} logs`} is not known; its times are compared with nothing outside of it: ${open
            .slice(0, 8)
            .map(({ file }) => md(file))
            .join(', ')}${open.length > 8 ? ' …' : ''}.`,
        ]),
  ];
}
