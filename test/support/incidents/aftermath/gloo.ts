/**
 * gloo workers, as torch 2.13 behaves on CPUs: no watchdog. A blocked call ends with an exception, either at its
 * timeout or as soon as a neighbour's socket closes; the program writes the recorder itself, when it has made no step
 * for some seconds or when a call raised.
 *
 *     peer ends ──► Connection closed by peer ──► this one ends ──► its neighbours see it …
 *     peer hangs ─► 8 s: "flight recorder written (no step for 8 s)" ─► timeout: "Timed out waiting …ms"
 */

import { MS, SECOND } from '../clock.ts';
import { formatAppLine } from '../loop.ts';
import type { Random } from '../random.ts';
import { type CallRecord, pendingCall } from '../run.ts';
import { placeOf } from '../topology.ts';
import { type Ending, living, randomOf, type Scene } from './story.ts';
import { formatTraceback, formatWrapped, tracebackLines } from './traceback.ts';

const NO_STEP_S = 8;
const GLOO = '/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp';

export const timeoutError = (ms: number, random: Random): string =>
  random.chance(0.5)
    ? `RuntimeError: [${GLOO}/unbound_buffer.cc:78] Timed out waiting ${ms}ms for recv operation to complete`
    : `RuntimeError: [${GLOO}/unbound_buffer.cc:129] Timed out waiting ${ms}ms for send operation to complete`;

const closedError = (ip: string, random: Random): string =>
  random.chance(0.75)
    ? `RuntimeError: [${GLOO}/pair.cc:553] Connection closed by peer [${ip}]:${random.int(2000, 60_000)}. This is typically caused by a remote worker crashing. Check the logs of the remote worker before reporting an error.`
    : `RuntimeError: [${GLOO}/pair.cc:537] Read error [${ip}]:${random.int(2000, 60_000)}: Connection reset by peer. This is typically caused by a remote worker hanging or bugs in the application.`;

interface Draft {
  readonly rank: number;
  readonly lines: { atNs: number; text: string }[];
  dumpNs: number | undefined;
}

function pushRecorder(scene: Scene, draft: Draft, atNs: number, why: string): void {
  const clock = placeOf(scene.topology, draft.rank).place.clock;
  const stamp = scene.stamper.logging(clock, atNs);
  const text = `flight recorder written (${why})`;
  draft.lines.push({
    atNs,
    text: formatAppLine(scene.spec.appLog, { rank: draft.rank, level: 'WARNING', text, stamp }),
  });
  draft.dumpNs = atNs - MS;
}

/** The timer thread's dump: any rank that has made no step for eight seconds, waiting or hanging. */
function draftOf(scene: Scene, rank: number, aliveUntilNs: number): Draft {
  const draft: Draft = { rank, lines: [], dumpNs: undefined };
  const rankRun = scene.runs[rank];
  if (rankRun === undefined || (scene.plan.holdsLock === true && rankRun.end === 'hang')) return draft;
  const atNs = rankRun.endNs + NO_STEP_S * SECOND + Math.round(randomOf(scene, 'timer', rank).between(0, 250) * MS);
  if (atNs < aliveUntilNs) pushRecorder(scene, draft, atNs, `no step for ${NO_STEP_S} s`);
  return draft;
}

function failedCall(scene: Scene, rank: number, failure: { call: CallRecord; atNs: number; error: string }): Ending {
  const random = randomOf(scene, 'fail', rank);
  const draft = draftOf(scene, rank, failure.atNs);
  if (draft.dumpNs === undefined) pushRecorder(scene, draft, failure.atNs, 'RuntimeError');
  const told = { rank, frames: tracebackLines(failure.call.spec), final: failure.error };
  const text =
    scene.plan.wraps === true ? formatWrapped(told, scene.spec.appLog) : formatTraceback(told, scene.spec.appLog);
  const printNs = failure.atNs + Math.round(random.between(0.5, 5) * MS);
  draft.lines.push({ atNs: printNs, text });
  const closedNs = printNs + Math.round(random.between(100, 900) * MS);
  const exitNs = closedNs + Math.round(random.between(0.2, 2.5) * SECOND);
  return { rank, lines: draft.lines, dumpNs: draft.dumpNs, exitNs, code: 1, closedNs };
}

