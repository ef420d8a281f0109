/** Curves of the timeline in words: names, units, which are shown at first, values at a moment, the rows of their table. */
import { formatBytes, formatCount, plural } from '#shared/text/format.ts';
import type { MadeMetric, MetricCurve, MetricInfo } from '#shared/views/lanes/index.ts';
import { escapeText } from '../escape-text.ts';
import type { TimeSpan } from './span.ts';

interface MadeWords {
  readonly title: string;
  /** What the value is, under the title. */
  readonly note: string;
  /** Shown until the user chooses. */
  readonly shown: boolean;
  /** Lowest value of the axis; null = the lowest in view. */
  readonly floor: number | null;
}

const MADE: Readonly<Record<MadeMetric, MadeWords>> = {
  'step-time': { title: 'Step time', note: 'by progress lines', shown: true, floor: 0 },
  step: { title: 'Step reached', note: 'last one printed', shown: false, floor: null },
  'time-in-calls': { title: 'Time in calls', note: 'share of time', shown: true, floor: 0 },
  'calls-per-second': { title: 'Calls a second', note: 'enqueued', shown: false, floor: 0 },
  'clock-bound': { title: 'Clock bound', note: 'guaranteed ±', shown: false, floor: 0 },
};

const isMade = (id: string): id is MadeMetric => Object.hasOwn(MADE, id);

/** Measures that loops print, most telling first. */
const TELLING: readonly RegExp[] = [
  /^GPU utilisation$/,
  /^(?:(?:lm|train|training) ?_?)?loss$/i,
  /^(?:tps|wps|tok(?:en)?s?[ _/]?(?:per[ _])?s(?:ec(?:ond)?)?|it\/s)$|tokens_per_sec|throughput/i,
  /samples?[ _/]?(?:per[ _]?)?s(?:ec|econd)?/i,
  /mem(?:ory)?(?:_?alloc(?:ated)?)?$/i,
  /^mfu$|tflops/i,
  /loss/i,
  /time|elapsed/i,
  /norm$/i,
  /^lr$|learning.rate/i,
];
/** Strips that are shown until the user chooses: the lanes are what the screen is for. */
const SHOWN = 3;
const SHOWN_PRINTED = 2;

const tellingRank = ({ name }: MetricInfo): number => {
  const found = TELLING.findIndex((one) => one.test(name));
  return found < 0 ? TELLING.length : found;
};

/** In the order of the screen: made ones, then printed ones by how much they tell. */
export function orderMetrics(infos: readonly MetricInfo[]): MetricInfo[] {
  const printed = infos.filter(({ id }) => !isMade(id));
  printed.sort((a, b) => tellingRank(a) - tellingRank(b) || b.members - a.members || (a.id < b.id ? -1 : 1));
  const made = infos.filter(({ id }) => isMade(id));
  const lines = made.filter(({ source }) => source === 'lines');
  return [...lines, ...printed, ...made.filter(({ source }) => source !== 'lines')];
}

/** Which are shown where the user chose nothing. `ordered` as `orderMetrics` has it. */
export function shownAtFirst(ordered: readonly MetricInfo[]): ReadonlySet<string> {
  const printed = ordered.filter((info) => !isMade(info.id) && tellingRank(info) < 6).slice(0, SHOWN_PRINTED);
  const made = ordered.filter(({ id }) => isMade(id) && MADE[id].shown);
  const lines = made.filter(({ source }) => source === 'lines');
  const others = made.filter(({ source }) => source !== 'lines');
  return new Set([...lines, ...printed, ...others].slice(0, SHOWN).map(({ id }) => id));
}

/** `Loss`, `Grad norm`; short names (`lr`, `mfu`, `tps`) and those with capitals as they are printed. */
export function metricTitle({ id, name }: MetricInfo): string {
  if (isMade(id)) return MADE[id].title;
  const text = escapeText(name.slice(0, 40));
  if (!/^[a-z][a-z _]{3,}$/.test(text)) return text;
  const words = text.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** What is under the title while nothing is pointed at. */
export function metricNote(info: MetricInfo): string {
  const { id, unit, members, unplaced, source } = info;
  if (isMade(id)) return MADE[id].note;
  if (source === 'gpu') return `nvidia-smi, ${plural(members, 'GPU')}`;
  const who = unplaced === members ? 'rank not known' : plural(members - unplaced, 'rank');
  const what = unit === 'bytes' || unit === 'ms' || unit === '' ? '' : `${escapeText(unit)}, `;
  return source === 'lines' ? `${what}printed, ${who}` : who;
}

const trim = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

/** `212 ms`, `1.84 GiB`, `2.2840`, `98 %`; a space as thin as numbers have it stands in front of units. */
export function metricValue(value: number, unit: MetricInfo['unit'] = ''): string {
  if (Number.isNaN(value)) return '–';
  if (unit === 'bytes') return formatBytes(Math.round(value));
  if (unit === 'ms') return milliseconds(value);
  const number = plainNumber(value);
  return unit === '' ? number : unit === '%' ? `${number} %` : `${number} ${escapeText(unit)}`;
}

function milliseconds(ms: number): string {
  if (ms === 0) return '0 ms';
  if (Math.abs(ms) < 1) return `${trim(ms * 1000, 0)} µs`;
  if (Math.abs(ms) < 1000) return `${trim(ms, ms < 10 ? 2 : ms < 100 ? 1 : 0)} ms`;
  return `${trim(ms / 1000, ms < 10_000 ? 2 : 1)} s`;
}

function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e9)) return value.toExponential(2).replace('e+', 'e');
  if (size >= 1000) return formatCount(Math.round(value));
  return trim(value, size >= 100 ? 1 : size >= 10 ? 2 : 4);
}

