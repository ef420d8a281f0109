/** When each node's log was taken, and from where on it was still there: what of a story its files can show. */
import type { Attempts } from './attempts.ts';

export interface Taking {
  /** First moment whose lines are in the newest file of the node's log. */
  readonly headNs: (node: number) => number;
  /** Last moment whose lines are in the bundle. */
  readonly tailNs: (node: number) => number;
  /** When the rest of the bundle was taken. */
  readonly endNs: number;
  /** The log of that attempt was collected at all. */
  readonly hasAttempt: (attempt: number) => boolean;
}

export function planTaking(attempts: Attempts, snapshotNs: number): Taking {
  const [first, second] = attempts;
  const { scene, aftermath } = first;
  const { missing = {} } = scene.spec;
  const random = scene.random.fork('taking');
  const beganNs = Math.min(...scene.runs.map(({ calls, endNs }) => calls[0]?.enqueuedNs ?? endNs));
  const endedNs = aftermath.faultNs ?? Math.min(...scene.runs.map(({ endNs }) => endNs));
  const within = (label: string): number => beganNs + (endedNs - beganNs) * random.fork(label).between(0.3, 0.8);
  const heads = new Set(missing.headsOfNodes ?? []);
  const tails = new Set(missing.tailsOfNodes ?? []);
  const hasAttempt = (attempt: number): boolean =>
    attempt === 0 ? second === undefined || missing.firstAttempt !== true : second !== undefined;
  return {
    headNs: (node) => (heads.has(node) ? within(`head-${node}`) : -Infinity),
    tailNs: (node) => (tails.has(node) ? within(`tail-${node}`) : snapshotNs),
    endNs: snapshotNs,
    hasAttempt,
  };
}
