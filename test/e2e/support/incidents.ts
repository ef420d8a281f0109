/** Scenarios of whole screens: the invented incidents with their files. */
import { HOSTILE_TEXT, hostileReport } from './hostile-report.ts';
import { correctedReport, namedReport } from './named-report.ts';
import { cannotTellReport, groupReport, manyRanksReport, noFailureReport, noRankReport } from './outcome-reports.ts';
import { entryOf, type Scenario, summaryOf } from './scenario.ts';

const MIB = 1024 * 1024;
const RECORDS = '2 000 records, default_pg #2813–#4812';

const LOG_LINES = Array.from(
  { length: 400 },
  (_, i) =>
    `2026-02-18T10:28:${String(i % 60).padStart(2, '0')}.${String((i * 37) % 1000).padStart(3, '0')}Z INFO:train:step ${1100 + i} loss 2.${String(4000 - i)}`,
);

const vitEntries = [
  entryOf(0, 'logs/vit-large-0.log', 'Pod log', 9.1 * MIB, 'read', '44 902 lines, ranks 0–7', { lines: 44_902 }),
  entryOf(1, 'logs/vit-large-1.log', 'Pod log', 9.4 * MIB, 'read', '45 877 lines, ranks 8–15', { lines: 45_877 }),
  entryOf(2, 'pods.yaml', 'Pod list', 24 * 1024, 'read', '2 Pods, nodes worker-c92-0 and node-d69-1'),
  entryOf(3, 'flight-recorder/nccl_trace_rank_0', 'recorder dump', 1.1 * MIB, 'read', RECORDS),
  entryOf(4, 'flight-recorder/nccl_trace_rank_11', 'recorder dump', 1.1 * MIB, 'read', RECORDS),
  entryOf(5, 'flight-recorder/nccl_trace_rank_13', 'recorder dump', 0, 'empty', 'the file has 0 bytes'),
  entryOf(
    6,
    'flight-recorder/nccl_trace_rank_15.bak',
    'recorder dump',
    160,
    'refused',
    'asks to construct builtins.eval, at byte 2.',
  ),
  entryOf(
    7,
    'torchrun/attempt_0/13/stderr.log',
    'worker log',
    3.9 * MIB,
    'truncated',
    'ends in the middle of a record',
  ),
  entryOf(8, 'events.json', 'event list', 61 * 1024, 'warned', '47 events, none older than 10:12'),
  entryOf(9, 'logs/vit-large-0.log.1', 'Pod log', 9.1 * MIB, 'duplicate', 'same bytes as logs/vit-large-0.log'),
  entryOf(10, 'misc/core.21019', 'core dump', 118 * MIB, 'skipped', 'not used; kept and hashed'),
  entryOf(11, 'leases.yaml', 'Lease list', 813, 'read', '2 node leases'),
];

const REFUSED_HEX = Buffer.from(
  '\x80\x02cbuiltins\neval\nq\x00X\x1d\x00\x00\x00__import__("os").system("id")q\x01\x85q\x02Rq\x03.',
  'latin1',
)
  .toString('hex')
  .padEnd(320, 'a7');

export const vitScenario = (): Scenario => ({
  cases: [summaryOf('vit-large-hang', 'vit-large hang', namedReport())],
  reports: { 'vit-large-hang': namedReport() },
  entries: vitEntries,
  texts: { 2: 'kind: List\nitems:\n- kind: Pod\n  metadata:\n    name: vit-large-0\n', 8: LOG_LINES.join('\n') },
  generatedLines: { 0: 44_902, 1: 45_877 },
  hex: { 6: REFUSED_HEX },
  records: {
    3: {
      total: 2000,
      fields: [
        { name: 'record_id', value: '4811' },
        { name: 'profiling_name', value: 'nccl:all_reduce' },
      ],
      frames: ['train.py:242 <module>', 'train.py:133 backward'],
    },
    4: {
      total: 2000,
      fields: [
        { name: 'record_id', value: '4811' },
        { name: 'pg_id', value: '0' },
        { name: 'process_group', value: "['0', 'default_pg']" },
        { name: 'collective_seq_id', value: '4812' },
        { name: 'profiling_name', value: 'nccl:broadcast' },
        { name: 'time_created_ns', value: '1771410505552000000' },
        { name: 'input_sizes', value: '[[1]]' },
        { name: 'input_dtypes', value: "['Long']" },
        { name: 'state', value: 'scheduled' },
        { name: 'retired', value: 'False' },
        { name: 'timeout_ms', value: '600000' },
      ],
      frames: [
        'train.py:242 <module>',
        'train.py:226 train',
        'train.py:140 save_checkpoint',
        'distributed.py:104 wrapper',
        'distributed_c10d.py:2714 broadcast',
      ],
    },
  },
});

