/** The other outcomes: cannot tell, no failure, group, no rank; and many ranks. */
import type { Report, ReportVerdict } from '#shared/report/schema.ts';
import { asFinding, clocks, evidence, files, gap, NOTHING, ranksOf, report } from './report-parts.ts';

/** Too little in the bundle: eight ranks, one log, no dump. */
export function cannotTellReport(): Report {
  const log = 'logs/rank3.log';
  const verdict: ReportVerdict = {
    ...NOTHING,
    summary:
      'The first failure cannot be decided from this bundle. It holds no recorder dump and one log of eight; each silent rank could be first.',
    candidates: [
      { ranks: [0, 1, 2, 4, 5, 6, 7], why: 'one of them stopped before #1877: fits the wait, as any stall would' },
      { ranks: [3], why: 'it skipped or added a call: would need the numbers of a second rank' },
    ],
    because: [
      evidence({
        text: 'Rank 3 waits in allreduce #1877 of default_pg, 1 × fp32, for 1 800 s',
        file: log,
        line: 8_014,
        rank: 3,
        time: '2026-02-09T03:12:44.108Z',
        entryId: 0,
      }),
      evidence({
        text: 'Its watchdog names no peer; the log holds no other rank',
        file: log,
        line: 8_020,
        rank: 3,
        entryId: 0,
      }),
      evidence({
        text: 'Steps took 1.31 s until step 1876; none is slower than 1.40 s',
        file: log,
        line: 8_002,
        rank: 3,
        time: '2026-02-09T03:12:42.790Z',
        entryId: 0,
      }),
    ],
  };
  return report({
    bundle: {
      name: 'unet-3d upload.zip',
      sha256: '00aa'.padEnd(64, '7'),
      bytes: 41_943_040,
      unpackedBytes: 41_950_000,
      files: files({ total: 9, read: 3, warned: 1, skipped: 5 }),
    },
    incident: {
      start: '2026-02-09T02:31:40.000Z',
      end: '2026-02-09T03:48:10.220Z',
      worldSize: 8,
      ranksSeen: 1,
      dumpsPresent: 0,
      dumpsExpected: null,
      attempts: 0,
      software: { torch: '2.8.0' },
    },
    clock: clocks('rank3.log'),
    ranks: ranksOf({
      count: 8,
      perNode: 8,
      nodeName: () => '',
      podName: () => '',
      change: (rank) => ({
        role: rank === 3 ? 'victim' : 'unknown',
        dump: 'absent',
        pod: null,
        node: null,
        gpu: null,
        container: null,
        clock: rank === 3 ? 'rank3.log' : null,
        lastSeen: rank === 3 ? '2026-02-09T03:42:45.001Z' : null,
        files: rank === 3 ? [log] : [],
      }),
    }),
    verdict,
    findings: [asFinding(verdict, 'f1', 'cannot-tell')],
    gaps: [
      gap(
        'Recorder dumps of 8 ranks',
        'absent',
        'Which rank never enqueued the call that rank 3 waits in',
        'TORCH_NCCL_TRACE_BUFFER_SIZE=2000',
      ),
      gap(
        'Logs of ranks 0–2 and 4–7',
        'absent',
        'Whether one of them stops before 03:12:44 raw',
        'kubectl logs POD --previous',
      ),
      gap(
        'Pod list with exit codes',
        'not-collected',
        'Whether a container was killed, and when',
        'kubectl get pods -o yaml',
      ),
      gap('Kernel log of the node', 'not-collected', 'Xid, link and host memory faults', 'journalctl -k --since 03:00'),
      gap('Events', 'partial', 'Evictions; none older than 04:10 is kept', 'kubectl get events -o json'),
    ],
    issues: [
      {
        code: 'time-zone-assumed',
        severity: 'warning',
        file: log,
        where: null,
        count: 8_020,
        text: 'Time stamps without a zone; UTC was assumed.',
      },
    ],
  });
}

