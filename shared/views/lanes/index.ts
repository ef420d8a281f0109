/**
 * Builds the view `lanes` (`types.ts`): what each rank did when, for the timeline, the rank map and every other picture over time.
 *
 *   dumps ─ recorded-calls ─┐
 *   log lines ─ derived ────┼─► columns, lane by lane        report rows ─ places ─► lanes in order, by node
 *   events ─ instants ──────┘
 *
 * Pure and independent of the order of files. O(n log n) in records of one rank and in events of one lane.
 */
import { type DumpView, viewDumps } from '../../analysis/collectives/dump-view.ts';
import { mergeGroups, worldSizeOf } from '../../analysis/collectives/groups.ts';
import { rankDumps } from '../../analysis/collectives/index.ts';
import type { ViewSource } from '../index.ts';
import { CallWriter } from './call-writer.ts';
import { laneClocks } from './clocks.ts';
import { boundInstants, instantColumns } from './instants.ts';
import { LaneBuilder } from './lane-builder.ts';
import { StringTable } from './string-table.ts';
import type { LanesView } from './types.ts';
import { timeWindow } from './window.ts';

export * from './clock-correction.ts';
export {
  buildMetrics,
  type GpuSeries,
  type MadeMetric,
  type MeasureUnit,
  type MetricCurve,
  type MetricInfo,
  type MetricStore,
  metricCurve,
  type ProgressLine,
} from './metrics/index.ts';
export { type CallAnswer, describeCall, findCall, firstAfter, pickCall, stepCall, summariseLanes } from './queries.ts';
export { type CellRequest, cellShare, cellState, isLaneMissing, reduceCells, SHARE_STEPS } from './reduce-cells.ts';
export { reduceSlices, type SliceColumns, type SliceRequest } from './reduce-slices.ts';
export { type BasisSpan, caseSpan, countEvents, countWaiting, reduceInstants } from './reduce-strips.ts';
export { spanIndex } from './span-index.ts';
export type * from './types.ts';
export { SEVERITIES, SLICE_STATES, STATE } from './types.ts';

export const LANES_VIEW = 'lanes';

/** Undefined if nothing in the case carries a time. */
export function buildLanes({ input, result, report }: ViewSource): LanesView | undefined {
  const window = timeWindow(input);
  if (window === undefined) return undefined;
  const strings = new StringTable();
  const { ranked } = rankDumps(input.dumps, result.facts.rankMap, result.facts.events);
  const views = viewDumps(ranked);
  const fault = result.verdict.at;
  const faultClock = fault === undefined || fault.zoneAssumed === true ? undefined : fault.clock;
  const builder = new LaneBuilder({
    result,
    report,
    window,
    strings,
    clocks: laneClocks(result.facts.clocks, window, faultClock),
    groups: groupIndex(views, result.facts.rankMap.worldSize),
    views: new Map(views.map((view) => [view.rank, view])),
    writer: new CallWriter(expectedCalls(views)),
  });
  const built = builder.build();
  const kinds = new StringTable();
  const { lanes: lists, leftOut } = boundInstants(built.instants);
  const instants = instantColumns(lists, strings, kinds);
  let at = 0;
  const lanes = built.lanes.map((lane, i) => {
    const instantFrom = at;
    at += lists[i]?.length ?? 0;
    return { ...lane, instantFrom, instantTo: at };
  });
  return {
    version: 1,
    originNs: window.originNs.toString(),
    endNs: window.endNs,
    clocks: built.clocks,
    groups: built.groups,
    strings: strings.list,
    kinds: kinds.list,
    sections: built.sections,
    lanes,
    calls: built.calls,
    instants,
    sources: built.sources,
    marks: built.marks,
    files: built.files,
    outside: window.outside(),
    instantsLeftOut: leftOut,
  };
}

/** A call a record, and one that a rank never made. */
const expectedCalls = (views: readonly DumpView[]): number =>
  views.reduce((sum, { dump }) => sum + dump.columns.length + 1, 0);

/** The same groups, in the same order and by the same ids, as the comparison of collectives has them. */
function groupIndex(views: readonly DumpView[], worldSize: number | undefined) {
  const known = worldSize ?? worldSizeOf(views.map((view) => view.dump));
  const top = views.reduce((most, view) => Math.max(most, view.rank + 1), 0);
  const groups = mergeGroups(views, known === undefined ? undefined : Math.max(known, top));
  const indexOf = new Map<object, number>();
  groups.forEach((group, i) => {
    for (const { local } of group.members) if (local !== undefined) indexOf.set(local, i);
  });
  return {
    list: groups.map(({ id, name, desc, ranks }) => ({ id, name, desc, size: ranks.length })),
    ofLocal: (local: object): number => indexOf.get(local) ?? -1,
  };
}
