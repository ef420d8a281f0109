/**
 * The Pods as the API server stored them. Which clock stamps what:
 * creationTimestamp, PodScheduled, managedFields: API server · startTime, conditions, startedAt, finishedAt: the node.
 */
import type { Aftermath, ContainerEnd, Scene } from '../aftermath/story.ts';
import type { Attempts } from '../attempts.ts';
import { API_CLOCK, SECOND } from '../clock.ts';
import { SOFTWARE } from '../software.ts';
import type { Timeline } from '../timeline.ts';
import type { NodePlace } from '../topology.ts';
import { INIT, SIDECAR } from './side-containers.ts';
import { utf8 } from './text.ts';
import { formatYaml, type YamlValue } from './yaml.ts';

export function writePods(attempts: Attempts, timeline: Timeline): Map<string, Uint8Array> {
  const [{ scene }] = attempts;
  const items = scene.topology.nodes.map((place) => podOf(podInput(attempts, timeline, place)));
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
  /** The containers' ends are those of the last attempt. */
  readonly aftermath: Aftermath;
  readonly timeline: Timeline;
  readonly place: NodePlace;
  readonly runs: ContainerRuns;
}

/** The run of the training container that the API shows, and the one before it where the kubelet started it again. */
export interface ContainerRuns {
  readonly startedNs: number;
  readonly end: ContainerEnd | undefined;
  readonly containerId: string;
  readonly previous:
    | { readonly startedNs: number; readonly end: ContainerEnd; readonly containerId: string }
    | undefined;
}

/** What the API showed of the Pod's training container when the bundle was taken. */
export function containerRuns([first, second]: Attempts, snapshotNs: number, place: NodePlace): ContainerRuns {
  const last = second ?? first;
  const end = last.aftermath.containers.get(place.index);
  const before = first.aftermath.containers.get(place.index);
  const restarted = first.scene.spec.restart?.by === 'kubelet' && before !== undefined;
  return {
    startedNs: last.startedNs(place.index),
    end: end !== undefined && end.atNs <= snapshotNs ? { ...end, reason: reasonOf(first, place, end) } : undefined,
    containerId: last.scene.topology.nodes[place.index]?.containerId ?? place.containerId,
    previous: restarted
      ? { startedNs: first.startedNs(place.index), end: before, containerId: place.containerId }
      : undefined,
  };
}

/** The runtime remembers of a container that something in it was killed for memory, however long ago. */
function reasonOf({ scene, aftermath }: Attempts[0], place: NodePlace, end: ContainerEnd): ContainerEnd['reason'] {
  if (end.code === 0 || scene.spec.restart?.by !== 'launcher') return end.reason;
  return aftermath.containers.get(place.index)?.reason === 'OOMKilled' ? 'OOMKilled' : end.reason;
}

const podInput = (attempts: Attempts, timeline: Timeline, place: NodePlace): PodInput => ({
  scene: attempts[0].scene,
  aftermath: attempts[0].aftermath,
  timeline,
  place,
  runs: containerRuns(attempts, timeline.snapshotNs, place),
});

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
  const { scene, place, timeline, aftermath, runs } = input;
  // The kubelet's last change is the end of the Pod's last container.
  const lastEndNs = (runs.end?.atNs ?? 0) + (scene.spec.workload === 'polyaxon' ? SIDE_LATER_NS : 0);
  const lastNs = runs.end === undefined ? runs.startedNs + 1.2 * SECOND : lastEndNs + 0.7 * SECOND;
  const evicted = scene.plan.evictedNode === place.index && aftermath.faultNs !== undefined;
  return {
    annotations: annotationsOf(scene),
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
    case 'polyaxon':
      return { ...polyaxonLabels(scene), ...kubeflowLabels(job, place) };
    case 'pytorchjob':
      return kubeflowLabels(job, place);
  }
}

