/** A named rank, established: once with raw clocks, once with aligned ones. */
import type { Report, ReportEvidence, ReportVerdict } from '#shared/report/schema.ts';
import { asFinding, clocks, evidence, files, gap, NOTHING, ranksOf, report } from './report-parts.ts';

const DUMP_11 = 'flight-recorder/nccl_trace_rank_11';
const LOG_0 = 'logs/vit-large-0.log';
const LOG_1 = 'logs/vit-large-1.log';

/** One rank entered another operation: a named rank, established, sixteen ranks on two nodes. */
export function namedReport(): Report {
  const verdict: ReportVerdict = {
    ...NOTHING,
    outcome: 'named',
    status: 'established',
    stage: 'mismatched-collective',
    cause: 'collective-type',
    firstRanks: [11],
    symptomRanks: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15],
    pod: 'vit-large-1',
    node: 'node-d69-1',
    attempt: 0,
    at: { time: '2026-02-18T10:28:25.552Z', boundMs: null },
    summary:
      'Rank 11 entered broadcast #4812 while 15 ranks entered allreduce #4812 in default_pg. All 16 waited until the 600 s watchdog.',
    because: [
      evidence({
        text: '13 of 14 readable dumps hold allreduce #4812, 25 557 032 × bf16, running',
        file: 'flight-recorder/nccl_trace_rank_0',
        record: 1999,
        rank: 0,
        time: '2026-02-18T10:28:25.456Z',
        entryId: 3,
      }),
      evidence({
        text: 'Rank 11 holds broadcast #4812, 1 × int64, running',
        file: DUMP_11,
        record: 1999,
        rank: 11,
        time: '2026-02-18T10:28:25.552Z',
        entryId: 4,
      }),
      evidence({
        text: 'Stacks part at frame 2: `save_checkpoint` on rank 11, `backward` on the others',
        file: DUMP_11,
        record: 1999,
        rank: 11,
        entryId: 4,
      }),
      evidence({
        text: 'Rank 11 logs `saving step-001504.pt`; no other rank logs a save at this step',
        file: LOG_1,
        line: 43_902,
        rank: 11,
        time: '2026-02-18T10:28:25.457Z',
        entryId: 1,
      }),
      evidence({
        text: '15 watchdogs report ALLREDUCE #4812 after 600 s; that of rank 11 BROADCAST',
        file: LOG_0,
        line: 44_120,
        rank: 4,
        time: '2026-02-18T10:38:25.529Z',
        entryId: 0,
      }),
    ],
    against: [
      evidence({
        text: 'Ranks 4 and 7 reached #4812 on another clock; the order to rank 11 is not determined',
        file: 'flight-recorder/nccl_trace_rank_0',
        record: 1998,
        rank: 4,
        time: '2026-02-18T10:28:25.488Z',
        entryId: 3,
      }),
      evidence({
        text: 'torchrun names rank 4 as root cause: it exited first, 10 m 0.6 s after the calls parted',
        file: LOG_0,
        line: 44_310,
        rank: 4,
        time: '2026-02-18T10:38:26.104Z',
        entryId: 0,
      }),
    ],
    wouldChange: ['dump of rank 6', 'dump of rank 13', 'kernel log of node-d69-1'],
    nextChecks: [
      'Compare train.py:140 on rank 11 with the other ranks',
      'Check which rank decides on a save, and by which clock',
    ],
  };
  const ruledOut: ReportVerdict = {
    ...NOTHING,
    outcome: 'named',
    status: 'ruled-out',
    stage: 'exited-rank',
    cause: 'killed',
    firstRanks: [4],
    summary: 'Rank 4 failed first. It waited in #4812 with 14 others and exited 10 min later',
    against: verdict.against.slice(0, 1),
  };
  const supported: ReportVerdict = {
    ...NOTHING,
    outcome: 'no-rank',
    status: 'supported',
    stage: 'straggler',
    cause: 'slow-checkpoint',
    summary:
      'Each rank reads its own clock to decide on a save (train.py:131), so one rank can cross the 30 min limit a step early',
    because: verdict.because.slice(2, 4),
    against: verdict.against.slice(0, 1),
  };
  const open: ReportVerdict = {
    ...NOTHING,
    summary: 'Xid or link fault on node-d69-1 stays open: no kernel log of either node',
  };
  const stack = (last: string[]) => ['train.py:242 <module>', 'train.py:226 train', ...last];
  const divergence: Report['collectives']['firstDivergence'] = {
    group: 'default_pg',
    seq: 4812,
    kind: 'op',
    ranks: [11],
    expected: 'allreduce [25557032] bf16',
    actual: 'broadcast [1] int64',
    frames: [
      {
        ranks: [11],
        frames: stack([
          'train.py:140 save_checkpoint',
          'distributed.py:104 wrapper',
          'distributed_c10d.py:2714 broadcast',
        ]),
      },
      {
        ranks: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 14, 15],
        frames: stack(['train.py:133 backward', 'distributed_c10d.py:2806 all_reduce']),
      },
    ],
    basis: 'dump',
    why: 'Fifteen of sixteen ranks agree; the dumps of 6 and 13 are missing and their watchdogs report ALLREDUCE.',
  };
  return report({
    bundle: {
      name: 'vit-large-ddp-20260218.tar.gz',
      sha256: '6e0b'.padEnd(64, 'd2'),
      bytes: 88_080_384,
      unpackedBytes: 390_070_272,
      files: files({ total: 58, read: 52, warned: 1, truncated: 1, empty: 1, duplicate: 1, skipped: 1, refused: 1 }),
    },
    incident: {
      start: '2026-02-18T09:57:50.102Z',
      end: '2026-02-18T10:40:10.481Z',
      worldSize: 16,
      ranksSeen: 16,
      dumpsPresent: 14,
      dumpsExpected: 16,
      attempts: 1,
      software: { torch: '2.9.1', NCCL: '2.27.5' },
    },
    clock: clocks('worker-c92-0', 'node-d69-1', 'API server'),
    ranks: ranksOf({
      count: 16,
      perNode: 8,
      nodeName: (i) => ['worker-c92-0', 'node-d69-1'][i] ?? '',
      podName: (i) => `vit-large-${i}`,
      change: (rank) => ({
        role: rank === 11 ? 'first' : 'victim',
        dump: rank === 6 ? 'absent' : rank === 13 ? 'empty' : 'present',
        exit: { code: 1, signal: rank === 4 ? 6 : null, reason: rank === 4 ? null : 'Error', at: null },
      }),
    }),
    collectives: {
      groups: [
        {
          group: 'default_pg',
          desc: 'default_pg',
          ranks: Array.from({ length: 16 }, (_, rank) => rank),
          dumps: 14,
          window: { from: 2813, to: 4812 },
          firstDivergence: divergence,
        },
        {
          group: 'log_pg',
          desc: 'log_pg',
          ranks: [0, 8],
          dumps: 2,
          window: { from: 1, to: 301 },
          firstDivergence: null,
        },
      ],
      firstDivergence: divergence,
    },
    verdict,
    findings: [
      asFinding(verdict, 'f1', 'collective-type'),
      asFinding(supported, 'f2', 'slow-checkpoint'),
      asFinding(open, 'f3', 'gpu-fault'),
      asFinding(ruledOut, 'f4', 'root-of-launcher'),
    ],
    gaps: [
      gap('Dump of rank 6', 'absent', '2 findings rest on its log instead', 'TORCH_NCCL_TRACE_BUFFER_SIZE=2000'),
      gap('Dump of rank 13', 'unreadable', '0 bytes; 2 findings rest on its log instead', 'more room at /dumps'),
      gap('Kernel log, both nodes', 'not-collected', 'Xid and link faults stay open', 'journalctl -k --since 10:00'),
      gap('Pod events', 'partial', 'none older than 10:12, API server TTL', 'kubectl get events -o json'),
      gap('Pod list', 'present', '', ''),
    ],
    issues: [
      {
        code: 'pickle-refused',
        severity: 'refused',
        file: 'flight-recorder/nccl_trace_rank_15.bak',
        where: 'byte 2',
        count: 1,
        text: 'Refused: the pickle holds an operation that no recorder dump needs; such ones import or run code. Nothing in it was run. (builtins.eval)',
      },
      {
        code: 'empty-file',
        severity: 'warning',
        file: 'flight-recorder/nccl_trace_rank_13',
        where: null,
        count: 1,
        text: 'The file has no content.',
      },
      {
        code: 'file-truncated',
        severity: 'warning',
        file: 'torchrun/attempt_0/13/stderr.log',
        where: 'byte 4 089 446',
        count: 1,
        text: 'The file ends in the middle of a record; everything before was read.',
      },
      {
        code: 'no-time-stamps',
        severity: 'info',
        file: 'torchrun/attempt_0/0/stderr.log',
        where: null,
        count: 12,
        text: 'No line carries a time; the order inside this file is known, but not its place in time.',
      },
    ],
  });
}

