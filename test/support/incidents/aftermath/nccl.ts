/**
 * NCCL workers, as torch 2.8 behaves: a watchdog thread looks at every call each 100 ms, a monitor thread looks once a
 * second into the store for another rank's wish to dump.
 *
 *     t+timeout  Watchdog caught … · failure detected … · stack trace · First PG on this rank
 *     ≤ 1 s      Received a dump signal … this local rank     (others: Observed … · … from  rank N)
 *                preparing to dump → file
 *     +0.5 s     Some NCCL operations … · taking the entire process down · terminate called → SIGABRT
 *
 * A rank that waits in Python (or hangs) takes part in the dump and lives on until its agent ends it.
 */

import { numelOf } from '../calls.ts';
import { MS, SECOND } from '../clock.ts';
import { type CallRecord, pendingCall, type RankRun } from '../run.ts';
import { NCCL_VERSION } from '../software.ts';
import { placeOf } from '../topology.ts';
import { timeoutError } from './gloo.ts';
import { type Ending, living, randomOf, type Scene } from './story.ts';
import { formatStack, formatTraceback, tracebackLines } from './traceback.ts';

interface Draft {
  readonly rank: number;
  readonly lines: { atNs: number; text: string }[];
}

/** A line of torch's C++ logger. */
function cpp(
  scene: Scene,
  rank: number,
  at: { atNs: number; level: string; line: number; file?: string },
  text: string,
): string {
  const stamp = scene.stamper.cppLogger(placeOf(scene.topology, rank).place.clock, at.atNs);
  return `[rank${rank}]:[${at.level}${stamp} ${at.file ?? 'ProcessGroupNCCL.cpp'}:${at.line}] ${text}`;
}

/** `[PG ID 0 PG GUID 0(default_pg) Rank 5]`; unnamed groups have no parenthesis, the rank is the one inside the group. */
function groupPrefix(scene: Scene, rank: number, group: CallRecord['spec']['group']): string {
  const id = (scene.topology.groupsOf[rank] ?? []).indexOf(group);
  const desc = group.desc === '' ? '' : `(${group.desc})`;
  return `[PG ID ${id} PG GUID ${group.name}${desc} Rank ${group.ranks.indexOf(rank)}]`;
}

/** The number behind `Rank` in lines that carry no group. */
const workRank = (scene: Scene, rank: number, group: CallRecord['spec']['group']): number =>
  scene.spec.workRank === 'group' ? group.ranks.indexOf(rank) : rank;

const worldPrefix = (scene: Scene, rank: number): string => groupPrefix(scene, rank, scene.topology.world);

function lastSeqs(
  rankRun: RankRun,
  group: CallRecord['spec']['group'],
  atNs: number,
): { enqueued: number; completed: number } {
  let enqueued = -1;
  let completed = -1;
  for (const call of rankRun.calls) {
    if (call.spec.group !== group || call.enqueuedNs > atNs) continue;
    const seq = call.spec.p2p === undefined ? call.seq : call.p2pSeq;
    enqueued = seq;
    if (call.doneNs !== undefined && call.doneNs <= atNs) completed = seq;
  }
  return { enqueued, completed };
}

function workText(call: CallRecord): string {
  const { spec } = call;
  const seq = spec.p2p === undefined ? call.seq : call.p2pSeq;
  return `WorkNCCL(SeqNum=${seq}, OpType=${spec.opType}, NumelIn=${numelOf(spec.input)}, NumelOut=${numelOf(spec.output)}, Timeout(ms)=${spec.group.timeoutMs})`;
}

const SIGNAL_REASON =
  "This is most likely caused by incorrect usages of collectives, e.g., wrong sizes used across ranks, the order of collectives is not same for all ranks or the scheduled collective, for some reason, didn't run. " +
  'Additionally, this can be caused by GIL deadlock or other reasons such as network errors or bugs in the communications library (e.g. NCCL), etc. ';

