/** Reading placed events by kind, and telling causes from consequences. Shared by the rules; holds no conclusions of its own. */
import type { EventBody, EventKind, ExceptionClass, LogEvent } from '../../../model/events.ts';
import type { PlacedEvent } from '../../../model/facts.ts';

export type PlacedOf<K extends EventKind> = PlacedEvent & {
  readonly event: LogEvent & { readonly body: Extract<EventBody, { kind: K }> };
};

const indexes = new WeakMap<readonly PlacedEvent[], Map<EventKind, PlacedEvent[]>>();

/** Events of one kind, in their given order. The first call indexes the list, later ones are a look-up. */
export function eventsOf<K extends EventKind>(events: readonly PlacedEvent[], kind: K): readonly PlacedOf<K>[] {
  let index = indexes.get(events);
  if (index === undefined) {
    index = new Map();
    for (const placed of events) {
      const list = index.get(placed.event.body.kind);
      if (list) list.push(placed);
      else index.set(placed.event.body.kind, [placed]);
    }
    indexes.set(events, index);
  }
  return (index.get(kind) ?? []).filter((placed): placed is PlacedOf<K> => placed.event.body.kind === kind);
}

/**
 * What a rank reports because somebody else failed or is late. None of these ever names its printer.
 * - `timeout`  it waited until a limit
 * - `closed`   its peer's connection ended
 * - `refused`  it could not connect to a peer
 * - `store`    the key-value store or rendezvous went away
 * - `abort`    it was taken down because of one of the above
 */
export type Consequence = 'timeout' | 'closed' | 'refused' | 'store' | 'abort';

const TIMED_OUT = /timed? ?out|wait timeout/i;
const CLOSED = /closed by|reset by peer|broken pipe|remote process exited|ncclRemoteError|pair closure/i;
const STORE = /\bstore\b|TCPStore|recv, got 0 bytes|recvValue|rendezvous/i;
const REFUSED = /connection refused|connectFullMesh|no route to host|failed to connect/i;

export function consequenceOf(body: EventBody): Consequence | undefined {
  switch (body.kind) {
    case 'collective-timeout':
    case 'gloo-timeout':
    case 'heartbeat-stuck':
    case 'monitored-barrier-reached':
      return 'timeout';
    case 'gloo-closed':
      return body.how === 'timeout-closure' ? 'timeout' : 'closed';
    case 'gloo-connect-failed':
      return 'refused';
    case 'async-error':
      return 'closed';
    case 'store-lost':
    case 'unique-id-failed':
      return 'store';
    case 'communicator-aborted':
    case 'teardown':
      return 'abort';
    case 'work-status':
      // Printed once the watchdog gave a call up, for whatever reason.
      return body.work !== undefined && body.work > body.lastCompleted ? 'abort' : undefined;
    case 'watchdog-terminated':
      return isPrimaryClass(body.errorClass) ? undefined : 'abort';
    case 'nccl-warning':
      return body.class === 'peer-closed' ? 'closed' : undefined;
    case 'exception':
      return exceptionConsequence(body.class, body.message);
    default:
      return undefined;
  }
}

function exceptionConsequence(errorClass: ExceptionClass, message: string): Consequence | undefined {
  if (errorClass === 'rendezvous') return 'store';
  if (errorClass !== 'distributed') return undefined;
  if (CLOSED.test(message)) return 'closed';
  if (REFUSED.test(message)) return 'refused';
  if (TIMED_OUT.test(message)) return 'timeout';
  return STORE.test(message) ? 'store' : 'abort';
}

const PRIMARY: ReadonlySet<ExceptionClass> = new Set<ExceptionClass>([
  'cuda-out-of-memory',
  'cuda-error',
  'gpu-hardware',
  'numerics',
  'data-input',
  'data-loader',
  'shared-memory',
  'storage',
  'host-memory',
  'configuration',
  'python',
]);

/** Classes of exceptions that begin a failure rather than pass one on. */
export function isPrimaryClass(errorClass: ExceptionClass): boolean {
  return PRIMARY.has(errorClass);
}

/** Events of one run attempt. */
export function inAttempt<E extends PlacedEvent>(events: readonly E[], attempt: number): readonly E[] {
  return events.filter((placed) => placed.attempt === attempt);
}

/** Attempts that any of the events belongs to, ascending. */
export function attemptsOf(events: readonly PlacedEvent[]): number[] {
  return [...new Set(events.map((placed) => placed.attempt))].sort((a, b) => a - b);
}