/** The same with corrected times: how the window looks once clocks are aligned. */
export function correctedReport(): Report {
  const base = namedReport();
  const corrected = (item: ReportEvidence): ReportEvidence =>
    item.time === null ? item : { ...item, timeBasis: 'corrected', boundMs: 38 };
  const offset = (estimate: number, half: number) => ({
    estimate,
    low: estimate - half,
    high: estimate + half,
    likelyLow: estimate - half / 3,
    likelyHigh: estimate + half / 3,
  });
  const verdict: ReportVerdict = {
    ...base.verdict,
    at: { time: '2026-02-18T10:28:25.552Z', boundMs: 38 },
    because: base.verdict.because.map(corrected),
    against: base.verdict.against.map(corrected),
  };
  return {
    ...base,
    clock: {
      reference: 'worker-c92-0',
      domains: [
        {
          id: 'worker-c92-0',
          kind: 'node',
          offsetMs: offset(0, 0),
          driftPpm: 0,
          quality: 'good',
          anchors: 41,
          basis: [],
          component: 0,
        },
        {
          id: 'node-d69-1',
          kind: 'node',
          offsetMs: offset(55, 38),
          driftPpm: 1.9,
          quality: 'good',
          anchors: 41,
          basis: [],
          component: 0,
        },
        {
          id: 'API server',
          kind: 'api',
          offsetMs: offset(-25, 50),
          driftPpm: null,
          quality: 'loose',
          anchors: 6,
          basis: [],
          component: 0,
        },
      ],
    },
    verdict,
    findings: base.findings.map((finding, index) =>
      index === 0 ? asFinding(verdict, 'f1', 'collective-type') : finding,
    ),
  };
}
