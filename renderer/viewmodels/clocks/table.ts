/** The table of clocks and the sentences about them. All text is escaped here. */
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import { intervalMs, signedMs, zoneName } from '#shared/text/clock-text.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { ClocksView } from '#shared/views/clocks/types.ts';
import { escapeText } from '../escape-text.ts';
import { clockTitle } from '../overview.ts';
import { formatBound } from '../times.ts';

type Quality = ReportClockDomain['quality'];

export interface ClockTableRow {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly isReference: boolean;
  readonly offset: string;
  readonly guaranteed: string;
  readonly likely: string;
  readonly drift: string;
  readonly anchors: string;
  readonly anchorsTitle: string;
  readonly quality: string;
  readonly isSet: boolean;
  /** ms; null = unknown. */
  readonly bounds: ReportClockDomain['offsetMs'];
  /** What a column is sorted by; null = not known, always last. */
  readonly keys: Readonly<Record<ClockSort, number | string | null>>;
}

/** Columns that the table can be sorted by; `trouble`: what needs a look first, the reference last. */
export const CLOCK_SORTS = ['trouble', 'name', 'offset', 'width', 'likely', 'drift', 'anchors'] as const;
export type ClockSort = (typeof CLOCK_SORTS)[number];

const KIND_WORDS: Readonly<Record<ReportClockDomain['kind'], string>> = { api: 'API', node: 'node', stream: 'stream' };
const DASH = '—';

/** In the order of the report: API server, nodes, streams, by name. */
export function clockTableRows(report: Report, settings: readonly ClockSetting[]): readonly ClockTableRow[] {
  const set = new Set(settings.map(({ clock }) => clock));
  const trouble = new Map(troubleOrder(report).map((id, i) => [id, i]));
  return report.clock.domains.map((domain) => {
    const { offsetMs, id, driftPpm, anchorKinds = [] } = domain;
    const isReference = id === report.clock.reference;
    const known = offsetMs !== null && !isReference;
    return {
      id,
      title: clockTitle(domain),
      kind: KIND_WORDS[domain.kind],
      isReference,
      offset: isReference ? 'reference' : offsetMs === null ? 'unknown' : `${groupedMs(offsetMs.estimate)} ms`,
      guaranteed: known ? grouped(intervalMs(offsetMs.low, offsetMs.high)) : DASH,
      likely: known ? grouped(intervalMs(offsetMs.likelyLow, offsetMs.likelyHigh)) : DASH,
      drift: driftPpm === null || isReference ? DASH : `${Math.abs(driftPpm).toFixed(1)} ppm`,
      anchors: formatCount(domain.anchors),
      anchorsTitle: anchorKinds
        .map(({ kind, count }) => `${formatCount(count)} ${kind.replaceAll('-', ' ')}`)
        .join(', '),
      quality: isReference ? 'reference' : `${domain.quality}${besideReference(report, domain)}`,
      isSet: set.has(id),
      bounds: isReference ? { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 } : offsetMs,
      keys: {
        trouble: trouble.get(id) ?? null,
        name: clockTitle(domain),
        offset: isReference ? 0 : (offsetMs?.estimate ?? null),
        width: known ? widthOf(offsetMs.low, offsetMs.high) : null,
        likely: known ? widthOf(offsetMs.likelyLow, offsetMs.likelyHigh) : null,
        drift: driftPpm === null || isReference ? null : Math.abs(driftPpm),
        anchors: domain.anchors,
      },
    };
  });
}

/** An open side is as wide as can be. */
const widthOf = (low: number | null, high: number | null): number =>
  low === null || high === null ? Number.POSITIVE_INFINITY : high - low;

/** Stable; unknown values last in either direction, equal ones by name. */
export function sortClocks(
  rows: readonly ClockTableRow[],
  by: ClockSort,
  descending: boolean,
): readonly ClockTableRow[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [a.keys[by], b.keys[by]];
    if (x === y) return a.title < b.title ? -1 : a.title > b.title ? 1 : 0;
    if (x === null) return 1;
    if (y === null) return -1;
    return (x < y ? -1 : 1) * (descending ? -1 : 1);
  });
}

