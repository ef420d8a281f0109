/** Building findings and their evidence without repeating empty fields. */
import type { PlacedEvent } from '../../../model/facts.ts';
import type { Evidence, Finding } from '../../../model/finding.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import type { Stamp } from '../../../model/time.ts';
import { wallNs } from './order.ts';

export type Draft = Omit<Finding, 'rule'>;
export type DraftInput = Pick<Draft, 'outcome' | 'status' | 'stage' | 'cause' | 'strength' | 'summary' | 'because'> &
  Partial<Draft>;

/** Most items under *because* and *against*: more is a list, not an argument. */
export const MOST_BECAUSE = 8;
export const MOST_AGAINST = 5;

export function draft(input: DraftInput): Draft {
  const base = {
    firstRanks: [],
    candidates: [],
    symptomRanks: [],
    pod: undefined,
    node: undefined,
    attempt: undefined,
    at: undefined,
    against: [],
    wouldChange: [],
    nextChecks: [],
    ...input,
  };
  return {
    ...base,
    because: distinct(base.because).slice(0, MOST_BECAUSE),
    against: distinct(base.against).slice(0, MOST_AGAINST),
  };
}

/** The same words about the same place are said once: one line may have given two events. */
function distinct(items: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>();
  return items.filter(({ text, source }) => {
    const key = `${source.entry} ${source.kind} ${'line' in source ? source.line : ''}${'record' in source ? source.record : ''} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Evidence that opens at the event's own line. */
export function cite(placed: PlacedEvent, text: string): Evidence {
  const { source } = placed.event;
  return { text, source, rank: placed.rank, rawNs: wallNs(placed), clock: placed.clock, ...zoneOf(placed) };
}

/** Evidence that is not an event: a document field, a dump record, a whole file. */
export function citeSource(source: SourceRef, text: string, rank?: number): Evidence {
  return { text, source, rank, rawNs: undefined, clock: undefined };
}

/** Moment of a finding: the event's stamp on its own clock. */
export function momentOf(placed: PlacedEvent | undefined): Draft['at'] {
  if (placed === undefined || placed.clock === undefined) return undefined;
  const rawNs = wallNs(placed);
  return rawNs === undefined ? undefined : { rawNs, clock: placed.clock, ...zoneOf(placed) };
}

/** The same from a stamp that is quoted inside a record. */
export function momentOfStamp(stamp: Stamp, clock: string): NonNullable<Draft['at']> {
  return { rawNs: stamp.ns, clock, ...(stamp.zoneAssumed ? { zoneAssumed: true } : {}) };
}

const zoneOf = ({ event }: PlacedEvent): { readonly zoneAssumed?: true } =>
  event.stamp?.zoneAssumed === true ? { zoneAssumed: true } : {};

/** A quotation short enough for a sentence; quotes the beginning, on one line. */
export function quote(text: string, most = 160): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** The same inside a sentence that goes on: without a full stop of its own. */
export function quoteInside(text: string, most = 160): string {
  return quote(text, most).replace(/\.+$/, '');
}
