/** One report row per rank and attempt: where it ran, how it ended, what part it played. */
import { rankSet } from '../lib/rank-set.ts';
import type { EntryInfo } from '../model/entry.ts';
import type { ExitFact, LifeLine, RankPlace } from '../model/facts.ts';
import type { AnalysisResult, Finding } from '../model/finding.ts';
import type { EntryId } from '../model/ids.ts';
import type { IncidentInput } from '../model/incident.ts';
import type { ReportRank } from './schema.ts';
import { type ClockBook, wallTime } from './times.ts';

/** Ranks that nobody saw are listed too, but a spec that asks for absurdly many is not followed. */
const MOST_UNSEEN_RANKS = 16_384;

/** The trailing number of names such as `nccl_trace_rank_3`, `comm_lib_trace_rank_12.pkl`, `fr_dump_7`. */
const DUMP_NAME = /(?:trace|dump|recorder|_rank_)[^/]{0,80}?(\d{1,7})(?:\.(?:json|pkl|pickle|bin))?$/i;

export interface RankRowInput {
  readonly input: IncidentInput;
  readonly result: AnalysisResult;
  readonly book: ClockBook;
  readonly pathOf: (entry: EntryId) => string;
}

export function buildRankRows({ input, result, book, pathOf }: RankRowInput): ReportRank[] {
  const { rankMap, lifeLines, events } = result.facts;
  const lives = new Map(lifeLines.map((life) => [`${life.rank}/${life.attempt}`, life]));
  const clockOf = new Map<string, string>();
  for (const placed of events) {
    if (placed.rank === undefined || placed.clock === undefined) continue;
    const key = `${placed.rank}/${placed.attempt}`;
    if (!clockOf.has(key)) clockOf.set(key, placed.clock);
  }
  const dumps = dumpStates(input.entries, result);
  const rows = rankMap.places.map((place) => {
    const key = `${place.rank}/${place.attempt}`;
    const clock = clockOf.get(key) ?? place.node ?? place.pod;
    return row(place, lives.get(key), clock, dumps.get(place.rank), result.verdict, book, pathOf);
  });
  return [...rows, ...unseen(rows, result, dumps)].sort((a, b) => a.rank - b.rank || a.attempt - b.attempt);
}

function row(
  place: RankPlace,
  life: LifeLine | undefined,
  clock: string | undefined,
  dump: ReportRank['dump'] | undefined,
  verdict: Finding,
  book: ClockBook,
  pathOf: (entry: EntryId) => string,
): ReportRank {
  const offset = book.domain(clock)?.offset;
  const seen = wallTime(life?.lastSeen?.stamp, clock, book);
  return {
    rank: place.rank,
    localRank: place.localRank ?? null,
    pod: place.pod ?? null,
    node: place.node ?? null,
    container: place.container ?? null,
    gpu: place.gpu ?? null,
    attempt: place.attempt,
    clock: clock ?? null,
    clockOffsetMs: offset ? { estimate: offset.estimate, low: offset.low ?? null, high: offset.high ?? null } : null,
    dump: dump ?? 'absent',
    role: roleOf(place.rank, place.attempt, verdict),
    exit: life?.exit === undefined ? null : exitRow(life.exit, book),
    lastSeen: seen?.time ?? null,
    lastSeenBoundMs: seen?.boundMs ?? null,
    lastSeenBasis: seen?.timeBasis ?? null,
    files: [...new Set(place.entries.map(pathOf))].sort(compareText),
    basis: [...place.basis],
    conflicts: [...place.conflicts],
  };
}

/** The end with its own clock: an agent's log and a container's status need not be on the clock of the rank's lines. */
function exitRow({ code, signal, reason, at, by, clock }: ExitFact, book: ClockBook): NonNullable<ReportRank['exit']> {
  const known = wallTime(at, clock, book);
  // A status is written in whole seconds, cut: that is as much unknown as the clock is.
  const cutMs = at === undefined || at.resolutionNs < 1e9 ? 0 : at.resolutionNs / 1e6;
  return {
    code: code ?? null,
    signal: signal ?? null,
    reason: reason ?? null,
    at: known?.time ?? null,
    by,
    clock: known === null ? null : (clock ?? null),
    boundMs: known === null || known.boundMs === null ? null : known.boundMs + cutMs,
    timeBasis: known?.timeBasis ?? null,
  };
}

function unseen(
  rows: readonly ReportRank[],
  result: AnalysisResult,
  dumps: ReadonlyMap<number, ReportRank['dump']>,
): ReportRank[] {
  const expected = new Set<number>();
  const worldSize = result.facts.rankMap.worldSize;
  if (worldSize !== undefined && worldSize <= MOST_UNSEEN_RANKS)
    for (let rank = 0; rank < worldSize; rank++) expected.add(rank);
  const podOf = new Map<number, { pod: string; node: string | undefined }>();
  for (const pod of result.facts.rankMap.pods) {
    for (const rank of pod.expectedRanks.slice(0, MOST_UNSEEN_RANKS)) {
      expected.add(rank);
      podOf.set(rank, { pod: pod.pod, node: pod.node });
    }
  }
  for (const seen of rows) expected.delete(seen.rank);
  return rankSet(expected).map((rank) => ({
    rank,
    localRank: null,
    pod: podOf.get(rank)?.pod ?? null,
    node: podOf.get(rank)?.node ?? null,
    container: null,
    gpu: null,
    attempt: 0,
    clock: null,
    clockOffsetMs: null,
    dump: dumps.get(rank) ?? 'absent',
    role: roleOf(rank, undefined, result.verdict),
    exit: null,
    lastSeen: null,
    lastSeenBoundMs: null,
    lastSeenBasis: null,
    files: [],
    basis: podOf.has(rank)
      ? ['expected by the Pod specs, never seen']
      : ['expected by the size of the job, never seen'],
    conflicts: [],
  }));
}

function roleOf(rank: number, attempt: number | undefined, verdict: Finding): ReportRank['role'] {
  const told = verdict.outcome === 'named' || verdict.outcome === 'group';
  const sameAttempt = verdict.attempt === undefined || attempt === undefined || verdict.attempt === attempt;
  if (!sameAttempt) return 'unknown';
  if (told && verdict.firstRanks.includes(rank)) return 'first';
  if (verdict.symptomRanks.includes(rank)) return 'victim';
  return told || verdict.outcome === 'no-failure' ? 'bystander' : 'unknown';
}

/** Dumps that could be used are present; for the rest the file list says what became of the file with that number. */
function dumpStates(entries: readonly EntryInfo[], result: AnalysisResult): Map<number, ReportRank['dump']> {
  const states = new Map<number, ReportRank['dump']>();
  for (const entry of entries) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
    const rank = DUMP_NAME.exec(name)?.[1];
    if (rank === undefined) continue;
    const { status } = entry;
    if (status === 'empty' || status === 'truncated' || status === 'failed' || status === 'refused')
      states.set(Number(rank), status);
  }
  for (const rank of result.facts.collectives.dumpsPresent)
    if (states.get(rank) !== 'truncated') states.set(rank, 'present');
  return states;
}

/** By code unit, so that no locale plays a part. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
