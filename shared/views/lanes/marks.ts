/** Moments that stand on every time axis: the first fault, the first watchdog, restarts, kills, evictions. */
import type { PlacedEvent } from '../../model/facts.ts';
import type { AnalysisResult } from '../../model/finding.ts';
import type { InstantContext } from './instants.ts';
import type { LaneMark, MarkKind } from './types.ts';

const OF_EVENT: ReadonlyMap<string, MarkKind> = new Map([
  ['collective-timeout', 'watchdog'],
  ['gloo-timeout', 'watchdog'],
  ['worker-restart', 'restart'],
  ['oom-kill', 'out-of-memory'],
  ['xid', 'gpu-error'],
]);
const OF_REASON: ReadonlyMap<string, MarkKind> = new Map([
  ['Evicted', 'evicted'],
  ['Preempted', 'evicted'],
  ['Preempting', 'evicted'],
  ['TaintManagerEviction', 'evicted'],
  ['OOMKilling', 'out-of-memory'],
  ['SystemOOM', 'out-of-memory'],
  ['NodeNotReady', 'node-lost'],
]);
const MAX_MARKS = 200;

export function marksOf(
  result: AnalysisResult,
  context: InstantContext,
  laneOf: (placed: PlacedEvent) => number,
  laneOfRank: (rank: number) => number,
): LaneMark[] {
  const marks: LaneMark[] = [];
  const { verdict, facts } = result;
  const { window, clockIndex } = context;
  const faultNs = window.ofEpoch(verdict.at?.rawNs);
  // Of an interval the call that was missed is the mark.
  if (verdict.at !== undefined && verdict.at.spanNs === undefined && !Number.isNaN(faultNs)) {
    const [first] = verdict.firstRanks;
    const clock = verdict.at.zoneAssumed === true ? -1 : clockIndex(verdict.at.clock);
    const because = verdict.because.find((one) => one.rawNs === verdict.at?.rawNs)?.source;
    marks.push({
      kind: 'fault',
      atNs: faultNs,
      clock,
      lane: first === undefined ? -1 : laneOfRank(first),
      text: verdict.summary,
      count: 1,
      entry: because?.entry ?? null,
      line: because?.kind === 'line' ? because.line : null,
    });
  }
  const found: LaneMark[] = [];
  for (const placed of facts.events) {
    const kind = OF_EVENT.get(placed.event.body.kind);
    const atNs = window.ofStamp(placed.event.stamp);
    if (kind === undefined || Number.isNaN(atNs)) continue;
    const { source } = placed.event;
    found.push({
      kind,
      atNs,
      clock: placed.event.stamp?.zoneAssumed === true ? -1 : clockIndex(placed.clock),
      lane: laneOf(placed),
      text: placed.event.text.slice(0, 200),
      count: 1,
      entry: source.entry,
      line: source.kind === 'line' ? source.line : null,
    });
  }
  for (const event of facts.input.kubeEvents) {
    const kind = OF_REASON.get(event.reason);
    const atNs = window.ofEpoch(event.last ?? event.first ?? event.created);
    if (kind === undefined || !(atNs >= 0 && atNs <= window.endNs)) continue;
    const { source } = event;
    found.push({
      kind,
      atNs,
      clock: clockIndex('api'),
      lane: -1,
      text: `${event.object.kind} ${event.object.name}: ${event.message}`.slice(0, 200),
      count: 1,
      entry: source.entry,
      line: source.kind === 'line' ? source.line : null,
    });
  }
  return [...marks, ...merged(found)].slice(0, MAX_MARKS);
}

/** One mark for what many ranks say of one thing: the first of each kind within a minute. */
function merged(marks: readonly LaneMark[]): LaneMark[] {
  const kept: LaneMark[] = [];
  for (const mark of [...marks].sort((a, b) => a.atNs - b.atNs || a.lane - b.lane || (a.text < b.text ? -1 : 1))) {
    const at = kept.findLastIndex((one) => one.kind === mark.kind && mark.atNs - one.atNs <= 60e9);
    const one = kept[at];
    if (one === undefined) kept.push(mark);
    else kept[at] = { ...one, count: one.count + 1 };
  }
  return kept;
}
