/** The evidence of one clock as rows: what fixes which side, both stamps, and where each can be read. */
import type { EntryId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { AnchorPlace, AnchorSide, ClockAnchorView, ClockBandView } from '#shared/views/clocks/types.ts';
import { escapeText } from '../escape-text.ts';
import type { RawPlace } from '../evidence-rows.ts';
import { displayZone, nsToIso, timeOfDay } from '../times.ts';
import { groupedMs, titleOf } from './table.ts';

export interface AnchorRow {
  /** Unique in its clock. */
  readonly key: string;
  readonly side: 'lower' | 'upper';
  readonly rejected: boolean;
  readonly certainty: 'guaranteed' | 'likely';
  readonly title: string;
  readonly value: string;
  readonly valueMs: number;
  readonly atNs: number;
  readonly sentence: string;
  readonly sides: readonly AnchorSideRow[];
  readonly whole: OpenPlace | null;
  /** Why it was left out; empty = it counts. */
  readonly why: string;
}

export interface AnchorSideRow {
  readonly word: 'before' | 'after';
  readonly time: string;
  readonly clock: string;
  readonly open: OpenPlace | null;
}

export interface OpenPlace {
  readonly entryId: EntryId;
  readonly target: RawPlace;
}

/** What fixes the sides, tightest first; then what was left out. */
/** `against`: the clock that the evidence was put against, where the screen shows another one. */
export function anchorRows(report: Report, band: ClockBandView, against: string | null = null): readonly AnchorRow[] {
  const rows = (anchors: readonly ClockAnchorView[], rejected: boolean): AnchorRow[] =>
    anchors.map((anchor, i) => ({
      ...rowOf(report, anchor, `${rejected ? 'rejected' : 'anchor'}-${i}`, rejected),
      ...(against === null ? {} : { sentence: `${sentenceOf(anchor)}, against ${titleOf(report, against)}` }),
    }));
  const kept = rows(band.anchors, false);
  const bySide = (side: 'lower' | 'upper'): AnchorRow[] =>
    kept
      .filter((row) => row.side === side)
      .sort((a, b) => (side === 'upper' ? a.valueMs - b.valueMs : b.valueMs - a.valueMs) || (a.key < b.key ? -1 : 1));
  return [...bySide('upper'), ...bySide('lower'), ...rows(band.rejected, true)];
}

function rowOf(report: Report, anchor: ClockAnchorView, key: string, rejected: boolean): AnchorRow {
  const { side, certainty, valueMs, atNs, before, after, place } = anchor;
  return {
    key,
    side,
    rejected,
    certainty,
    title: escapeText(anchor.text),
    value: groupedMs(valueMs),
    valueMs,
    atNs,
    sentence: sentenceOf(anchor),
    sides: [sideRow(report, 'before', before), sideRow(report, 'after', after)].filter((row) => row !== null),
    whole: openPlace(place),
    why: rejected ? whyOf(anchor) : '',
  };
}

/** Its own part of the contradiction is above it; without the rest, all that it contradicts is of the same kind. */
function whyOf({ against = [] }: ClockAnchorView): string {
  const [first, ...more] = against.map(escapeText);
  if (first === undefined) return 'Left out: it cannot hold together with other evidence of its own kind.';
  return `Left out: it cannot hold together with ${first}${more.length === 0 ? '' : `, nor with ${more.slice(0, 2).join('; ')}${more.length > 2 ? ' and others' : ''}`}.`;
}

const sentenceOf = ({ side, valueMs, certainty }: ClockAnchorView): string =>
  `offset ${side === 'upper' ? '≤' : '≥'} ${groupedMs(valueMs)} ms${certainty === 'likely' ? ', likely' : ''}`;

function sideRow(report: Report, word: 'before' | 'after', side: AnchorSide | null): AnchorSideRow | null {
  if (side === null) return null;
  const clock = side.clock === null ? 'true time' : titleOf(report, side.clock);
  return {
    word,
    time: timeOfDay(nsToIso(BigInt(side.rawNs)), displayZone()),
    clock: side.rank === null ? clock : `rank ${side.rank}, ${clock}`,
    open: openPlace(side.place),
  };
}

function openPlace(place: AnchorPlace | null): OpenPlace | null {
  if (place === null) return null;
  const { entryId, line, byte, record } = place;
  if (line !== null) return { entryId, target: { kind: 'line', line } };
  if (record !== null) return { entryId, target: { kind: 'record', record } };
  return { entryId, target: byte === null ? { kind: 'whole' } : { kind: 'byte', byte } };
}
