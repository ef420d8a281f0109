/** The report and the drawing as they are against another clock than the reference: for this screen only, the case keeps its own. */
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import { differenceOf, pairIn, rebaseView } from '#shared/views/clocks/rebase.ts';
import type { ClocksView } from '#shared/views/clocks/types.ts';

export interface Rebased {
  readonly report: Report;
  readonly view: ClocksView | null;
  /** The case's own reference, where another one is shown; null = it is shown. */
  readonly own: string | null;
}

/** A guaranteed interval at most this wide is a good one, as in the report. */
const GOOD_WIDTH_MS = 100;

/** Clocks that others can be compared with: those of the reference's component. */
export function possibleReferences({ clock: { reference, domains } }: Report): readonly string[] {
  const main = domains.find(({ id }) => id === reference);
  return main === undefined ? [] : domains.filter((one) => one === main || isRelated(one, main)).map(({ id }) => id);
}

const isRelated = (one: ReportClockDomain, main: ReportClockDomain): boolean =>
  one.offsetMs !== null && one.component === main.component;

export function rebase(report: Report, view: ClocksView | null, wanted: string | undefined): Rebased {
  const { reference, domains } = report.clock;
  const base = domains.find(({ id }) => id === wanted);
  const main = domains.find(({ id }) => id === reference);
  if (
    wanted === undefined ||
    wanted === reference ||
    base?.offsetMs == null ||
    main === undefined ||
    !isRelated(base, main)
  )
    return { report, view, own: null };
  const own = base.offsetMs;
  const moved = domains.map((one): ReportClockDomain => {
    if (one === base) return { ...one, offsetMs: ZERO, driftPpm: 0 };
    if (one.offsetMs === null || one.component !== main.component) return one;
    const offsetMs = differenceOf(one.offsetMs, own, view === null ? undefined : pairIn(view, one.id, base.id));
    const driftPpm = one.driftPpm === null || base.driftPpm === null ? null : one.driftPpm - base.driftPpm;
    return { ...one, offsetMs, driftPpm, quality: one.quality === 'contradictory' ? one.quality : qualityOf(offsetMs) };
  });
  return {
    report: { ...report, clock: { ...report.clock, reference: wanted, domains: moved } },
    view: view && rebaseView(view, wanted),
    own: reference,
  };
}

const ZERO = { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 } as const;

function qualityOf({ low, high }: NonNullable<ReportClockDomain['offsetMs']>): ReportClockDomain['quality'] {
  if (low === null || high === null) return 'incomplete';
  return high - low <= GOOD_WIDTH_MS ? 'good' : 'loose';
}
