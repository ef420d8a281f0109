import { expect, it } from 'vitest';
import { type PathFacts, podFromFileName, readPath } from '#shared/formats/log/path-facts.ts';

const uid = '5b9e0c47-90d1-4b6a-a1d3-2e4f7c8b1a02';
const rows: readonly (readonly [string, Partial<PathFacts>])[] = [
  [
    `var/log/pods/ml-train_w-0_${uid}/pytorch/2.log`,
    { namespace: 'ml-train', pod: 'w-0', podUid: uid, container: 'pytorch', restart: 2 },
  ],
  [`var/log/pods/ml-train_w-0_${uid}/pytorch/0.log.20260314-095800`, { pod: 'w-0', restart: 0 }],
  [
    `var/log/containers/w-0_ml-train_pytorch-${'ab'.repeat(32)}.log`,
    { pod: 'w-0', namespace: 'ml-train', container: 'pytorch' },
  ],
  ['logs/w-0.log', { pod: 'w-0', previous: false, fileRank: undefined }],
  ['w-0.previous.timestamps.log', { pod: 'w-0', previous: true }],
  ['w-0_trainer.log', { pod: 'w-0', container: 'trainer' }],
  [
    'x/namespaces/ml/pods/w-1/pytorch/pytorch/logs/previous.log',
    { namespace: 'ml', pod: 'w-1', container: 'pytorch', previous: true },
  ],
  [
    'x/namespaces/ml/pods/w-1/pytorch/pytorch/logs/rotated/0.log.20260314-095810',
    { pod: 'w-1', container: 'pytorch', restart: 0 },
  ],
  [
    'cluster-resources/pods/logs/ml/w-2/pytorch-previous.log',
    { namespace: 'ml', pod: 'w-2', container: 'pytorch', previous: true },
  ],
  ['train-logs/job-worker-2/pytorch.log', { pod: 'job-worker-2', container: 'pytorch', namespace: undefined }],
  ['logs/ml/job-worker-2/main.log', { pod: 'job-worker-2', container: 'main', namespace: 'ml' }],
  ['x/set-node-0-1-x7k2p/pytorch.previous.log', { pod: 'set-node-0-1-x7k2p', container: 'pytorch', previous: true }],
  ['job-worker-2/stderr.log', { pod: 'job-worker-2', container: undefined }],
  ['run-1/train.log', { pod: undefined }],
  ['job-worker-2/step-12.log', { pod: undefined }],
  ['gpu_operand_pod_nvidia-dcgm-exporter-9zq4t.previous.log', { pod: 'nvidia-dcgm-exporter-9zq4t', previous: true }],
  ['nccl.job-worker-1.57.log', { pod: 'job-worker-1' }],
  ['nccl_debug.gpu-node-3.1234.txt', { pod: 'gpu-node-3' }],
  ['nccl-tests-worker-0.log', { pod: 'nccl-tests-worker-0' }],
  ['slurm-481516.out', { pod: undefined }],
  ['nodes/n1/dmesg.txt', { pod: undefined, host: 'n1' }],
  ['gpu_device_usage_gpu-node-03.log', { host: 'gpu-node-03' }],
  ['exportedlogs/0f1e/w-1_ml_pytorch/000000', { pod: 'w-1', namespace: 'ml', container: 'pytorch' }],
  ['dump/ml/w-2/logs.txt', { namespace: 'ml', pod: 'w-2' }],
  ['torchrun/w-3/none_ab12/attempt_1/3/stderr.log', { pod: 'w-3', attempt: 1, localRank: 3 }],
  ['attempt_0/1/stderr.log', { pod: undefined, attempt: 0, localRank: 1 }],
  ['rank-12.log', { pod: undefined, fileRank: 12 }],
  ['rank0.log', { fileRank: 0 }],
  ['node-a-rank0.log', { pod: undefined, fileRank: 0 }],
  ['rank_3/stdout.log', { fileRank: 3 }],
  ['06-silent-rank0-desync/report.log', { fileRank: undefined }],
  ['nodes/gpu-4/dmesg.txt', { host: 'gpu-4' }],
  ['node/gpu-node-03/dmesg.txt', { host: 'gpu-node-03' }],
  ['dmesg-gpu-4.txt', { host: 'gpu-4' }],
  ['gpu-4.dmesg.log', { host: 'gpu-4' }],
  [`docker/${'ab'.repeat(32)}/${'ab'.repeat(32)}-json.log`, { pod: undefined }],
  ['frank0.log', { fileRank: undefined, pod: undefined }],
  ['Some Log.txt', { pod: undefined }],
  // Names that say nothing: a Pod by one of them would be made up.
  ...['c81.bin', '5x9k2', 'mpi.log', 'node-a.log', 'log', 'output.txt', 'worker.log', 'all-ranks.log', 'node-0.log']
    .concat(['stdout-all-ranks.log', 'k3j-9d.dat', '3f2a8c1e-90d1-4b6a-a1d3-2e4f7c8b1a02.log', 'train-1.log'])
    .map((name): readonly [string, Partial<PathFacts>] => [name, { pod: undefined }]),
  ['', { pod: undefined, host: undefined }],
];

it.each(rows)('%s', (path, expected) => {
  expect(readPath(path)).toMatchObject(expected);
});

it('takes a Pod from a file name only if it can be one', () => {
  expect(podFromFileName('logs/w-0.log')).toBe('w-0');
  expect(podFromFileName('logs/Upper.log')).toBeUndefined();
  expect(podFromFileName('/var/log/syslog')).toBeUndefined();
});
