/** Roots by log lines alone: used only where the dumps name nobody. */
import type { CollectivesFact, Divergence } from '../../model/facts.ts';
import { elementCounts, membersBySizes } from './calls.ts';
import type { Comparison } from './compare.ts';
import { openCall } from './divergences.ts';
import { type LoggedGroup, UNNAMED_KEY } from './from-logs.ts';
import { fingerprintDivergence, type LogFinding, logDivergence, rasDivergence } from './log-divergence.ts';

/** More members than any job has. */
const MOST_MEMBERS = 65_536;

export interface LogRoots {
  readonly first: Divergence;
  readonly roots: CollectivesFact['roots'];
}

/**
 * Fingerprints first (they are the calls themselves), then time-outs and counters of the group with most members, then RAS counts.
 * `missing`: ranks without a dump that the dumps leave as candidates; a log finding may not name others than these when there are any, unless
 * it shows unlike calls under one number: these hang whoever else is there.
 */
export function findByLogs(compared: Comparison, missing: readonly number[]): LogRoots | undefined {
  const { logs } = compared;
  const defaultId =
    compared.groups.find((where) => where.group.isDefault)?.group.id ?? logs.groups.get('default')?.name ?? '0';
  const findings: LogFinding[] = [];
  /** Unlike calls of one group for sure. */
  const unlike = new Set<LogFinding>();
  const prints = fingerprintDivergence(defaultId, logs.fingerprints);
  if (prints !== undefined) findings.push(prints);
  const groups = [...logs.groups].sort((a, b) => b[1].members.size - a[1].members.size || (a[0] < b[0] ? -1 : 1));
  for (const [key, group] of groups) {
    const found = logDivergence(caseOf(compared, key, group));
    if (found === undefined) continue;
    findings.push(found);
    if (group.named && isUnlike(found.divergence)) unlike.add(found);
  }
  const ras = rasDivergence(defaultId, logs.behindByRas);
  if (ras !== undefined) findings.push(ras);
  const fitting = findings.filter(
    (one) => missing.length === 0 || unlike.has(one) || one.divergence.ranks.every((rank) => missing.includes(rank)),
  );
  const best = fitting.find(({ divergence }) => divergence.ranks.length > 0) ?? fitting[0];
  if (best === undefined) return undefined;
  const present = new Set(compared.views.filter((view) => !view.blank).map((view) => view.rank));
  return {
    first: best.divergence,
    roots: best.divergence.ranks.map((rank) => ({
      rank,
      why: best.divergence.why,
      evidence: best.evidence,
      hasDump: present.has(rank),
    })),
  };
}

/** Ranks that called something else than a majority, not ranks that are thought to be behind. */
const isUnlike = ({ kind, ranks }: Divergence): boolean => ranks.length > 0 && kind !== 'missing' && kind !== 'state';

function caseOf(compared: Comparison, key: string, group: LoggedGroup): Parameters<typeof logDivergence>[0] {
  const where = compared.groups.find((one) =>
    key === 'default' ? one.group.isDefault : one.group.name === group.name,
  );
  // Who printed a time-out of a group that is not known was not silent: it may have been this one.
  const unknown = key === UNNAMED_KEY ? undefined : compared.logs.groups.get(UNNAMED_KEY);
  const excused = new Set([...(where?.positions.map((at) => at.rank) ?? []), ...(unknown?.members.keys() ?? [])]);
  const known = where?.group.membersKnown === true ? where.group.ranks : undefined;
  // Ranks are numbered without gaps, so below the highest one that was heard all exist; the sizes of a call may tell of more.
  const heard = group.isDefault
    ? (compared.expected ?? upTo([...group.members.keys(), bySizes(group) - 1]))
    : undefined;
  const recorded = (where?.positions ?? []).flatMap((position) => {
    const call = where === undefined ? undefined : openCall(where, position);
    const [input, output] = [elementCounts(call?.inputSizes), elementCounts(call?.outputSizes)];
    // Of several tensors a line prints a number that the dump's shapes do not give.
    if (call === undefined || input.length !== 1 || output.length !== 1) return [];
    const { seq, op, source } = call;
    return [{ rank: position.rank, timeout: { seq, op, numelIn: input[0], numelOut: output[0], source } }];
  });
  return { id: where?.group.id ?? group.name, group, ranks: known ?? heard, excused, recorded };
}

/** Members by the sizes that the time-outs print, if they agree; 0 = not told. */
function bySizes({ members }: LoggedGroup): number {
  const sizes = new Set(
    [...members.values()].flatMap(
      ({ timeout }) => (timeout && membersBySizes(timeout.op, timeout.numelIn, timeout.numelOut)) ?? [],
    ),
  );
  const [size] = sizes;
  return sizes.size === 1 && size !== undefined && size <= MOST_MEMBERS ? size : 0;
}

function upTo(ranks: Iterable<number>): readonly number[] {
  let top = -1;
  for (const rank of ranks) top = Math.max(top, rank);
  return Array.from({ length: top + 1 }, (_, rank) => rank);
}
