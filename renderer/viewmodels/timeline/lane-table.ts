/** Lanes as rows of text. */
import type { TimelineIndex, TimelineRows } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { escapeText } from '../escape-text.ts';
import { momentLabel } from './axis.ts';
import type { TimeSpan } from './span.ts';
import { boundWords, callTitle, laneTitle, missingReason, ROLE_WORDS, STATE_WORDS, stateOf } from './words.ts';

export const LANE_COLUMNS = [
  'Lane',
  'Part',
  'Node',
  'Pod',
  'GPU',
  'Evidence',
  'Worst state',
  'Last call',
  'Began',
  'Bound',
  'Calls',
  'Events',
  'Errors',
] as const;

export function laneCells(
  index: TimelineIndex,
  row: TimelineRows['rows'][number],
  basis: LaneBasis,
  span: TimeSpan,
): string[] {
  const lane = index.lanes[row.lane];
  if (lane === undefined) return [];
  const { last } = row;
  return [
    laneTitle(lane),
    ROLE_WORDS[lane.role],
    escapeText(lane.node ?? ''),
    escapeText(lane.pod ?? ''),
    escapeText(lane.gpu ?? ''),
    missingReason(lane)?.text ??
      (lane.heldFromNs === null ? (lane.kind === 'rank' ? 'all records' : '') : 'older records overwritten'),
    row.worst <= 0 ? '' : STATE_WORDS[stateOf(row.worst)],
    last === null ? '' : callTitle(last),
    last === null ? '' : momentLabel(last.startNs, BigInt(index.originNs), span),
    last === null ? '' : boundWords(index, lane.clock, last.startNs, basis),
    formatCount(row.calls),
    formatCount(row.events),
    formatCount(row.errors),
  ];
}
