/** A Pod object, reduced to the fields that analysis uses. */
import { booleanAt, type DocMap, mapAt, numberAt, textAt } from '../../codecs/document-tree.ts';
import type { ContainerState, ContainerTermination, PodObject } from '../../model/kubernetes.ts';
import { containerEnv } from './env.ts';
import { conditionsOf, mapsAt, type ObjectContext, textMapAt, timeAt } from './fields.ts';
import { gpuLimit, pickTrainingContainer } from './training-container.ts';

/** Undefined if the object has no name. */
export function readPod(context: ObjectContext, object: DocMap): PodObject | undefined {
  const name = textAt(object, 'metadata', 'name');
  if (name === undefined) return undefined;
  const labels = textMapAt(object, 'metadata', 'labels');
  const annotations = textMapAt(object, 'metadata', 'annotations');
  const owner = mapsAt(object, 'metadata', 'ownerReferences').find((map) => booleanAt(map, 'controller') === true);
  const ownerName = textAt(owner, 'name');
  const deletedAt = timeAt(context, object, 'metadata', 'deletionTimestamp');
  const node = textAt(object, 'spec', 'nodeName') || undefined;
  const pod = {
    source: context.ref(object.at, object.end),
    from: 'object' as const,
    name,
    namespace: textAt(object, 'metadata', 'namespace'),
    uid: textAt(object, 'metadata', 'uid'),
    labels,
    annotations,
    owner:
      owner !== undefined && ownerName !== undefined
        ? { kind: textAt(owner, 'kind') ?? '', name: ownerName }
        : undefined,
    node,
    hostNetwork: booleanAt(object, 'spec', 'hostNetwork') === true,
    phase: textAt(object, 'status', 'phase'),
    reason: textAt(object, 'status', 'reason') || undefined,
    message: textAt(object, 'status', 'message') || undefined,
    tableStatus: undefined,
    podIp: textAt(object, 'status', 'podIP') || undefined,
    hostIp: textAt(object, 'status', 'hostIP') || undefined,
    created: timeAt(context, object, 'metadata', 'creationTimestamp'),
    startTime: timeAt(context, object, 'status', 'startTime'),
    deletion:
      deletedAt === undefined
        ? undefined
        : { at: deletedAt, graceSeconds: numberAt(object, 'metadata', 'deletionGracePeriodSeconds') },
    conditions: conditionsOf(context, object).map(({ condition, map }) => ({
      ...condition,
      source: context.ref(map.at, map.end),
    })),
    managedFields: mapsAt(object, 'metadata', 'managedFields').flatMap((map) => {
      const manager = textAt(map, 'manager');
      return manager === undefined
        ? []
        : [{ manager, subresource: textAt(map, 'subresource'), at: timeAt(context, map, 'time') }];
    }),
    containers: [
      ...containerStates(context, object, 'initContainerStatuses', true),
      ...containerStates(context, object, 'containerStatuses', false),
    ],
  };
  return { ...pod, ...trainingFields(object, pod) };
}

type TrainingFields = Pick<
  PodObject,
  | 'trainingContainer'
  | 'env'
  | 'command'
  | 'gpus'
  | 'memoryLimit'
  | 'envFromElsewhere'
  | 'sharedMemory'
  | 'restartPolicy'
>;

function trainingFields(object: DocMap, pod: Omit<PodObject, keyof TrainingFields>): TrainingFields {
  const container = pickTrainingContainer(mapsAt(object, 'spec', 'containers'));
  if (container === undefined) return { env: [], command: [], gpus: undefined, memoryLimit: undefined };
  const name = textAt(container, 'name');
  const restartPolicy = textAt(object, 'spec', 'restartPolicy');
  return {
    ...(mapsAt(container, 'envFrom').length > 0 ? { envFromElsewhere: true as const } : {}),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    sharedMemory: sharedMemory(object, container),
    ...(name === undefined ? {} : { trainingContainer: name }),
    env: containerEnv(container, pod),
    command: [...words(container, 'command'), ...words(container, 'args')],
    gpus: gpuLimit(container),
    memoryLimit: textAt(container, 'resources', 'limits', 'memory'),
  };
}

/** A volume on `/dev/shm`; without one the container runtime gives 64 MiB. */
function sharedMemory(object: DocMap, container: DocMap): NonNullable<PodObject['sharedMemory']> {
  const mount = mapsAt(container, 'volumeMounts').find(
    (one) => textAt(one, 'mountPath')?.replace(/\/+$/, '') === '/dev/shm',
  );
  const name = textAt(mount, 'name');
  const volume = mapsAt(object, 'spec', 'volumes').find((one) => name !== undefined && textAt(one, 'name') === name);
  return mount === undefined ? { kind: 'default' } : { kind: 'volume', limit: textAt(volume, 'emptyDir', 'sizeLimit') };
}

function words(container: DocMap, key: 'command' | 'args'): readonly string[] {
  const value = container.entries.get(key);
  if (typeof value !== 'object' || value === null || value.kind !== 'list') return [];
  return value.items.map((item) => textAt(item) ?? '');
}

function containerStates(
  context: ObjectContext,
  object: DocMap,
  key: string,
  init: boolean,
): readonly ContainerState[] {
  return mapsAt(object, 'status', key).flatMap((map) => {
    const name = textAt(map, 'name');
    if (name === undefined) return [];
    const waiting = mapAt(map, 'state', 'waiting');
    return [
      {
        name,
        init,
        containerId: bareContainerId(textAt(map, 'containerID')),
        restartCount: numberAt(map, 'restartCount'),
        ready: booleanAt(map, 'ready'),
        runningSince: timeAt(context, mapAt(map, 'state', 'running'), 'startedAt'),
        waiting:
          waiting === undefined
            ? undefined
            : { reason: textAt(waiting, 'reason'), message: textAt(waiting, 'message') },
        terminated: termination(context, mapAt(map, 'state', 'terminated')),
        lastTerminated: termination(context, mapAt(map, 'lastState', 'terminated')),
      },
    ];
  });
}

function termination(context: ObjectContext, map: DocMap | undefined): ContainerTermination | undefined {
  if (map === undefined) return undefined;
  return {
    exitCode: numberAt(map, 'exitCode'),
    signal: numberAt(map, 'signal') || undefined,
    reason: textAt(map, 'reason') || undefined,
    message: textAt(map, 'message') || undefined,
    startedAt: timeAt(context, map, 'startedAt'),
    finishedAt: timeAt(context, map, 'finishedAt'),
    containerId: bareContainerId(textAt(map, 'containerID')),
    source: context.ref(map.at, map.end),
  };
}

/** `containerd://0af…` → `0af…`: kernel lines and log paths carry the bare id. */
export function bareContainerId(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const scheme = text.indexOf('://');
  return scheme < 0 ? text : text.slice(scheme + 3);
}
