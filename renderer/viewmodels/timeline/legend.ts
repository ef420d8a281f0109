/** The legend's entries: only what is on screen, in the order state · certainty · missing. */
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { type SliceState, STATE } from '#shared/views/lanes/index.ts';
import type { OrderPlace } from './overlay.ts';
import type { RowLayout } from './rows.ts';
import type { TimeSpan } from './span.ts';
import { isBare, missingReason, stateOf } from './words.ts';

export type LegendKey =
  | SliceState
  | 'share'
  | 'open-end'
  | 'certain'
  | 'likely'
  | 'undecided'
  | 'whisker'
  | 'no-file'
  | 'no-records'
  | 'overwritten'
  | 'event'
  | 'warning'
  | 'error'
  | 'own-log';

export interface LegendEntry {
  readonly key: LegendKey;
  readonly word: string;
}

export interface LegendParts {
  readonly index: TimelineIndex;
  readonly layout: RowLayout;
  readonly span: TimeSpan;
  readonly width: number;
  readonly slices: {
    readonly state: Uint8Array;
    readonly open: Uint8Array;
    readonly startNs: Float64Array;
    readonly endNs: Float64Array;
    readonly instants: { readonly severity: Uint8Array };
  } | null;
  readonly cells: readonly Uint8Array[];
  readonly orders: readonly OrderPlace[];
  readonly anyDump: boolean;
}

const WORDS: Readonly<Partial<Record<SliceState, string>>> = {
  completed: 'completed',
  ended: 'ended, result unknown',
  enqueued: 'enqueued',
  waiting: 'waits',
  differs: 'differs',
  failed: 'failed',
  'never-enqueued': 'never enqueued',
  first: 'first rank',
};

export function legendEntries(parts: LegendParts): {
  readonly groups: readonly (readonly LegendEntry[])[];
  readonly scale: string;
} {
  const { index, layout, slices, span, width } = parts;
  const states = new Set<SliceState>();
  let openEnd = false;
  if (slices !== null)
    for (let i = 0; i < slices.state.length; i++) {
      if ((slices.endNs[i] ?? 0) < span.from || (slices.startNs[i] ?? 0) > span.to) continue;
      const state = slices.state[i] ?? 0;
      if (slices.open[i] === 1 && state <= STATE.ended) openEnd = true;
      else states.add(stateOf(state));
    }
  const heat = parts.cells.length > 0;
  for (const cells of parts.cells) for (const state of statesOfCells(cells)) states.add(stateOf(state));
  const state: LegendEntry[] = [];
  if (heat && (states.has('completed') || states.has('ended'))) {
    state.push({ key: 'share', word: 'completed, share of the time' });
    states.delete('completed');
    states.delete('ended');
  }
  if (openEnd) state.push({ key: 'open-end', word: 'ended, moment not recorded' });
  for (const [key, word] of Object.entries(WORDS))
    if (states.has(key as SliceState))
      state.push({ key: key as SliceState, word: heat && key === 'waiting' ? 'waits, front bright' : word });
  if (slices !== null) {
    const worst = new Set(
      [...slices.instants.severity].map((one) => (one >= 3 ? 'error' : one === 2 ? 'warning' : 'event')),
    );
    for (const key of ['event', 'warning', 'error'] as const)
      if (worst.has(key)) state.push({ key, word: key === 'event' ? 'log event' : key });
  }
  if (
    layout.tier === 'full' &&
    layout.shown.some((at) => (index.lanes[at]?.logFromNs ?? null) !== null && index.lanes[at]?.kind === 'rank')
  )
    state.push({ key: 'own-log', word: 'first to last log line' });
  const order: LegendEntry[] = [];
  const kinds = new Set(parts.orders.map((one) => one.order?.order ?? 'undecided'));
  if (kinds.has('certain')) order.push({ key: 'certain', word: 'order certain' });
  if (kinds.has('likely')) order.push({ key: 'likely', word: 'likely' });
  if (kinds.has('undecided')) order.push({ key: 'undecided', word: 'undecided ≈' });
  if (parts.orders.some((one) => one.order !== undefined && !one.order.sameClock))
    order.push({ key: 'whisker', word: 'guaranteed and likely bound' });
  const scale = layout.tier === 'heat' ? heatScale(layout, span, width) : '';
  return { groups: [state, order, missingEntries(parts, index)].filter((group) => group.length > 0), scale };
}

const known = new WeakMap<Uint8Array, ReadonlySet<number>>();

/** Millions of cells a picture: looked through once, not once a frame. */
function statesOfCells(cells: Uint8Array): ReadonlySet<number> {
  const before = known.get(cells);
  if (before !== undefined) return before;
  const seen = new Uint8Array(16);
  for (let i = 0; i < cells.length; i++) seen[(cells[i] ?? 0) & 15] = 1;
  const states = [...seen.keys()].filter(
    (state) => seen[state] === 1 && state !== STATE.none && state !== STATE.missing,
  );
  const found = new Set(states);
  known.set(cells, found);
  return found;
}

function missingEntries({ layout, span, anyDump }: LegendParts, index: TimelineIndex): LegendEntry[] {
  const found = new Set<LegendKey>();
  for (const at of layout.shown) {
    const lane = index.lanes[at];
    if (lane === undefined || lane.kind !== 'rank' || !(anyDump || isBare(lane))) continue;
    const reason = missingReason(lane);
    if (reason !== null) found.add(reason.pattern);
    if (reason === null && lane.heldFromNs !== null && lane.heldFromNs > span.from) found.add('overwritten');
  }
  const words = { 'no-file': 'no file', 'no-records': 'no records', overwritten: 'overwritten' } as const;
  return (['no-file', 'no-records', 'overwritten'] as const)
    .filter((key) => found.has(key))
    .map((key) => ({ key, word: words[key] }));
}

/** `1 px row = 8 ranks, worst state wins · 18 ms a px`. */
function heatScale(layout: RowLayout, span: TimeSpan, width: number): string {
  const perPx = (span.to - span.from) / Math.max(1, width);
  const time =
    perPx >= 1e9
      ? `${Number((perPx / 1e9).toPrecision(2))} s`
      : perPx >= 1e6
        ? `${Number((perPx / 1e6).toPrecision(2))} ms`
        : `${Number((perPx / 1e3).toPrecision(2))} µs`;
  const lanes = layout.lanesPerPx === 1 ? '1 rank a row' : `1 px row = ${formatCount(layout.lanesPerPx)} ranks`;
  return `${lanes}, worst state wins · ${time} a px`;
}
