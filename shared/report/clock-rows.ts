/** Clock facts → the report's clocks. */
import type { ClockDomain, ClockFault, ClocksFact } from '../model/facts.ts';
import type { EntryId } from '../model/ids.ts';
import { formatEpochNs } from '../model/time.ts';
import type { StreamZone } from '../model/zone.ts';
import type { ReportClock, ReportClockDomain, ReportClockFault, ReportZone } from './clock-schema.ts';

export function buildClock(
  clocks: ClocksFact,
  zones: readonly StreamZone[],
  pathOf: (entry: EntryId) => string,
): ReportClock {
  return {
    reference: clocks.reference ?? null,
    domains: clocks.domains.map(domainRow),
    faults: (clocks.faults ?? []).map(faultRow),
    rejected: (clocks.rejected ?? []).map(({ text, count }) => ({ text, count })),
    misnumbered: (clocks.misnumbered ?? []).map(({ rank, group, certain }) => ({ rank, group, certain })),
    changed: [...(clocks.changed ?? [])],
    zones: zones.map((zone) => zoneRow(zone, pathOf)),
    overrides: (clocks.overrides ?? []).map((override) => ({ ...override })),
    assumptions: [...(clocks.assumptions ?? [])],
  };
}

function domainRow({ offset, driftPpm, anchorsOf, ...domain }: ClockDomain): ReportClockDomain {
  return {
    id: domain.id,
    kind: domain.kind,
    offsetMs: offset
      ? {
          estimate: offset.estimate,
          low: offset.low ?? null,
          high: offset.high ?? null,
          likelyLow: offset.likelyLow ?? null,
          likelyHigh: offset.likelyHigh ?? null,
        }
      : null,
    driftPpm: driftPpm ?? null,
    quality: domain.quality,
    anchors: domain.anchors,
    basis: [...domain.basis],
    component: domain.component,
    anchorKinds: (anchorsOf?.kinds ?? []).map(({ kind, count }) => ({ kind, count })),
  };
}

function faultRow({ kind, clocks, sizeMs, between, cycle, text }: ClockFault): ReportClockFault {
  return {
    kind,
    clocks: [...clocks],
    sizeMs: sizeMs ?? null,
    after: between ? formatEpochNs(between.from, 6) : null,
    before: between ? formatEpochNs(between.to, 6) : null,
    cycle: [...cycle],
    text,
  };
}

function zoneRow(zone: StreamZone, pathOf: (entry: EntryId) => string): ReportZone {
  return {
    file: pathOf(zone.entry),
    pod: zone.pod ?? null,
    minutes: zone.minutes ?? null,
    candidates: [...zone.candidates],
    proof: zone.proof ?? null,
    anchors: zone.anchors,
    text: zone.text,
  };
}
