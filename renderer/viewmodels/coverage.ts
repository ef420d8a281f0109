/** From when to when each file tells something, against the span of the incident: bars, and words for what begins late, ends early or is missing. */
import { formatRanks, nameRanks } from '#shared/lib/rank-set.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount, formatDurationMs, plural } from '#shared/text/format.ts';
import type { CoverageView, FileCoverage } from '#shared/views/coverage/types.ts';
import { boundHalfNs, type LaneBasis, shiftOf } from '#shared/views/lanes/clock-correction.ts';
import { escapeText } from './escape-text.ts';
import { comparePaths } from './file-rows.ts';
import { momentLabel } from './timeline/axis.ts';
import type { TimeSpan } from './timeline/span.ts';
import { formatBound } from './times.ts';

/** Shares of the axis, 0 to 1. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  /** It goes on beyond the axis. */
  readonly cutLeft: boolean;
  readonly cutRight: boolean;
}

export interface FileSpan {
  readonly file: FileCoverage;
  /** Null: no stamp of it can be placed. */
  readonly bar: Bar | null;
  /** Where it begins and ends, ns from the origin; null without a bar. */
  readonly ends: TimeSpan | null;
  /** `09:00:06 – 09:13:05`; empty without a bar. */
  readonly times: string;
  /** What makes the times honest: `corrected, ±1.2 s`, `raw, clock of gpu-a17`. */
  readonly basis: string;
  /** `ends 10 m 3 s early`; empty where nothing stands out, or where its clock cannot be compared. */
  readonly notes: readonly string[];
}

export interface CoverageModel {
  readonly view: CoverageView;
  readonly basis: LaneBasis;
  /** Of the axis: from the first to the last stamp of files that ranks wrote. */
  readonly span: TimeSpan;
  /** Share of the axis; null = not known, or beyond it. */
  readonly fault: number | null;
  /** Sorted. */
  readonly nodes: readonly string[];
  readonly spans: ReadonlyMap<number, FileSpan>;
}

/** What is less of the axis than this is no news: programs end within seconds of each other. Chosen, not measured. */
const NEWS_SHARE = 0.05;
const NEWS_NS = 1e9;

export function coverageModel(view: CoverageView, basis: LaneBasis): CoverageModel | null {
  const span = axisOf(view, basis);
  if (span === null) return null;
  const share = (at: number): number => (at - span.from) / (span.to - span.from);
  const faultAt = view.fault === null ? null : share(view.fault.atNs - shiftOf(view, view.fault.clock, basis));
  return {
    ...{ view, basis, span },
    fault: faultAt === null || faultAt < 0 || faultAt > 1 ? null : faultAt,
    nodes: [...new Set(view.files.flatMap(({ nodes }) => nodes))].sort(comparePaths),
    spans: new Map(view.files.map((file) => [file.entry, spanOf(view, file, span, basis)])),
  };
}

/** Null where no file has a stamp. */
function axisOf(view: CoverageView, basis: LaneBasis): TimeSpan | null {
  const written = view.files.filter(({ of }) => of === 'log' || of === 'dump');
  const own = written.filter(({ ranks }) => ranks.length > 0);
  const ends = (files: readonly FileCoverage[]) =>
    files.flatMap(({ fromNs, toNs, clock }) =>
      fromNs === null || toNs === null ? [] : [{ from: fromNs, to: toNs, shift: shiftOf(view, clock, basis) }],
    );
  const known = [own, written, view.files].map(ends).find((list) => list.length > 0) ?? [];
  if (known.length === 0) return null;
  const from = known.reduce((least, one) => Math.min(least, one.from - one.shift), Number.POSITIVE_INFINITY);
  const to = known.reduce((most, one) => Math.max(most, one.to - one.shift), Number.NEGATIVE_INFINITY);
  return { from, to: Math.max(to, from + 1e6) };
}

function spanOf(view: CoverageView, file: FileCoverage, axis: TimeSpan, basis: LaneBasis): FileSpan {
  const { fromNs, toNs, clock: index } = file;
  if (fromNs === null || toNs === null) return { file, bar: null, ends: null, times: '', basis: '', notes: [] };
  const shift = shiftOf(view, index, basis);
  const [from, to] = [fromNs - shift, toNs - shift];
  const share = (at: number): number => Math.max(0, Math.min(1, (at - axis.from) / (axis.to - axis.from)));
  const label = (at: number): string => momentLabel(at, BigInt(view.originNs), axis).replace(/(:\d\d)\.\d{3,9}$/, '$1');
  const clock = view.clocks[index];
  const related = clock?.offsetNs != null;
  const half = boundHalfNs(clock, fromNs);
  return {
    file,
    bar: { from: share(from), to: share(to), cutLeft: from < axis.from, cutRight: to > axis.to },
    ends: { from, to },
    times: `${label(from)} – ${label(to)}`,
    basis:
      basis === 'raw' || !related
        ? `raw, ${clock === undefined ? 'clock unknown' : `clock of ${escapeText(clock.id)}`}`
        : `corrected${half === null ? ', bound unknown' : half === 0 ? '' : `, ${formatBound(half / 1e6)}`}`,
    // What no rank wrote, like the log of a node, ends when it was taken.
    notes:
      basis === 'corrected' && related && file.of === 'log' && file.ranks.length > 0
        ? notesOf({ from, to }, axis, half ?? 0)
        : [],
  };
}