const TROUBLE: Readonly<Record<Quality, number>> = { contradictory: 0, none: 1, incomplete: 2, loose: 3, good: 4 };

/** Ids of the clocks: those that contradict first, then what is unknown, open, wide; the reference last, equal ones by name. */
export function troubleOrder({ clock: { reference, domains } }: Report): readonly string[] {
  const level = (one: ReportClockDomain): number => (one.id === reference ? 9 : TROUBLE[one.quality]);
  const wide = ({ offsetMs }: ReportClockDomain): readonly number[] =>
    offsetMs === null
      ? [0, 0]
      : [widthOf(offsetMs.low, offsetMs.high), widthOf(offsetMs.likelyLow, offsetMs.likelyHigh)];
  // Two endless widths are equal: their difference is no number.
  const wider = (a: number | undefined = 0, b: number | undefined = 0): number => (a === b ? 0 : a > b ? -1 : 1);
  return [...domains]
    .sort((a, b) => {
      const [x, y] = [wide(a), wide(b)];
      return level(a) - level(b) || wider(x[0], y[0]) || wider(x[1], y[1]) || (a.id < b.id ? -1 : 1);
    })
    .map(({ id }) => id);
}

const THIN = '\u2009';
/** Groups of three in numbers of five digits and more before the point. */
const grouped = (text: string): string =>
  text.replace(/\d{5,}/g, (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, THIN));
/** `+57 930`. */
export const groupedMs = (ms: number): string => grouped(signedMs(ms));

/** What a clock's offset is against: the reference, or that of its own component where nothing relates it to the reference. */
function referenceOf({ clock }: Report, { component }: ReportClockDomain): ReportClockDomain | undefined {
  const main = clock.domains.find(({ id }) => id === clock.reference);
  if (main?.component === component) return main;
  return clock.domains.find((one) => one.component === component && one.offsetMs?.low === 0 && one.offsetMs.high === 0);
}

/** `, against node-b` where it is not the one that the screen names. */
function besideReference(report: Report, domain: ReportClockDomain): string {
  if (domain.offsetMs === null) return '';
  const own = referenceOf(report, domain);
  return own === undefined || own.id === report.clock.reference || own === domain ? '' : `, against ${clockTitle(own)}`;
}

const QUALITIES: readonly Quality[] = ['good', 'loose', 'incomplete', 'contradictory', 'none'];

/** `2 loose, 1 none`: the reference is not counted, it is what the others are compared with. */
export function qualityCounts({ clock }: Report): string {
  return QUALITIES.flatMap((quality) => {
    const count = clock.domains.filter((one) => one.quality === quality && one.id !== clock.reference).length;
    return count === 0 ? [] : [`${formatCount(count)} ${quality}`];
  }).join(', ');
}

/** A clock wider than this many times the usual one leaves the scale. */
const OFF_SCALE = 8;

/** Half of the whiskers' scale, ms around the offset of each: the farthest bound of any clock that is not out of all proportion. */
export function tableScale(rows: readonly ClockTableRow[]): number | null {
  const reaches = rows.flatMap(({ bounds, isReference }) => {
    if (bounds === null || isReference) return [];
    const ends = [bounds.low, bounds.high, bounds.likelyLow, bounds.likelyHigh];
    const far = ends.flatMap((end) => (end === null || !Number.isFinite(end) ? [] : [Math.abs(end - bounds.estimate)]));
    return far.length === 0 ? [] : [Math.max(...far)];
  });
  if (reaches.length === 0) return null;
  const sorted = reaches.sort((a, b) => a - b);
  return Math.max(0.01, Math.min(sorted.at(-1) ?? 0, OFF_SCALE * (sorted[(sorted.length - 1) >> 1] ?? 0)));
}

