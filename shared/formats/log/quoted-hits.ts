/** Shapes inside the message of an exception or of a C++ error: they are told beside it, from the same lines. */
import type { EventBody } from '../../model/events.ts';
import { createMatcher } from './matcher.ts';
import { collectiveTimeout } from './signatures/collective-timeout.ts';
import { bareMessage, type Hit } from './signatures/define.ts';
import { SIGNATURES } from './signatures/index.ts';
import { asyncError, watchdogTerminated } from './signatures/watchdog.ts';

const QUOTABLE: ReadonlySet<EventBody['kind']> = new Set([
  'collective-timeout',
  'collective-mismatch',
  'desync',
  'monitored-barrier-failed',
  'monitored-barrier-reached',
  'gloo-timeout',
  'gloo-closed',
  'gloo-size-mismatch',
  'gloo-connect-failed',
  'port-in-use',
  'store-unreachable',
  'store-lost',
  'unique-id-failed',
  'rendezvous-failed',
  'data-loader-killed',
  'nccl-warning',
  'communicator-aborted',
  'watchdog-terminated',
  'async-error',
  'device-assert',
  'oom-kill',
  'worker-failed',
]);

const MATCHER = createMatcher([watchdogTerminated, asyncError, collectiveTimeout], SIGNATURES);

/** Hits in the lines of a message, each kind once. `handled`: what was caught and did no harm yields only itself. */
export function quotedHits(lines: readonly string[], handled: boolean): readonly Hit[] {
  const hits: Hit[] = [];
  for (const text of lines) {
    const candidates = MATCHER.candidates(text);
    if (candidates.length === 0) continue;
    const message = bareMessage(text);
    const found = MATCHER.match(message, candidates, '');
    const all = found === undefined ? [] : found.kind === 'hit' ? [found.hit] : found.record.close().hits;
    for (const hit of all) {
      if (!QUOTABLE.has(hit.body.kind) || hits.some((other) => other.body.kind === hit.body.kind)) continue;
      if (hit.body.kind === 'data-loader-killed') hits.push({ ...hit, body: { ...hit.body, handled } });
      else if (!handled) hits.push(hit);
    }
  }
  return hits;
}
