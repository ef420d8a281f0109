/**
 * Owners of training Pods: what was asked for, and what their controllers say of restarts.
 *
 *   PyTorchJob, MPIJob, TFJob …   spec.*ReplicaSpecs: role → replicas
 *   JobSet                        spec.replicatedJobs: replicas × completions
 *   Job                           spec.completions
 *   TrainJob                      spec.trainer.numNodes
 *   LeaderWorkerSet               spec.replicas groups of leaderWorkerTemplate.size
 *   Volcano Job                   spec.tasks
 *   RayJob, RayCluster            head and worker groups
 *   StatefulSet                   spec.replicas
 *   Workload (Kueue)              spec.podSets
 *
 * Source: the CRDs of training-operator 1.9, trainer 2.0, jobset 0.8, lws 0.6, volcano 1.11, kuberay 1.3, kueue 0.11.
 */
import { type DocMap, mapAt, numberAt, textAt, valueAt } from '../../codecs/document-tree.ts';
import type { WorkloadObject } from '../../model/kubernetes.ts';
import { conditionsOf, mapsAt, type ObjectContext } from './fields.ts';

type Replicas = WorkloadObject['replicas'];

interface Asked {
  readonly replicas: Replicas;
  readonly nprocPerNode: string | undefined;
  readonly restarts: number | undefined;
}

const READERS: ReadonlyMap<string, (object: DocMap) => Asked> = new Map([
  ['PyTorchJob', readReplicaSpecs],
  ['MPIJob', readReplicaSpecs],
  ['TFJob', readReplicaSpecs],
  ['XGBoostJob', readReplicaSpecs],
  ['PaddleJob', readReplicaSpecs],
  ['JAXJob', readReplicaSpecs],
  ['JobSet', readJobSet],
  ['Job', readJob],
  ['TrainJob', readTrainJob],
  ['LeaderWorkerSet', readLeaderWorkerSet],
  ['RayJob', readRay],
  ['RayCluster', readRay],
  ['StatefulSet', readStatefulSet],
  ['Workload', readKueueWorkload],
]);

/** Undefined if the kind is no workload we know. */
export function readWorkload(
  context: ObjectContext,
  object: DocMap,
  kind: string,
  apiVersion: string,
): WorkloadObject | undefined {
  const isVolcano = apiVersion.startsWith('batch.volcano.sh/');
  const read = isVolcano && kind === 'Job' ? readVolcanoJob : READERS.get(kind);
  const name = textAt(object, 'metadata', 'name');
  if (read === undefined || name === undefined) return undefined;
  return {
    source: context.ref(object.at, object.end),
    kind: isVolcano ? `Volcano ${kind}` : kind,
    name,
    namespace: textAt(object, 'metadata', 'namespace'),
    ...read(object),
    conditions: conditionsOf(context, object).map(({ condition }) => condition),
  };
}

function readReplicaSpecs(object: DocMap): Asked {
  const specs = [...(mapAt(object, 'spec')?.entries ?? [])].find(([key]) => key.endsWith('ReplicaSpecs'))?.[1];
  const roles = [...(mapAt(specs)?.entries ?? [])];
  return {
    replicas: roles.map(([role, value]) => ({ role: role.toLowerCase(), count: numberAt(value, 'replicas') ?? 1 })),
    nprocPerNode:
      textAt(object, 'spec', 'nprocPerNode') ??
      textAt(object, 'spec', 'elasticPolicy', 'nProcPerNode') ??
      textAt(object, 'spec', 'slotsPerWorker'),
    restarts: undefined,
  };
}

function readJobSet(object: DocMap): Asked {
  return {
    replicas: mapsAt(object, 'spec', 'replicatedJobs').map((map) => {
      const pods =
        numberAt(map, 'template', 'spec', 'completions') ?? numberAt(map, 'template', 'spec', 'parallelism') ?? 1;
      return { role: textAt(map, 'name') ?? '', count: (numberAt(map, 'replicas') ?? 1) * pods };
    }),
    nprocPerNode: undefined,
    restarts: numberAt(object, 'status', 'restarts'),
  };
}

function readJob(object: DocMap): Asked {
  const count = numberAt(object, 'spec', 'completions') ?? numberAt(object, 'spec', 'parallelism') ?? 1;
  return {
    replicas: [{ role: 'pod', count }],
    nprocPerNode: undefined,
    restarts: numberAt(object, 'status', 'failed'),
  };
}

function readTrainJob(object: DocMap): Asked {
  const count = numberAt(object, 'spec', 'trainer', 'numNodes');
  return {
    replicas: count === undefined ? [] : [{ role: 'node', count }],
    nprocPerNode: textAt(object, 'spec', 'trainer', 'numProcPerNode'),
    restarts: undefined,
  };
}

function readLeaderWorkerSet(object: DocMap): Asked {
  const size = numberAt(object, 'spec', 'leaderWorkerTemplate', 'size') ?? 1;
  const groups = numberAt(object, 'spec', 'replicas') ?? 1;
  return {
    replicas: Array.from({ length: Math.min(groups, 1000) }, (_, i) => ({ role: `group ${i}`, count: size })),
    nprocPerNode: undefined,
    restarts: undefined,
  };
}

function readVolcanoJob(object: DocMap): Asked {
  return {
    replicas: mapsAt(object, 'spec', 'tasks').map((map) => ({
      role: textAt(map, 'name') ?? '',
      count: numberAt(map, 'replicas') ?? 1,
    })),
    nprocPerNode: undefined,
    restarts: numberAt(object, 'status', 'retryCount'),
  };
}

function readRay(object: DocMap): Asked {
  const spec = mapAt(object, 'spec', 'rayClusterSpec') ?? mapAt(object, 'spec');
  const head = valueAt(spec, 'headGroupSpec') === undefined ? [] : [{ role: 'head', count: 1 }];
  const groups = mapsAt(spec, 'workerGroupSpecs').map((map) => ({
    role: textAt(map, 'groupName') ?? 'worker',
    count: (numberAt(map, 'replicas') ?? 1) * (numberAt(map, 'numOfHosts') ?? 1),
  }));
  return { replicas: [...head, ...groups], nprocPerNode: undefined, restarts: undefined };
}

function readStatefulSet(object: DocMap): Asked {
  return {
    replicas: [{ role: 'pod', count: numberAt(object, 'spec', 'replicas') ?? 1 }],
    nprocPerNode: undefined,
    restarts: undefined,
  };
}

function readKueueWorkload(object: DocMap): Asked {
  return {
    replicas: mapsAt(object, 'spec', 'podSets').map((map) => ({
      role: textAt(map, 'name') ?? '',
      count: numberAt(map, 'count') ?? 1,
    })),
    nprocPerNode: undefined,
    restarts: numberAt(object, 'status', 'requeueState', 'count'),
  };
}
