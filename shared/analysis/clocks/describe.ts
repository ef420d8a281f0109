/** From the solver's numbers to the fact: milliseconds, qualities, sentences, and both sides of what set each bound. */
import type { ClockAnchor, ClockAnchors, ClockDomain, ClockFault, ClocksFact } from '../../model/facts.ts';
import { type EpochNs, epochNs } from '../../model/time.ts';
import type { ClockKind } from './clock-kinds.ts';
import type { ToldStep } from './evidence/clock-notes.ts';
import type { EvidenceTable, Label } from './evidence/evidence-table.ts';
import type { RecorderEvidence } from './evidence/recorder.ts';
import type { ClockOverride } from './overrides.ts';
import { type Aligned, MAX_RATE } from './solver/align.ts';
import { type Binding, bindingRows } from './solver/binding.ts';
import type { Cycle } from './solver/cycle.ts';
import type { Operations } from './solver/operations.ts';

export interface Evidence {
  readonly table: EvidenceTable;
  readonly operations: Operations;
  readonly moments: Float64Array;
  readonly recorder: RecorderEvidence;
  /** Steps that time services tell of. */
  readonly steps: readonly ToldStep[];
  readonly notes: readonly string[];
  readonly overrides: readonly ClockOverride[];
}

export interface Description {
  readonly kinds: ReadonlyMap<string, ClockKind>;
  /** Ids by index; the last one is hidden. */
  readonly names: readonly string[];
  readonly evidence: Evidence;
  readonly aligned: Aligned;
}

/** A guaranteed interval at most this wide is a good one (report contract). */
const GOOD_WIDTH_MS = 100;

const ASSUMPTIONS: readonly string[] = [
  'no clock moves faster than 600 ppm against the common time; whatever does counts as a step',
  'guaranteed bounds use only what came before what; likely ones also that the ends of one call lie within 2 ms, that clocks keep within 250 ppm where nothing contradicts it, usual delays of writes, and programs that wait for their calls',
  'an offset is that of the newest line of the job on its clock, or of the newest evidence where no line tells; for stamps further away its bounds widen by 600 ppm of the distance',
];

export function describeClocks(description: Description): ClocksFact {
  const { kinds, names, evidence, aligned } = description;
  const visible = [...kinds.keys()];
  const linked = componentsShown(aligned, visible.length);
  const main = linked[0];
  const reference = main === undefined ? undefined : names[aligned.references[main] ?? -1];
  const unreconciled = new Set(aligned.resolution.unreconciled.flatMap(({ domain, others }) => [domain, ...others]));
  const anchors = anchorsByClock(description);
  let alone = linked.length - 1;
  const domains = visible.map((id, d): ClockDomain => {
    const shown = linked.indexOf(aligned.component[d] ?? -1);
    if (shown < 0) alone += 1;
    return domainOf(description, {
      id,
      d,
      kind: kinds.get(id) ?? 'stream',
      component: shown < 0 ? alone : shown,
      isLinked: shown >= 0,
      isReference: shown >= 0 && aligned.references[linked[shown] ?? -1] === d,
      contradictory: unreconciled.has(d),
      anchors: anchors[d],
    });
  });
  return {
    reference,
    domains,
    faults: faultsOf(description),
    rejected: rejectedOf(description),
    misnumbered: evidence.recorder.misnumbered,
    largestDriftPpm: MAX_RATE * 1e6,
    assumptions: ASSUMPTIONS,
    ...(evidence.overrides.length === 0 ? {} : { overrides: evidence.overrides }),
  };
}

