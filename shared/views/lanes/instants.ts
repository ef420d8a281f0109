/** Log events and Kubernetes events as instants of lanes. */
import type { PlacedEvent } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { isFrequent, severityOf } from './event-kinds.ts';
import type { StringTable } from './string-table.ts';
import { type InstantColumns, SEVERITIES, type Severity } from './types.ts';
import type { TimeWindow } from './window.ts';

export interface InstantDraft {
  readonly atNs: number;
  readonly kind: string;
  readonly severity: Severity;
  readonly clock: number;
  readonly entry: number;
  readonly line: number;
  readonly text: string;
  readonly frequent: boolean;
}

/** Instants kept in a view; more are left out, the frequent kinds first. 400,000 take 14 MB: chosen. */
export const MAX_INSTANTS = 400_000;
const MAX_TEXT = 200;

export interface InstantContext {
  readonly window: TimeWindow;
  readonly clockIndex: (id: string | undefined) => number;
}

/** Undefined if the event has no time that can stand on the axis. */
export function logInstant(placed: PlacedEvent, { window, clockIndex }: InstantContext): InstantDraft | undefined {
  const { event } = placed;
  const atNs = window.ofStamp(event.stamp);
  if (Number.isNaN(atNs)) return undefined;
  const { source } = event;
  return {
    atNs,
    kind: event.body.kind,
    severity: severityOf(event.body),
    clock: event.stamp?.zoneAssumed === true ? -1 : clockIndex(placed.clock),
    entry: source.entry,
    line: source.kind === 'line' ? source.line : 0,
    text: event.text.slice(0, MAX_TEXT),
    frequent: isFrequent(event.body.kind),
  };
}

export function kubeInstants(input: IncidentInput, { window, clockIndex }: InstantContext): InstantDraft[] {
  return input.kubeEvents.flatMap((event) => {
    const atNs = window.ofEpoch(event.last ?? event.first ?? event.created);
    if (!(atNs >= 0 && atNs <= window.endNs)) return [];
    // The component's own host stamps `last`; without a host it is a control-plane component.
    const own = event.host === undefined ? -1 : clockIndex(event.host);
    return [
      {
        atNs,
        kind: event.reason,
        severity: event.type === 'Warning' ? ('warn' as const) : ('info' as const),
        clock: own >= 0 ? own : clockIndex('api'),
        entry: event.source.entry as number,
        line: event.source.kind === 'line' ? event.source.line : 0,
        text: `${event.object.kind} ${event.object.name}: ${event.message}`.slice(0, MAX_TEXT),
        frequent: false,
      },
    ];
  });
}

export interface InstantList {
  /** Per lane. */
  readonly lanes: readonly (readonly InstantDraft[])[];
  readonly leftOut: number;
}

/** Sorts each lane by time and leaves out what is too much. */
export function boundInstants(lanes: readonly (readonly InstantDraft[])[]): InstantList {
  const total = lanes.reduce((sum, list) => sum + list.length, 0);
  const share = Math.max(16, Math.floor(MAX_INSTANTS / Math.max(1, lanes.length)));
  let leftOut = 0;
  const bounded = lanes.map((list) => {
    const kept = total <= MAX_INSTANTS ? list : mostTelling(list, share);
    leftOut += list.length - kept.length;
    return [...kept].sort((a, b) => a.atNs - b.atNs || a.entry - b.entry || a.line - b.line);
  });
  return { lanes: bounded, leftOut };
}

function mostTelling(list: readonly InstantDraft[], most: number): readonly InstantDraft[] {
  if (list.length <= most) return list;
  const rare = list.filter((one) => !one.frequent);
  const frequent = list.filter((one) => one.frequent);
  return rare.length >= most ? rare.slice(-most) : [...rare, ...frequent.slice(rare.length - most)];
}

export function instantColumns(
  lanes: readonly (readonly InstantDraft[])[],
  strings: StringTable,
  kinds: StringTable,
): InstantColumns {
  const length = lanes.reduce((sum, list) => sum + list.length, 0);
  const out = {
    length,
    atNs: new Float64Array(length),
    kind: new Uint16Array(length),
    severity: new Uint8Array(length),
    clock: new Int16Array(length),
    entry: new Int32Array(length),
    line: new Int32Array(length),
    text: new Int32Array(length),
  };
  let i = 0;
  for (const list of lanes)
    for (const one of list) {
      out.atNs[i] = one.atNs;
      out.kind[i] = Math.min(65_535, kinds.of(one.kind));
      out.severity[i] = SEVERITIES.indexOf(one.severity);
      out.clock[i] = one.clock;
      out.entry[i] = one.entry;
      out.line[i] = one.line;
      out.text[i] = strings.of(one.text);
      i += 1;
    }
  return out;
}