/**
 * From how far apart two records must be, on the clock of the first fault and on any other, for their order to be certain. The largest over
 * all related clocks; those that nothing relates are counted.
 */
export function orderSentence(report: Report, view: ClocksView | null): string {
  const total = report.clock.domains.length;
  if (total < 2) return 'One clock: the order of its records needs no correction.';
  if (view?.against == null || view.against.others.length === 0)
    return 'Order across clocks cannot be told from their times.';
  const { clock, others } = view.against;
  const halves = others.map(({ low, high, estimate }) =>
    low === null || high === null ? null : Math.max(high - estimate, estimate - low),
  );
  const known = halves.filter((half) => half !== null);
  const what =
    view.firstFault === null
      ? `Order against ${titleOf(report, clock)}`
      : `Order against the first fault on ${titleOf(report, clock)}`;
  const open = total - 1 - known.length;
  const rest = open === 0 ? '' : `, unknown for ${plural(open, 'clock')}`;
  if (known.length === 0) {
    const usual = others.flatMap(({ likelyLow, likelyHigh, estimate }) =>
      likelyLow === null || likelyHigh === null ? [] : [Math.max(likelyHigh - estimate, estimate - likelyLow)],
    );
    const likely = usual.length === 0 ? '' : `, likely from ${atLeastMs(Math.max(...usual))} on`;
    return `${what} is certain for no other clock${likely}.`;
  }
  return `${what} is certain from ${atLeastMs(Math.max(...known))} on${rest}.`;
}