export function listScenario(): Scenario {
  const many = manyRanksReport(512);
  const reports = {
    'vit-large-hang': namedReport(),
    'vit-corrected': correctedReport(),
    'llama-70b-ft': { ...many, bundle: { ...many.bundle, stopped: { filesRead: 640, filesTotal: 812 } } },
    'llama-4k': manyRanksReport(4096),
    'bert-small': groupReport(),
    'preempted-run': noRankReport(),
    'unet-3d-upload': cannotTellReport(),
    'resnet50-nightly': noFailureReport(),
  };
  return {
    ...vitScenario(),
    cases: [
      summaryOf('vit-large-hang', 'vit-large hang', reports['vit-large-hang'], { importedAt: '2026-02-19T18:00:00Z' }),
      summaryOf('vit-corrected', 'vit-large, clocks aligned', reports['vit-corrected'], {
        importedAt: '2026-02-19T17:50:00Z',
      }),
      summaryOf('llama-70b-ft', 'llama-70b-ft no progress', reports['llama-70b-ft'], {
        importedAt: '2026-02-19T17:00:00Z',
        partial: true,
      }),
      summaryOf('llama-4k', 'llama-4k stall', reports['llama-4k'], { importedAt: '2026-02-19T16:50:00Z' }),
      summaryOf('bert-small', 'bert-small eviction', reports['bert-small'], { importedAt: '2026-02-19T16:00:00Z' }),
      summaryOf('preempted-run', 'preempted-run', reports['preempted-run'], { importedAt: '2026-02-19T15:00:00Z' }),
      summaryOf('unet-3d-upload', 'unet-3d upload', reports['unet-3d-upload'], {
        importedAt: '2026-02-19T14:00:00Z',
        ranks: null,
      }),
      summaryOf('resnet50-nightly', 'resnet50 nightly', reports['resnet50-nightly'], {
        importedAt: '2026-02-19T13:00:00Z',
        example: true,
      }),
    ],
    reports,
  };
}

const PROGRESS = { filesDone: 31, filesTotal: 58, bytesDone: 44 * MIB, bytesTotal: 84 * MIB, secondsLeft: 3 };
const jobFiles = [
  {
    path: 'pods.yaml',
    kind: 'Pod list',
    bytes: 24 * 1024,
    status: 'read',
    detail: '2 Pods, nodes worker-c92-0 and node-d69-1',
  },
  {
    path: 'events.json',
    kind: 'event list',
    bytes: 61 * 1024,
    status: 'warned',
    detail: '47 events, none older than 10:12',
  },
  { path: 'leases.yaml', kind: 'Lease list', bytes: 813, status: 'read', detail: '2 node leases' },
  {
    path: 'flight-recorder/nccl_trace_rank_0',
    kind: 'recorder dump',
    bytes: 1.1 * MIB,
    status: 'read',
    detail: RECORDS,
  },
  {
    path: 'flight-recorder/nccl_trace_rank_11',
    kind: 'recorder dump',
    bytes: 1.1 * MIB,
    status: 'read',
    detail: RECORDS,
  },
  {
    path: 'flight-recorder/nccl_trace_rank_13',
    kind: 'recorder dump',
    bytes: 0,
    status: 'empty',
    detail: 'the file has 0 bytes; counted as a gap',
  },
  {
    path: 'flight-recorder/nccl_trace_rank_15.bak',
    kind: 'recorder dump',
    bytes: 1.1 * MIB,
    status: 'refused',
    detail: 'asks to construct builtins.eval; nothing ran',
  },
  {
    path: 'misc/core.21019',
    kind: 'core dump',
    bytes: 118 * MIB,
    status: 'skipped',
    detail: 'not used; kept and hashed',
  },
  {
    path: 'logs/vit-large-0.log.1',
    kind: 'Pod log',
    bytes: 9.1 * MIB,
    status: 'duplicate',
    detail: 'same bytes as logs/vit-large-0.log',
  },
  { path: 'logs/vit-large-0.log', kind: 'Pod log', bytes: 9.1 * MIB, status: 'reading', detail: '43 902 lines so far' },
] as const;