function notesOf({ from, to }: TimeSpan, axis: TimeSpan, halfNs: number): readonly string[] {
  const news = Math.max((axis.to - axis.from) * NEWS_SHARE, NEWS_NS, halfNs);
  const late = from - axis.from;
  const early = axis.to - to;
  return [
    ...(late > news ? [`starts ${formatDurationMs(late / 1e6)} late`] : []),
    ...(early > news ? [`ends ${formatDurationMs(early / 1e6)} early`] : []),
  ];
}

export interface PlaceRow {
  readonly kind: 'place';
  readonly key: string;
  readonly title: string;
  readonly detail: string;
}

export interface FileBarRow {
  readonly kind: 'file';
  readonly key: string;
  readonly entry: EntryRow;
  /** Escaped; the last part of its path. */
  readonly name: string;
  readonly span: FileSpan;
}

/** Recorder dumps of one place, drawn as one: from the first to the last moment of any. */
export interface DumpsRow {
  readonly kind: 'dumps';
  readonly key: string;
  readonly label: string;
  readonly node: string | null;
  /** The one file, where it is one. */
  readonly entry: EntryRow | null;
  readonly bar: Bar | null;
  readonly times: string;
  readonly basis: string;
}

export interface MissingRow {
  readonly kind: 'missing';
  readonly key: string;
  readonly what: 'log' | 'dump';
  /** Pods without a log, or ranks without a dump. */
  readonly count: number;
  readonly label: string;
  /** What the bar says inside. */
  readonly reason: string;
}

export type CoverageRow = PlaceRow | FileBarRow | DumpsRow | MissingRow;

interface Place {
  readonly title: string;
  readonly node: string | null;
  readonly pods: Set<string>;
  readonly ranks: Set<number>;
  readonly files: { readonly entry: EntryRow; readonly span: FileSpan }[];
  readonly missing: MissingRow[];
}

/**
 * Place by place, in the order of ranks: its logs, its dumps as one row, and what is not there. `entries`: the files that the filter leaves;
 * `node`: the chosen one, null = all; `whole`: nothing is filtered, so that what is missing may be told.
 */
export function coverageRows(
  model: CoverageModel,
  entries: readonly EntryRow[],
  { node, whole }: { readonly node: string | null; readonly whole: boolean },
): readonly CoverageRow[] {
  const places = new Map<string, Place>();
  const placeOf = (key: string, title: string, of: string | null): Place => {
    const known = places.get(key);
    if (known !== undefined) return known;
    const made: Place = { title, node: of, pods: new Set(), ranks: new Set(), files: [], missing: [] };
    places.set(key, made);
    return made;
  };
  for (const entry of entries) {
    const span = model.spans.get(entry.id);
    if (span === undefined || span.file.of === null) continue;
    const { pods, ranks } = span.file;
    const place = placeOf(...homeOf(span.file));
    place.files.push({ entry, span });
    for (const name of pods) place.pods.add(name);
    for (const rank of ranks) place.ranks.add(rank);
  }
  if (whole)
    for (const { pod, node: of, ranks, log, withoutDump } of model.view.pods) {
      // What holds no rank, like a launcher, need not have written anything.
      if ((node !== null && of !== node) || ranks.length === 0) continue;
      const place = placeOf(...homeOf({ nodes: of === null ? [] : [of], pods: [pod] }));
      place.pods.add(pod);
      for (const rank of ranks) place.ranks.add(rank);
      if (!log) place.missing.push(missing('log', pod, 1, `Log of ${escapeText(pod)}`));
      if (withoutDump.length > 0)
        place.missing.push(missing('dump', pod, withoutDump.length, `Dump of ${nameRanks(withoutDump)}`));
    }
  return [...places.entries()]
    .filter(([, place]) => place.files.length > 0 || place.missing.length > 0)
    .sort(([a, x], [b, y]) => orderOf(x) - orderOf(y) || comparePaths(a, b))
    .flatMap(placeRows);
}

