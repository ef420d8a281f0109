/** The truth of an incident that is not generated, as `expected.json` beside it tells it, and what a verdict is worth beside it. */
import { existsSync, readFileSync } from 'node:fs';
import type { ReportVerdict } from '#shared/report/schema.ts';

export interface KnownTruth {
  readonly verdict: string;
  /** Guilty ranks; of a group, those that cannot be told apart. */
  readonly firstRanks: readonly number[];
  readonly alsoNamed: readonly number[];
  readonly alsoNamedAlone: readonly number[];
  /** Outcomes that are honest as well. */
  readonly alsoRight: readonly string[];
  readonly places: readonly string[];
  readonly causes: readonly string[];
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const numbers = (value: unknown): number[] => list(value).filter((item) => typeof item === 'number');
const strings = (value: unknown): string[] => list(value).filter((item) => typeof item === 'string');

/** Undefined without such a file. */
export function readTruth(path: string): KnownTruth | undefined {
  if (!existsSync(path)) return undefined;
  const json: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
  const first = numbers(json['firstRanks']);
  return {
    verdict: String(json['verdict']),
    firstRanks: first.length > 0 ? first : numbers(json['candidateRanks']),
    alsoNamed: numbers(json['alsoNamed']),
    alsoNamedAlone: numbers(json['alsoNamedAlone']),
    alsoRight: strings(json['alsoRight']),
    places: [...strings(json['hostSuspects']), ...strings(json['podSuspects'])],
    causes: [...strings(json['causes']), ...strings([json['cause']])],
  };
}

/**
 * `weaker` says less than the truth but nothing false: it cannot tell, a group holds the guilty, or a group without ranks stands for the
 * guilty ranks' place. An outcome that may be true of what is left (no failure, where every trace of it was taken away) is wrong here.
 */
export function answerOf(truth: KnownTruth, verdict: ReportVerdict): 'right' | 'weaker' | 'wrong' {
  const { outcome, firstRanks } = verdict;
  const guilty = new Set(truth.firstRanks);
  const outside = firstRanks.filter((rank) => !guilty.has(rank) && !truth.alsoNamed.includes(rank));
  const inside = firstRanks.filter((rank) => guilty.has(rank));
  if (outcome === 'cannot-tell') return truth.verdict === 'cannot_tell' ? 'right' : 'weaker';
  if (truth.alsoRight.includes(outcome) && outside.length === 0) return 'right';
  if (truth.verdict === 'no_failure') return outcome === 'no-failure' ? 'right' : 'wrong';
  if (truth.verdict === 'no_rank_at_fault') return outcome === 'no-rank' ? 'right' : 'wrong';
  const placed = [verdict.pod, verdict.node].some(
    (place) => place !== null && truth.places.some((known) => known === place || known.startsWith(`${place} `)),
  );
  if (outcome === 'named') {
    if (outside.length > 0 || inside.length === 0) return 'wrong';
    const all = inside.length === guilty.size || firstRanks.every((rank) => truth.alsoNamedAlone.includes(rank));
    return truth.verdict === 'named' || all ? 'right' : 'wrong';
  }
  if (outcome === 'no-rank') return placed ? 'weaker' : 'wrong';
  if (outcome !== 'group') return 'wrong';
  // A place that the truth does not name accuses no rank.
  const placeless = verdict.pod === null && verdict.node === null;
  if (firstRanks.length === 0) return placed || placeless || truth.places.length === 0 ? 'weaker' : 'wrong';
  if (outside.length === 0 && inside.length > 0) return 'right';
  return inside.length > 0 ? 'weaker' : 'wrong';
}