const kubeflowLabels = (job: string, place: NodePlace): Record<string, string> => ({
  'training.kubeflow.org/job-name': job,
  'training.kubeflow.org/operator-name': 'pytorchjob-controller',
  'training.kubeflow.org/replica-index': String(place.index === 0 ? 0 : place.index - 1),
  'training.kubeflow.org/replica-type': place.index === 0 ? 'master' : 'worker',
});

const polyaxonLabels = (scene: Scene): Record<string, string> => {
  const run = runOf(scene);
  return {
    'app.kubernetes.io/component': 'polyaxon-pytorch-jobs',
    'app.kubernetes.io/instance': run,
    'app.kubernetes.io/managed-by': 'polyaxon',
    'app.kubernetes.io/part-of': 'polyaxon-runs',
    'operation.polyaxon.com/uuid': run,
  };
};

const runOf = ({ topology }: Scene): string => topology.job.replace('plx-operation-', '');

/** Undefined: no such field. */
export const annotationsOf = ({ spec }: Scene): Record<string, string> | undefined =>
  spec.workload === 'polyaxon'
    ? {
        'operation.polyaxon.com/kind': 'pytorchjob',
        'operation.polyaxon.com/name': 'fine-tune',
        'operation.polyaxon.com/owner': 'team-fir',
        'operation.polyaxon.com/project': 'warblers',
      }
    : undefined;

export function ownerOf(scene: Scene): { apiVersion: string; controller: boolean; kind: string; name: string } {
  const { job } = scene.topology;
  const kinds = {
    jobset: ['batch/v1', 'Job', `${job}-workers-0`],
    statefulset: ['apps/v1', 'StatefulSet', job],
    pytorchjob: ['kubeflow.org/v1', 'PyTorchJob', job],
    polyaxon: ['kubeflow.org/v1', 'PyTorchJob', job],
  } as const;
  const [apiVersion, kind, name] = kinds[scene.spec.workload];
  return { apiVersion, controller: true, kind, name };
}

function specOf(scene: Scene, place: NodePlace, pending: boolean): YamlValue {
  const { spec, topology } = scene;
  const limits: Record<string, string> = { memory: spec.backend === 'nccl' ? '400Gi' : '8192Mi' };
  if (spec.backend === 'nccl') limits['nvidia.com/gpu'] = String(place.ranks.length);
  return {
    containers: [
      {
        args: argsOf(scene, place),
        command: ['torchrun'],
        env: envOf(scene, place),
        image: SOFTWARE[spec.backend].image,
        name: topology.container,
        resources: { limits, requests: limits },
      },
      ...(spec.workload === 'polyaxon' ? [{ image: SIDE_IMAGE, name: SIDECAR }] : []),
    ],
    initContainers: spec.workload === 'polyaxon' ? [{ image: SIDE_IMAGE, name: INIT }] : undefined,
    nodeName: pending ? undefined : place.node,
    restartPolicy: spec.restart?.by === 'kubelet' ? 'OnFailure' : 'Never',
    terminationGracePeriodSeconds: 30,
  };
}

const SIDE_IMAGE = 'polyaxon/polyaxon-sidecar:2.4.0';

export function argsOf({ spec }: Scene, place: NodePlace): string[] {
  const restarts = spec.restart?.by === 'launcher' ? ['--max-restarts', '1'] : [];
  const perNode = ['--nproc-per-node', String(place.ranks.length)];
  return ['--nnodes', String(spec.nodes), ...perNode, ...restarts, '/workspace/train.py'];
}

