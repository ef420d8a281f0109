/** What a log says at its end: its streams, what was assumed, one clause for the file list. */
import type { EventBody } from '../../model/events.ts';
import type { EntryContext, FormatOutput } from '../../model/format.ts';
import type { PathFacts } from './path-facts.ts';
import type { PlaceBook } from './place-book.ts';
import type { YearKeeper } from './year-keeper.ts';

export interface EntryEnd {
  readonly context: EntryContext;
  readonly path: PathFacts;
  readonly places: readonly PlaceBook[];
  readonly counts: ReadonlyMap<EventBody['kind'], number>;
  readonly years: YearKeeper;
  /** Ranks whose lines are in the entry. */
  readonly printers: ReadonlySet<number>;
  readonly emit: (output: FormatOutput) => void;
}

export function finishEntry(end: EntryEnd): void {
  const { context, path, places, counts, years, emit } = end;
  let lines = 0;
  let zoneAssumed = false;
  let stamped = false;
  for (const book of places) {
    const stream = book.toStream(context.entry, path, years.settle);
    lines += stream.lines;
    stamped ||= stream.first !== undefined;
    zoneAssumed ||= stream.first?.stamp.zoneAssumed === true;
    emit({ kind: 'stream', stream });
  }
  if (lines > 0 && !stamped)
    emit({ kind: 'issue', code: 'no-time-stamps', severity: 'info', source: undefined, detail: '' });
  if (zoneAssumed)
    emit({ kind: 'issue', code: 'time-zone-assumed', severity: 'info', source: undefined, detail: 'UTC' });
  reportYears(years, emit);
  reportCollector(lines, counts, emit);
  emit({ kind: 'summary', text: summaryOf(lines, end) });
}

function reportYears(years: YearKeeper, emit: (output: FormatOutput) => void): void {
  if (years.yearless() === 0) return;
  const detail = years.isKnown() ? 'taken from dated lines of the file' : 'no line of the file names a year';
  emit({ kind: 'issue', code: 'time-year-assumed', severity: 'info', source: undefined, detail });
}

function reportCollector(lines: number, counts: EntryEnd['counts'], emit: (output: FormatOutput) => void): void {
  const notes = counts.get('collector-note') ?? 0;
  if (notes === 0) return;
  const only = notes === lines;
  emit({
    kind: 'issue',
    code: 'collector-message',
    severity: 'warning',
    source: undefined,
    detail: only ? 'nothing else is in the file' : `${notes} of ${lines} lines`,
  });
  if (only) emit({ kind: 'status', status: 'skipped', detail: 'holds only a message of the collector' });
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function summaryOf(lines: number, end: EntryEnd): string {
  const parts = [plural(lines, 'line', 'lines')];
  if (end.printers.size > 0) parts.push(ranksText([...end.printers].sort((a, b) => a - b)));
  const pods = new Set(end.places.flatMap((book) => book.pod ?? []));
  if (pods.size > 1) parts.push(`${pods.size} Pods`);
  const exceptions = end.counts.get('exception') ?? 0;
  if (exceptions > 0) parts.push(plural(exceptions, 'exception', 'exceptions'));
  const timeouts = (end.counts.get('collective-timeout') ?? 0) + (end.counts.get('gloo-timeout') ?? 0);
  if (timeouts > 0) parts.push(plural(timeouts, 'timeout', 'timeouts'));
  return parts.join(', ');
}

/** `rank 3`, `ranks 0–3`, `ranks 0, 2, 5`, `12 ranks`. */
function ranksText(ranks: readonly number[]): string {
  const first = ranks[0] ?? 0;
  const last = ranks.at(-1) ?? 0;
  if (ranks.length === 1) return `rank ${first}`;
  if (last - first === ranks.length - 1) return `ranks ${first}–${last}`;
  return ranks.length <= 6 ? `ranks ${ranks.join(', ')}` : `${ranks.length} ranks`;
}
