/** Ranks that the others wait for, beside what the kernel tells of one node. */
import { isWithin } from '../../../lib/rank-set.ts';
import type { Draft } from './draft.ts';

interface LateInput {
  /** Ranks that the others wait for; empty where they are not known. */
  readonly late: readonly number[];
  readonly onNode: readonly number[];
  /** A line falls into the time of the job, by a stamp with a zone. */
  readonly inTime: boolean;
  /** Why the ranks of the node are a lead where they are no more than that. */
  readonly why: string;
}

type LatePart = Pick<Draft, 'outcome' | 'status' | 'strength' | 'firstRanks' | 'candidates'>;

export interface LateOnNode {
  /** All of the late ranks are on the node: its trouble is theirs. */
  readonly isTheirs: boolean;
  /** The late ranks if it is theirs, else all of the node. */
  readonly ranks: readonly number[];
  readonly draft: LatePart;
}

/** Ranks are named only where all late ones are on the node; else the node is a lead, and nothing more. */
export function lateOnNode({ late, onNode, inTime, why }: LateInput): LateOnNode {
  const isTheirs = late.length > 0 && isWithin(late, onNode);
  const ranks = isTheirs ? late : onNode;
  return {
    isTheirs,
    ranks,
    draft: {
      outcome: isTheirs ? (late.length === 1 ? 'named' : 'group') : 'cannot-tell',
      status: isTheirs && inTime ? 'supported' : 'hypothesis',
      strength: isTheirs && inTime ? 'recorder' : 'context',
      firstRanks: isTheirs ? ranks : [],
      candidates: isTheirs || ranks.length === 0 ? [] : [{ ranks, why }],
    },
  };
}
