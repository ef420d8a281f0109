import { UNTOLD_PLACE } from '#shared/formats/log/path-facts.ts';
/** Incidents in a few lines: files with events, Pods with the fields that matter. */
import type { EntryInfo } from '#shared/model/entry.ts';
import {
  type EventBody,
  type LogEvent,
  type LogStream,
  UNTOLD_ORIGIN,
  type WorkerFailure,
} from '#shared/model/events.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { entryId } from '#shared/model/ids.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import {
  type ContainerState,
  type ContainerTermination,
  type PodObject,
  UNTOLD_POD,
} from '#shared/model/kubernetes.ts';
import type { SourceRef } from '#shared/model/source-ref.ts';
import { parseIsoStamp, type Stamp } from '#shared/model/time.ts';

/** An event before it has a place: its body and what the line carried. */
export type Line = Partial<Omit<LogEvent, 'body'>> & { readonly body: EventBody };

export const announced = (rank: number, worldSize: number, localRank: number, pid: number): Line => ({
  body: { kind: 'rank-announced', rank, worldSize, localRank, pid },
});
export const progress = (rank?: number): Line => ({
  body: { kind: 'progress', step: 1, epoch: undefined },
  ...(rank === undefined ? {} : { rank, rankBasis: 'rank-prefix' }),
});
export const ready = (): Line => ({ body: { kind: 'group-ready' } });
export const finished = (): Line => ({ body: { kind: 'finished', steps: 30 } });
export const failed = (localRank: number, pid: number, exitCode: number): Line => ({
  body: { kind: 'worker-failed', localRank, pid, exitCode },
});
export const closing = (pid: number, signal = 'SIGTERM'): Line => ({ body: { kind: 'closing-signal', pid, signal } });
export const exception = (type: string, rank?: number): Line => ({
  body: { kind: 'exception', type, message: '', class: 'python', frames: [], handled: false },
  ...(rank === undefined ? {} : { rank, rankBasis: 'rank-prefix' }),
});
export const failure = (
  rank: number,
  localRank: number,
  host: string | undefined,
  exitCode: number,
  pid: number,
): WorkerFailure => ({
  root: false,
  rank,
  localRank,
  host,
  time: undefined,
  exitCode,
  pid,
  hasErrorFile: false,
  message: undefined,
});
export const summary = (...failures: WorkerFailure[]): Line => ({ body: { kind: 'failure-summary', failures } });
export const ncclInit = (
  rank: number,
  nranks: number,
  cudaDev: number,
  busId: string,
  host: string,
  pid: number,
): Line => ({
  body: { kind: 'nccl-init', complete: true, rank, nranks, cudaDev, busId, commId: '0x1', host, pid },
  host,
  pid,
});

export interface File {
  readonly path: string;
  readonly stream?: Partial<LogStream>;
  readonly lines: readonly (Line | undefined)[];
}
export const file = (path: string, lines: readonly (Line | undefined)[], stream: Partial<LogStream> = {}): File => ({
  path,
  lines,
  stream,
});

const at = (entry: number, line: number): SourceRef => ({
  kind: 'line',
  entry: entryId(entry),
  line,
  byte: line * 100,
  length: 99,
});

export const stamp = (text: string): Stamp => {
  const found = parseIsoStamp(text);
  if (found === undefined) throw new Error(`no stamp: ${text}`);
  return found;
};
const BASE = stamp('2026-03-14T10:00:00Z');
/** The k-th second of the story. */
export const second = (k: number): Stamp => ({
  ...BASE,
  ns: (BASE.ns + BigInt(k) * 1_000_000_000n) as Stamp['ns'],
  kind: 'runtime',
  resolutionNs: 1,
});

function eventOf(line: Line, entry: number, number: number): LogEvent {
  return {
    ...UNTOLD_ORIGIN,
    stamp: second(number),
    text: line.body.kind,
    source: at(entry, number),
    lastLine: number,
    ...line,
  };
}

function streamOf({ lines, stream }: File, entry: number): LogStream {
  const last = Math.max(1, lines.length);
  return {
    ...UNTOLD_PLACE,
    lines: lines.length,
    first: { stamp: second(1), source: at(entry, 1) },
    last: { stamp: second(last), source: at(entry, last) },
    lastLine: { text: 'last line', source: at(entry, last) },
    ranks: [],
    ...stream,
  };
}

