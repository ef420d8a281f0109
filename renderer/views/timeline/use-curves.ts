/** Curves of the strips that are shown: one question for all of them when the span rests; the last answer stays until the next. */
import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis, MetricCurve } from '#shared/views/lanes/index.ts';
import { latestOf } from '../../data/timeline.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';

export interface CurveAnswer {
  readonly span: TimeSpan;
  readonly columns: number;
  readonly curves: ReadonlyMap<string, MetricCurve>;
}

interface CurveParts {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly width: number;
  readonly ids: readonly string[];
  readonly ranks: readonly number[];
}

/** A column of about three px, as the counts have. */
const COLUMN_PX = 3;
/** Lanes are asked for first, then counts. ms. */
const REST_MS = 90;

/** The last few answers of a case, for who comes back to a span or from another screen. */
const kept = new WeakMap<TimelineIndex, Map<string, CurveAnswer>>();
const MOST_KEPT = 6;

function keep(index: TimelineIndex, key: string, answer: CurveAnswer): void {
  const known = kept.get(index) ?? new Map<string, CurveAnswer>();
  known.delete(key);
  known.set(key, answer);
  const [oldest] = known.keys();
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
  kept.set(index, known);
}

export function useCurves({ caseId, index, basis, span, width, ids, ranks }: CurveParts): CurveAnswer | null {
  const [last, setLast] = useState<CurveAnswer | null>(null);
  const ask = useMemo(() => latestOf('timeline.curves'), []);
  const columns = Math.max(1, Math.floor(width / COLUMN_PX));
  const key = JSON.stringify([basis, span.from, span.to, columns, ids, ranks]);
  const known = kept.get(index)?.get(key) ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for ids, ranks and span
  useEffect(() => {
    if (width < 20 || ids.length === 0) return;
    const mine = kept.get(index)?.get(key);
    if (mine !== undefined) return setLast(mine);
    const timer = setTimeout(async () => {
      const got = await ask({ caseId, basis, ...span, columns, ids: [...ids], ranks: [...ranks] });
      if (got?.ok !== true) return;
      const curves = new Map(got.value.curves.map((curve) => [curve.id, curve]));
      const answer = { span, columns, curves };
      keep(index, key, answer);
      setLast(answer);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [ask, caseId, index, key, width]);
  return known ?? last;
}
