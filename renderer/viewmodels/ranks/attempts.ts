/**
 * Attempts of one rank on one axis: first heard of, last line or end. A rank may run elsewhere after a restart: where all its clocks are known the
 * times are corrected, with the widest bound of them, else raw, as written. What is not known is left open.
 */
import type { Report, ReportRank } from '#shared/report/schema.ts';
import type { RanksIndex } from '#shared/views/ranks/types.ts';
import { exitText } from '../rank-table.ts';
import { formatBound, isoToNs, nsToIso, timeOfDay } from '../times.ts';

export interface AttemptBar {
  readonly attempt: number;
  /** How it ended. */
  readonly text: string;
  /** `09:00:05.000 to 09:01:10.000, corrected ±38 ms`. */
  readonly span: string;
  /** Shares of the axis, 0…1; null = no time of it is known. */
  readonly from: number | null;
  readonly to: number | null;
  /** The edge is drawn dashed: it only is not before (or after) its neighbour. */
  readonly openFrom: boolean;
  readonly openTo: boolean;
  /** The map shows this one. */
  readonly shown: boolean;
  readonly first: boolean;
}

interface Ends {
  readonly row: ReportRank;
  readonly from: bigint | null;
  readonly to: bigint | null;
}

/** Empty for a rank that was never started again. */
export function attemptBars(report: Report, index: RanksIndex, rank: number, shown: number): readonly AttemptBar[] {
  const rows = report.ranks.filter((row) => row.rank === rank).sort((a, b) => a.attempt - b.attempt);
  if (rows.length < 2) return [];
  const corrected = rows.every((row) => row.clockOffsetMs !== null);
  const bounds = rows.map(({ clockOffsetMs: at }) =>
    at === null || at.low === null || at.high === null ? Number.NaN : (at.high - at.low) / 2,
  );
  const quality = corrected ? qualityOf(Math.max(...bounds)) : 'raw';
  const ends = rows.map((row) => endsOf(row, index, corrected));
  const known = inOrder(ends.flatMap(({ from, to }) => [from, to]).filter((at) => at !== null));
  const [low, high] = [known[0] ?? 0n, known.at(-1) ?? 0n];
  const share = (at: bigint): number => (high === low ? 0 : Number(at - low) / Number(high - low));
  return ends.map(({ row, from, to }, i) => {
    const timed = from !== null || to !== null;
    // It can have begun no earlier than the last sign of the one before, as far as their clocks agree.
    const before = ends[i - 1]?.to ?? low;
    const left = from ?? (to !== null && before < to ? before : low);
    const right = to ?? ends[i + 1]?.from ?? high;
    return {
      attempt: row.attempt,
      text: exitText(row.exit),
      span: timed
        ? `${words(from, 'start not known')} to ${words(to, 'end not known')}, ${quality}`
        : 'no time recorded',
      from: timed ? share(left) : null,
      to: timed ? Math.max(share(left), share(right)) : null,
      openFrom: from === null,
      openTo: to === null,
      shown: row.attempt === shown,
      first: row.role === 'first',
    };
  });
}

const words = (at: bigint | null, unknown: string): string => (at === null ? unknown : timeOfDay(nsToIso(at)));

const qualityOf = (boundMs: number): string =>
  Number.isNaN(boundMs) ? 'corrected, bound unknown' : `corrected ${formatBound(boundMs)}`;

/** The report holds last lines and ends corrected as far as their clock is known; starts are raw, and an end may be of another clock. */
function endsOf(row: ReportRank, index: RanksIndex, corrected: boolean): Ends {
  const offset = BigInt(Math.round((row.clockOffsetMs?.estimate ?? 0) * 1e6));
  const start = index.starts?.find((one) => one.rank === row.rank && one.attempt === row.attempt);
  const from =
    start === undefined || index.time === null
      ? null
      : BigInt(index.time.originNs) + BigInt(Math.round(start.rawNs)) - (corrected ? offset : 0n);
  const onItsClock =
    row.exit?.clock === row.clock && (row.exit?.timeBasis === 'corrected') === (row.clockOffsetMs !== null);
  const own = onItsClock ? (row.exit?.at ?? null) : null;
  const signs = [row.lastSeen, own].flatMap((at) => (at === null ? [] : (isoToNs(at) ?? [])));
  const last = inOrder(signs).at(-1);
  return { row, from, to: last === undefined ? null : last + (corrected ? 0n : offset) };
}

const inOrder = (times: readonly bigint[]): bigint[] => [...times].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
