/** What the map of ranks shows: rows, the moment, the colours; `ranks-board.tsx` is its face. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { Moment, MomentColour, RanksGroup, RanksIndex } from '#shared/views/ranks/types.ts';
import { momentAsker } from '../../data/moments.ts';
import { useQuery } from '../../data/query.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { onCursor, useSelection } from '../../stores/selection.ts';
import type { RanksTarget } from '../../stores/targets/ranks.ts';
import { type LayoutKind, layoutsOf } from '../../viewmodels/ranks/layout.ts';
import { COLOURS, type MapColour } from '../../viewmodels/ranks/looks.ts';
import { rankRows } from '../../viewmodels/ranks/rows.ts';
import { momentLabel, relativeOf } from '../../viewmodels/timeline/axis.ts';
import { type TimeSpan, wholeCase } from '../../viewmodels/timeline/span.ts';
import { nsToIso } from '../../viewmodels/times.ts';

const COLUMNS = 720;

export interface RanksParts {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: RanksTarget;
  readonly index: RanksIndex;
}

export function useRanksModel({ caseId, report, target, index }: RanksParts) {
  const { time } = index;
  const basis = useSelection((state) => state.basis);
  const range = useSelection((state) => state.range);
  const rows = useMemo(() => rankRows(report, index), [report, index]);
  const layouts = useMemo(() => layoutsOf(rows, index.axes), [rows, index]);
  const layout: LayoutKind = layouts.find((kind) => kind === target.layout) ?? 'place';
  const wantedColour: MapColour = COLOURS.find((kind) => kind === target.colour) ?? 'state';
  const groupAt = time?.groups.findIndex((group) => group.id === target.group) ?? -1;
  const change = useCallback(
    (part: Partial<RanksTarget>) =>
      useNavigation.getState().replace({ screen: 'ranks', caseId, target: { ...target, ...part } }),
    [caseId, target],
  );
  const span = useMemo(
    (): TimeSpan | null => (time === null ? null : (range ?? wholeCase(time.spans[basis]))),
    [time, range, basis],
  );
  const curve = useQuery('ranks.waiting', span === null ? null : { caseId, basis, ...span, columns: COLUMNS });
  const values = curve.state === 'ready' ? curve.value : null;
  const peak = useMemo(() => (span === null ? null : peakOf(values, span)), [values, span]);
  const wanted = target.at === null || time === null ? null : relativeOf(target.at, BigInt(time.originNs));
  const handle =
    wanted ?? (curve.state === 'loading' ? null : (peak?.at ?? time?.fault?.at[basis] ?? span?.to ?? null));
  const setHandle = useCallback(
    (at: number) => {
      if (time !== null) change({ at: nsToIso(BigInt(time.originNs) + BigInt(Math.round(at))) });
    },
    [time, change],
  );
  // Numbers of different groups say nothing of each other: without a choice the largest group counts.
  const counted = groupAt >= 0 ? groupAt : largestOf(time?.groups ?? []);
  const asked = wantedColour === 'errors' || wantedColour === 'sequence' ? wantedColour : 'state';
  const group = counted < 0 ? null : counted;
  const { moment, problem, preview, ...answer } = useMoment({ caseId, basis, handle, colour: asked, group });
  // The last picture stays until the values of another colour are there.
  const colour: MapColour = asked === 'state' || answer.colour === asked ? wantedColour : answer.colour;
  const timeText = useCallback(
    (at: number): string =>
      time === null || Number.isNaN(at)
        ? ''
        : momentLabel(at, BigInt(time.originNs), { from: 0, to: Math.max(1e9, (span?.to ?? 1) - (span?.from ?? 0)) }),
    [time, span],
  );
  return {
    ...{ rows, layouts, layout, colour, basis, change, span, values, peak, handle, setHandle },
    ...{ moment, problem, preview, timeText },
    countedGroup: time?.groups[counted] ?? null,
    counted: curve.state === 'ready',
  };
}

/** Position of the group with most members, the first of equals; -1 = there is none. */
function largestOf(groups: readonly RanksGroup[]): number {
  let best = -1;
  for (const [i, group] of groups.entries()) if (group.size > (groups[best]?.size ?? 0)) best = i;
  return best;
}

/** The first moment at which most ranks wait; null if none does. */
function peakOf(values: Float64Array | null, span: TimeSpan): { readonly at: number; readonly count: number } | null {
  if (values === null) return null;
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) > (values[best] ?? 0)) best = i;
  const count = values[best] ?? 0;
  return count === 0 ? null : { at: span.from + (best / values.length) * (span.to - span.from), count };
}

interface MomentParts {
  readonly caseId: CaseId;
  readonly basis: 'raw' | 'corrected';
  readonly handle: number | null;
  readonly colour: 'state' | 'errors' | 'sequence';
  readonly group: number | null;
}

interface Answered {
  readonly moment: Moment | null;
  /** What it was asked for: it has no values of another colour. */
  readonly colour: MomentColour;
}

/** The answer for the pointer's moment, or for the handle's; the last one stays until the next is there. */
function useMoment({ caseId, basis, handle, colour, group }: MomentParts) {
  const [answer, setAnswer] = useState<Answered>({ moment: null, colour: 'state' });
  const [problem, setProblem] = useState<string | null>(null);
  const [preview, setPreview] = useState<number | null>(null);
  const asker = useMemo(
    () =>
      momentAsker(
        (moment, params) => {
          setAnswer({ moment, colour: params.colour });
          setProblem(null);
        },
        (error) => setProblem(error.detail),
      ),
    [],
  );
  useEffect(() => () => asker.stop(), [asker]);
  const at = preview ?? handle;
  const asked = useRef<string>('');
  const ask = useCallback(
    (moment: number | null) => {
      if (moment === null) return;
      const params = { caseId, basis, at: moment, colour, group };
      const key = JSON.stringify(params);
      if (asked.current !== key) asker.ask(params);
      asked.current = key;
    },
    [asker, caseId, basis, colour, group],
  );
  const live = useRef({ ask, handle });
  live.current = { ask, handle };
  useEffect(
    () =>
      onCursor((moment) => {
        // At once: drawing where the pointer is takes until the next frame.
        live.current.ask(moment ?? live.current.handle);
        setPreview(moment);
      }),
    [],
  );
  useEffect(() => ask(at), [ask, at]);
  return { ...answer, problem, preview };
}
