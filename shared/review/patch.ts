/**
 * What is missing, ready to be merged into a manifest. Names from the bundle are written as JSON strings, which are YAML scalars that
 * cannot end early; values are ours.
 */
import type { WorkloadObject } from '../model/kubernetes.ts';
import { KEEP_FOLDER } from './catalogue.ts';
import type { PatchVariable, SettingsPatch } from './types.ts';

export interface PatchInput {
  readonly variables: readonly PatchVariable[];
  /** A memory volume on /dev/shm is missing. */
  readonly sharedMemory: boolean;
  readonly workloads: readonly WorkloadObject[];
  /** Kind of the job by labels of its Pods, where its own object is not in the bundle. */
  readonly kind: 'PyTorchJob' | 'JobSet' | undefined;
  /** Name of the container that trains; undefined = not known. */
  readonly container: string | undefined;
}

const CLAIM = 'YOUR-PERSISTENT-VOLUME-CLAIM';
const SHM_LIMIT = '64Gi';

export function settingsPatch(input: PatchInput): SettingsPatch | undefined {
  const { variables, sharedMemory, workloads } = input;
  if (variables.length === 0 && !sharedMemory) return undefined;
  const keeps = variables.some(({ value }) => value.startsWith(KEEP_FOLDER));
  const job = workloads.find(({ kind }) => kind === 'PyTorchJob');
  const set = workloads.find(({ kind }) => kind === 'JobSet');
  return {
    variables,
    forms: [
      {
        kind: 'pytorchjob',
        title: 'PyTorchJob',
        fits: job !== undefined || (set === undefined && input.kind === 'PyTorchJob'),
        text: pytorchJob(input, job, keeps),
      },
      {
        kind: 'jobset',
        title: 'JobSet',
        fits: set !== undefined || (job === undefined && input.kind === 'JobSet'),
        text: jobSet(input, set, keeps),
      },
      { kind: 'polyaxon', title: 'Polyaxonfile', fits: false, text: polyaxon(input, job, keeps) },
      { kind: 'shell', title: 'Shell', fits: false, text: shell(input) },
    ],
    notes: [
      'Merge it into the manifest and start the job again: a running Pod does not take new variables.',
      ...(keeps
        ? [
            `${KEEP_FOLDER} must be a volume that outlives the Pods and that all nodes can write to; in a manifest, put the name of your claim in place of ${CLAIM}.`,
          ]
        : []),
      'Variables that come from a ConfigMap or Secret are not seen here and may be set already.',
    ],
  };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 253));
const indent = (lines: readonly string[], by: number): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

function environment(variables: readonly PatchVariable[]): string[] {
  return variables.length === 0
    ? []
    : ['env:', ...variables.flatMap(({ name, value }) => [`- name: ${name}`, `  value: ${quoted(value)}`])];
}

function mounts({ sharedMemory }: PatchInput, keeps: boolean): string[] {
  const lines = [
    ...(keeps ? ['- name: diagnostics', `  mountPath: ${KEEP_FOLDER}`] : []),
    ...(sharedMemory ? ['- name: shared-memory', '  mountPath: /dev/shm'] : []),
  ];
  return lines.length === 0 ? [] : ['volumeMounts:', ...lines];
}

function volumes({ sharedMemory }: PatchInput, keeps: boolean): string[] {
  const lines = [
    ...(keeps ? ['- name: diagnostics', '  persistentVolumeClaim:', `    claimName: ${CLAIM}`] : []),
    ...(sharedMemory
      ? [
          '- name: shared-memory',
          '  emptyDir:',
          '    medium: Memory',
          `    sizeLimit: ${SHM_LIMIT} # counts against the memory limit of the Pod`,
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ['volumes:', ...lines];
}

function container(input: PatchInput, keeps: boolean): string[] {
  const [first = '', ...rest] = [
    `name: ${quoted(input.container ?? 'pytorch')}`,
    ...environment(input.variables),
    ...mounts(input, keeps),
  ];
  return [`- ${first}`, ...indent(rest, 2)];
}

const podSpec = (input: PatchInput, keeps: boolean): string[] => [
  'restartPolicy: Never',
  'containers:',
  ...container(input, keeps),
  ...volumes(input, keeps),
];

function pytorchJob(input: PatchInput, job: WorkloadObject | undefined, keeps: boolean): string {
  const roles =
    job === undefined || job.replicas.length === 0
      ? ['Master', 'Worker']
      : job.replicas.map(({ role }) => capital(role));
  const lines = [
    'apiVersion: kubeflow.org/v1',
    'kind: PyTorchJob',
    ...(job === undefined ? [] : ['metadata:', `  name: ${quoted(job.name)}`]),
    'spec:',
    '  runPolicy:',
    '    cleanPodPolicy: None # keep the Pods and their logs as they ended',
    '  pytorchReplicaSpecs:',
    ...roles.flatMap((role) => [
      `    ${/^[A-Za-z]{1,40}$/.test(role) ? role : quoted(role)}:`,
      '      restartPolicy: Never',
      '      template:',
      '        spec:',
      ...indent(podSpec(input, keeps).slice(1), 10),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

const capital = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1);

function jobSet(input: PatchInput, set: WorkloadObject | undefined, keeps: boolean): string {
  const jobs = set === undefined || set.replicas.length === 0 ? ['workers'] : set.replicas.map(({ role }) => role);
  const lines = [
    'apiVersion: jobset.x-k8s.io/v1alpha2',
    'kind: JobSet',
    ...(set === undefined ? [] : ['metadata:', `  name: ${quoted(set.name)}`]),
    'spec:',
    '  failurePolicy:',
    '    maxRestarts: 0 # a restart deletes the Pods that failed, with their logs',
    '  replicatedJobs:',
    ...jobs.flatMap((job) => [
      `  - name: ${quoted(job)}`,
      '    template:',
      '      spec:',
      '        backoffLimit: 0',
      '        template:',
      '          spec:',
      ...indent(podSpec(input, keeps), 12),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function polyaxon(input: PatchInput, job: WorkloadObject | undefined, keeps: boolean): string {
  const roles =
    job === undefined || job.replicas.length === 0
      ? ['master', 'worker']
      : job.replicas.map(({ role }) => role.toLowerCase());
  const body = [...environment(input.variables), ...mounts(input, keeps)];
  const lines = [
    'version: 1.1',
    'kind: operation',
    'patchStrategy: post_merge',
    'runPatch:',
    ...roles.flatMap((role) => [
      `  ${/^[a-z]{1,40}$/.test(role) ? role : quoted(role)}:`,
      '    environment:',
      '      restartPolicy: Never',
      ...indent(volumes(input, keeps), 4),
      '    container:',
      ...indent(body, 6),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function shell({ variables, sharedMemory }: PatchInput): string {
  const lines = [
    ...variables.map(({ name, value }) => `export ${name}=${/^[\w./%,-]+$/.test(value) ? value : `'${value}'`}`),
    ...(sharedMemory ? ['# containers: docker run --shm-size=64g, or --ipc=host'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