/** Components with two clocks to show, largest first: the report's numbers. */
function componentsShown({ component }: Aligned, visible: number): readonly number[] {
  const sizes = new Map<number, number>();
  for (const c of component.subarray(0, visible)) if (c >= 0) sizes.set(c, (sizes.get(c) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size >= 2)
    .sort(([a, m], [b, n]) => n - m || a - b)
    .map(([c]) => c);
}

interface Row {
  readonly id: string;
  readonly d: number;
  readonly kind: ClockKind;
  readonly component: number;
  readonly isLinked: boolean;
  readonly isReference: boolean;
  readonly contradictory: boolean;
  readonly anchors: (ClockAnchors & { readonly count: number }) | undefined;
}

function domainOf({ aligned, evidence }: Description, row: Row): ClockDomain {
  const { id, kind, component, d } = row;
  const { count, ...anchors } = row.anchors ?? { count: 0, kinds: [], ...NO_ENDS };
  const bare = {
    id,
    kind,
    offset: undefined,
    driftPpm: undefined,
    anchors: count,
    component,
    momentNs: stampAt(evidence.table, evidence.moments[d] ?? 0),
    ...(row.anchors === undefined ? {} : { anchorsOf: anchors }),
  };
  const basis = [anchors.low, anchors.likelyLow, anchors.high, anchors.likelyHigh].flatMap((one) => one?.text ?? []);
  if (row.contradictory) return { ...bare, quality: 'contradictory', basis: contradictionTexts(aligned, evidence, d) };
  if (!row.isLinked) return { ...bare, quality: 'none', basis: [...new Set(basis)] };
  if (row.isReference) return { ...bare, ...REFERENCE };
  const offset = offsetOf(aligned, d);
  const drift = aligned.driftPpm[d] ?? Number.NaN;
  return {
    ...bare,
    offset,
    driftPpm: Number.isFinite(drift) ? Math.round(drift * 10) / 10 : undefined,
    quality: qualityOf(offset),
    basis: [...new Set(basis)],
  };
}

const NO_ENDS = { low: undefined, high: undefined, likelyLow: undefined, likelyHigh: undefined } as const;
const REFERENCE = {
  offset: { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 },
  quality: 'good',
  basis: ['the reference: all offsets are against it'],
} as const;

type Offset = NonNullable<ClockDomain['offset']>;

function offsetOf({ estimate, guaranteed, likely }: Aligned, d: number): Offset {
  return {
    estimate: round((estimate[d] ?? 0) / 1e6),
    low: finite(floor((guaranteed.low[d] ?? -Infinity) / 1e6)),
    high: finite(ceil((guaranteed.high[d] ?? Infinity) / 1e6)),
    likelyLow: finite(floor((likely.low[d] ?? -Infinity) / 1e6)),
    likelyHigh: finite(ceil((likely.high[d] ?? Infinity) / 1e6)),
  };
}

const finite = (ms: number): number | undefined => (Number.isFinite(ms) ? ms : undefined);
const qualityOf = ({ low, high }: Offset): ClockDomain['quality'] =>
  low === undefined || high === undefined ? 'incomplete' : high - low <= GOOD_WIDTH_MS ? 'good' : 'loose';

/** To microseconds, outwards: no bound becomes tighter by rounding. */
const floor = (ms: number): number => Math.floor(ms * 1000) / 1000;
const ceil = (ms: number): number => Math.ceil(ms * 1000) / 1000;
const round = (ms: number): number => Math.round(ms * 1000) / 1000;

const stampAt = (table: EvidenceTable, relative: number): EpochNs =>
  epochNs(table.baseNs + BigInt(Math.round(relative)));

function anchorsByClock({
  names,
  evidence,
  aligned,
}: Description): ((ClockAnchors & { readonly count: number }) | undefined)[] {
  const { operations, table } = evidence;
  const counts = new Map<number, Map<string, number>>();
  for (let k = 0; k < operations.count; k++) {
    const kind = table.labels[operations.label[k] ?? -1]?.kind;
    // A usual delay is the other side of a pair that is counted already.
    if (kind === undefined || kind === 'usual-delay') continue;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const d = operations.domain[row] ?? 0;
      const known = counts.get(d) ?? new Map<string, number>();
      counts.set(d, known.set(kind, (known.get(kind) ?? 0) + 1));
    }
  }
  const bindings = {
    guaranteed: bindingRows(aligned.systems.guaranteed, aligned.references, aligned.component),
    likely: bindingRows(aligned.systems.likely, aligned.references, aligned.component),
  };
  const anchor = (binding: Binding | undefined): ClockAnchor | undefined =>
    binding === undefined ? undefined : anchorOf({ names, evidence }, binding);
  return names.map((_, d) => {
    const kinds = [...(counts.get(d) ?? [])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, count]) => ({ kind, count }));
    if (kinds.length === 0) return undefined;
    return {
      kinds,
      count: kinds.reduce((sum, { count }) => sum + count, 0),
      low: anchor(bindings.guaranteed.low[d]),
      high: anchor(bindings.guaranteed.high[d]),
      likelyLow: anchor(bindings.likely.low[d]),
      likelyHigh: anchor(bindings.likely.high[d]),
    };
  });
}

/** One operation as evidence: its sentence, and both sides as raw stamps on their clocks. */
export function anchorOf(
  { names, evidence }: { readonly names: readonly string[]; readonly evidence: Pick<Evidence, 'table' | 'operations'> },
  binding: Binding,
): ClockAnchor {
  const { operations, table } = evidence;
  const label = table.labels[operations.label[binding.operation] ?? -1];
  const side = (row: number, ns: number): ClockAnchor['before'] => {
    const clock = names[operations.domain[row] ?? -1];
    return clock === undefined ? undefined : { clock, rawNs: stampAt(table, ns) };
  };
  const own = (columns: readonly Float64Array[], row: number): number =>
    columns.map((column) => column[row] ?? Number.NaN).find(Number.isFinite) ?? 0;
  return {
    text: label === undefined ? '' : textOf(label, operations.detail[binding.operation] ?? 0),
    source: label?.source,
    before: side(binding.before, own([operations.likelyLow, operations.low], binding.before)),
    after: side(binding.after, own([operations.likelyHigh, operations.high], binding.after)),
  };
}