/** Key, title and node of the place that a file stands under. */
function homeOf({ nodes, pods }: Pick<FileCoverage, 'nodes' | 'pods'>): [string, string, string | null] {
  const [node] = nodes;
  const [pod] = pods;
  if (nodes.length > 1) return ['several', 'Of several nodes', null];
  if (node !== undefined) return [`node ${node}`, node, node];
  return pod !== undefined && pods.length === 1 ? [`pod ${pod}`, pod, null] : ['none', 'Of no single node', null];
}

const missing = (what: MissingRow['what'], pod: string, count: number, label: string): MissingRow => ({
  ...{ kind: 'missing', key: `missing ${what} ${pod}`, what, count, label },
  reason: what === 'log' ? 'no log file' : count === 1 ? 'no file' : `${formatCount(count)} files not there`,
});

/** By the lowest rank; what has none comes last. */
const orderOf = ({ ranks }: Place): number =>
  [...ranks].reduce((least, rank) => Math.min(least, rank), Number.MAX_SAFE_INTEGER);

function placeRows([key, place]: [string, Place]): CoverageRow[] {
  const { title, node, pods, ranks, files } = place;
  const [pod] = pods;
  const parts = [
    pods.size === 1 && pod !== title ? `Pod ${escapeText(pod ?? '')}` : pods.size > 1 ? plural(pods.size, 'Pod') : '',
    ranks.size === 0 ? '' : ranks.size === 1 ? `rank ${formatRanks(ranks)}` : `ranks ${formatRanks(ranks)}`,
  ];
  const dumps = files.filter(({ span }) => span.file.of === 'dump');
  const others = files.filter(({ span }) => span.file.of !== 'dump');
  others.sort((a, b) => comparePaths(a.entry.path, b.entry.path));
  return [
    { kind: 'place', key, title: escapeText(title), detail: parts.filter((part) => part !== '').join(', ') },
    ...others.map(
      ({ entry, span }): FileBarRow => ({
        ...{ kind: 'file', key: `file ${entry.id}`, entry, span },
        name: escapeText(entry.path.slice(entry.path.lastIndexOf('/') + 1)),
      }),
    ),
    ...(dumps.length === 0 ? [] : [dumpsRow(key, node, dumps)]),
    ...place.missing,
  ];
}

function dumpsRow(key: string, node: string | null, dumps: Place['files']): DumpsRow {
  const bars = dumps.flatMap(({ span }) => span.bar ?? []);
  const [one] = dumps;
  return {
    kind: 'dumps',
    key: `dumps ${key}`,
    label:
      dumps.length === 1 && one !== undefined
        ? escapeText(one.entry.path.slice(one.entry.path.lastIndexOf('/') + 1))
        : plural(dumps.length, 'recorder dump'),
    node,
    entry: dumps.length === 1 ? (one?.entry ?? null) : null,
    bar:
      bars.length === 0
        ? null
        : {
            from: Math.min(...bars.map(({ from }) => from)),
            to: Math.max(...bars.map(({ to }) => to)),
            cutLeft: bars.some(({ cutLeft }) => cutLeft),
            cutRight: bars.some(({ cutRight }) => cutRight),
          },
    times: timesOf(dumps.map(({ span }) => span)),
    basis: one?.span.basis ?? '',
  };
}

/** From the first beginning to the last end. By the moments: as text `00:00:03` of the next day would come first, and `+10 s` before `+2 s`. */
function timesOf(spans: readonly FileSpan[]): string {
  const placed = spans.flatMap(({ ends, times }) => (ends === null ? [] : [{ ...ends, words: times.split(' – ') }]));
  const [one] = placed;
  if (one === undefined) return '';
  const first = placed.reduce((least, span) => (span.from < least.from ? span : least), one);
  const last = placed.reduce((most, span) => (span.to > most.to ? span : most), one);
  return `${first.words[0]} – ${last.words[1]}`;
}

/** What stands out, in one line: `2 logs end early, 1 Pod without a log, 1 dump missing`. Empty where nothing does. */
export function coverageNews(rows: readonly CoverageRow[]): readonly string[] {
  const files = rows.flatMap((row) => (row.kind === 'file' ? [row] : []));
  const count = (word: string): number =>
    files.filter(({ span }) => span.notes.some((note) => note.startsWith(word))).length;
  const logs = rows.filter((row) => row.kind === 'missing' && row.what === 'log').length;
  const dumps = rows.reduce((sum, row) => sum + (row.kind === 'missing' && row.what === 'dump' ? row.count : 0), 0);
  const [early, late] = [count('ends'), count('starts')];
  return [
    ...(early > 0 ? [`${plural(early, 'log ends', 'logs end')} early`] : []),
    ...(late > 0 ? [`${plural(late, 'log starts', 'logs start')} late`] : []),
    ...(logs > 0 ? [`${plural(logs, 'Pod')} without a log`] : []),
    ...(dumps > 0 ? [`${formatCount(dumps)} ${dumps === 1 ? 'dump' : 'dumps'} missing`] : []),
  ];
}
