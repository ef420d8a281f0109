/** What lies over the lanes, out of index and picture: fault with its band, marks, fronts of waiting with their order. */
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { boundOf, type FaultOrder, type LaneBasis, orderToFault, STATE, shiftOf } from '#shared/views/lanes/index.ts';
import { formatBound } from '../times.ts';
import { momentLabel } from './axis.ts';
import type { TimeSpan } from './span.ts';
import { faultOf, MARK_WORDS } from './words.ts';

export interface FaultPlace {
  readonly at: number;
  readonly band: TimeSpan | null;
  readonly label: string;
}

export function faultPlace(index: TimelineIndex, basis: LaneBasis, span: TimeSpan): FaultPlace | null {
  const fault = faultOf(index);
  if (fault === undefined) return null;
  const at = fault.atNs - shiftOf(index, fault.clock, basis);
  const time = momentLabel(at, BigInt(index.originNs), span);
  const bound = basis === 'raw' ? undefined : boundOf(index.clocks[fault.clock], fault.atNs);
  if (bound === undefined || bound.low === null || bound.high === null)
    return { at, band: null, label: `${time} ${basis === 'raw' ? 'raw' : 'bound open'}` };
  const half = Math.max(-bound.low, bound.high);
  return {
    at,
    band: half === 0 ? null : { from: at + bound.low, to: at + bound.high },
    label: half === 0 ? time : `${time} ${formatBound(half / 1e6)}`,
  };
}

export function markPlaces(index: TimelineIndex, basis: LaneBasis) {
  return index.marks
    .filter((mark) => mark.kind !== 'fault')
    .map((mark) => ({
      kind: mark.kind,
      at: mark.atNs - shiftOf(index, mark.clock, basis),
      label: mark.count > 1 ? `${MARK_WORDS[mark.kind]} ×${mark.count}` : MARK_WORDS[mark.kind],
    }));
}

export interface OrderPlace {
  readonly lane: number;
  readonly at: number;
  readonly order: FaultOrder | undefined;
}

interface Fronts {
  readonly rowsOf: ReadonlyMap<number, readonly [number, number]>;
  readonly startNs: Float64Array;
  readonly state: Uint8Array;
}

/** The first blocking call of each lane: where its waiting began, and how that stands to the first fault. Only where times are corrected. */
export function orderPlaces(index: TimelineIndex, picture: Fronts | null, basis: LaneBasis): OrderPlace[] {
  const fault = faultOf(index);
  if (picture === null || fault === undefined) return [];
  const about = { atNs: fault.atNs, clock: index.clocks[fault.clock] };
  const found: OrderPlace[] = [];
  for (const [lane, [from, to]] of picture.rowsOf) {
    const row = index.lanes[lane];
    if (row === undefined || row.role === 'first') continue;
    for (let i = from; i < to; i++) {
      const state = picture.state[i] ?? 0;
      if (state < STATE.waiting || state === STATE.first) continue;
      const at = picture.startNs[i] ?? 0;
      const clock = index.clocks[row.clock];
      const same = clock !== undefined && clock.id === about.clock?.id;
      if (basis === 'corrected' || same)
        found.push({ lane, at, order: orderToFault(clock, at + shiftOf(index, row.clock, basis), about) });
      break;
    }
  }
  return found;
}