export interface MetricReading {
  /** `212 ms`, of many members `212 ms (180–410 ms)`. */
  readonly all: string;
  /** One a line of its own. */
  readonly own: readonly { readonly rank: number; readonly text: string }[];
}

/** Null where the curve knows nothing. */
export function readingAt(curve: MetricCurve, info: MetricInfo, column: number): MetricReading | null {
  const at = (values: Float64Array): number => values[column] ?? Number.NaN;
  const median = at(curve.median);
  const own = curve.own.flatMap(({ rank, values }) => {
    const value = at(values);
    return Number.isNaN(value) ? [] : [{ rank, text: metricValue(value, info.unit) }];
  });
  if (Number.isNaN(median) && Number.isNaN(at(curve.low))) return null;
  const [low, high] = [metricValue(at(curve.low), info.unit), metricValue(at(curve.high), info.unit)];
  const middle = metricValue(Number.isNaN(median) ? at(curve.low) : median, info.unit);
  return { all: low === high ? middle : `${middle} (${withoutUnit(low, high)}–${high})`, own };
}

/** `180` of `180 ms` before `410 ms`: a unit that follows anyway stands once. */
function withoutUnit(low: string, high: string): string {
  const unit = /\s[^\d\s]\S*$/.exec(high)?.[0] ?? '';
  return unit !== '' && low.endsWith(unit) ? low.slice(0, -unit.length) : low;
}

/** What the screen reader hears of the whole curve. */
export function metricSummary(curve: MetricCurve, info: MetricInfo): string {
  const known = [...curve.median].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = known[(known.length - 1) >> 1];
  const who =
    info.source === 'clocks'
      ? plural(curve.members, 'clock')
      : info.source === 'gpu'
        ? plural(curve.members, 'GPU')
        : plural(curve.members, 'rank');
  if (middle === undefined) return `${metricTitle(info)}: nothing in view.`;
  const [low, high] = extent(curve);
  return `${metricTitle(info)}, ${metricNote(info)}: median ${metricValue(middle, info.unit)}, ${who}, from ${metricValue(low, info.unit)} to ${metricValue(high, info.unit)}.`;
}

function extent({ low, high, own }: MetricCurve): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of [low, high, ...own.map((one) => one.values)]) {
    for (const value of values) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most];
}

/** Ends of the axis: round, with the whole curve between them. Null: nothing to draw. */
export function metricRange(curve: MetricCurve, { id, unit }: MetricInfo): readonly [number, number] | null {
  const [low, high] = extent(curve);
  if (!(low <= high)) return null;
  if (unit === '%' && low >= 0 && high <= 100) return [0, 100];
  const floor = isMade(id) ? MADE[id].floor : unit === 'ms' || unit.endsWith('/s') ? 0 : null;
  const from = floor !== null && low >= floor ? floor : low;
  if (from === high)
    return [from === 0 ? 0 : from - Math.abs(from) * 0.1, high === 0 ? 1 : high + Math.abs(high) * 0.1];
  const step = 10 ** Math.floor(Math.log10((high - from) / 2));
  const unitStep = unit === 'bytes' ? 2 ** Math.floor(Math.log2((high - from) / 4)) : step;
  return [Math.floor(from / unitStep) * unitStep, Math.ceil(high / unitStep) * unitStep];
}

export const columnOf = (at: number, span: TimeSpan, columns: number): number =>
  at < span.from || at >= span.to ? -1 : Math.floor(((at - span.from) / (span.to - span.from)) * columns);

/** Head and rows of the table: a row where any value changes. `labelOf` gives the time of a column's start. */
export function metricTable(
  curves: readonly { readonly curve: MetricCurve; readonly info: MetricInfo }[],
  columns: number,
  labelOf: (column: number) => string,
): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const head = [
    'Time',
    ...curves.flatMap(({ curve, info }) => [
      metricTitle(info),
      ...curve.own.map(({ rank }) => `${metricTitle(info)}, rank ${rank}`),
    ]),
  ];
  const rows: string[][] = [];
  let last = '';
  for (let column = 0; column < columns; column++) {
    const cells = curves.flatMap(({ curve, info }) => {
      const reading = readingAt(curve, info, column);
      return [
        reading?.all ?? '–',
        ...curve.own.map(({ values }) => metricValue(values[column] ?? Number.NaN, info.unit)),
      ];
    });
    const now = cells.join('\n');
    if (now === last) continue;
    last = now;
    rows.push([labelOf(column), ...cells]);
  }
  return { head, rows };
}
