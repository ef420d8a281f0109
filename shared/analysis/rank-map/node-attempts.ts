/** Which attempt ran on a node at a moment of the node's clock: for what the kernel says, which knows no attempts. */
import type { Stamp } from '../../model/time.ts';
import { NS_PER_S } from '../../model/time.ts';
import { type Attempts, terminationOf } from './attempts.ts';
import type { JobSpec } from './job-spec.ts';
import { maxOf } from './order.ts';
import { placeIn, type Site } from './sites.ts';

interface NodeContext {
  readonly sites: readonly Site[];
  readonly job: JobSpec;
  readonly attempts: Attempts;
  readonly nodeOf: (pod: string, attempt: number) => string | undefined;
}

interface Start {
  readonly attempt: number;
  readonly ns: bigint;
}

/**
 * By the times of the containers of the job's Pods on the node, which are of its clock too; else by the first line of
 * each attempt there. Undefined without a wall clock, or where neither is known.
 */
export function nodeAttempts(
  context: NodeContext,
): (node: string | undefined, stamp: Stamp | undefined) => number | undefined {
  const { job, attempts } = context;
  const starts = new Map<string, readonly Start[]>();
  const startsOn = (node: string): readonly Start[] => {
    const found = starts.get(node) ?? findStarts(context, node);
    starts.set(node, found);
    return found;
  };
  return (node, stamp) => {
    if (node === undefined || stamp === undefined || stamp.kind === 'boot') return undefined;
    for (const [pod, { record }] of job.pods) {
      const ended = record?.node === node ? terminationOf(record.object, 'previous')?.finishedAt : undefined;
      // A whole second means any instant in it.
      if (ended !== undefined) return attempts.ofContainer(pod, stamp.ns < ended + NS_PER_S ? 'previous' : 'current');
    }
    const begun = startsOn(node).flatMap(({ ns, attempt }) => (ns <= stamp.ns ? [attempt] : []));
    return begun.length === 0 ? undefined : maxOf(begun, 0);
  };
}

/** First stamp of each attempt in the logs of the node's Pods. */
function findStarts({ sites, attempts, nodeOf }: NodeContext, node: string): readonly Start[] {
  const first = new Map<number, bigint>();
  for (const site of sites) {
    if (site.pod === undefined) continue;
    for (const { stamp, source } of site.events) {
      if (stamp === undefined || stamp.kind === 'boot' || stamp.zoneAssumed) continue;
      const attempt = attempts.at(site, placeIn(site, source));
      if (nodeOf(site.pod, attempt) !== node) continue;
      const before = first.get(attempt);
      if (before === undefined || stamp.ns < before) first.set(attempt, stamp.ns);
    }
  }
  return [...first].map(([attempt, ns]) => ({ attempt, ns }));
}
