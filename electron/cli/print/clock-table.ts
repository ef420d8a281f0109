/** The clocks for a person at a terminal: offsets with their bounds, then what was found wrong, changed, set or left open. */
import { clockItems } from '#shared/report/clock-markdown.ts';
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import { intervalMs, signedMs } from '#shared/text/clock-text.ts';
import type { PrintContext } from './print-context.ts';
import { table } from './rank-rows.ts';
import { hangText } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

/** A table should fit a screen; the least certain clocks come first when it does not. */
const MAX_ROWS = 16;
const MAX_ITEMS = 10;
const MAX_ID = 28;

/** No lines if the bundle has one clock and nothing to say about it. */
export function clockLines(report: Report, context: PrintContext): string[] {
  const { domains, reference } = report.clock;
  const items = clockItems(report, (text) => text);
  if (domains.length < 2 && items.length === 0) return [];
  return [...offsetLines(domains, reference, context), ...itemLines(items, context)];
}

function offsetLines(
  domains: readonly ReportClockDomain[],
  reference: string | null,
  context: PrintContext,
): readonly string[] {
  if (domains.length < 2) return [];
  if (domains.every(({ offsetMs }) => offsetMs === null)) {
    const text = `${domains.length} clocks, and nothing relates them: times of different clocks are not compared.`;
    return hangText('  ', text, context.width);
  }
  const shown =
    domains.length <= MAX_ROWS ? domains : [...domains].sort(leastCertainFirst(reference)).slice(0, MAX_ROWS);
  const bounds = (low: number | null | undefined, high: number | null | undefined): string =>
    low === undefined || high === undefined ? '' : plain(intervalMs(low, high), context);
  const isReference = ({ id }: ReportClockDomain): boolean => id === reference;
  const column = (title: string, cell: (domain: ReportClockDomain) => string) => ({
    title,
    cells: shown.map((domain) => visibleText(cell(domain))),
  });
  const lines = table(
    [
      column('Clock', ({ id, kind }) => (kind === 'api' ? 'API server' : tailOf(id, context))),
      column('Offset, ms', (domain) =>
        isReference(domain)
          ? 'reference'
          : domain.offsetMs === null
            ? 'unknown'
            : plain(signedMs(domain.offsetMs.estimate), context),
      ),
      column('Guaranteed', (domain) =>
        isReference(domain) ? '' : bounds(domain.offsetMs?.low, domain.offsetMs?.high),
      ),
      column('Likely', (domain) =>
        isReference(domain) ? '' : bounds(domain.offsetMs?.likelyLow, domain.offsetMs?.likelyHigh),
      ),
      column('Drift', ({ driftPpm }) => (driftPpm === null ? '' : `${driftPpm.toFixed(1)} ppm`)),
      column('Anchors', ({ anchors }) => String(anchors)),
      column('Quality', ({ quality }) => quality),
    ],
    shown.map(() => false),
    context,
  );
  const more = domains.length - shown.length;
  return more > 0 ? [...lines, `  and ${more} more in the report`] : lines;
}

/** Unknown ones first, then by width; ids last, so that the order is one. */
function leastCertainFirst(reference: string | null): (a: ReportClockDomain, b: ReportClockDomain) => number {
  const width = ({ id, offsetMs }: ReportClockDomain): number => {
    if (id === reference) return -1;
    return offsetMs === null || offsetMs.low === null || offsetMs.high === null ? 1e300 : offsetMs.high - offsetMs.low;
  };
  return (a, b) => width(b) - width(a) || (a.id < b.id ? -1 : 1);
}

function itemLines(items: readonly string[], { width, unicode }: PrintContext): string[] {
  const bullet = unicode ? '  • ' : '  - ';
  const more = items.length - MAX_ITEMS;
  return [
    ...items.slice(0, MAX_ITEMS).flatMap((item) => hangText(bullet, visibleText(item), width)),
    ...(more > 0 ? [`    and ${more} more in the report`] : []),
  ];
}

/** Streams are named by their paths: the end tells more than the beginning. */
const tailOf = (id: string, context: PrintContext): string =>
  id.length <= MAX_ID ? id : plain(`…${id.slice(id.length - MAX_ID + 1)}`, context);

/** Terminals without Unicode get a plain minus and dots. */
const plain = (text: string, { unicode }: PrintContext): string =>
  unicode ? text : text.replaceAll('−', '-').replaceAll('…', '..');
