/**
 * What a Pod's own definition says about its place in the job: job, role, node rank, processes.
 *
 * Everything here is what was ASKED for. Logs win over it: a rendezvous may give ranks in another order, and a job can
 * run with fewer Pods than asked for.
 */
import type { PlacementBasis } from '../../model/facts.ts';
import type { PodObject } from '../../model/kubernetes.ts';
import { commandWords, envInteger, envValue, integerOf, optionValue } from './launcher-options.ts';

const KUBEFLOW = 'training.kubeflow.org/';
const JOBSET = 'jobset.sigs.k8s.io/';
const LWS = 'leaderworkerset.sigs.k8s.io/';
const VOLCANO = 'volcano.sh/';
const KUEUE = 'kueue.x-k8s.io/';

/** The place that labels give, before it is known how many Pods each role has. */
export type Slot =
  | { readonly kind: 'node-rank'; readonly rank: number; readonly basis: PlacementBasis }
  /** PyTorchJob, Volcano: workers count behind the master. Without one, `alone` says whether the index is the node rank. */
  | { readonly kind: 'replica'; readonly role: string; readonly index: number; readonly alone: boolean }
  /** JobSet: index inside one of several Jobs. */
  | { readonly kind: 'indexed'; readonly job: string; readonly jobIndex: number; readonly index: number }
  | { readonly kind: 'ordinal'; readonly stem: string; readonly role: string | undefined; readonly index: number }
  | { readonly kind: 'none' };

export interface PodSpec {
  /** Pods with the same key belong to one job; undefined if nothing tells. */
  readonly job: string | undefined;
  readonly slot: Slot;
  /** The Pod only starts the others (mpirun): its log holds all ranks. */
  readonly isLauncher: boolean;
  /** Ranks come out of a rendezvous: node ranks of labels and env are hints only. */
  readonly dynamic: boolean;
  /** torchrun over several Pods is told no node rank in this Pod: whatever numbers the Pods is not shown, most often the order of host names. */
  readonly unnumbered: boolean;
  /** Processes per Pod. */
  readonly nproc: number | undefined;
  readonly nnodes: number | undefined;
  /** `WORLD_SIZE` of the Pod's env: Pods × processes, or (old operators) just Pods. */
  readonly envWorldSize: number | undefined;
  /** Times the whole job was recreated before this Pod, where a label counts them. */
  readonly jobRestart: number | undefined;
}

export function podSpec(pod: PodObject): PodSpec {
  const words = commandWords(pod.command);
  const dynamic = isDynamic(pod, words);
  return {
    job: jobKey(pod),
    slot: slotOf(pod, words),
    isLauncher: isLauncher(pod),
    dynamic,
    unnumbered: isUnnumbered(pod, words),
    nproc: processes(pod, words),
    nnodes: nodes(pod, words),
    envWorldSize: envInteger(pod.env, 'WORLD_SIZE'),
    jobRestart: integerOf(pod.labels[`${JOBSET}restart-attempt`] ?? pod.annotations[`${JOBSET}restart-attempt`]),
  };
}

/** Labels that name the job, most telling first. */
function jobKey(pod: PodObject): string | undefined {
  const { labels } = pod;
  const first = (...names: readonly string[]) =>
    names.map((name) => labels[name]).find((value) => value !== undefined && value !== '');
  const group = labels[`${LWS}group-index`];
  const named =
    first(`${KUBEFLOW}job-name`, `${JOBSET}jobset-name`, `${VOLCANO}job-name`, 'pytorch-job-name') ??
    (labels[`${LWS}name`] === undefined ? undefined : `${labels[`${LWS}name`]}/${group ?? ''}`) ??
    first('ray.io/cluster', 'batch.kubernetes.io/job-name', 'job-name', `${KUEUE}pod-group-name`);
  return named ?? (pod.owner === undefined ? undefined : `${pod.owner.kind}/${pod.owner.name}`);
}

function isLauncher(pod: PodObject): boolean {
  const role = pod.labels[`${KUBEFLOW}job-role`] ?? pod.labels[`${KUBEFLOW}replica-type`] ?? '';
  if (role.toLowerCase() === 'launcher') return (pod.gpus ?? 0) === 0;
  return pod.labels['ray.io/node-type'] === 'head' && (pod.gpus ?? 0) === 0;
}

/** A c10d or etcd rendezvous assigns group ranks itself; `static` (the default with a master address) does not. */
function isDynamic(pod: PodObject, words: readonly string[]): boolean {
  const backend = optionValue(words, pod.env, 'rdzv-backend') ?? envValue(pod.env, 'PET_RDZV_BACKEND');
  const elastic = (optionValue(words, pod.env, 'nnodes') ?? envValue(pod.env, 'PET_NNODES') ?? '').includes(':');
  return elastic || (backend !== undefined && backend !== '' && backend !== 'static');
}

const TORCHRUN = /(?:^|\/)torchrun$|^torch\.distributed\.(?:run|launch)$/;
const NODE_RANK = /^--node[-_]rank(?:=|$)/;

