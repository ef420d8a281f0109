/** Rows over two runs as their stored views tell them: how far and how fast they went, what they called, what only one of them printed. Pure. */
import { formatCount, formatDurationMs } from '../../text/format.ts';
import { type LanesView, SEVERITIES } from '../lanes/index.ts';
import type { RanksIndex } from '../ranks/index.ts';
import { type CompareRow, row, SECTIONS } from './row.ts';
import { type CallStream, pairStreams, type RunSteps } from './run.ts';

export interface RunFacts {
  readonly lanes: LanesView | undefined;
  readonly index: RanksIndex;
  readonly steps: RunSteps | null;
  readonly streams: readonly CallStream[];
}

/** Groups whose calls get rows of their own. */
const MOST_GROUPS = 3;
/** Kinds of messages. */
const MOST_KINDS = 8;

export function compareRuns(a: RunFacts, b: RunFacts): readonly CompareRow[] {
  return [...streamRows(a.streams, b.streams), ...progressRows(a, b), ...messageRows(a.lanes, b.lanes)];
}

/** Rows of several sources in the order of reading; inside a section as they came. */
export function inSections(rows: readonly CompareRow[]): readonly CompareRow[] {
  return SECTIONS.flatMap((section) => rows.filter((one) => one.section === section));
}

function streamRows(a: readonly CallStream[], b: readonly CallStream[]): CompareRow[] {
  return pairStreams(a, b)
    .slice(0, MOST_GROUPS)
    .flatMap(([x, y]) => [
      row(`calls ${x.group}`, `Calls in ${x.group}`, heldText(x), heldText(y), {
        section: 'call',
        kind: 'how far',
        weak: true,
      }),
      programRow(x, y),
    ]);
}

/** `#1–#65`; what the recorder no longer holds is not in it. */
function heldText({ ops }: CallStream): string | null {
  let [least, most] = [Number.POSITIVE_INFINITY, -1];
  for (const seq of ops.keys()) [least, most] = [Math.min(least, seq), Math.max(most, seq)];
  return most < 0 ? null : `#${least} to #${most} recorded`;
}

/** Call by call, over the numbers that both recorded: where do the two programs part? */
function programRow(x: CallStream, y: CallStream): CompareRow {
  const parts = { section: 'call', telling: true } as const;
  const [id, name] = [`program ${x.group}`, `Order of calls in ${x.group}`];
  const both = [...x.ops.keys()].filter((seq) => y.ops.has(seq)).sort((p, q) => p - q);
  const [first] = both;
  if (first === undefined) return row(id, name, null, null, parts);
  const differing = both.filter((seq) => x.ops.get(seq) !== y.ops.get(seq));
  const [at] = differing;
  if (at === undefined) {
    const same = `the same operations, #${first} to #${both.at(-1) ?? first}`;
    return row(id, name, same, same, { ...parts, kindEqual: `${formatCount(both.length)} calls alike` });
  }
  return row(id, name, `#${at} is ${x.ops.get(at)}`, `#${at} is ${y.ops.get(at)}`, {
    ...parts,
    kind: `first of ${formatCount(differing.length)} that differ`,
  });
}

function progressRows(a: RunFacts, b: RunFacts): CompareRow[] {
  const section = 'run';
  const ran = ({ index: { time } }: RunFacts): string | null =>
    time === null ? null : formatDurationMs((time.spans.corrected.to - time.spans.corrected.from) / 1e6);
  const until = ({ index: { time } }: RunFacts): string | null =>
    time?.fault == null ? null : formatDurationMs((time.fault.at.corrected - time.spans.corrected.from) / 1e6);
  const last = ({ steps }: RunFacts): string | null => (steps?.last == null ? null : formatCount(steps.last));
  const usual = ({ steps }: RunFacts): string | null =>
    steps?.usualNs == null ? null : formatDurationMs(steps.usualNs / 1e6);
  const [x, y] = [a.steps?.usualNs ?? null, b.steps?.usualNs ?? null];
  return [
    row('last-step', 'Last step that is printed', last(a), last(b), { section, kind: 'how far' }),
    row('step-time', 'Usual time a step', usual(a), usual(b), {
      section,
      kind: x === null || y === null ? '' : ratioWords(x, y),
      weak: x !== null && y !== null && Math.max(x, y) < ALIKE * Math.min(x, y),
    }),
    row('until-fault', 'From the first stamp to the fault', until(a), until(b), {
      section,
      kind: 'time only',
      weak: true,
    }),
    row('ran', 'From first to last stamp', ran(a), ran(b), { section, kind: 'time only', weak: true }),
  ];
}

/** Times that are less than this many times apart are about the same. */
const ALIKE = 1.1;

/** `A is 2.4 times slower`; under a tenth it says that it is about the same. */
function ratioWords(a: number, b: number): string {
  const ratio = a > b ? a / b : b / a;
  if (!Number.isFinite(ratio)) return '';
  if (ratio < ALIKE) return 'about the same';
  return `${a > b ? 'A' : 'B'} is ${ratio >= 10 ? formatCount(ratio) : ratio.toFixed(1)} times slower`;
}

interface Seen {
  readonly count: number;
  readonly severity: number;
}

/** Kinds of trouble that only one of the two prints, the loudest first: what both print tells nothing of the difference. */
function messageRows(a: LanesView | undefined, b: LanesView | undefined): CompareRow[] {
  const [x, y] = [messagesOf(a), messagesOf(b)];
  // Without a line with a time nothing can be missing in it.
  if (x === null || y === null) return [];
  const [one, two] = [onlyText(x, y), onlyText(y, x)];
  return [
    row('messages', 'Printed by one only', one, two, {
      section: 'messages',
      kind: one === NONE || two === NONE ? `only in ${one === NONE ? 'B' : 'A'}` : '',
    }),
  ];
}

const NONE = 'nothing that the other does not print';

function onlyText(own: ReadonlyMap<string, Seen>, other: ReadonlyMap<string, Seen>): string {
  const kinds = [...own].filter(([kind]) => !other.has(kind));
  kinds.sort(([p, x], [q, y]) => y.severity - x.severity || y.count - x.count || (p < q ? -1 : 1));
  const words = kinds
    .slice(0, MOST_KINDS)
    .map(([kind, { count }]) => `${kind.replaceAll('-', ' ')} ${formatCount(count)}×`);
  const more = kinds.length - words.length;
  return words.length === 0 ? NONE : `${words.join(', ')}${more > 0 ? ` and ${formatCount(more)} more kinds` : ''}`;
}

/** Kinds from warnings on. Null: no line of the case has a time. */
function messagesOf(view: LanesView | undefined): ReadonlyMap<string, Seen> | null {
  if (view === undefined || view.instants.length === 0) return null;
  const least = SEVERITIES.indexOf('warn');
  const found = new Map<string, Seen>();
  const { kind, severity, length } = view.instants;
  for (let i = 0; i < length; i++) {
    const own = severity[i] ?? 0;
    const name = view.kinds[kind[i] ?? -1];
    if (own < least || name === undefined) continue;
    const known = found.get(name);
    found.set(name, { count: (known?.count ?? 0) + 1, severity: Math.max(own, known?.severity ?? 0) });
  }
  return found;
}