/** Adds the monitor thread's lines; returns when the dump file is whole. */
function pushDump(scene: Scene, draft: Draft, at: { atNs: number; from: number | undefined }): number {
  const { rank } = draft;
  const random = randomOf(scene, 'dump', rank);
  const rankRun = scene.runs[rank];
  const seqs =
    rankRun === undefined ? { enqueued: -1, completed: -1 } : lastSeqs(rankRun, scene.topology.world, at.atNs);
  const who = at.from === undefined ? 'this local rank' : ` rank ${at.from}`;
  const prefix = worldPrefix(scene, rank);
  if (at.from !== undefined) {
    const text = `${prefix} Observed flight recorder dump signal from another rank via TCPStore.`;
    draft.lines.push({ atNs: at.atNs, text: cpp(scene, rank, { atNs: at.atNs, level: 'E', line: 1806 }, text) });
  }
  const signalNs = at.atNs + 150_000;
  const signal = `${prefix} Received a dump signal due to a collective timeout from ${who} and we will try our best to dump the debug info. Last enqueued NCCL work: ${seqs.enqueued}, last completed NCCL work: ${seqs.completed}.${SIGNAL_REASON}`;
  draft.lines.push({ atNs: signalNs, text: cpp(scene, rank, { atNs: signalNs, level: 'E', line: 1870 }, signal) });
  const prepareNs = signalNs + 170_000;
  const prepare = `${prefix} ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1`;
  draft.lines.push({ atNs: prepareNs, text: cpp(scene, rank, { atNs: prepareNs, level: 'E', line: 1589 }, prepare) });
  return prepareNs + Math.round(random.between(15, 180) * MS);
}

/** From the first error line of the watchdog to SIGABRT. `what` is the text after "terminated with exception: ". */
function pushTeardown(scene: Scene, draft: Draft, fromNs: number, why: { call: CallRecord; what: string }): number {
  const { rank } = draft;
  const { what } = why;
  const own = workRank(scene, rank, why.call.spec.group);
  const random = randomOf(scene, 'teardown', rank);
  let atNs = fromNs + Math.round(random.between(380, 620) * MS);
  const push = (line: number, text: string): void => {
    draft.lines.push({ atNs, text: cpp(scene, rank, { atNs, level: 'E', line }, text) });
    atNs += 60_000;
  };
  push(
    740,
    `[Rank ${own}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.`,
  );
  push(754, `[Rank ${own}] To avoid data inconsistency, we are taking the entire process down.`);
  const full = `${worldPrefix(scene, rank)} Process group watchdog thread terminated with exception: ${what}`;
  push(2068, `${full}\n${CPP_FRAMES}`);
  draft.lines.push({
    atNs,
    text: `terminate called after throwing an instance of 'c10::DistBackendError'\n  what():  ${full}\n${CPP_FRAMES}`,
  });
  return atNs + Math.round(random.between(80, 900) * MS);
}

const CPP_FRAMES = [
  'Exception raised from checkTimeout at /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:691 (most recent call first):',
  'frame #0: c10::Error::Error(c10::SourceLocation, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >) + 0x80 (0x7f2d4057eeb0 in /opt/venv/lib/python3.11/site-packages/torch/lib/libc10.so)',
  'frame #1: c10d::ProcessGroupNCCL::Watchdog::runLoop() + 0x1138 (0x7f2cdf1a2c58 in /opt/venv/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so)',
  'frame #2: <unknown function> + 0xdbbf4 (0x7f2cc2c4dbf4 in /usr/lib/x86_64-linux-gnu/libstdc++.so.6)',
  'frame #3: clone + 0x40 (0x7f2d41bca850 in /usr/lib/x86_64-linux-gnu/libc.so.6)',
  '',
].join('\n');

/** Own timeout of a rank's oldest unfinished call, found at the watchdog's next look. Undefined if nothing is pending. */
function timeoutOf(scene: Scene, rank: number): { call: CallRecord; atNs: number } | undefined {
  const rankRun = scene.runs[rank];
  const call = rankRun === undefined ? undefined : pendingCall(rankRun);
  if (call === undefined) return undefined;
  const poll = randomOf(scene, 'poll', rank).between(2, 100);
  return { call, atNs: call.enqueuedNs + call.spec.group.timeoutMs * MS + Math.round(poll * MS) };
}

function pushDetection(scene: Scene, draft: Draft, call: CallRecord, at: { atNs: number; headline: string }): number {
  const { rank } = draft;
  const rankRun = scene.runs[rank];
  let atNs = at.atNs;
  const push = (line: number, text: string, stepNs: number): void => {
    draft.lines.push({ atNs, text: cpp(scene, rank, { atNs, level: 'E', line }, text) });
    atNs += stepNs;
  };
  const seq = call.spec.p2p === undefined ? call.seq : call.p2pSeq;
  const seqs = rankRun === undefined ? { enqueued: -1, completed: -1 } : lastSeqs(rankRun, call.spec.group, atNs);
  push(688, at.headline, 170_000);
  push(
    2305,
    `${groupPrefix(scene, rank, call.spec.group)}  failure detected by watchdog at work sequence id: ${seq} PG status: last enqueued work: ${seqs.enqueued}, last completed work: ${seqs.completed}`,
    40_000,
  );
  push(730, scene.spec.recorder === 'off' ? NO_STACK : `${STACK}${formatStack(call.spec.frames)}\n`, 30_000);
  push(2147, `${groupPrefix(scene, rank, call.spec.group)} First PG on this rank to signal dumping.`, 20_000);
  return atNs;
}

