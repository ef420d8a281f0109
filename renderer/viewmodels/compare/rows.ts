/** The table of the comparison: what differs first, then what is the same. */
import type { CompareAnswer, CompareSide } from '#shared/rpc/areas/compare.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { CompareRow } from '#shared/views/compare/index.ts';
import { escapeText } from '../escape-text.ts';
import { calendarDay, timeOfDay } from '../times.ts';

export type CompareLine =
  | { readonly kind: 'head'; readonly key: string; readonly title: string; readonly count: number }
  | {
      readonly kind: 'row';
      readonly key: string;
      readonly name: string;
      readonly a: string;
      readonly b: string;
      readonly mark: 'differs' | 'equal' | 'unknown' | 'telling';
      readonly note: string;
      readonly row: CompareRow;
    };

const MAX_TEXT = 400;
const text = (value: string | null): string => (value === null ? 'not told' : escapeText(value.slice(0, MAX_TEXT)));

const STAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The stamps of a sentence as all times of the window are written; a day stands where it changes. */
function inZone(sentence: string): string {
  let day = '';
  return sentence.replace(STAMP, (iso) => {
    const own = calendarDay(iso);
    const text = own === day ? timeOfDay(iso) : `${own}, ${timeOfDay(iso)}`;
    day = own;
    return text;
  });
}

export function compareLines(rows: readonly CompareRow[], differencesOnly: boolean): readonly CompareLine[] {
  const differing = rows.filter((row) => row.same === 'differs' && !row.weak);
  const weak = rows.filter((row) => row.same === 'differs' && row.weak);
  const telling = rows.filter((row) => row.same === 'equal' && row.telling);
  const equal = rows.filter((row) => row.same === 'equal' && !row.telling && row.a !== null);
  const unknown = rows.filter((row) => row.same === 'unknown');
  const silent = rows.filter((row) => row.same === 'equal' && row.a === null);
  const part = (key: string, title: string, members: readonly CompareRow[]): readonly CompareLine[] =>
    members.length === 0 ? [] : [{ kind: 'head', key, title, count: members.length }, ...members.map(lineOf)];
  const lines = [...differing.map(lineOf), ...part('weak', 'Differ in number or time only', weak)];
  if (differencesOnly) return lines;
  return [
    ...lines,
    ...part('equal', 'Equal in both', [...telling, ...equal]),
    ...part('unknown', 'Told by one of the two only', unknown),
    ...part('silent', 'Told by neither', silent),
  ];
}

function lineOf(row: CompareRow): CompareLine {
  const equal = row.same === 'equal';
  const shown = (value: string | null): string => text(row.id === 'when' && value !== null ? inZone(value) : value);
  return {
    kind: 'row',
    key: row.id,
    name: escapeText(row.name.slice(0, 120)),
    a: shown(row.a),
    b: equal && row.a !== null && !row.telling ? 'same' : shown(row.b),
    mark: equal && row.telling ? 'telling' : row.same,
    note: escapeText(row.kind),
    row,
  };
}

/** `9 differ, 7 equal, 2 of them telling`. */
export function compareSummary(rows: readonly CompareRow[]): string {
  const differ = rows.filter((row) => row.same === 'differs').length;
  const equal = rows.filter((row) => row.same === 'equal' && row.a !== null).length;
  const telling = rows.filter((row) => row.telling && row.same === 'equal').length;
  const unknown = rows.filter((row) => row.same === 'unknown').length;
  return [
    `${formatCount(differ)} differ`,
    `${formatCount(equal)} equal`,
    ...(telling > 0 ? [`${formatCount(telling)} of them telling`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} told by one only`] : []),
  ].join(', ');
}

/** `18 Feb 2026, 16 ranks, 58 files, 4 gaps`. */
export function sideFacts({ summary, gaps, ranks }: CompareSide): string {
  const day = summary.incidentStart === null ? 'no time' : calendarDay(summary.incidentStart);
  return [day, plural(ranks, 'rank'), plural(summary.files, 'file'), plural(gaps, 'gap')].join(', ');
}

/** Tab-separated; what differs first. */
export function compareText(answer: CompareAnswer): string {
  const head = ['', `A ${escapeText(answer.a.summary.name)}`, `B ${escapeText(answer.b.summary.name)}`, 'same?'];
  const lines = compareLines(answer.rows, false).flatMap((line) =>
    line.kind === 'head'
      ? [[line.title, '', '', '']]
      : [[line.name, line.a, line.b, [line.mark, line.note].filter((part) => part !== '').join(', ')]],
  );
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n');
}
