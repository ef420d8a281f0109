/** At most three lines beside the pointer: what, when with its bound, how that stands to the first fault. */

import { formatRanks } from '#shared/lib/rank-set.ts';
import type { TimelineCall, TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { type LaneBasis, SEVERITIES, SLICE_STATES } from '#shared/views/lanes/index.ts';
import { escapeText } from '../escape-text.ts';
import { momentLabel } from './axis.ts';
import type { TimeSpan } from './span.ts';
import {
  boundWords,
  callEnd,
  callTitle,
  faultOf,
  laneTitle,
  missingReason,
  orderOfMoment,
  orderWords,
  STATE_WORDS,
  stateOf,
} from './words.ts';

export interface TooltipText {
  readonly title: string;
  readonly lines: readonly string[];
}

interface About {
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
}

export function callTooltip({ index, basis, span }: About, call: TimelineCall): TooltipText {
  const lane = index.lanes[call.lane];
  const clock = lane?.clock ?? -1;
  const group = index.groups[call.group];
  const time = momentLabel(call.startNs, BigInt(index.originNs), span);
  const state = stateOf(call.state);
  const word = state === 'first' && call.record === null ? 'stopped' : STATE_WORDS[state];
  const order = faultOf(index) === undefined ? [] : [orderWords(orderOfMoment(index, clock, call.startNs, basis))];
  const where =
    group === undefined
      ? ''
      : ` of ${escapeText(group.desc === '' || group.desc === 'undefined' ? group.id : group.desc)}`;
  return {
    title: `${lane === undefined ? '' : laneTitle(lane)}: ${callTitle(call)}${where}`,
    lines: [
      `${word}, ${callEnd(call)}`,
      `since ${time}, ${boundWords(index, clock, call.startNs, basis)}`,
      ...order,
    ].slice(0, 3),
  };
}

export function instantTooltip(
  { index, basis, span }: About,
  instant: {
    readonly lane: number;
    readonly atNs: number;
    readonly kind: number;
    readonly severity: number;
    readonly clock: number;
    readonly text: string;
    readonly count: number;
  },
): TooltipText {
  const lane = index.lanes[instant.lane];
  const time = momentLabel(instant.atNs, BigInt(index.originNs), span);
  const more = instant.count > 1 ? `, and ${formatCount(instant.count - 1)} more here` : '';
  return {
    title: `${lane === undefined ? '' : laneTitle(lane)}: ${escapeText(index.kinds[instant.kind] ?? 'event').replaceAll('-', ' ')} (${SEVERITIES[instant.severity] ?? ''})${more}`,
    lines: [instant.text.slice(0, 180), `${time}, ${boundWords(index, instant.clock, instant.atNs, basis)}`],
  };
}

/** Several lanes under one pixel: how many of them are in which worst state. */
export function lanesTooltip(
  { index, basis, span }: About,
  lanes: readonly number[],
  states: readonly number[],
  call: TimelineCall | null,
): TooltipText {
  const ranks = lanes.flatMap((lane) => index.lanes[lane]?.rank ?? []);
  const node = index.lanes[lanes[0] ?? -1]?.node;
  const counts = states
    .map((count, state) => ({ count, state }))
    .filter(({ count, state }) => count > 0 && state > 0)
    .reverse()
    .map(({ count, state }) => `${formatCount(count)} ${STATE_WORDS[SLICE_STATES[state] ?? 'none']}`);
  const title = `${ranks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(ranks)}${node === null || node === undefined ? '' : `, ${escapeText(node)}`}`;
  const worst =
    call === null
      ? []
      : [
          `${callTitle(call)} since ${momentLabel(call.startNs, BigInt(index.originNs), span)}, ${boundWords(index, index.lanes[call.lane]?.clock ?? -1, call.startNs, basis)}`,
        ];
  return { title, lines: [counts.length === 0 ? 'no call here' : counts.join(', '), ...worst] };
}

/** Over nothing: why there is nothing. Null where the lane simply did nothing. */
export function emptyTooltip({ index }: About, lane: number): TooltipText | null {
  const row = index.lanes[lane];
  const reason = row === undefined ? null : missingReason(row);
  return row === undefined || reason === null ? null : { title: laneTitle(row), lines: [reason.text] };
}
