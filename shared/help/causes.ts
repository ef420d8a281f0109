/** Each cause code: what it means for a reader, and the rules that can say it. */
import type { Cause } from '../model/finding.ts';

export interface CauseText {
  readonly means: string;
  /** What it is easily taken for, or what is not proof of it. */
  readonly beware: string;
  /** Ids of rules. Empty only where no rule says it; then `beware` tells why. */
  readonly rules: readonly string[];
}

const LATE = [
  'rank-never-enqueued',
  'silent-rank',
  'waited-for-rank',
  'address-never-published',
  'monitored-barrier',
  'desync-report',
  'ras-counts',
  'operation-never-ended',
];

export const CAUSES_HELP: Readonly<Record<Cause, CauseText>> = {
  'cuda-out-of-memory': {
    means: 'A process asked its GPU for more memory than was free and ended. The others felt it a moment later.',
    beware:
      'An allocation of more than an exabyte is a corrupt size that was read after a failed collective: a consequence. Memory errors of cuBLAS and cuDNN are often this in disguise.',
    rules: [
      'rank-raised',
      'nccl-cuda-failure',
      'cuda-failed-in-watchdog',
      'launcher-quotes-exception',
      'error-behind-a-wait',
    ],
  },
  'python-exception': {
    means: 'The program raised an exception of its own on some ranks only, and the rest waited for them.',
    beware:
      'Exceptions about time-outs, sockets, stores and process groups are what waiting ranks raise; handled ones end nothing.',
    rules: [
      'rank-raised',
      'launcher-quotes-exception',
      'error-behind-a-wait',
      'ended-without-a-word',
      'address-never-published',
      'rank-never-enqueued',
    ],
  },
  'data-input': {
    means: 'A rank could not read or decode its share of the data.',
    beware:
      'The same file may be read by another rank in the next epoch: the rank is where it happened, the record is why.',
    rules: ['rank-raised', 'launcher-quotes-exception', 'error-behind-a-wait'],
  },
  numerics: {
    means: 'A check found NaN, infinity or a loss that left all bounds, and the program stopped.',
    beware: 'Every rank prints it after the gradients were summed: the one that found it before the sum is the first.',
    rules: ['rank-raised', 'launcher-quotes-exception', 'error-behind-a-wait'],
  },
  'cuda-error': {
    means: 'GPU work of this process failed: an assertion in a kernel, an access to a wrong address.',
    beware:
      'CUDA reports errors late: the line that raises is rarely the one that failed. With an Xid of the same GPU it may be hardware.',
    rules: [
      'rank-raised',
      'cuda-failed-in-watchdog',
      'nccl-cuda-failure',
      'launcher-quotes-exception',
      'error-behind-a-wait',
    ],
  },
  killed: {
    means: 'A process was ended by a signal that nothing in the bundle accounts for.',
    beware:
      'Exit 137 or -9 alone does not prove that memory ran out; -6 after a watchdog line and -15 by the launcher are consequences.',
    rules: ['rank-killed', 'node-vanished', 'scheduler-task-exit', 'ended-without-a-word'],
  },
  storage: {
    means:
      'Writing or reading files failed or did not come back: full, gone, refused, or a server that did not answer.',
    beware: 'With a shared file system the rank that fails first is chance.',
    rules: ['rank-raised', 'storage-stalled', 'launcher-quotes-exception', 'error-behind-a-wait', 'host-pressure'],
  },
  'data-loader': {
    means: 'A worker process of the data loader of one rank died.',
    beware: 'Printed while a process shuts down it is noise. A bus error in it points at shared memory.',
    rules: ['data-loader-worker-killed', 'rank-raised', 'launcher-quotes-exception', 'error-behind-a-wait'],
  },
  configuration: {
    means:
      'A rank, or the whole job, was started with settings that cannot work, or with another model than its peers.',
    beware: 'The same error on all ranks has no first rank.',
    rules: ['rank-raised', 'models-differ', 'launcher-quotes-exception', 'error-behind-a-wait'],
  },
  'gpu-hardware': {
    means: 'The driver, the GPU or CUDA itself reported a fault of the device.',
    beware:
      'Most Xid codes can also come from the program or the driver; codes 13, 31, 43 and 45 usually do. A state that was read after the incident may have come after it.',
    rules: [
      'gpu-xid',
      'gpu-in-bad-state',
      'rank-raised',
      'cuda-failed-in-watchdog',
      'launcher-quotes-exception',
      'error-behind-a-wait',
    ],
  },
  'host-out-of-memory': {
    means: 'The kernel or Kubernetes ended a process because host or container memory ran out.',
    beware:
      'OOMKilled and the counter of a cgroup prove that some process of the container was killed, not which rank, and not when. Exit code 137 alone proves no lack of memory.',
    rules: ['host-out-of-memory', 'rank-raised', 'launcher-quotes-exception', 'error-behind-a-wait', 'host-pressure'],
  },
  'shared-memory': {
    means: '/dev/shm of a Pod was too small for the data loader or for NCCL.',
    beware: 'All Pods have the same limit: who fails first is chance, so ranks are named as a group.',
    rules: ['shared-memory-too-small', 'data-loader-worker-killed', 'launcher-quotes-exception', 'host-pressure'],
  },
  preempted: {
    means: 'The scheduler took a Pod, a node or the whole job away for something more important.',
    beware: 'A signal to the launcher alone does not say who sent it.',
    rules: ['pod-removed', 'external-signal'],
  },
  evicted: {
    means: 'The node put a Pod out: disk, memory or a taint.',
    beware: 'Ranks in it are a group: none of them did anything.',
    rules: ['pod-removed'],
  },
  'node-lost': {
    means: 'A node went away: not ready, panic, reboot, failure told by the scheduler.',
    beware: 'A node that was cordoned when the bundle was taken may be the reaction, not the cause.',
    rules: ['node-lost', 'external-signal', 'pod-removed'],
  },
  'external-signal': {
    means: 'Somebody or something outside the job ended it: Ctrl-C, a closed terminal, a time limit, a deletion.',
    beware: 'Where ranks had waited for long before, it was ended because it hung, and the signal is not the cause.',
    rules: ['external-signal', 'pod-removed'],
  },
  'collective-type': {
    means: 'Under one number, members of a group called different operations.',
    beware: 'Without a majority nothing says which side is wrong.',
    rules: ['sequences-diverge', 'fingerprints-differ', 'nccl-calls-differ', 'stacks-differ'],
  },
  'collective-size': {
    means: 'Members called the same operation with different sizes where they must agree.',
    beware:
      'All-to-all and uneven gathers may differ. Over gloo, the rank that aborts is often the innocent neighbour.',
    rules: [
      'sequences-diverge',
      'fingerprints-differ',
      'nccl-size-mismatch',
      'nccl-calls-differ',
      'gloo-size-check',
      'launcher-quotes-exception',
      'error-behind-a-wait',
    ],
  },
  'collective-dtype': {
    means: 'Members called the same operation with different data types.',
    beware: 'NCCL does not notice: it hangs, or gives wrong numbers.',
    rules: ['sequences-diverge', 'fingerprints-differ', 'nccl-calls-differ'],
  },
  'collective-order': {
    means:
      'Ranks issued their operations in another order, in one group or across groups: each waits in a call the other has not come to.',
    beware: 'Programs may interleave groups as they like, as long as every rank does it alike.',
    rules: ['sequences-diverge', 'nccl-calls-differ'],
  },
  'collective-skipped': {
    means: 'A rank left out an operation that its peers issued.',
    beware:
      'If size and type happen to be the same, its next call meets the one that the peers still wait in, and the hang begins later.',
    rules: ['sequences-diverge', 'fingerprints-differ'],
  },
  'uneven-inputs': {
    means: 'Ranks had different numbers of steps: one is past its loop while the others still train.',
    beware: 'A barrier or a checkpoint at a new place can also be a branch.',
    rules: ['sequences-diverge', 'finished-before-others', 'rank-raised', ...LATE],
  },
  'slow-input': {
    means: 'The rank was loading data, and said so, when the others began to wait; no line says that it ended.',
    beware: 'Only an operation whose start is printed can be seen.',
    rules: LATE,
  },
  'slow-checkpoint': {
    means: 'The rank was saving or loading a checkpoint when the others began to wait.',
    beware: 'If only rank 0 saves, it is late by design: the time limit may be too short.',
    rules: LATE,
  },
  compile: {
    means: 'The rank was compiling or tuning kernels when the others began to wait.',
    beware: 'The first step is always slow; a limit that just fits shows it.',
    rules: LATE,
  },
  'cpu-contention': {
    means:
      'Processors of the node were stuck, by the word of its kernel, or the CPU limit held the container back, by its own counter, while its ranks were late.',
    beware:
      'A lockup can follow from a hung driver. A counter of throttling runs since the container started: it does not tell when, and a limit that slows all alike makes nobody late.',
    rules: ['cpu-contention', 'host-pressure'],
  },
  'gil-held': {
    means: 'One thread held the interpreter lock, so that neither the training loop nor the watchdog could run.',
    beware: 'The hint is printed at the end of a process: ranks that were ended print it too.',
    rules: ['interpreter-lock-held', ...LATE],
  },
  'gpu-hang': {
    means: 'A rank enqueued a call that its peers finished, and never finished it: its GPU did not do the work.',
    beware: 'Where everybody stands in the same call, nothing says whose GPU it is.',
    rules: ['rank-never-enqueued'],
  },
  'stalled-unknown': {
    means: 'A rank did not arrive, and nothing shows what it did instead.',
    beware: 'A stack taken while it hangs is the only thing that tells.',
    rules: LATE,
  },
  'clock-skew': {
    means: 'The job ran with fewer ranks than its Pods ask for, and the node that was left out had a clock far behind.',
    beware: 'The dropped agent prints its error late, at the end of the job.',
    rules: ['job-runs-short'],
  },
  'missing-worker': {
    means: 'A Pod that belongs to the job never came, or never joined.',
    beware: 'A Pod whose log is not in the bundle is not a Pod that did not run.',
    rules: ['missing-worker', 'job-runs-short'],
  },
  'address-unreachable': {
    means: 'Ranks could not reach the address at which the job meets.',
    beware: 'Refused connections are also what remains when the process at that address has ended.',
    rules: ['address-unreachable', 'name-unresolved', 'nccl-connect-failed'],
  },
  'port-in-use': {
    means: 'The port at which the job meets was taken by another process.',
    beware: 'A launcher that then took another port had no trouble.',
    rules: ['port-in-use'],
  },
  'world-size-disagreement': {
    means: 'Ranks of one attempt believe in different sizes of the job.',
    beware: 'Two attempts may have different sizes.',
    rules: ['world-size-disagreement'],
  },
  'version-mismatch': {
    means: 'Ranks run different releases of torch, NCCL, CUDA or the driver.',
    beware: 'It explains failures at the start, hardly ever one after hours.',
    rules: ['versions-differ'],
  },
  'duplicate-gpu': {
    means: 'Two ranks were given the same GPU.',
    beware: 'Each prints it against the first clash: both are named.',
    rules: ['duplicate-gpu'],
  },
  transport: {
    means: 'All arrived, and what is between them failed: packets were not answered, a link was cut without a word.',
    beware: 'A peer whose process ended looks alike from the other side; that is looked for first.',
    rules: ['ib-retry-exceeded', 'ib-refused-transfer', 'all-joined-no-progress'],
  },
  'link-down': {
    means: 'A network port of a node went down, by its own event.',
    beware: 'Ports go down at reboots and on unused cables.',
    rules: ['link-down'],
  },
  'interface-choice': {
    means:
      'NCCL or gloo chose a network interface that does not reach the others: a bridge, a tunnel, another one than the rest.',
    beware: 'A loopback is right for a job on one host.',
    rules: ['interface-choice'],
  },
  'peer-access': {
    means: "GPUs of one host cannot reach each other's memory: unsupported, or redirected by ACS or an IOMMU.",
    beware: 'A first collective also hangs where a GPU is sick. NCCL_P2P_DISABLE=1 decides.',
    rules: ['peer-access'],
  },
  none: {
    means: 'Nothing is said about a cause: the job did not fail, or it cannot be told.',
    beware: 'No finding is no proof of health: look at what is missing.',
    rules: [
      'ended-without-a-word',
      'gloo-size-check',
      'job-ended-well',
      'job-still-running',
      'errors-without-effect',
      'launcher-names-a-victim',
      'rank-raised',
      'scheduler-task-exit',
      ...LATE,
    ],
  },
};