const TITLE = 'vit-large-ddp-20260218.tar.gz';

/** An import that stays where it is, so that it can be looked at and cancelled. */
export const importScenario = (): Scenario => ({
  ...vitScenario(),
  cases: [],
  stepMs: 350,
  jobs: [
    {
      kind: 'running',
      title: TITLE,
      phase: 'inventory',
      fraction: 0.02,
      progress: { ...PROGRESS, filesDone: 0, filesTotal: null, bytesDone: 0, secondsLeft: null },
      files: [],
    },
    {
      kind: 'running',
      title: TITLE,
      phase: 'reading',
      fraction: 0.3,
      progress: { ...PROGRESS, filesDone: 12, bytesDone: 20 * MIB },
      files: jobFiles.slice(0, 5),
    },
    { kind: 'running', title: TITLE, phase: 'reading', fraction: 0.53, progress: PROGRESS, files: jobFiles.slice(5) },
  ],
});

/** The window is told why there is no case. */
export const failedImportScenario = (): Scenario => ({
  ...vitScenario(),
  cases: [],
  jobs: [
    {
      kind: 'running',
      title: 'holiday.zip',
      phase: 'reading',
      fraction: 0.5,
      progress: { ...PROGRESS, filesDone: 3, filesTotal: 3 },
      files: [
        { path: 'IMG_0001.jpg', kind: 'picture', bytes: 3 * MIB, status: 'skipped', detail: 'a picture; not used' },
      ],
    },
    { kind: 'failed', title: 'holiday.zip', code: 'nothing-readable', detail: '3 files, all of them pictures.' },
  ],
});

const LONG = `${'x'.repeat(5000)}${'y'.repeat(5000)}`;

export const hostileScenario = (): Scenario => ({
  cases: [summaryOf('hostile', `case ${HOSTILE_TEXT}`, hostileReport())],
  reports: { hostile: hostileReport() },
  entries: [
    entryOf(0, `logs/${HOSTILE_TEXT.replaceAll('/', '_')}.log`, 'Pod log', 12_000, 'read', HOSTILE_TEXT, { lines: 3 }),
    entryOf(1, '__proto__', 'Pod log', 40, 'warned', 'constructor', { lines: 1 }),
  ],
  texts: { 0: `${LONG}\n${HOSTILE_TEXT}\n\u202e\u2066reordered`, 1: 'toString' },
  jobs: [
    {
      kind: 'running',
      title: HOSTILE_TEXT,
      phase: 'reading',
      fraction: 0.5,
      progress: PROGRESS,
      files: [
        { path: `logs/${HOSTILE_TEXT}`, kind: 'Pod log', bytes: 9, status: 'refused', detail: HOSTILE_TEXT },
        { path: '__proto__', kind: 'constructor', bytes: 0, status: 'empty', detail: LONG },
      ],
    },
    { kind: 'failed', title: HOSTILE_TEXT, code: 'nothing-readable', detail: HOSTILE_TEXT },
  ],
  stepMs: 1500,
});