const STACK = 'Stack trace of the failed collective: \n';
const NO_STACK =
  'Stack trace of the failed collective not found, potentially because FlightRecorder is disabled. You can enable it by setting TORCH_NCCL_TRACE_BUFFER_SIZE to a non-zero value.';

function timedOut(scene: Scene, rank: number, timeout: { call: CallRecord; atNs: number }): Ending {
  const draft: Draft = { rank, lines: [] };
  const ranMs = Math.floor((timeout.atNs - timeout.call.enqueuedNs) / MS);
  const what = `[Rank ${workRank(scene, rank, timeout.call.spec.group)}] Watchdog caught collective operation timeout: ${workText(timeout.call)} ran for ${ranMs} milliseconds before timing out.`;
  const seenNs = pushDetection(scene, draft, timeout.call, { atNs: timeout.atNs, headline: what });
  const wakeNs = seenNs + Math.round(randomOf(scene, 'monitor', rank).between(20, 950) * MS);
  const dumpNs = pushDump(scene, draft, { atNs: wakeNs, from: undefined });
  const exitNs = pushTeardown(scene, draft, dumpNs, { call: timeout.call, what });
  return { rank, lines: draft.lines, dumpNs: written(scene, dumpNs), exitNs, code: -6 };
}

const written = (scene: Scene, dumpNs: number): number | undefined =>
  scene.spec.recorder === 'off' ? undefined : dumpNs;

/** Waits on the CPU in a group over gloo: no watchdog looks at that; the call itself raises. */
function glooWait(scene: Scene, rank: number, call: CallRecord): Ending {
  const random = randomOf(scene, 'gloo', rank);
  const atNs = call.enqueuedNs + call.spec.group.timeoutMs * MS + Math.round(random.between(0.2, 12) * MS);
  const final = timeoutError(call.spec.group.timeoutMs, random);
  const text = formatTraceback({ rank, frames: tracebackLines(call.spec), final }, scene.spec.appLog);
  const exitNs = atNs + Math.round(random.between(0.6, 3) * SECOND);
  return { rank, lines: [{ atNs, text }], dumpNs: undefined, exitNs, code: 1 };
}

/** A peer's connection broke: NCCL warns, the watchdog finds the asynchronous error on the pending call. */
function peerLost(scene: Scene, rank: number, lost: { call: CallRecord; atNs: number; peer: string }): Ending {
  const draft: Draft = { rank, lines: [] };
  const { pid, localRank, place } = placeOf(scene.topology, rank);
  const random = randomOf(scene, 'peer', rank);
  const tid = pid + random.int(200, 900);
  const last = `socketProgress: Connection closed by remote peer ${lost.peer}<${random.int(30_000, 60_000)}>`;
  const runtime = scene.stamper.api(place.clock, lost.atNs).replace('T', ' ').replace('Z', '');
  draft.lines.push({
    atNs: lost.atNs,
    text: `\n[${runtime}] ${place.pod}:${pid}:${tid} [${localRank}] misc/socket.cc:64 NCCL WARN ${last}`,
  });
  for (const trail of [
    'misc/socket.cc:823 -> 6',
    'transport/net_socket.cc:610 -> 6',
    'transport/net.cc:1320 -> 6',
    'proxy.cc:743 -> 6',
    'proxy.cc:923 -> 6 [Progress Thread]',
  ])
    draft.lines.push({
      atNs: lost.atNs + 90_000,
      text: `${place.pod}:${pid}:${tid} [${localRank}] NCCL INFO ${trail}`,
    });
  const error = `NCCL error: remote process exited or there was a network error, NCCL version ${NCCL_VERSION}\nncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\nLast error:\n${last}`;
  const foundNs = lost.atNs + Math.round(random.between(5, 100) * MS);
  const headline = `[Rank ${workRank(scene, rank, lost.call.spec.group)}] Collective ${workText(lost.call)} raised the following async exception: ${error}`;
  const seenNs = pushDetection(scene, draft, lost.call, { atNs: foundNs, headline });
  const wakeNs = seenNs + Math.round(randomOf(scene, 'monitor', rank).between(20, 950) * MS);
  const dumpNs = pushDump(scene, draft, { atNs: wakeNs, from: undefined });
  const exitNs = pushTeardown(scene, draft, dumpNs, { call: lost.call, what: error });
  return { rank, lines: draft.lines, dumpNs: written(scene, dumpNs), exitNs, code: -6 };
}

