/** Builds the view `clocks` (see `types.ts`). Nothing to draw where no two clocks are related. */
import { type BandAnchor, computeBands } from '../../analysis/clocks/bands.ts';
import { offsetBetween } from '../../analysis/clocks/index.ts';
import { alignmentOf } from '../../analysis/clocks/pair-bounds.ts';
import { MAX_RATE } from '../../analysis/clocks/solver/align.ts';
import type { ClockAnchor, ClocksFact } from '../../model/facts.ts';
import type { ViewSource } from '../index.ts';
import { timeWindow } from '../lanes/window.ts';
import { findSides, placeOf, type Wanted } from './side-finder.ts';
import { type AnchorSide, CLOCKS_VIEW, type ClockAnchorView, type ClockMatrix, type ClocksView } from './types.ts';

export { CLOCKS_VIEW };

/** Pieces of evidence kept a side, the tightest first: what a person may look through. */
const MAX_ANCHORS = 24;
/** Beyond this many clocks the drawing shows a part, and the evidence of each is cut. */
const MANY_CLOCKS = 64;
const MAX_ANCHORS_OF_MANY = 5;

export function buildClocksView({ input, result }: ViewSource): ClocksView | undefined {
  const { clocks, events, rankMap } = result.facts;
  const window = timeWindow(input);
  const span = window && { fromNs: window.originNs, toNs: window.originNs + BigInt(Math.round(window.endNs)) };
  const found = span && computeBands(clocks, span);
  if (window === undefined || found === undefined) return undefined;
  const most = found.bands.length > MANY_CLOCKS ? MAX_ANCHORS_OF_MANY : MAX_ANCHORS;
  const kept = found.bands.map((band) => ({ ...band, anchors: tightest(band.anchors, most) }));
  const clockOfRank = new Map(rankMap.places.map((place) => [place.rank, place.node ?? place.pod]));
  const rankOfDump = new Map(
    rankMap.places.flatMap(({ rank, entries }) => entries.map((entry) => [entry, rank] as const)),
  );
  const sides = findSides(
    kept.flatMap((band) => [...band.anchors, ...band.rejected].flatMap(({ anchor }) => wantedOf(anchor))),
    input.dumps.map((dump) => {
      const rank = rankOfDump.get(dump.source.entry) ?? dump.nameRank;
      return { dump, rank, clock: rank === undefined ? undefined : clockOfRank.get(rank) };
    }),
    events,
  );
  const relative = (ns: bigint): number => Number(ns - window.originNs);
  const view = (one: BandAnchor): ClockAnchorView => ({
    side: one.side,
    atNs: relative(one.atNs),
    valueMs: one.valueMs,
    certainty: one.certainty,
    text: one.anchor.text,
    before: sideOf(one.anchor.before, sides),
    after: sideOf(one.anchor.after, sides),
    place: one.anchor.source === undefined ? null : placeOf(one.anchor.source),
    ...(one.against === undefined ? {} : { against: one.against }),
  });
  const first = firstFaultOf(result.verdict.at, clocks, relative);
  return {
    originNs: String(window.originNs),
    momentsNs: Float64Array.from(found.moments, relative),
    bands: kept.map((band) => ({ ...band, anchors: band.anchors.map(view), rejected: band.rejected.map(view) })),
    firstFault: first,
    against: againstOf(first?.clock ?? clocks.reference, clocks),
    matrix: matrixOf(
      kept.map(({ clock }) => clock),
      clocks,
      relative,
    ),
    steps: (clocks.faults ?? []).flatMap(({ kind, clocks: [clock], between, sizeMs }) => {
      const offset = clocks.domains.find(({ id }) => id === clock)?.offset;
      if (kind !== 'step' || clock === undefined || between === undefined) return [];
      const shift = BigInt(Math.round((offset?.estimate ?? 0) * 1e6));
      const [fromNs, toNs] = [relative(between.from - shift), relative(between.to - shift)];
      return [{ clock, fromNs, toNs, sizeMs: sizeMs ?? null }];
    }),
  };
}

