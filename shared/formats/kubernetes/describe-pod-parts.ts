/** What is gathered while one Pod's description is read, and how it becomes a Pod object. */
import type { ContainerState, ContainerTermination, EnvVar, PodObject } from '../../model/kubernetes.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { parseDescribeTime } from './describe-times.ts';
import { isRedacted, resolveFieldPath } from './env.ts';
import { bareContainerId } from './pod.ts';
import { gpusOf, trainerScore } from './training-container.ts';

/** `State:` or `Last State:` with the lines under it. */
export interface StateDraft {
  readonly word: string;
  readonly source: SourceRef;
  readonly fields: Map<string, string>;
}

export interface ContainerDraft {
  readonly name: string;
  readonly init: boolean;
  readonly fields: Map<string, string>;
  readonly words: string[];
  readonly limits: (readonly [name: string, quantity: string])[];
  readonly env: (readonly [name: string, value: string])[];
  state: StateDraft | undefined;
  lastState: StateDraft | undefined;
}

export interface PodDraft {
  readonly source: SourceRef;
  readonly fields: Map<string, string>;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly containers: ContainerDraft[];
  readonly conditions: { readonly type: string; readonly status: string; readonly source: SourceRef }[];
}

export const newPodDraft = (source: SourceRef): PodDraft => ({
  source,
  fields: new Map(),
  labels: Object.create(null),
  annotations: Object.create(null),
  containers: [],
  conditions: [],
});

export const newContainerDraft = (name: string, init: boolean): ContainerDraft => ({
  name,
  init,
  fields: new Map(),
  words: [],
  limits: [],
  env: [],
  state: undefined,
  lastState: undefined,
});

const told = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || text === '<none>' || text === '<unset>' ? undefined : text;
const count = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
const time = (text: string | undefined) => (text === undefined ? undefined : parseDescribeTime(text));

/** Undefined if the draft is no Pod (a description of something else). */
export function finishPod(draft: PodDraft): PodObject | undefined {
  const { fields } = draft;
  const name = told(fields.get('Name'));
  if (name === undefined || !(fields.has('Node') || fields.has('Containers'))) return undefined;
  const [node, hostIp] = (told(fields.get('Node')) ?? '').split('/');
  const [ownerKind, ownerName] = (told(fields.get('Controlled By')) ?? '').split('/');
  const status = told(fields.get('Status'));
  const pod = {
    source: draft.source,
    from: 'describe' as const,
    name,
    namespace: told(fields.get('Namespace')),
    uid: undefined,
    labels: draft.labels,
    annotations: draft.annotations,
    owner: ownerKind !== undefined && ownerName !== undefined ? { kind: ownerKind, name: ownerName } : undefined,
    node: told(node),
    hostNetwork: false,
    phase: status === undefined || status.startsWith('Terminating') ? undefined : status,
    reason: told(fields.get('Reason')),
    message: told(fields.get('Message')),
    tableStatus: status?.startsWith('Terminating') ? status : undefined,
    podIp: told(fields.get('IP')),
    hostIp: told(hostIp),
    created: undefined,
    startTime: time(fields.get('Start Time')),
    deletion: undefined,
    conditions: draft.conditions.map((condition) => ({
      ...condition,
      reason: undefined,
      message: undefined,
      at: undefined,
    })),
    managedFields: [],
    containers: draft.containers.map(finishContainer),
  };
  return { ...pod, ...trainingFields(draft, pod) };
}

type TrainingFields = Pick<PodObject, 'trainingContainer' | 'env' | 'command' | 'gpus' | 'memoryLimit'>;

function trainingFields(draft: PodDraft, pod: Omit<PodObject, keyof TrainingFields>): TrainingFields {
  let best: ContainerDraft | undefined;
  let bestScore = -1;
  for (const container of draft.containers) {
    if (container.init) continue;
    const command = container.words.join(' ').slice(0, 20_000);
    const score = trainerScore({
      gpus: gpusOf(container.limits),
      command,
      envNames: container.env.map(([name]) => name),
    });
    if (score > bestScore) {
      best = container;
      bestScore = score;
    }
  }
  if (best === undefined) return { env: [], command: [], gpus: undefined, memoryLimit: undefined };
  return {
    trainingContainer: best.name,
    env: best.env.map(([name, text]) => ({ name, ...envValue(text, pod) })),
    command: best.words,
    gpus: gpusOf(best.limits),
    memoryLimit: best.limits.find(([name]) => name === 'memory')?.[1],
  };
}

const FIELD_REF = /^(.*?) ?\(v1:([^()]{1,400})\)$/;
const MASKED = /^<set to the key '|^<Optional>|\((?:limits|requests)\.[\w.-]+\)$/;

/** `VALUE (v1:PATH)` carries its value only where kubectl could resolve it. */
function envValue(text: string, pod: Omit<PodObject, keyof TrainingFields>): Omit<EnvVar, 'name'> {
  if (MASKED.test(text) || isRedacted(text)) return { value: undefined, masked: true };
  const [, value, path] = FIELD_REF.exec(text.trim()) ?? [];
  if (path === undefined) return { value: text, masked: false };
  return { value: value || resolveFieldPath(path, pod), masked: false };
}

function finishContainer(draft: ContainerDraft): ContainerState {
  const state = draft.state;
  const reason = state?.fields.get('Reason');
  return {
    name: draft.name,
    init: draft.init,
    containerId: bareContainerId(told(draft.fields.get('Container ID'))),
    restartCount: count(draft.fields.get('Restart Count')),
    ready: draft.fields.has('Ready') ? draft.fields.get('Ready') === 'True' : undefined,
    runningSince: state?.word === 'Running' ? time(state.fields.get('Started')) : undefined,
    waiting: state?.word === 'Waiting' ? { reason: told(reason), message: undefined } : undefined,
    terminated: termination(state),
    lastTerminated: termination(draft.lastState),
  };
}

function termination(state: StateDraft | undefined): ContainerTermination | undefined {
  if (state?.word !== 'Terminated') return undefined;
  const { fields, source } = state;
  return {
    exitCode: count(fields.get('Exit Code')),
    signal: count(fields.get('Signal')) || undefined,
    reason: told(fields.get('Reason')),
    message: told(fields.get('Message')),
    startedAt: time(fields.get('Started')),
    finishedAt: time(fields.get('Finished')),
    containerId: undefined,
    source,
  };
}
