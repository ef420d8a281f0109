/**
 * The Pods as the API server stored them. Which clock stamps what:
 * creationTimestamp, PodScheduled, managedFields: API server · startTime, conditions, startedAt, finishedAt: the node.
 */
import type { Aftermath, Scene } from '../aftermath/story.ts';
import { API_CLOCK, SECOND } from '../clock.ts';
import { SOFTWARE } from '../software.ts';
import type { Timeline } from '../timeline.ts';
import type { NodePlace } from '../topology.ts';
import { utf8 } from './text.ts';
import { formatYaml, type YamlValue } from './yaml.ts';

export function writePods(scene: Scene, aftermath: Aftermath, timeline: Timeline): Map<string, Uint8Array> {
  const items = scene.topology.nodes.map((place) => podOf({ scene, aftermath, timeline, place }));
  if (scene.spec.layout === 'capture')
    return new Map(
      scene.topology.nodes.map((place, i) => [podYamlPath(scene, place), utf8(formatYaml(items[i] ?? {}))]),
    );
  return new Map([
    ['pods.yaml', utf8(formatYaml({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }))],
  ]);
}

export const podYamlPath = (scene: Scene, place: NodePlace): string =>
  scene.spec.layout === 'capture' ? `${place.pod}.yaml` : 'pods.yaml';

interface PodInput {
  readonly scene: Scene;
  readonly aftermath: Aftermath;
  readonly timeline: Timeline;
  readonly place: NodePlace;
}

function podOf(input: PodInput): YamlValue {
  const { scene, place, timeline } = input;
  const pending = scene.plan.missingNode === place.index;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(input, pending),
    spec: specOf(scene, place, pending),
    status: pending
      ? {
          conditions: [{ ...UNSCHEDULABLE, lastTransitionTime: scene.stamper.api(API_CLOCK, timeline.createdNs) }],
          phase: 'Pending',
          qosClass: 'Burstable',
        }
      : statusOf(input),
  };
}

export const UNSCHEDULABLE_MESSAGE = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.';
const UNSCHEDULABLE = {
  message: UNSCHEDULABLE_MESSAGE,
  reason: 'Unschedulable',
  status: 'False',
  type: 'PodScheduled',
};

function metadataOf(input: PodInput, pending: boolean): YamlValue {
  const { scene, place, timeline, aftermath } = input;
  const end = aftermath.containers.get(place.index)?.atNs ?? Infinity;
  const lastNs = end <= timeline.snapshotNs ? end + 0.7 * SECOND : timeline.startedNs(place.index) + 1.2 * SECOND;
  const evicted = scene.plan.evictedNode === place.index && aftermath.faultNs !== undefined;
  return {
    creationTimestamp: scene.stamper.api(API_CLOCK, timeline.createdNs),
    deletionGracePeriodSeconds: evicted ? 30 : undefined,
    deletionTimestamp: evicted ? scene.stamper.api(API_CLOCK, (aftermath.faultNs ?? 0) + 30 * SECOND) : undefined,
    labels: labelsOf(scene, place),
    managedFields: pending
      ? []
      : [
          {
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            manager: 'kubelet',
            operation: 'Update',
            subresource: 'status',
            time: scene.stamper.api(API_CLOCK, lastNs),
          },
        ],
    name: place.pod,
    namespace: scene.topology.namespace,
    ownerReferences: [ownerOf(scene)],
    uid: place.uid,
  };
}

export function labelsOf(scene: Scene, place: NodePlace): Record<string, string> {
  const { job } = scene.topology;
  switch (scene.spec.workload) {
    case 'jobset':
      return {
        'batch.kubernetes.io/job-completion-index': String(place.index),
        'job-name': `${job}-workers-0`,
        'jobset.sigs.k8s.io/jobset-name': job,
        'jobset.sigs.k8s.io/replicatedjob-name': 'workers',
      };
    case 'statefulset':
      return { app: job, 'apps.kubernetes.io/pod-index': String(place.index) };
    case 'pytorchjob':
      return {
        'training.kubeflow.org/job-name': job,
        'training.kubeflow.org/operator-name': 'pytorchjob-controller',
        'training.kubeflow.org/replica-index': String(place.index === 0 ? 0 : place.index - 1),
        'training.kubeflow.org/replica-type': place.index === 0 ? 'master' : 'worker',
      };
  }
}

export function ownerOf(scene: Scene): { apiVersion: string; controller: boolean; kind: string; name: string } {
  const { job } = scene.topology;
  const kinds = {
    jobset: ['batch/v1', 'Job', `${job}-workers-0`],
    statefulset: ['apps/v1', 'StatefulSet', job],
    pytorchjob: ['kubeflow.org/v1', 'PyTorchJob', job],
  } as const;
  const [apiVersion, kind, name] = kinds[scene.spec.workload];
  return { apiVersion, controller: true, kind, name };
}

