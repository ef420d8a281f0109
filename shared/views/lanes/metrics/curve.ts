/**
 * Many rows as a band: lowest, median, highest a column, and the rows of a few ranks as they are.
 *
 * Rows are made for as many columns at a time as fit into 2 million values (16 MB), so that memory does not grow with ranks × columns.
 * O(members × columns).
 */
import type { Member, MetricCurve, MetricRequest } from './types.ts';

const MOST_VALUES = 2_000_000;

export function curveOf(id: string, members: readonly Member[], request: MetricRequest): MetricCurve {
  const { columns, from, to } = request;
  const out = {
    low: new Float64Array(columns).fill(Number.NaN),
    median: new Float64Array(columns).fill(Number.NaN),
    high: new Float64Array(columns).fill(Number.NaN),
  };
  const own = new Map<number, Float64Array>();
  const seen = new Uint8Array(members.length);
  const atOnce = Math.max(1, Math.min(columns, Math.floor(MOST_VALUES / Math.max(1, members.length))));
  const at = (column: number): number => from + (column / columns) * (to - from);
  for (let first = 0; first < columns; first += atOnce) {
    const end = Math.min(columns, first + atOnce);
    const part = { ...request, from: at(first), to: at(end), columns: end - first };
    const rows = rowsOf(members, part, seen);
    spread(rows, first, end - first, out);
    keepOwn(rows, request, first, own);
  }
  return {
    id,
    members: seen.reduce((sum, one) => sum + one, 0),
    ...out,
    own: request.ranks.flatMap((rank) => {
      const values = own.get(rank);
      return values === undefined ? [] : [{ rank, values }];
    }),
  };
}

interface Rows {
  readonly list: readonly { readonly member: Member; readonly values: Float64Array }[];
  readonly extremes: readonly { readonly column: number; readonly value: number }[];
}

function rowsOf(members: readonly Member[], span: MetricRequest, seen: Uint8Array): Rows {
  const list: { member: Member; values: Float64Array }[] = [];
  const extremes: { column: number; value: number }[] = [];
  const extreme = (column: number, value: number): void => {
    extremes.push({ column, value });
  };
  for (const [i, member] of members.entries()) {
    const values = new Float64Array(span.columns).fill(Number.NaN);
    if (!member.fill({ values, extreme }, span)) continue;
    seen[i] = 1;
    list.push({ member, values });
  }
  return { list, extremes };
}

function spread(
  { list, extremes }: Rows,
  first: number,
  columns: number,
  out: Pick<MetricCurve, 'low' | 'median' | 'high'>,
): void {
  const values = new Float64Array(list.length);
  for (let column = 0; column < columns; column++) {
    let known = 0;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const row of list) {
      const value = row.values[column] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      values[known++] = value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (known === 0) continue;
    out.low[first + column] = low;
    out.high[first + column] = high;
    out.median[first + column] = low === high ? low : select(values, known, (known - 1) >> 1);
  }
  for (const { column, value } of extremes) {
    const at = first + column;
    if (!((out.low[at] ?? 0) <= value)) out.low[at] = value;
    if (!((out.high[at] ?? 0) >= value)) out.high[at] = value;
  }
}

function keepOwn(
  { list }: Rows,
  { ranks, columns }: MetricRequest,
  first: number,
  own: Map<number, Float64Array>,
): void {
  for (const { member, values } of list) {
    for (const rank of member.ranks ?? (member.rank === null ? [] : [member.rank])) {
      if (!ranks.includes(rank)) continue;
      const into = own.get(rank) ?? new Float64Array(columns).fill(Number.NaN);
      own.set(rank, into);
      into.set(values, first);
    }
  }
}

/** The nth smallest of the first `length` values, which change places. Expected O(length). */
function select(values: Float64Array, length: number, nth: number): number {
  let [left, right] = [0, length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0;
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] ?? 0) < pivot) i++;
      while ((values[j] ?? 0) > pivot) j--;
      if (i > j) break;
      const value = values[i] ?? 0;
      values[i++] = values[j] ?? 0;
      values[j--] = value;
    }
    if (nth <= j) right = j;
    else if (nth >= i) left = i;
    else return values[nth] ?? Number.NaN;
  }
  return values[left] ?? Number.NaN;
}