const NUMBERED: readonly Label['kind'][] = ['collective', 'lockstep', 'progress'];
const textOf = ({ kind, why }: Label, detail: number): string =>
  NUMBERED.includes(kind) ? `${why} (${kind === 'progress' ? 'step' : 'number'} ${detail})` : why;

/** What excludes each other, each sentence once. */
export function cycleTexts(
  { evidence }: { readonly evidence: Pick<Evidence, 'table' | 'operations'> },
  cycle: Cycle,
): readonly string[] {
  const { operations, table } = evidence;
  return [
    ...new Set(
      cycle.operations.flatMap((k) => {
        const label = table.labels[operations.label[k] ?? -1];
        return label === undefined ? [] : [textOf(label, operations.detail[k] ?? 0)];
      }),
    ),
  ];
}

function contradictionTexts(aligned: Aligned, evidence: Evidence, d: number): readonly string[] {
  const found = aligned.resolution.unreconciled.find(({ domain, others }) => domain === d || others.includes(d));
  return found === undefined ? [] : cycleTexts({ evidence }, found.cycle);
}

function faultsOf(description: Description): readonly ClockFault[] {
  const { names, evidence, aligned } = description;
  const nameOf = (d: number): string => names[d] ?? '';
  const backs = evidence.recorder.setBacks.map(
    (back): ClockFault => ({
      kind: 'step',
      clocks: [nameOf(back.domain)],
      sizeMs: -round(back.sizeNs / 1e6),
      between: { from: stampAt(evidence.table, back.afterNs), to: stampAt(evidence.table, back.beforeNs) },
      cycle: ['calls of its own ranks that end before they begin, or begin before earlier ones'],
      text: `The clock of ${nameOf(back.domain)} was set back by about ${(back.sizeNs / 1e6).toFixed(0)} ms while the job ran, as its own ranks show; only what came after that is used.`,
    }),
  );
  const steps = aligned.resolution.steps.map((step): ClockFault => {
    const clocks = [step.domain, ...step.others].map(nameOf);
    const sizeMs = Number.isFinite(step.sizeNs) ? round(step.sizeNs / 1e6) : undefined;
    const far = sizeMs === undefined ? '' : ` by about ${Math.abs(sizeMs).toFixed(0)} ms`;
    const way = sizeMs !== undefined && sizeMs < 0 ? 'was set back' : 'jumped forwards';
    return {
      kind: 'step',
      clocks,
      sizeMs,
      between: { from: stampAt(evidence.table, step.afterNs), to: stampAt(evidence.table, step.beforeNs) },
      cycle: cycleTexts(description, step.cycle),
      text: `The clock of ${clocks.join(' or of ')} ${way}${far} while the job ran; only what came after that is used.`,
    };
  });
  const rest = aligned.resolution.unreconciled.map(({ domain, others, cycle }): ClockFault => {
    const clocks = [domain, ...others].map(nameOf);
    return {
      kind: 'unreconciled',
      clocks,
      sizeMs: undefined,
      between: undefined,
      cycle: cycleTexts(description, cycle),
      text: `The clock of ${clocks.join(' or of ')} cannot be reconciled with the others, or ranks there are numbered differently.`,
    };
  });
  return [...evidence.steps.flatMap((step) => toldFault(description, step)), ...backs, ...steps, ...rest];
}

/** A step that the clock's own time service tells of, where it lies in what the bundle holds of the job. */
function toldFault({ names, evidence }: Description, step: ToldStep): readonly ClockFault[] {
  if (!step.matters) return [];
  const name = names[step.domain] ?? '';
  const sizeMs = step.sizeNs === undefined ? undefined : round(step.sizeNs / 1e6);
  const way =
    sizeMs === undefined
      ? 'was moved, by how much is not told'
      : `was ${sizeMs < 0 ? 'set back' : 'moved forwards'} by ${Math.abs(sizeMs).toFixed(0)} ms`;
  return [
    {
      kind: 'step',
      clocks: [name],
      sizeMs,
      between: { from: stampAt(evidence.table, step.beforeNs), to: stampAt(evidence.table, step.afterNs) },
      cycle: [`a line of ${step.tool} on ${name}`],
      text: `The clock of ${name} ${way}, as ${step.tool} wrote; only what lies on the incident's side of that is used.`,
    },
  ];
}

function rejectedOf({ evidence, aligned }: Description): NonNullable<ClocksFact['rejected']> {
  const counts = new Map<string, number>();
  for (const { operations } of aligned.resolution.rejected) {
    for (const k of operations) {
      const why = evidence.table.labels[evidence.operations.label[k] ?? -1]?.why ?? '';
      const text = `Not used, since it contradicts the rest: ${why}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  for (const note of evidence.notes) counts.set(note, 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([text, count]) => ({ text, count }));
}