export type PodParts = Partial<Omit<PodObject, 'env'>> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly restarts?: number;
  readonly ended?: Partial<ContainerTermination>;
  readonly endedBefore?: Partial<ContainerTermination>;
};

const termination = (parts: Partial<ContainerTermination> | undefined): ContainerTermination | undefined =>
  parts && {
    exitCode: undefined,
    signal: undefined,
    reason: undefined,
    message: undefined,
    startedAt: undefined,
    finishedAt: undefined,
    containerId: undefined,
    ...parts,
  };

export function pod(name: string, { env, restarts, ended, endedBefore, ...parts }: PodParts = {}): PodObject {
  const main: ContainerState = {
    name: 'main',
    init: false,
    containerId: undefined,
    restartCount: restarts ?? 0,
    ready: undefined,
    runningSince: undefined,
    waiting: undefined,
    terminated: termination(ended),
    lastTerminated: termination(endedBefore),
  };
  return {
    ...UNTOLD_POD,
    source: { kind: 'entry', entry: entryId(900) },
    from: 'object',
    name,
    namespace: 'ml',
    uid: `uid-${name}`,
    node: `node-of-${name}`,
    phase: 'Running',
    containers: [main],
    trainingContainer: 'main',
    env: Object.entries(env ?? {}).map(([key, value]) => ({ name: key, value, masked: false })),
    ...parts,
  };
}

/** `torchrun --nnodes N --nproc-per-node P`. */
export const torchrun = (nnodes: number, nproc: number): readonly string[] => [
  'torchrun',
  '--nnodes',
  String(nnodes),
  `--nproc_per_node=${nproc}`,
  'train.py',
];
export const jobSetLabels = (index: number, more: Readonly<Record<string, string>> = {}) => ({
  'jobset.sigs.k8s.io/jobset-name': 'job',
  'batch.kubernetes.io/job-completion-index': String(index),
  'job-name': 'job-workers-0',
  ...more,
});
export const pyTorchLabels = (type: 'master' | 'worker', index: number) => ({
  'training.kubeflow.org/job-name': 'job',
  'training.kubeflow.org/replica-type': type,
  'training.kubeflow.org/replica-index': String(index),
});

export function dump(
  entry: number,
  nameRank: number | undefined,
  groups: FlightRecorderDump['groups'] = [],
): FlightRecorderDump {
  const none = new Int32Array();
  return {
    source: { kind: 'entry', entry: entryId(entry) },
    encoding: 'pickle',
    version: '2.10',
    library: undefined,
    nameRank,
    groups,
    status: [],
    columns: {
      length: 0,
      recordId: none,
      pgId: none,
      groupName: none,
      groupDesc: none,
      collectiveSeq: new Float64Array(),
      p2pSeq: new Float64Array(),
      opId: new Float64Array(),
      op: none,
      isP2p: new Uint8Array(),
      createdNs: new BigInt64Array(),
      startedNs: new BigInt64Array(),
      completedNs: new BigInt64Array(),
      durationMs: new Float64Array(),
      state: new Uint8Array(),
      retired: new Uint8Array(),
      timeoutMs: new Float64Array(),
      inputSizes: none,
      outputSizes: none,
      inputDtypes: none,
      outputDtypes: none,
      extra: none,
      stack: none,
    },
    strings: [],
    shapes: [],
    stacks: [],
    frames: [],
    truncatedAt: undefined,
    unknownKeys: [],
  };
}

const entryInfo = (path: string, id: number): EntryInfo => ({
  id: entryId(id),
  path,
  bytes: 1,
  sha256: null,
  format: null,
  kind: '',
  why: '',
  status: 'read',
  detail: '',
  lines: null,
  firstNs: null,
  lastNs: null,
  duplicateOf: null,
});

export function incident(files: readonly File[], more: Partial<IncidentInput> = {}): IncidentInput {
  return {
    entries: files.map(({ path }, i) => entryInfo(path, i)),
    issues: [],
    events: files.flatMap(({ lines }, entry) =>
      lines.flatMap((line, i) => (line === undefined ? [] : [eventOf(line, entry, i + 1)])),
    ),
    streams: files.map((item, entry) => streamOf(item, entry)),
    pods: [],
    kubeEvents: [],
    leases: [],
    nodes: [],
    workloads: [],
    dumps: [],
    ...more,
  };
}