function specOf(scene: Scene, place: NodePlace, pending: boolean): YamlValue {
  const { spec, topology } = scene;
  const limits: Record<string, string> = { memory: spec.backend === 'nccl' ? '400Gi' : '8192Mi' };
  if (spec.backend === 'nccl') limits['nvidia.com/gpu'] = String(spec.ranksPerNode);
  return {
    containers: [
      {
        args: ['--nnodes', String(spec.nodes), '--nproc-per-node', String(spec.ranksPerNode), '/workspace/train.py'],
        command: ['torchrun'],
        env: envOf(scene, place),
        image: SOFTWARE[spec.backend].image,
        name: topology.container,
        resources: { limits, requests: limits },
      },
    ],
    nodeName: pending ? undefined : place.node,
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 30,
  };
}

export function envOf(scene: Scene, place: NodePlace): { name: string; value: string }[] {
  const { spec, topology } = scene;
  const env: { name: string; value: string }[] = [
    { name: 'TORCH_FR_BUFFER_SIZE', value: String(spec.ringEntries ?? 2000) },
  ];
  if (spec.ncclDebug === true) env.push({ name: 'NCCL_DEBUG', value: 'INFO' });
  if (spec.workload === 'pytorchjob') {
    const master = topology.nodes[0]?.pod ?? '';
    // The operator's RANK is the NODE rank, not a global rank.
    env.push(
      { name: 'MASTER_ADDR', value: master },
      { name: 'MASTER_PORT', value: '23456' },
      { name: 'WORLD_SIZE', value: String(topology.worldSize) },
      { name: 'RANK', value: String(place.groupRank) },
      { name: 'PET_NODE_RANK', value: String(place.groupRank) },
      { name: 'PET_NPROC_PER_NODE', value: String(spec.ranksPerNode) },
      { name: 'PET_NNODES', value: String(spec.nodes) },
    );
  }
  return env;
}

function statusOf(input: PodInput): YamlValue {
  const { scene, place, timeline, aftermath } = input;
  const node = (ns: number): string => scene.stamper.api(place.clock, ns);
  const startedNs = timeline.startedNs(place.index);
  const end = aftermath.containers.get(place.index);
  const ended = end !== undefined && end.atNs <= timeline.snapshotNs ? end : undefined;
  const readySince = ended === undefined ? startedNs + SECOND : ended.atNs + 0.4 * SECOND;
  const containerID = `containerd://${place.containerId}`;
  const evicted = scene.plan.evictedNode === place.index && aftermath.faultNs !== undefined;
  const ready = { lastTransitionTime: node(readySince), status: ended === undefined ? 'True' : 'False' };
  return {
    conditions: [
      ...(evicted ? [evictionCondition(scene, aftermath.faultNs ?? 0)] : []),
      { lastTransitionTime: node(startedNs - 2 * SECOND), status: 'True', type: 'Initialized' },
      { ...ready, type: 'Ready' },
      { ...ready, type: 'ContainersReady' },
      { lastTransitionTime: scene.stamper.api(API_CLOCK, timeline.boundNs), status: 'True', type: 'PodScheduled' },
    ],
    containerStatuses: [
      {
        containerID,
        image: SOFTWARE[scene.spec.backend].image,
        lastState: {},
        name: scene.topology.container,
        ready: ended === undefined,
        restartCount: 0,
        started: ended === undefined,
        state:
          ended === undefined
            ? { running: { startedAt: node(startedNs) } }
            : {
                terminated: {
                  containerID,
                  exitCode: ended.code,
                  finishedAt: node(ended.atNs),
                  reason: ended.reason,
                  startedAt: node(startedNs),
                },
              },
      },
    ],
    hostIP: place.hostIp,
    phase: ended === undefined ? 'Running' : ended.code === 0 ? 'Succeeded' : 'Failed',
    podIP: place.podIp,
    qosClass: 'Guaranteed',
    startTime: node(startedNs - 2.5 * SECOND),
  };
}

/** Set by a control-plane component when the node's taint drove the Pod out. */
const evictionCondition = (scene: Scene, atNs: number): YamlValue => ({
  lastTransitionTime: scene.stamper.api(API_CLOCK, atNs - 0.4 * SECOND),
  message: 'Taint manager: deleting due to NoExecute taint',
  reason: 'DeletionByTaintManager',
  status: 'True',
  type: 'DisruptionTarget',
});
