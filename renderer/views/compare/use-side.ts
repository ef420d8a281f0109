/** What is drawn of one case over the common span: slices of its lanes, and how many ranks wait. */
import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CompareSide } from '#shared/rpc/areas/compare.ts';
import type { LaneSide } from '../../charts/compare-lanes.ts';
import type { SlicePicture } from '../../charts/lane-scene.ts';
import { useQuery } from '../../data/query.ts';
import type { SideLayout } from '../../viewmodels/compare/lanes.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { slicesOf } from '../timeline/picture.ts';

/** Columns that slices are reduced to, and of the curve. */
const COLUMNS = 1400;
const CURVE_COLUMNS = 480;
/** Eight lanes never hold more: what is narrower than a column is one slice. */
const MAX_SLICES = 20_000;

export interface SideParts {
  readonly caseId: CaseId;
  readonly side: CompareSide;
  readonly zero: number | null;
  readonly basis: 'raw' | 'corrected';
  readonly span: TimeSpan | null;
  readonly layout: SideLayout;
  /** What stands at 0 is the first fault. */
  readonly atOnset: boolean;
}

/** The span once the gesture rests. */
export function useSettled(span: TimeSpan | null): TimeSpan | null {
  const [settled, setSettled] = useState(span);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(span), 80);
    return () => clearTimeout(timer);
  }, [span]);
  return settled ?? span;
}

export function useSide({ caseId, side, zero, basis, span, layout, atOnset }: SideParts): LaneSide & {
  /** The curve is there, or there is none. */
  readonly counted: boolean;
} {
  const asked = useSettled(span);
  const own = asked === null || zero === null ? null : { from: asked.from + zero, to: asked.to + zero };
  const waiting = useQuery('ranks.waiting', own === null ? null : { caseId, basis, ...own, columns: CURVE_COLUMNS });
  const lanes = useMemo(() => layout.rows.map((row) => row.lane), [layout]);
  const answer = useQuery(
    'timeline.lanes',
    own === null || lanes.length === 0
      ? null
      : { caseId, basis, ...own, columns: COLUMNS, lanes, lanesPerRow: 1, tier: 'slices', maxSlices: MAX_SLICES },
  );
  const value = answer.state === 'ready' && answer.value.kind === 'slices' ? answer.value : null;
  // The picture before stays until the finer one is there: slices carry their own times.
  const picture = useKept(value === null || own === null ? null : slicesOf(value, own, lanes));
  const bounds = boundsOf(side, zero, basis);
  return {
    layout,
    ...{ counted: waiting.state === 'ready', waiting: waiting.state === 'ready' ? waiting.value : null },
    ...{ ranks: side.ranks, picture, zero: zero ?? 0 },
    halfNs: atOnset && basis === 'corrected' ? (side.onset?.boundNs ?? null) : null,
    from: bounds?.from ?? 0,
    to: bounds?.to ?? 0,
  };
}

function useKept(picture: SlicePicture | null): SlicePicture | null {
  const [kept, setKept] = useState(picture);
  if (picture !== null && picture.startNs !== kept?.startNs) setKept(picture);
  return picture ?? kept;
}

/** Where a case begins and ends on the common axis; null = it has no time. */
export function boundsOf(side: CompareSide, zero: number | null, basis: 'raw' | 'corrected'): TimeSpan | null {
  const span = side.spans?.[basis];
  return span === undefined || zero === null ? null : { from: span.from - zero, to: span.to - zero };
}
