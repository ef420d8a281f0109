/**
 * Which finding accounts for which other, so that what remains are independent beginnings.
 *
 * A finding that is accounted for is no rival: it supports the one that explains it. The relation is argued in README.md, part 2.
 */
import { isWithin } from '../../lib/rank-set.ts';
import type { Finding } from '../../model/finding.ts';

/** Findings of the act that ended a process, and of who did it: the right side is the left one's doing. */
const DONE_TO: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'gpu-xid',
    new Set(['rank-killed', 'rank-raised', 'cuda-failed-in-watchdog', 'gpu-in-bad-state', 'scheduler-task-exit']),
  ],
  [
    'pod-removed',
    new Set(['external-signal', 'rank-killed', 'rank-raised', 'node-vanished', 'missing-worker', 'host-out-of-memory']),
  ],
  ['node-lost', new Set(['external-signal', 'rank-killed', 'node-vanished', 'pod-removed'])],
  ['external-signal', new Set(['rank-killed'])],
  ['shared-memory-too-small', new Set(['rank-raised', 'rank-killed'])],
  ['gpu-in-bad-state', new Set(['rank-killed', 'rank-raised', 'cuda-failed-in-watchdog', 'nccl-cuda-failure'])],
  ['peer-access', new Set(['rank-raised', 'nccl-cuda-failure', 'cuda-failed-in-watchdog', 'all-joined-no-progress'])],
  ['host-out-of-memory', new Set(['rank-killed', 'rank-raised', 'external-signal', 'scheduler-task-exit'])],
  ['rank-killed', new Set(['scheduler-task-exit'])],
  ['link-down', new Set(['ib-retry-exceeded', 'nccl-connect-failed', 'all-joined-no-progress'])],
  ['interface-choice', new Set(['nccl-connect-failed'])],
  ['job-runs-short', new Set(['missing-worker', 'address-unreachable', 'name-unresolved', 'nccl-connect-failed'])],
  ['missing-worker', new Set(['address-unreachable', 'name-unresolved', 'nccl-connect-failed'])],
  ['name-unresolved', new Set(['address-unreachable'])],
  ['port-in-use', new Set(['address-unreachable', 'missing-worker', 'rank-raised'])],
  [
    'rank-raised',
    new Set(['data-loader-worker-killed', 'launcher-quotes-exception', 'error-behind-a-wait', 'scheduler-task-exit']),
  ],
]);

const ENDED: ReadonlySet<string> = new Set([
  'error-behind-a-wait',
  'launcher-quotes-exception',
  'rank-raised',
  'rank-killed',
  'host-out-of-memory',
  'cuda-failed-in-watchdog',
  'gpu-xid',
  'pod-removed',
  'node-lost',
  'external-signal',
  'shared-memory-too-small',
  'nccl-cuda-failure',
  'gpu-in-bad-state',
  'scheduler-task-exit',
  'ended-without-a-word',
]);

/** What held a late rank up, by its host: the findings that only say that it was late support these. */
const HELD_UP: ReadonlySet<string> = new Set(['storage-stalled', 'cpu-contention']);

/** Findings that say "did not arrive" without saying why. */
const NOT_THERE: ReadonlySet<string> = new Set([
  'address-never-published',
  'waited-for-rank',
  'rank-never-enqueued',
  'monitored-barrier',
  'desync-report',
  'ras-counts',
  'silent-rank',
  'operation-never-ended',
  'node-vanished',
  'interpreter-lock-held',
  'ends-early-in-sequence',
]);

const MISMATCH: ReadonlySet<string> = new Set([
  'finished-before-others',
  'models-differ',
  'sequences-diverge',
  'fingerprints-differ',
  'operation-left-out',
  'gloo-size-check',
  'nccl-size-mismatch',
  'nccl-calls-differ',
]);

export function explains(a: Finding, b: Finding): boolean {
  if (a === b || isWeaker(a, b)) return false;
  const within = isWithin(b.firstRanks, a.firstRanks) || samePod(a, b);
  if (DONE_TO.get(a.rule)?.has(b.rule) && within) return true;
  if (ENDED.has(a.rule) && NOT_THERE.has(b.rule)) return isWithin(b.firstRanks, [...a.firstRanks, ...a.symptomRanks]);
  // Who had ended could not be connected to any more.
  if (ENDED.has(a.rule) && b.rule === 'nccl-connect-failed') return true;
  if (HELD_UP.has(a.rule) && NOT_THERE.has(b.rule))
    return b.cause === 'stalled-unknown' && isWithin(b.firstRanks, a.firstRanks);
  if (MISMATCH.has(a.rule) && b.rule === 'gloo-size-check')
    return a.rule !== b.rule && isWithin(a.firstRanks, b.firstRanks);
  if (MISMATCH.has(a.rule) && (b.rule === 'rank-killed' || NOT_THERE.has(b.rule)))
    return isWithin(b.firstRanks, [...a.firstRanks, ...a.symptomRanks]);
  if (a.rule === 'operation-left-out' && (b.rule === 'sequences-diverge' || NOT_THERE.has(b.rule))) return true;
  if (NOT_THERE.has(a.rule) && NOT_THERE.has(b.rule)) return sameRanks(a, b) && moreTelling(a, b);
  return (
    a.rule === b.rule &&
    a.firstRanks.length > 0 &&
    a.firstRanks.length < b.firstRanks.length &&
    isWithin(a.firstRanks, b.firstRanks)
  );
}

/** A mere note or guess does not account for something that is better founded. */
function isWeaker(a: Finding, b: Finding): boolean {
  const unfounded = (finding: Finding) => finding.strength === 'context' || finding.status === 'hypothesis';
  return unfounded(a) && !unfounded(b);
}

function samePod(a: Finding, b: Finding): boolean {
  return a.pod !== undefined && a.pod === b.pod;
}

function sameRanks(a: Finding, b: Finding): boolean {
  return a.firstRanks.length === b.firstRanks.length && isWithin(a.firstRanks, b.firstRanks);
}

/** Of two findings that name the same absent ranks: the one that knows the cause, then the stronger class, then the name for a stable answer. */
function moreTelling(a: Finding, b: Finding): boolean {
  const vague = (finding: Finding) => (finding.cause === 'stalled-unknown' ? 1 : 0);
  const rank = (finding: Finding) => [vague(finding), STRENGTH_ORDER[finding.strength]] as const;
  const [va, sa] = rank(a);
  const [vb, sb] = rank(b);
  if (va !== vb) return va < vb;
  if (sa !== sb) return sa < sb;
  return a.rule < b.rule;
}

/** Evidence classes, strongest first. */
export const STRENGTH_ORDER = { direct: 0, witness: 1, recorder: 2, absence: 3, context: 4 } as const;