function primary(scene: Scene, rank: number): Ending | undefined {
  const rankRun = scene.runs[rank];
  if (rankRun === undefined) return undefined;
  const random = randomOf(scene, 'end', rank);
  switch (rankRun.end) {
    case 'raise': {
      if (scene.plan.raised === undefined) return undefined;
      const lines = [{ atNs: rankRun.endNs, text: formatTraceback(scene.plan.raised, scene.spec.appLog) }];
      const closedNs = rankRun.endNs + Math.round(random.between(150, 600) * MS);
      return {
        rank,
        lines,
        dumpNs: undefined,
        exitNs: closedNs + Math.round(random.between(0.2, 1) * SECOND),
        code: 1,
        closedNs,
      };
    }
    case 'vanish':
      return { ...living(rank), exitNs: rankRun.endNs, code: -9 };
    case 'leave':
      return { ...living(rank), exitNs: rankRun.endNs + Math.round(random.between(100, 500) * MS), code: rankRun.code };
    case 'finished':
      return { ...living(rank), exitNs: rankRun.endNs + Math.round(random.between(0.3, 1) * SECOND) };
    default:
      return undefined;
  }
}

/**
 * Endings of all ranks as if there were no agents. Closed sockets run through the job: whoever fails closes its own, and
 * the next waiting rank sees that; ranks are settled in the order in which they fail.
 */
export function glooEndings(scene: Scene): Ending[] {
  const endings = scene.runs.map((_, rank) => primary(scene, rank));
  const closings = endings.flatMap((e) =>
    e === undefined || !Number.isFinite(e.exitNs)
      ? []
      : [{ atNs: e.closedNs ?? e.exitNs, ip: placeOf(scene.topology, e.rank).place.podIp }],
  );
  closings.push(...evictedClosing(scene));
  const waiting = scene.runs.flatMap((rankRun, rank) => {
    const call = rankRun.end === 'blocked' ? pendingCall(rankRun) : undefined;
    return call === undefined ? [] : [{ rank, call, deadlineNs: call.enqueuedNs + call.spec.group.timeoutMs * MS }];
  });
  while (waiting.length > 0) {
    const first = closings.length === 0 ? undefined : closings.reduce((a, b) => (b.atNs < a.atNs ? b : a));
    const failures = waiting.map((w) => {
      const random = randomOf(scene, 'notice', w.rank);
      const seenNs =
        first === undefined
          ? Infinity
          : Math.max(first.atNs, w.call.enqueuedNs) + Math.round(random.between(1, 40) * MS);
      const late = w.deadlineNs + Math.round(random.between(0.2, 12) * MS);
      return {
        ...w,
        atNs: Math.min(seenNs, late),
        error: seenNs < late ? closedError(first?.ip ?? '', random) : timeoutError(w.call.spec.group.timeoutMs, random),
      };
    });
    const next = failures.reduce((a, b) => (b.atNs < a.atNs ? b : a));
    const ending = failedCall(scene, next.rank, next);
    endings[next.rank] = ending;
    closings.push({ atNs: ending.closedNs ?? ending.exitNs, ip: placeOf(scene.topology, next.rank).place.podIp });
    waiting.splice(
      waiting.findIndex((w) => w.rank === next.rank),
      1,
    );
  }
  return endings.map((ending, rank) => {
    if (ending !== undefined) return ending;
    const draft = draftOf(scene, rank, Infinity);
    return { ...living(rank), lines: draft.lines, dumpNs: draft.dumpNs };
  });
}

function evictedClosing(scene: Scene): { atNs: number; ip: string }[] {
  const node = scene.plan.evictedNode;
  const place = node === undefined ? undefined : scene.topology.nodes[node];
  if (place === undefined) return [];
  const first = Math.min(...place.ranks.map((rank) => scene.runs[rank]?.endNs ?? Infinity));
  return [{ atNs: first + 300 * MS, ip: place.podIp }];
}