/** Outwards: `38 ms`, `2.4 s`. The report tells microseconds; what is below is arithmetic. */
export function atLeastMs(exact: number): string {
  const ms = exact - 1e-6;
  if (ms >= 2000) return `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
  return ms >= 10 ? `${formatCount(Math.ceil(ms))} ms` : `${Math.max(0, Math.ceil(ms * 10) / 10).toFixed(1)} ms`;
}

export function titleOf(report: Report, id: string): string {
  const domain = report.clock.domains.find((one) => one.id === id);
  return domain === undefined ? escapeText(id) : clockTitle(domain);
}

export interface ClockStatement {
  readonly key: string;
  readonly lead: string;
  readonly text: string;
  readonly tone: 'plain' | 'fault';
  /** The evidence that excludes each other. */
  readonly cycle: readonly string[];
}

/** What is to be said: the chosen clock first, then faults, what alignment changed, what was left out, zones. */
/** `own`: the case's reference, where the screen compares with another clock; null = it is the one that is shown. */
export function clockStatements(
  report: Report,
  chosen: string | null,
  own: string | null = null,
): readonly ClockStatement[] {
  const { clock } = report;
  const plain = (key: string, lead: string, text: string): ClockStatement => ({
    key,
    lead,
    text,
    tone: 'plain',
    cycle: [],
  });
  return [
    ...(chosen === null ? [] : chosenStatement(report, chosen, own)),
    ...(clock.overrides ?? []).map((one) =>
      plain(
        `set ${one.clock}`,
        `${titleOf(report, one.clock)} is set by an analyst`,
        `to ${signedMs(one.offsetMs)} ms against ${titleOf(report, one.against)}, ${formatBound(one.boundMs)}. ${escapeText(one.reason)}`,
      ),
    ),
    ...(clock.faults ?? []).map(
      (fault, i): ClockStatement => ({
        key: `fault ${i}`,
        lead: fault.kind === 'step' ? 'A clock was set.' : 'Clocks contradict each other.',
        text: escapeText(fault.text),
        tone: 'fault',
        cycle: fault.cycle.map(escapeText),
      }),
    ),
    ...(clock.misnumbered ?? []).map(({ rank, group, certain }) =>
      plain(
        `numbered ${rank} ${group}`,
        `Rank ${formatCount(rank)} ${certain ? 'is' : 'may be'} numbered differently`,
        `in group ${escapeText(group)}: its calls contradict the other ranks, and are left out.`,
      ),
    ),
    ...(clock.changed ?? []).map((text, i) => plain(`changed ${i}`, 'Alignment changed the order.', escapeText(text))),
    ...(clock.rejected ?? []).map(({ text, count }, i) =>
      plain(`rejected ${i}`, 'Left out.', `${escapeText(text)}${count > 1 ? ` (${formatCount(count)} times)` : ''}`),
    ),
    ...zoneStatements(report, plain),
  ];
}

/** One clock in words: where its stamps are moved, by how much that may be wrong, or why they stay. */
function chosenStatement(report: Report, id: string, own: string | null): ClockStatement[] {
  const domain = report.clock.domains.find((one) => one.id === id);
  if (domain === undefined) return [];
  const title = clockTitle(domain);
  const reference = report.clock.reference;
  const lead = (words: string): string => `${title} ${words}`;
  const make = (first: string, text: string): ClockStatement[] => [
    { key: 'chosen', lead: first, text, tone: domain.quality === 'contradictory' ? 'fault' : 'plain', cycle: [] },
  ];
  if (id === reference && own !== null)
    return make(
      lead('is what the others are compared with here.'),
      `Times on other screens stay corrected to ${titleOf(report, own)}.`,
    );
  if (id === reference)
    return make(lead('is the reference.'), 'The other clocks are told against it; its times are shown as they are.');
  if (domain.offsetMs === null) {
    const why = domain.basis.map(escapeText).join('; ');
    return make(
      lead('keeps raw time.'),
      why === '' ? 'It shares no event with another clock. Its lanes carry “raw”.' : `${why}. Its lanes carry “raw”.`,
    );
  }
  const { estimate, low, high } = domain.offsetMs;
  const way = estimate >= 0 ? 'ahead of' : 'behind';
  const moved = estimate >= 0 ? 'back' : 'forward';
  if (own !== null) {
    const far =
      low === null || high === null
        ? 'On one side nothing bounds how wrong that is.'
        : `That can be wrong by ${atLeastMs(Math.max(high - estimate, estimate - low))} either way.`;
    return make(
      lead(`is ${way} ${titleOf(report, referenceOf(report, domain)?.id ?? reference ?? '')}.`),
      `By ${signedMs(Math.abs(estimate)).replace('+', '')} ms. ${far} Times on other screens stay corrected to ${titleOf(report, own)}.`,
    );
  }
  const wrong =
    low === null || high === null
      ? 'On one side nothing bounds how wrong that is.'
      : `They can still be wrong by ${atLeastMs(Math.max(high - estimate, estimate - low))} either way; away from the evidence by more, as drawn.`;
  return make(
    lead(`is ${way} ${titleOf(report, referenceOf(report, domain)?.id ?? reference ?? '')}.`),
    `Its stamps are moved ${moved} by ${signedMs(Math.abs(estimate)).replace('+', '')} ms. ${wrong}`,
  );
}

function zoneStatements(
  { clock }: Report,
  plain: (key: string, lead: string, text: string) => ClockStatement,
): readonly ClockStatement[] {
  const zones = clock.zones ?? [];
  const open = zones.filter(({ minutes }) => minutes === null);
  const proven = zones.filter(({ minutes }) => minutes !== null && minutes !== 0);
  return [
    ...proven.map(({ file, minutes, text }) =>
      plain(`zone ${file}`, `${escapeText(file)} is written in ${zoneName(minutes ?? 0)}:`, `${escapeText(text)}.`),
    ),
    ...(open.length === 0
      ? []
      : [
          plain(
            'zones open',
            `${plural(open.length, 'log')} of unknown zone.`,
            `Their times are compared with nothing outside of them: ${open
              .slice(0, 4)
              .map(({ file }) => escapeText(file.split('/').at(-1) ?? file))
              .join(', ')}${open.length > 4 ? ' and others' : ''}.`,
          ),
        ]),
  ];
}
