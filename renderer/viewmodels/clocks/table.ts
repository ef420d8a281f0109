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
}

const KIND_WORDS: Readonly<Record<ReportClockDomain['kind'], string>> = { api: 'API', node: 'node', stream: 'stream' };
const DASH = '—';

/** In the order of the report: API server, nodes, streams, by name. */
export function clockTableRows(report: Report, settings: readonly ClockSetting[]): readonly ClockTableRow[] {
  const set = new Set(settings.map(({ clock }) => clock));
  return report.clock.domains.map((domain) => {
    const { offsetMs, id, driftPpm, anchorKinds = [] } = domain;
    const isReference = id === report.clock.reference;
    const known = offsetMs !== null && !isReference;
    return {
      id,
      title: clockTitle(domain),
      kind: KIND_WORDS[domain.kind],
      isReference,
      offset: isReference ? 'reference' : offsetMs === null ? 'unknown' : `${signedMs(offsetMs.estimate)} ms`,
      guaranteed: known ? intervalMs(offsetMs.low, offsetMs.high) : DASH,
      likely: known ? intervalMs(offsetMs.likelyLow, offsetMs.likelyHigh) : DASH,
      drift: driftPpm === null || isReference ? DASH : `${Math.abs(driftPpm).toFixed(1)} ppm`,
      anchors: formatCount(domain.anchors),
      anchorsTitle: anchorKinds
        .map(({ kind, count }) => `${formatCount(count)} ${kind.replaceAll('-', ' ')}`)
        .join(', '),
      quality: isReference ? 'reference' : `${domain.quality}${besideReference(report, domain)}`,
      isSet: set.has(id),
      bounds: isReference ? { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 } : offsetMs,
    };
  });
}

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

/** Half of the whisker's scale, ms: the farthest finite bound of any clock. */
export function tableScale(rows: readonly ClockTableRow[]): number | null {
  const ends = rows.flatMap(({ bounds, isReference }) =>
    bounds === null || isReference
      ? []
      : [bounds.estimate, bounds.low, bounds.high, bounds.likelyLow, bounds.likelyHigh],
  );
  const finite = ends.filter((value): value is number => value !== null && Number.isFinite(value));
  return finite.length === 0 ? null : Math.max(1, ...finite.map(Math.abs));
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
