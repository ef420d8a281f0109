/** Kubernetes objects reduced to the fields that analysis uses. Unknown = undefined. Each stamp says whose clock it is by its field; see the reference table in `shared/formats/README.md`. */
import type { SourceRef } from './source-ref.ts';
import type { EpochNs } from './time.ts';

/** Whole seconds as stored by the API; the true instant lies in [ns, ns + 1 s). */
export type ApiTime = EpochNs;

export interface ContainerTermination {
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly startedAt: ApiTime | undefined;
  readonly finishedAt: ApiTime | undefined;
  readonly containerId: string | undefined;
  /** Where the end itself is written, when that is nearer than the object's own source. */
  readonly source?: SourceRef;
}

export interface ContainerState {
  readonly name: string;
  readonly init: boolean;
  readonly containerId: string | undefined;
  readonly restartCount: number | undefined;
  readonly ready: boolean | undefined;
  readonly runningSince: ApiTime | undefined;
  readonly waiting: { readonly reason: string | undefined; readonly message: string | undefined } | undefined;
  readonly terminated: ContainerTermination | undefined;
  readonly lastTerminated: ContainerTermination | undefined;
}

/** Value of a container's environment; `masked` for redacted or secret ones (masked is not unset). */
export interface EnvVar {
  readonly name: string;
  readonly value: string | undefined;
  readonly masked: boolean;
}

export interface PodObject {
  readonly source: SourceRef;
  readonly from: 'object' | 'describe' | 'table';
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  readonly node: string | undefined;
  readonly hostNetwork: boolean;
  readonly phase: string | undefined;
  /** `status.reason`, e.g. Evicted. For tables: the derived STATUS column is in `tableStatus`. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly tableStatus: string | undefined;
  readonly podIp: string | undefined;
  readonly hostIp: string | undefined;
  readonly created: ApiTime | undefined;
  readonly startTime: ApiTime | undefined;
  readonly deletion: { readonly at: ApiTime; readonly graceSeconds: number | undefined } | undefined;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string | undefined;
    readonly message: string | undefined;
    readonly at: ApiTime | undefined;
    readonly source?: SourceRef;
  }[];
  readonly managedFields: readonly {
    readonly manager: string;
    readonly subresource: string | undefined;
    readonly at: ApiTime | undefined;
  }[];
  readonly containers: readonly ContainerState[];
  /** Name of the container that trains: the one with GPUs or torchrun, else the first. Unknown for tables. */
  readonly trainingContainer?: string;
  /** Of the training container. */
  readonly env: readonly EnvVar[];
  readonly command: readonly string[];
  readonly gpus: number | undefined;
  readonly memoryLimit: string | undefined;
  /** More of the training container's environment comes from elsewhere (`envFrom`): a name that is not listed may be set all the same. */
  readonly envFromElsewhere?: true;
  /** `/dev/shm` of the training container: a memory volume with its limit, or what the runtime gives. Absent where the object does not say. */
  readonly sharedMemory?:
    | { readonly kind: 'volume'; readonly limit: string | undefined }
    | { readonly kind: 'default' };
  readonly restartPolicy?: string;
}

/** A Pod of which nothing but its name is told: where each source of Pods starts from. */
export const UNTOLD_POD: Omit<PodObject, 'source' | 'from' | 'name' | 'namespace'> = {
  uid: undefined,
  labels: {},
  annotations: {},
  owner: undefined,
  node: undefined,
  hostNetwork: false,
  phase: undefined,
  reason: undefined,
  message: undefined,
  tableStatus: undefined,
  podIp: undefined,
  hostIp: undefined,
  created: undefined,
  startTime: undefined,
  deletion: undefined,
  conditions: [],
  managedFields: [],
  containers: [],
  env: [],
  command: [],
  gpus: undefined,
  memoryLimit: undefined,
};

export interface KubeEvent {
  readonly source: SourceRef;
  readonly type: string | undefined;
  readonly reason: string;
  readonly message: string;
  readonly object: { readonly kind: string; readonly name: string; readonly namespace: string | undefined };
  /** Component that stamped `first` and `last`, with its host (node clock) where given. */
  readonly component: string | undefined;
  readonly host: string | undefined;
  readonly first: ApiTime | undefined;
  readonly last: ApiTime | undefined;
  readonly created: ApiTime | undefined;
  readonly count: number;
  /** For table output: the age text, e.g. `26m (x2 over 43m)`. */
  readonly age: string | undefined;
}

export interface LeaseObject {
  readonly source: SourceRef;
  readonly node: string;
  /** Kubelet's clock, µs. */
  readonly renewTime: EpochNs | undefined;
  /** API server's clock at the kubelet's write, floored to seconds. */
  readonly managedAt: ApiTime | undefined;
}

export interface NodeObject {
  readonly source: SourceRef;
  readonly name: string;
  readonly internalIp: string | undefined;
  readonly unschedulable: boolean;
  readonly taints: readonly { readonly key: string; readonly effect: string; readonly at: ApiTime | undefined }[];
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string | undefined;
    readonly message: string | undefined;
    readonly heartbeat: ApiTime | undefined;
    readonly at: ApiTime | undefined;
  }[];
  readonly gpuCapacity: number | undefined;
  readonly gpuAllocatable: number | undefined;
  readonly statusManagedAt: ApiTime | undefined;
}

/** A job-like owner (PyTorchJob, JobSet, Job, TrainJob, …): what was asked for. */
export interface WorkloadObject {
  readonly source: SourceRef;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly replicas: readonly { readonly role: string; readonly count: number }[];
  readonly nprocPerNode: string | undefined;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string | undefined;
    readonly message: string | undefined;
    readonly at: ApiTime | undefined;
  }[];
  readonly restarts: number | undefined;
}