export function envOf(scene: Scene, place: NodePlace): { name: string; value: string }[] {
  const { spec, topology } = scene;
  const env: { name: string; value: string }[] = [
    { name: 'TORCH_FR_BUFFER_SIZE', value: String(spec.recorder === 'off' ? 0 : (spec.ringEntries ?? 2000)) },
  ];
  if (spec.ncclDebug === true) env.push({ name: 'NCCL_DEBUG', value: 'INFO' });
  if (spec.workload === 'pytorchjob' || spec.workload === 'polyaxon') {
    const master = topology.nodes[0]?.pod ?? '';
    // The operator's RANK is the NODE rank, not a global rank.
    env.push(
      { name: 'MASTER_ADDR', value: master },
      { name: 'MASTER_PORT', value: '23456' },
      // The operator multiplies by one number of processes a node; where nodes differ, it counts Pods.
      { name: 'WORLD_SIZE', value: String(spec.processesOfNodes === undefined ? topology.worldSize : spec.nodes) },
      { name: 'RANK', value: String(place.groupRank) },
      { name: 'PET_NODE_RANK', value: String(place.groupRank) },
      { name: 'PET_NPROC_PER_NODE', value: String(place.ranks.length) },
      { name: 'PET_NNODES', value: String(spec.nodes) },
    );
  }
  return env;
}

function statusOf(input: PodInput): YamlValue {
  const { scene, place, timeline, aftermath, runs } = input;
  const node = (ns: number): string => scene.stamper.api(place.clock, ns);
  const { startedNs, end: ended } = runs;
  const firstNs = runs.previous?.startedNs ?? startedNs;
  const readySince = ended === undefined ? startedNs + SECOND : ended.atNs + 0.4 * SECOND;
  const evicted = scene.plan.evictedNode === place.index && aftermath.faultNs !== undefined;
  const ready = { lastTransitionTime: node(readySince), status: ended === undefined ? 'True' : 'False' };
  return {
    conditions: [
      ...(evicted ? [evictionCondition(scene, aftermath.faultNs ?? 0)] : []),
      { lastTransitionTime: node(firstNs - 2 * SECOND), status: 'True', type: 'Initialized' },
      { ...ready, type: 'Ready' },
      { ...ready, type: 'ContainersReady' },
      { lastTransitionTime: scene.stamper.api(API_CLOCK, timeline.boundNs), status: 'True', type: 'PodScheduled' },
    ],
    containerStatuses: [
      containerStatus(input, node),
      ...(scene.spec.workload === 'polyaxon' ? [sideStatus(input, node)] : []),
    ],
    hostIP: place.hostIp,
    phase: ended === undefined ? 'Running' : ended.code === 0 ? 'Succeeded' : 'Failed',
    podIP: place.podIp,
    qosClass: 'Guaranteed',
    startTime: node(firstNs - 2.5 * SECOND),
  };
}

function containerStatus({ scene, runs }: PodInput, node: (ns: number) => string): YamlValue {
  const { startedNs, end, previous } = runs;
  const containerID = `containerd://${runs.containerId}`;
  const terminated = (one: { startedNs: number; end: ContainerEnd; containerId: string }): YamlValue => ({
    terminated: {
      containerID: `containerd://${one.containerId}`,
      exitCode: one.end.code,
      finishedAt: node(one.end.atNs),
      reason: one.end.reason,
      startedAt: node(one.startedNs),
    },
  });
  return {
    containerID,
    image: SOFTWARE[scene.spec.backend].image,
    lastState: previous === undefined ? {} : terminated(previous),
    name: scene.topology.container,
    ready: end === undefined,
    restartCount: previous === undefined ? 0 : 1,
    started: end === undefined,
    state:
      end === undefined
        ? { running: { startedAt: node(startedNs) } }
        : terminated({ startedNs, end, containerId: runs.containerId }),
  };
}

/** The side container ends some seconds after the one that trains. */
const SIDE_LATER_NS = 6 * SECOND;

function sideStatus({ runs }: PodInput, node: (ns: number) => string): YamlValue {
  const startedAt = node((runs.previous ?? runs).startedNs);
  return {
    image: SIDE_IMAGE,
    lastState: {},
    name: SIDECAR,
    ready: runs.end === undefined,
    restartCount: 0,
    state:
      runs.end === undefined
        ? { running: { startedAt } }
        : {
            terminated: {
              exitCode: 0,
              finishedAt: node(runs.end.atNs + SIDE_LATER_NS),
              reason: 'Completed',
              startedAt,
            },
          },
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