/** The job ended well on all of its 32 ranks. */
export function noFailureReport(): Report {
  const verdict: ReportVerdict = {
    ...NOTHING,
    outcome: 'no-failure',
    status: 'established',
    summary: 'The job ended well on all 32 ranks.',
    because: [
      evidence({ text: 'Every container ended with exit code 0', file: 'pods.yaml', line: 12, entryId: 0 }),
      evidence({
        text: 'No call is open in any of 32 recorders',
        file: 'flight-recorder/nccl_trace_rank_0',
        record: 1999,
        rank: 0,
        entryId: 1,
      }),
      evidence({
        text: 'Last step 112 590 of 112 590 reached',
        file: 'logs/resnet50-0.log',
        line: 301_882,
        rank: 0,
        time: '2026-02-07T05:58:12.604Z',
        entryId: 2,
      }),
    ],
    against: [
      evidence({
        text: 'Rank 19 entered 9 870 of 18 402 allreduces last, median 3 ms behind the others of its node',
        file: 'flight-recorder/nccl_trace_rank_19',
        record: 1200,
        rank: 19,
        entryId: 3,
      }),
    ],
  };
  return report({
    bundle: {
      name: 'resnet50-nightly',
      sha256: 'ab12'.padEnd(64, '3'),
      bytes: 230_686_720,
      unpackedBytes: 230_686_720,
      files: files({ total: 71, read: 71 }),
    },
    incident: {
      start: '2026-02-06T22:00:31.000Z',
      end: '2026-02-07T05:58:30.000Z',
      worldSize: 32,
      ranksSeen: 32,
      dumpsPresent: 32,
      dumpsExpected: 32,
      attempts: 1,
      software: { torch: '2.9.1', NCCL: '2.27.5' },
    },
    clock: clocks('node-e07-0', 'node-e07-1', 'node-e07-2', 'node-e07-3'),
    ranks: ranksOf({
      count: 32,
      perNode: 8,
      nodeName: (i) => `node-e07-${i}`,
      podName: (i) => `resnet50-${i}`,
      change: () => ({
        role: 'bystander',
        exit: { code: 0, signal: null, reason: 'Completed', at: null },
        lastSeen: '2026-02-07T05:58:12.604Z',
      }),
    }),
    verdict,
    findings: [asFinding(verdict, 'f1', 'ended-well')],
  });
}

/** Members cannot be told apart: a Pod that was evicted with its four ranks. */
export function groupReport(): Report {
  const verdict: ReportVerdict = {
    ...NOTHING,
    outcome: 'group',
    status: 'supported',
    stage: 'host',
    cause: 'evicted',
    firstRanks: [4, 5, 6, 7],
    candidates: [{ ranks: [5], why: 'its log ends 40 ms before those of 4, 6 and 7, on the same clock' }],
    symptomRanks: [0, 1, 2, 3],
    pod: 'bert-small-1',
    node: 'worker-c17-2',
    attempt: 1,
    at: { time: '2026-02-11T17:03:12.000Z', boundMs: null },
    summary: 'Ranks 4–7 ended together when Pod bert-small-1 was evicted: the node was low on ephemeral storage.',
    because: [
      evidence({
        text: 'Pod bert-small-1: reason `Evicted`, "low on resource: ephemeral-storage"',
        file: 'pods.yaml',
        line: 210,
        entryId: 0,
        time: '2026-02-11T17:03:12.000Z',
      }),
    ],
    against: [],
    wouldChange: ['kubelet log of worker-c17-2'],
  };
  return report({
    bundle: {
      name: 'bert-small',
      sha256: 'c0de'.padEnd(64, '1'),
      bytes: 1_258_291,
      unpackedBytes: 1_258_291,
      files: files({ total: 12, read: 12 }),
    },
    incident: {
      start: '2026-02-11T16:40:00.000Z',
      end: '2026-02-11T17:04:01.000Z',
      worldSize: 8,
      ranksSeen: 8,
      dumpsPresent: 0,
      dumpsExpected: 8,
      attempts: 2,
      software: { torch: '2.9.1' },
    },
    clock: clocks('worker-c17-1', 'worker-c17-2', 'API server'),
    ranks: ranksOf({
      count: 8,
      perNode: 4,
      nodeName: (i) => `worker-c17-${i + 1}`,
      podName: (i) => `bert-small-${i}`,
      change: (rank) => ({ attempt: 1, dump: 'absent', role: rank >= 4 ? 'first' : 'victim' }),
    }),
    verdict,
    findings: [asFinding(verdict, 'f1', 'pod-evicted')],
    gaps: [gap('Kubelet log', 'not-collected', 'Which process filled the disk', 'journalctl -u kubelet')],
  });
}

