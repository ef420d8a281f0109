/** Rows of `kubectl get` as objects. Ages are the client's and coarse: they stay text and become no times. */
import {
  type ContainerState,
  type KubeEvent,
  type NodeObject,
  type PodObject,
  UNTOLD_POD,
} from '../../model/kubernetes.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { cellText, repeatCount } from './columns.ts';

type Row = ReadonlyMap<string, string>;

const READY = /^(\d{1,4})\/(\d{1,4})$/;
const PHASES = new Set(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']);
/** STATUS words that are `status.reason` of the Pod and not a container's. */
const POD_REASON =
  /^(?:Evicted|NodeLost|NodeAffinity|NodeShutdown|Preempting|Shutdown|Terminated|UnexpectedAdmissionError|OutOf\w{1,40})$/;

export function podFromRow(row: Row, source: SourceRef): PodObject | undefined {
  const name = cellText(row, 'NAME')?.replace(/^pods?\//, '');
  const status = cellText(row, 'STATUS');
  if (name === undefined || status === undefined || !READY.test(row.get('READY') ?? '')) return undefined;
  return {
    source,
    from: 'table',
    name,
    namespace: cellText(row, 'NAMESPACE'),
    ...UNTOLD_POD,
    node: cellText(row, 'NODE'),
    phase: PHASES.has(status) ? status : undefined,
    reason: POD_REASON.test(status) ? status : undefined,
    tableStatus: status,
    podIp: cellText(row, 'IP'),
    containers: allContainers(row),
  };
}

/** READY and RESTARTS count all containers together; they stand as one container without a name. */
function allContainers(row: Row): readonly ContainerState[] {
  const restarts = /^\d{1,9}/.exec(cellText(row, 'RESTARTS') ?? '')?.[0];
  if (restarts === undefined) return [];
  const ready = READY.exec(row.get('READY') ?? '');
  return [
    {
      name: '',
      init: false,
      containerId: undefined,
      restartCount: Number(restarts),
      ready: ready === null ? undefined : ready[1] === ready[2],
      runningSince: undefined,
      waiting: undefined,
      terminated: undefined,
      lastTerminated: undefined,
    },
  ];
}

export function nodeFromRow(row: Row, source: SourceRef): NodeObject | undefined {
  const name = cellText(row, 'NAME')?.replace(/^nodes?\//, '');
  const words = cellText(row, 'STATUS')?.split(',');
  if (name === undefined || words === undefined) return undefined;
  // NotReady is printed for False and for Unknown.
  const ready = words.includes('Ready') ? 'True' : 'Unknown';
  return {
    source,
    name,
    internalIp: cellText(row, 'INTERNAL-IP'),
    unschedulable: words.includes('SchedulingDisabled'),
    taints: [],
    conditions: [
      {
        type: 'Ready',
        status: ready,
        reason: undefined,
        message: ready === 'True' ? undefined : words[0],
        heartbeat: undefined,
        at: undefined,
      },
    ],
    gpuCapacity: undefined,
    gpuAllocatable: undefined,
    statusManagedAt: undefined,
  };
}

/** `get events` writes kinds in lower case. */
const KINDS = new Map(
  [
    'Pod',
    'Node',
    'Job',
    'JobSet',
    'PyTorchJob',
    'MPIJob',
    'TrainJob',
    'LeaderWorkerSet',
    'StatefulSet',
    'ReplicaSet',
    'Deployment',
    'RayJob',
    'RayCluster',
    'Workload',
    'PersistentVolumeClaim',
  ].map((kind) => [kind.toLowerCase(), kind]),
);

export function eventFromRow(row: Row, source: SourceRef): KubeEvent | undefined {
  const object = cellText(row, 'OBJECT');
  const slash = object?.indexOf('/') ?? -1;
  const reason = cellText(row, 'REASON');
  if (object === undefined || slash < 0 || reason === undefined) return undefined;
  const kind = object.slice(0, slash);
  const [component, host] = (cellText(row, 'SOURCE') ?? '').split(', ');
  const age = cellText(row, 'LAST SEEN');
  const count = cellText(row, 'COUNT');
  return {
    source,
    type: cellText(row, 'TYPE'),
    reason,
    message: row.get('MESSAGE') ?? '',
    object: {
      kind: KINDS.get(kind.toLowerCase()) ?? kind,
      name: object.slice(slash + 1),
      namespace: cellText(row, 'NAMESPACE'),
    },
    component: component || undefined,
    host: host || undefined,
    first: undefined,
    last: undefined,
    created: undefined,
    count: count !== undefined && /^\d{1,9}$/.test(count) ? Number(count) : repeatCount(age),
    age,
  };
}