function isUnnumbered(pod: PodObject, words: readonly string[]): boolean {
  if (!words.some((word) => TORCHRUN.test(word)) || words.some((word) => NODE_RANK.test(word))) return false;
  if (pod.env.some(({ name }) => name === 'PET_NODE_RANK')) return false;
  return (nodes(pod, words) ?? 1) > 1;
}

function slotOf(pod: PodObject, words: readonly string[]): Slot {
  const stated =
    envInteger(pod.env, 'PET_NODE_RANK') ??
    integerOf(optionValue(words, pod.env, 'node-rank', 'machine-rank')) ??
    envInteger(pod.env, 'NODE_RANK') ??
    envInteger(pod.env, 'GROUP_RANK') ??
    // The env of a Pod is written once for all its processes: RANK in it is the Pod's number, never a process's.
    envInteger(pod.env, 'RANK');
  if (stated !== undefined) return { kind: 'node-rank', rank: stated, basis: 'pod-node-rank' };
  return labelSlot(pod) ?? nameSlot(pod.name);
}

function labelSlot(pod: PodObject): Slot | undefined {
  const { labels } = pod;
  const rank = (value: number | undefined): Slot | undefined =>
    value === undefined ? undefined : { kind: 'node-rank', rank: value, basis: 'pod-label' };
  const replicaType = labels[`${KUBEFLOW}replica-type`] ?? labels['pytorch-replica-type'] ?? labels['replica-type'];
  const replicaIndex = integerOf(
    labels[`${KUBEFLOW}replica-index`] ?? labels['pytorch-replica-index'] ?? labels['replica-index'],
  );
  if (replicaType !== undefined && replicaIndex !== undefined) {
    // With the launcher as a worker the label already counts it.
    if (labels[`${KUBEFLOW}operator-name`] === 'mpi-operator') return rank(replicaIndex);
    return { kind: 'replica', role: replicaType.toLowerCase(), index: replicaIndex, alone: false };
  }
  const task = integerOf(labels[`${VOLCANO}task-index`]);
  if (task !== undefined)
    return { kind: 'replica', role: labels[`${VOLCANO}task-spec`] ?? '', index: task, alone: true };
  const worker = integerOf(labels[`${LWS}worker-index`]);
  if (worker !== undefined) return rank(worker);
  const completion = integerOf(
    labels['batch.kubernetes.io/job-completion-index'] ??
      pod.annotations['batch.kubernetes.io/job-completion-index'] ??
      envValue(pod.env, 'JOB_COMPLETION_INDEX'),
  );
  if (completion !== undefined) {
    const jobIndex = integerOf(labels[`${JOBSET}job-index`] ?? pod.annotations[`${JOBSET}job-index`]) ?? 0;
    const job =
      labels[`${JOBSET}replicatedjob-name`] ?? labels['batch.kubernetes.io/job-name'] ?? labels['job-name'] ?? '';
    return { kind: 'indexed', job, jobIndex, index: completion };
  }
  return rank(
    integerOf(
      labels['apps.kubernetes.io/pod-index'] ??
        labels[`${KUEUE}pod-group-pod-index`] ??
        pod.annotations[`${KUEUE}pod-group-pod-index`],
    ),
  );
}

/** Letters that Kubernetes draws random suffixes from. */
const NAME = /^(.{1,250}?)-(\d{1,5})(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?$/;

/** `STEM-I` or `STEM-I-x7k2p`. */
export function nameSlot(name: string): Slot {
  const [, stem, digits] = NAME.exec(name) ?? [];
  if (stem === undefined || digits === undefined) return { kind: 'none' };
  const role = /(?:^|-)(master|worker|launcher|chief|leader)$/.exec(stem);
  return {
    kind: 'ordinal',
    stem: role === null ? stem : stem.slice(0, role.index),
    role: role?.[1],
    index: Number(digits),
  };
}

/** More processes in one Pod than this are no training job but a typing error or worse. */
const MAX_PROCESSES = 1024;

function processes(pod: PodObject, words: readonly string[]): number | undefined {
  const stated =
    optionValue(words, pod.env, 'nproc-per-node') ??
    envValue(pod.env, 'PET_NPROC_PER_NODE') ??
    optionValue(words, pod.env, 'num-gpus');
  if (stated === undefined) return accelerateProcesses(pod, words);
  const count = stated === 'auto' || stated === 'gpu' ? pod.gpus : integerOf(stated);
  return count !== undefined && count <= MAX_PROCESSES ? count : undefined;
}

/** accelerate counts the processes of all machines. */
function accelerateProcesses(pod: PodObject, words: readonly string[]): number | undefined {
  const all = integerOf(optionValue(words, pod.env, 'num-processes'));
  const machines = integerOf(optionValue(words, pod.env, 'num-machines')) ?? 1;
  return all !== undefined && machines > 0 && all % machines === 0 ? all / machines : undefined;
}

function nodes(pod: PodObject, words: readonly string[]): number | undefined {
  return (
    integerOf(optionValue(words, pod.env, 'nnodes', 'num-machines')) ??
    envInteger(pod.env, 'PET_NNODES') ??
    envInteger(pod.env, 'LWS_GROUP_SIZE') ??
    integerOf(pod.annotations[`${LWS}size`]) ??
    (words.includes('--standalone') ? 1 : undefined)
  );
}