/** The rank whose Python raised: traceback, interpreter shutdown, exit 1. No dump: its monitor thread stops with it. */
function raised(scene: Scene, rank: number): Ending {
  const plan = scene.plan.raised;
  const at = scene.runs[rank]?.endNs ?? 0;
  if (plan === undefined) return living(rank);
  const random = randomOf(scene, 'raise', rank);
  const warnNs = at + Math.round(random.between(120, 400) * MS);
  const warning = cpp(
    scene,
    rank,
    { atNs: warnNs, level: 'W', line: 1538 },
    'Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources. For more info, please see https://pytorch.org/docs/stable/distributed.html#shutdown (function operator())',
  );
  const lines = [
    { atNs: at, text: formatTraceback(plan, scene.spec.appLog) },
    { atNs: warnNs, text: warning },
  ];
  return { rank, lines, dumpNs: undefined, exitNs: warnNs + Math.round(random.between(200, 900) * MS), code: 1 };
}

/** Takes part in the others' dump and waits on. */
function bystander(scene: Scene, rank: number, signal: { atNs: number; from: number } | undefined): Ending {
  const muted = scene.plan.holdsLock === true && scene.runs[rank]?.end === 'hang';
  if (signal === undefined || muted || !Number.isFinite(signal.atNs)) return living(rank);
  const draft: Draft = { rank, lines: [] };
  const wakeNs = signal.atNs + Math.round(randomOf(scene, 'observe', rank).between(10, 1000) * MS);
  const dumpNs = pushDump(scene, draft, { atNs: wakeNs, from: signal.from });
  return { ...living(rank), lines: draft.lines, dumpNs: written(scene, dumpNs) };
}

/** Endings of all ranks as if there were no agents. */
export function ncclEndings(scene: Scene): Ending[] {
  const first = scene.runs.map((rankRun, rank): Ending | undefined => {
    if (rankRun.end === 'raise') return raised(scene, rank);
    if (rankRun.end === 'vanish') return { ...living(rank), exitNs: rankRun.endNs, code: -9 };
    if (rankRun.end === 'leave')
      return {
        ...living(rank),
        exitNs: rankRun.endNs + Math.round(randomOf(scene, 'leave', rank).between(200, 900) * MS),
        code: rankRun.code,
      };
    if (rankRun.end === 'finished')
      return {
        ...living(rank),
        exitNs: rankRun.endNs + Math.round(randomOf(scene, 'finish', rank).between(0.4, 1.2) * SECOND),
      };
    return undefined;
  });
  const goneNs = Math.min(...first.map((e) => e?.exitNs ?? Infinity), evictionCloseNs(scene));
  const culprits = scene.runs.filter(
    (r) =>
      r.end === 'raise' ||
      r.end === 'vanish' ||
      r.end === 'leave' ||
      r.end === 'finished' ||
      (r.end === 'hang' && scene.plan.evictedNode !== undefined),
  );
  const peer = culprits[0] === undefined ? '' : placeOf(scene.topology, culprits[0].rank).place.pod;
  const blocked = scene.runs.map((rankRun, rank): Ending | undefined => {
    if (first[rank] !== undefined || rankRun.end !== 'blocked') return undefined;
    const timeout = timeoutOf(scene, rank);
    if (timeout === undefined) return undefined;
    if (timeout.call.spec.group.gloo === true) return glooWait(scene, rank, timeout.call);
    const random = randomOf(scene, 'notice', rank);
    const notices = Number.isFinite(goneNs) && scene.spec.peersNotice !== 'timeout' && random.chance(0.75);
    const atNs = Math.max(goneNs, timeout.call.enqueuedNs) + Math.round(random.between(40, 700) * MS);
    return notices && atNs < timeout.atNs
      ? peerLost(scene, rank, { call: timeout.call, atNs, peer })
      : timedOut(scene, rank, timeout);
  });
  const signal = firstSignal(blocked);
  return scene.runs.map((_, rank) => first[rank] ?? blocked[rank] ?? bystander(scene, rank, signal));
}

/** An evicted Pod's sockets close when its agent has ended its workers. */
const evictionCloseNs = (scene: Scene): number => {
  const node = scene.plan.evictedNode;
  const ranks = node === undefined ? [] : (scene.topology.nodes[node]?.ranks ?? []);
  const times = ranks.map((rank) => scene.runs[rank]?.endNs ?? Infinity);
  return times.length === 0 ? Infinity : Math.min(...times) + 300 * MS;
};

function firstSignal(endings: readonly (Ending | undefined)[]): { atNs: number; from: number } | undefined {
  let best: { atNs: number; from: number } | undefined;
  for (const ending of endings) {
    const atNs = ending?.lines[0]?.atNs;
    if (ending?.code === -6 && atNs !== undefined && (best === undefined || atNs < best.atNs))
      best = { atNs, from: ending.rank };
  }
  return best;
}
