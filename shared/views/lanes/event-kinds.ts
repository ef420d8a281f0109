/** How loud each kind of event is drawn, and how much is lost if it is left out. */
import type { EventBody, EventKind } from '../../model/events.ts';
import type { Severity } from './types.ts';

const QUIET: ReadonlySet<EventKind> = new Set([
  'rank-announced',
  'group-ready',
  'progress',
  'operation-start',
  'operation-end',
  'finished',
  'software',
  'dump-written',
  'rendezvous-result',
  'set-up-begun',
  'set-up-over',
  'nccl-init',
  'nccl-network',
  'nccl-collective',
  'monitored-barrier-reached',
  'collector-note',
  'host-state',
]);
const FATAL: ReadonlySet<EventKind> = new Set([
  'native-terminate',
  'oom-kill',
  'watchdog-terminated',
  'device-assert',
  'failure-summary',
]);
const WARN: ReadonlySet<EventKind> = new Set([
  'clock-note',
  'work-status',
  'teardown',
  'gil-suspected',
  'dump-signal',
  'closing-signal',
  'agent-signal',
  'worker-restart',
  'nccl-warning',
  'ras-count',
  'kernel-note',
  'async-error',
  'communicator-aborted',
  'store-lost',
  'name-unresolved',
  'gloo-closed',
]);

export function severityOf(body: EventBody): Severity {
  if (body.kind === 'exception') return body.handled ? 'warn' : 'error';
  if (body.kind === 'data-loader-killed' && body.handled) return 'warn';
  if (body.kind === 'nccl-init' && !body.complete) return 'info';
  if (QUIET.has(body.kind)) return 'info';
  if (FATAL.has(body.kind)) return 'fatal';
  return WARN.has(body.kind) ? 'warn' : 'error';
}

/** Events that repeat by the thousand and say least each: left out first. */
export const isFrequent = (kind: EventKind): boolean =>
  kind === 'progress' || kind === 'nccl-collective' || kind === 'nccl-network' || kind === 'nccl-warning';