/** The cause reached the job from outside: no rank is named. */
export function noRankReport(): Report {
  const verdict: ReportVerdict = {
    ...NOTHING,
    outcome: 'no-rank',
    status: 'hypothesis',
    stage: 'host',
    cause: 'external-signal',
    summary: 'A SIGTERM from outside ended all four ranks within one second; nobody inside the job failed before.',
    symptomRanks: [0, 1, 2, 3],
    because: [
      evidence({
        text: 'Received 15 death signal, shutting down workers',
        file: 'logs/job-0.log',
        line: 77,
        entryId: 0,
        time: '2026-02-12T08:00:01.201Z',
      }),
    ],
  };
  return report({
    bundle: {
      name: 'preempted-run.tgz',
      sha256: 'beef'.padEnd(64, '2'),
      bytes: 61_440,
      unpackedBytes: 300_000,
      files: files({ total: 4, read: 4 }),
    },
    incident: {
      start: '2026-02-12T07:10:00.000Z',
      end: '2026-02-12T08:00:03.000Z',
      worldSize: 4,
      ranksSeen: 4,
      dumpsPresent: 0,
      dumpsExpected: null,
      attempts: 1,
      software: {},
    },
    clock: clocks('job-0'),
    ranks: ranksOf({
      count: 4,
      perNode: 4,
      nodeName: () => 'job-0',
      podName: () => 'job-0',
      change: () => ({ dump: 'absent', node: null, clock: 'job-0' }),
    }),
    verdict,
    findings: [asFinding(verdict, 'f1', 'external-signal')],
  });
}

/** Many ranks, one first: for maps, tables and windowing. */
export function manyRanksReport(count: number): Report {
  const first = Math.floor(count / 3) + 5;
  const verdict: ReportVerdict = {
    ...NOTHING,
    outcome: 'named',
    status: 'established',
    stage: 'straggler',
    cause: 'stalled-unknown',
    firstRanks: [first],
    symptomRanks: Array.from({ length: count }, (_, rank) => rank).filter((rank) => rank !== first && rank % 3 !== 0),
    node: `gpu-a${Math.floor(first / 8)}`,
    pod: `llama-ft-${Math.floor(first / 8)}`,
    at: { time: '2026-02-14T06:41:17.196Z', boundMs: null },
    summary: `Rank ${first} never enqueued allreduce #731402 of tp_4; ${count - 12} recorded ranks waited for it until the 600 s watchdog.`,
    because: [
      evidence({
        text: `Last call of rank ${first} in tp_4 is #731401, completed`,
        file: `flight-recorder/nccl_trace_rank_${first}`,
        record: 1998,
        rank: first,
        time: '2026-02-14T06:41:17.196Z',
        entryId: 0,
      }),
    ],
  };
  return report({
    bundle: {
      name: 'llama-70b-ft.tar.gz',
      sha256: 'f00d'.padEnd(64, '4'),
      bytes: 9_771_050_598,
      unpackedBytes: 33_285_996_544,
      files: files({ total: 640, read: 637, refused: 1, empty: 1, skipped: 1 }),
    },
    incident: {
      start: '2026-02-14T02:10:00.000Z',
      end: '2026-02-14T06:52:02.000Z',
      worldSize: count,
      ranksSeen: count,
      dumpsPresent: count - 11,
      dumpsExpected: count,
      attempts: 1,
      software: { torch: '2.9.1', NCCL: '2.27.5' },
    },
    clock: clocks(...Array.from({ length: Math.min(64, Math.ceil(count / 8)) }, (_, i) => `gpu-a${i}`)),
    ranks: ranksOf({
      count,
      perNode: 8,
      nodeName: (i) => `gpu-a${i}`,
      podName: (i) => `llama-ft-${i}`,
      change: (rank) => ({
        role: rank === first ? 'first' : rank % 3 === 0 ? 'bystander' : 'victim',
        dump: rank % 47 === 3 ? 'absent' : 'present',
        exit: { code: 1, signal: null, reason: 'Error', at: null },
      }),
    }),
    verdict,
    findings: [asFinding(verdict, 'f1', 'rank-never-enqueued')],
    gaps: [gap('Kernel logs of 64 nodes', 'not-collected', 'Xid and link faults stay open', 'journalctl -k')],
  });
}
