/** What the words of a verdict mean, for a person. Keyed by the codes of `shared/model/finding.ts`. */
import type { Cause, Outcome, Stage, Status } from '../model/finding.ts';

export const STATUS_WORD: Record<Status, string> = {
  established: 'Established',
  supported: 'Supported',
  hypothesis: 'Hypothesis',
  'not-determinable': 'Not determinable',
  'ruled-out': 'Ruled out',
};

export const STATUS_MEANING: Record<Status, string> = {
  established: 'Direct evidence, and nothing in the bundle contradicts it.',
  supported: 'The evidence favours it; a named alternative or a gap remains.',
  hypothesis: 'Possible, but the evidence is thin.',
  'not-determinable': 'This bundle cannot decide it; what is missing is listed.',
  'ruled-out': 'Looked at, and the evidence is against it.',
};

export const OUTCOME_WORD: Record<Outcome, string> = {
  named: 'First failed rank named',
  group: 'Narrowed to a group',
  'no-rank': 'Cause outside the ranks',
  'no-failure': 'No failure found',
  'cannot-tell': 'Cannot be told from this bundle',
};

export const STAGE_WORD: Record<Stage, string> = {
  rendezvous: 'start-up and rendezvous',
  'exited-rank': 'a rank that ended',
  'mismatched-collective': 'ranks that disagree on a collective',
  straggler: 'a rank that did not arrive',
  fabric: 'network between ranks',
  host: 'machine, container or scheduler',
  unknown: 'unknown',
};

export const CAUSE_WORD: Record<Cause, string> = {
  'cuda-out-of-memory': 'GPU memory ran out',
  'python-exception': 'Python exception',
  'data-input': 'bad or missing input data',
  numerics: 'NaN or another invalid number',
  'cuda-error': 'CUDA error in the program',
  killed: 'process ended by a signal, reason not proven',
  storage: 'storage error or full disk',
  'data-loader': 'data loader worker failed',
  configuration: 'configuration of one rank or of the job',
  'gpu-hardware': 'GPU hardware fault',
  'host-out-of-memory': 'host or container memory ran out',
  'shared-memory': 'shared memory (/dev/shm) too small',
  preempted: 'Pod preempted',
  evicted: 'Pod evicted',
  'node-lost': 'node lost',
  'external-signal': 'signal from outside the job',
  'collective-type': 'different operations at the same call',
  'collective-size': 'different sizes at the same call',
  'collective-dtype': 'different data types at the same call',
  'collective-order': 'operations issued in a different order',
  'collective-skipped': 'a rank left out an operation',
  'uneven-inputs': 'ranks had different numbers of steps',
  'slow-input': 'waiting for input data',
  'slow-checkpoint': 'stuck or slow in a checkpoint',
  compile: 'long compilation or tuning on one rank',
  'cpu-contention': 'starved of CPU time',
  'gil-held': 'interpreter lock held',
  'gpu-hang': 'GPU work that never ended',
  'stalled-unknown': 'stalled, reason not visible',
  'clock-skew': 'node clocks too far apart for the rendezvous',
  'missing-worker': 'worker that never joined',
  'address-unreachable': 'address could not be reached',
  'port-in-use': 'port already in use',
  'world-size-disagreement': 'ranks disagree on the size of the job',
  'version-mismatch': 'software versions differ between ranks',
  'duplicate-gpu': 'two ranks on one GPU',
  transport: 'transport between ranks failed',
  'link-down': 'network link down',
  'interface-choice': 'wrong network interface chosen',
  'peer-access': 'GPU peer access hangs',
  none: 'no cause',
};
