/** A search as it is asked for, and the plan that follows from it on one case. Plain data: it goes to worker threads as it is. */
import { ok, type Result } from '#shared/lib/result.ts';
import { type ParsedQuery, parseAsRegex, parseQuery, type QueryError } from '#shared/search/parse-query.ts';
import { type MarkTerm, makePlan, nameTest, numberTest, type Plan } from '#shared/search/plan.ts';
import type { Query, TimeText } from '#shared/search/query.ts';
import type { Basis, CaseIndex } from './case-index.ts';

export interface SearchRequest {
  readonly query: string;
  /** The whole text is one regular expression. */
  readonly regex: boolean;
  readonly matchCase: boolean;
  readonly basis: Basis;
  /** The case's filter of ranks; empty = all. */
  readonly ranks: readonly number[];
  /** The case's filter of time, ns from the origin; `from` inside, `to` outside. */
  readonly range: { readonly fromNs: number; readonly toNs: number } | null;
  /** Lines that carry a star or a note, for `has:`. */
  readonly marks: readonly {
    readonly path: string;
    readonly line: number;
    readonly star: boolean;
    readonly note: boolean;
  }[];
}

export interface SearchPlan {
  readonly plan: Plan;
  readonly parsed: ParsedQuery;
}

const DAY_NS = 86_400_000_000_000n;

export function planSearch(index: CaseIndex, request: SearchRequest): Result<SearchPlan, QueryError> {
  const parsed = request.regex ? parseAsRegex(request.query, !request.matchCase) : parseQuery(request.query);
  if (!parsed.ok) return parsed;
  const query = withFilters(parsed.value.query, index, request);
  return ok({ parsed: parsed.value, plan: planOf(index, request, query) });
}

/** The same for a tree at hand, e.g. a query without one of its terms. */
export function planOf(index: CaseIndex, request: SearchRequest, query: Query): Plan {
  return makePlan(query, {
    matchCase: request.matchCase,
    resolveTime: (time) => resolveTime(time, index),
    markedLines: (term, path) => markedLines(term, path, index, request),
  });
}

/** The query and the case's own filters. */
export function withFilters(query: Query, index: CaseIndex, { ranks, range }: SearchRequest): Query {
  const items: Query[] = [query];
  if (ranks.length > 0) {
    const ranges = ranks.map((rank) => ({ from: rank, to: rank }));
    items.push({ kind: 'number', field: 'rank', ranges, none: false });
  }
  if (range !== null) {
    const [from, to] = [timeText(range.fromNs, index), timeText(range.toNs, index)];
    items.push({ kind: 'time', from, to, single: false });
  }
  return items.length === 1 ? query : { kind: 'and', items };
}

function timeText(ns: number, { originNs }: CaseIndex): TimeText {
  const epoch = originNs + BigInt(Math.round(ns));
  const day = epoch - (((epoch % DAY_NS) + DAY_NS) % DAY_NS);
  return {
    day: new Date(Number(day / 1_000_000n)).toISOString().slice(0, 10),
    ofDayNs: Number(epoch - day),
    unitNs: 1,
  };
}

/** A time of day is that of the first day of the case on which it falls into the case, else of its first day. */
export function resolveTime({ day, ofDayNs }: TimeText, { originNs, blocks }: CaseIndex): number {
  if (day !== null) return Number(BigInt(Date.parse(`${day}T00:00:00Z`)) * 1_000_000n - originNs) + ofDayNs;
  const span = blocks.span ?? { fromNs: 0, toNs: 0 };
  const start = originNs + BigInt(Math.floor(span.fromNs));
  const first = Number(start - (((start % DAY_NS) + DAY_NS) % DAY_NS) - originNs) + ofDayNs;
  const dayNs = Number(DAY_NS);
  for (let at = first; at <= span.toNs; at += dayNs) if (at >= span.fromNs) return at;
  return first;
}

function markedLines(
  term: MarkTerm,
  path: string,
  index: CaseIndex,
  { marks }: SearchRequest,
): ReadonlySet<number> | null {
  if (term.kind === 'has') {
    const wanted = marks.filter((mark) => mark.path === path && (term.what === 'star' ? mark.star : mark.note));
    return setOf(wanted.map(({ line }) => line));
  }
  const file = index.files.find(({ record }) => record.path === path);
  if (file === undefined || (term.kind === 'name' && term.field === 'tag')) return null;
  const calls = index.store.calls(file.record.slot);
  const test =
    term.kind === 'name'
      ? byGroup(nameTest(term.patterns, false))
      : (
          (numbers) => (call: CallFacts) =>
            call.seq !== null && numbers(call.seq)
        )(numberTest(term));
  const lines: number[] = [];
  for (const call of calls) {
    if (!test(call)) continue;
    for (let { line } = call; line <= Math.min(call.lastLine, call.line + MAX_RECORD_LINES); line += 1)
      lines.push(line);
  }
  return setOf(lines);
}

/** Lines of one record that a term about its call takes. */
const MAX_RECORD_LINES = 400;

interface CallFacts {
  readonly seq: number | null;
  readonly groups: readonly string[];
}

const byGroup = (test: (name: string) => boolean) => (call: CallFacts) => call.groups.some(test);

const setOf = (lines: readonly number[]): ReadonlySet<number> | null => (lines.length === 0 ? null : new Set(lines));