/** Of each side the ones that bind most, kept in the order of time. */
function tightest(anchors: readonly BandAnchor[], most: number): readonly BandAnchor[] {
  const ofSide = (side: 'lower' | 'upper'): readonly BandAnchor[] =>
    anchors
      .filter((one) => one.side === side)
      .sort((a, b) => (side === 'upper' ? a.valueMs - b.valueMs : b.valueMs - a.valueMs))
      .slice(0, most);
  const kept = new Set([...ofSide('lower'), ...ofSide('upper')]);
  return anchors.filter((one) => kept.has(one));
}

/** Clocks of time services have a name that no clock of a bundle can have. */
const isTrueTime = (clock: string): boolean => clock.startsWith('\u0000');

const wantedOf = ({ before, after }: ClockAnchor): Wanted[] =>
  [before, after].flatMap((side) =>
    side === undefined || isTrueTime(side.clock) ? [] : [{ clock: side.clock, ns: side.rawNs }],
  );

function sideOf(side: ClockAnchor['before'], sides: ReturnType<typeof findSides>): AnchorSide | null {
  if (side === undefined) return null;
  if (isTrueTime(side.clock)) return { clock: null, rawNs: String(side.rawNs), rank: null, place: null };
  const found = sides({ clock: side.clock, ns: side.rawNs });
  return { clock: side.clock, rawNs: String(side.rawNs), rank: found?.rank ?? null, place: found?.place ?? null };
}

function firstFaultOf(
  at: ViewSource['result']['verdict']['at'],
  clocks: ClocksFact,
  relative: (ns: bigint) => number,
): ClocksView['firstFault'] {
  const offset = clocks.domains.find(({ id }) => id === at?.clock)?.offset;
  if (at === undefined || at.zoneAssumed === true || offset === undefined) return null;
  return { clock: at.clock, atNs: relative(at.rawNs) - Math.round(offset.estimate * 1e6) };
}

/** Rows that all sources of the matrix together may look at: two passes and a few rounds each. */
const MATRIX_ROWS = 16e6;

function matrixOf(drawn: readonly string[], clocks: ClocksFact, relative: (ns: bigint) => number): ClockMatrix | null {
  const rows = alignmentOf(clocks)?.aligned.systems.likely.operations.domain.length ?? 0;
  const n = drawn.length;
  if (n > MANY_CLOCKS || n * rows > MATRIX_ROWS) return null;
  const column = (): Float64Array => new Float64Array(n * n);
  const made = { low: column(), high: column(), likelyLow: column(), likelyHigh: column(), estimate: column() };
  for (const [i, a] of drawn.entries()) {
    for (const [j, b] of drawn.entries()) {
      const offset = offsetBetween(clocks, a, b);
      const at = i * n + j;
      made.low[at] = offset?.low ?? -Infinity;
      made.high[at] = offset?.high ?? Infinity;
      made.likelyLow[at] = offset?.likelyLow ?? -Infinity;
      made.likelyHigh[at] = offset?.likelyHigh ?? Infinity;
      made.estimate[at] = offset?.estimate ?? Number.NaN;
    }
  }
  const atNs = Float64Array.from(drawn, (clock) => {
    const domain = clocks.domains.find(({ id }) => id === clock);
    const shift = BigInt(Math.round((domain?.offset?.estimate ?? 0) * 1e6));
    return domain?.momentNs === undefined ? 0 : relative(domain.momentNs - shift);
  });
  return { clocks: drawn, ...made, atNs, driftPpm: clocks.largestDriftPpm ?? MAX_RATE * 1e6 };
}

function againstOf(clock: string | undefined, clocks: ClocksFact): ClocksView['against'] {
  if (clock === undefined) return null;
  const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);
  const others = clocks.domains.flatMap(({ id }) => {
    const offset = id === clock ? undefined : offsetBetween(clocks, clock, id);
    if (offset === undefined) return [];
    const { low, high, likelyLow, likelyHigh, estimate } = offset;
    return [
      {
        clock: id,
        low: finite(low),
        high: finite(high),
        likelyLow: finite(likelyLow),
        likelyHigh: finite(likelyHigh),
        estimate,
      },
    ];
  });
  return { clock, others };
}
