import type { ClocksFact, CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from './facts.ts';
import type { IncidentInput } from './incident.ts';
import type { SourceRef } from './source-ref.ts';
import type { EpochNs } from './time.ts';

export const OUTCOMES = ['named', 'group', 'no-rank', 'no-failure', 'cannot-tell'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const STATUSES = ['established', 'supported', 'hypothesis', 'not-determinable', 'ruled-out'] as const;
export type Status = (typeof STATUSES)[number];

export const STAGES = [
  'rendezvous',
  'exited-rank',
  'mismatched-collective',
  'straggler',
  'fabric',
  'host',
  'unknown',
] as const;
export type Stage = (typeof STAGES)[number];

export const CAUSES = [
  'cuda-out-of-memory',
  'python-exception',
  'data-input',
  'numerics',
  'cuda-error',
  'killed',
  'storage',
  'data-loader',
  'configuration',
  'gpu-hardware',
  'host-out-of-memory',
  'shared-memory',
  'preempted',
  'evicted',
  'node-lost',
  'external-signal',
  'collective-type',
  'collective-size',
  'collective-dtype',
  'collective-order',
  'collective-skipped',
  'uneven-inputs',
  'slow-input',
  'slow-checkpoint',
  'compile',
  'cpu-contention',
  'gil-held',
  'gpu-hang',
  'stalled-unknown',
  'clock-skew',
  'missing-worker',
  'address-unreachable',
  'port-in-use',
  'world-size-disagreement',
  'version-mismatch',
  'duplicate-gpu',
  'transport',
  'link-down',
  'interface-choice',
  'peer-access',
  'none',
] as const;
export type Cause = (typeof CAUSES)[number];

/** A statement that opens in the source. `rank` is whose line or dump it is. */
export interface Evidence {
  readonly text: string;
  readonly source: SourceRef;
  readonly rank: number | undefined;
  /** Raw stamp of the record; the report corrects it (or says that it cannot). */
  readonly rawNs: EpochNs | undefined;
  readonly clock: string | undefined;
  /** The record does not tell its zone: the stamp cannot be corrected, nor compared with other clocks'. */
  readonly zoneAssumed?: boolean;
}

/** One end of a bracket: a record with its own raw stamp, on its own clock. */
export interface BracketEnd extends Evidence {
  readonly rawNs: EpochNs;
  readonly clock: string;
}

/** Two seen moments, often of two clocks, between which an unseen one lies. */
export interface Bracket {
  /** The last that the rank did; undefined = the bundle shows nothing of it before `until`. */
  readonly from: BracketEnd | undefined;
  /** The first that others did without it. */
  readonly until: BracketEnd;
  /** How much later than the others a rank of this job may come without any fault, ms: `until` holds give or take that. */
  readonly latenessMs: number;
}

/** What a rule says. The verdict is the finding shown first. */
export interface Finding {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly status: Status;
  readonly stage: Stage;
  readonly cause: Cause;
  /** Sorted global ranks; see the report contract for which outcomes may have none. */
  readonly firstRanks: readonly number[];
  readonly candidates: readonly { readonly ranks: readonly number[]; readonly why: string }[];
  readonly symptomRanks: readonly number[];
  readonly pod: string | undefined;
  readonly node: string | undefined;
  readonly attempt: number | undefined;
  readonly at:
    | {
        readonly rawNs: EpochNs;
        readonly clock: string;
        readonly zoneAssumed?: boolean;
        /** It happened between `rawNs` and this much later, ns; absent where `rawNs` is the moment itself. */
        readonly spanNs?: number;
      }
    | undefined;
  /** Where nothing tells the moment itself: what it lies between. Absent where that is not seen either. */
  readonly between?: Bracket;
  readonly summary: string;
  readonly because: readonly Evidence[];
  readonly against: readonly Evidence[];
  readonly wouldChange: readonly string[];
  readonly nextChecks: readonly string[];
  /**
   * Strength of the evidence class, for choosing among findings of one attempt (higher first); the classes and
   * their order are argued in `shared/analysis/verdict/README.md`.
   */
  readonly strength: EvidenceStrength;
}

/**
 * - `direct`    the bundle holds the act itself: an exception, an OOM kill, a signal, an eviction, two unlike fingerprints
 * - `witness`   a reliable third party names the rank: monitored barrier, desync report, RAS
 * - `recorder`  sequences compared across ranks
 * - `absence`   covered silence or a missing process
 * - `context`   consistent with it, nothing more
 */
export type EvidenceStrength = 'direct' | 'witness' | 'recorder' | 'absence' | 'context';

export interface Facts {
  readonly input: IncidentInput;
  readonly rankMap: RankMapFact;
  readonly events: readonly PlacedEvent[];
  readonly lifeLines: readonly LifeLine[];
  readonly collectives: CollectivesFact;
  readonly clocks: ClocksFact;
}
export type FactName = keyof Facts;

export interface RuleDefinition<N extends FactName = FactName> {
  /** Equals the file name. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly N[];
  /** What it means, how sure we are, when it can be wrong: the argument from what the evidence proves. Markdown. */
  readonly explain: string;
  /** What to do and what to check next. Markdown. */
  readonly remedy: string;
  readonly run: (facts: Pick<Facts, N>) => readonly Omit<Finding, 'rule'>[];
}
export const defineRule = <const N extends FactName>(rule: RuleDefinition<N>): RuleDefinition<N> => rule;

export interface Gap {
  readonly item: string;
  readonly state: 'present' | 'partial' | 'unreadable' | 'absent' | 'not-collected';
  readonly where: string;
  readonly matters: string;
  readonly collect: string;
}

export interface AnalysisResult {
  readonly facts: Facts;
  readonly verdict: Finding;
  /** All findings, the verdict's included, the verdict first. */
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
}
