/** Sorts objects of a document by their kind and turns each into what analysis reads. */
import {
  type DocMap,
  type DocPart,
  type DocValue,
  isList,
  isMap,
  mapAt,
  textAt,
  valueAt,
} from '../../codecs/document-tree.ts';
import type { FormatOutput } from '../../model/format.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { ObjectContext } from './fields.ts';
import { readEvent, readLease, readNode } from './other-objects.ts';
import { readPod } from './pod.ts';
import { readWorkload } from './workload.ts';

/** Lists inside lists are read to this depth; kubectl writes none. */
const MAX_NESTED_LISTS = 2;
/** Objects of one entry; a cluster of 5,000 nodes has about 150,000 Pods. */
const MAX_OBJECTS = 300_000;

/** Kinds that a bundle of a cluster holds and that say nothing about a failed training. */
const PLAIN_KINDS: ReadonlySet<string> = new Set([
  'APIResourceList',
  'APIService',
  'ClusterRole',
  'ClusterRoleBinding',
  'ClusterPolicy',
  'ConfigMap',
  'ControllerRevision',
  'CronJob',
  'CSIDriver',
  'CSINode',
  'CustomResourceDefinition',
  'DaemonSet',
  'Deployment',
  'Endpoints',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
  'Ingress',
  'IngressClass',
  'LimitRange',
  'Namespace',
  'NetworkPolicy',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'PodTemplate',
  'PriorityClass',
  'ReplicaSet',
  'ReplicationController',
  'ResourceQuota',
  'Role',
  'RoleBinding',
  'RuntimeClass',
  'SelfSubjectRulesReview',
  'Service',
  'ServiceAccount',
  'StorageClass',
  'SupportBundle',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'VolumeAttachment',
]);

type ObjectOutput = Extract<FormatOutput, { kind: 'pod' | 'kube-event' | 'lease' | 'node' | 'workload' }>;

const TITLES: Readonly<Record<ObjectOutput['kind'], string>> = {
  pod: 'Pod',
  'kube-event': 'Event',
  lease: 'node Lease',
  node: 'Node',
  workload: 'workload',
};

/** Reads all parts; ends with one issue for kinds that are not used and one summary. */
export function* readObjects(
  parts: Iterable<DocPart>,
  ref: (at: number, end: number) => SourceRef,
  badCode: 'yaml-invalid' | 'json-invalid',
): Generator<FormatOutput> {
  const reader = new ObjectReader(ref);
  for (const part of parts) {
    if (part.kind === 'problem') {
      const { line, column, reason, effect, at } = part.problem;
      yield {
        kind: 'issue',
        code: badCode,
        severity: effect === 'lost' ? 'warning' : 'info',
        source: ref(at, at),
        detail: `line ${line}, column ${column}: ${reason}`,
      };
    } else if (part.kind === 'list') reader.startList(part.envelope);
    else if (part.kind === 'item') yield* reader.item(part.value);
    else yield* reader.document(part.value, 0);
    if (reader.count > MAX_OBJECTS) {
      yield {
        kind: 'issue',
        code: 'document-too-large',
        severity: 'warning',
        source: undefined,
        detail: `more than ${MAX_OBJECTS} objects`,
      };
      break;
    }
  }
  yield* reader.end();
}

class ObjectReader {
  private readonly ref: (at: number, end: number) => SourceRef;
  private readonly found = new Map<string, number>();
  private readonly unused = new Map<string, number>();
  /** Those of the unused that are not in PLAIN_KINDS. */
  private readonly unknown = new Map<string, number>();
  private firstUnused: SourceRef | undefined;
  private invalid: FormatOutput[] = [];
  private listKind = '';
  private listApi = '';
  private lists = 0;
  count = 0;

  constructor(ref: (at: number, end: number) => SourceRef) {
    this.ref = ref;
  }

  startList(envelope: DocMap): void {
    this.lists += 1;
    this.listApi = textAt(envelope, 'apiVersion') ?? '';
    const kind = textAt(envelope, 'kind') ?? '';
    this.listKind = kind === 'List' || !kind.endsWith('List') ? '' : kind.slice(0, -'List'.length);
  }

  *item(value: DocValue): Generator<FormatOutput> {
    if (isMap(value)) yield* this.object(value, this.listKind, this.listApi);
    else this.miss('(no object)', undefined);
  }

  *document(value: DocValue, depth: number): Generator<FormatOutput> {
    if (!isMap(value)) {
      if (value !== null) this.miss('(no object)', undefined);
      return;
    }
    const items = valueAt(value, 'items');
    if (!isList(items) || depth >= MAX_NESTED_LISTS) {
      yield* this.object(value, '', '');
      return;
    }
    this.startList(value);
    for (const item of items.items) {
      if (this.count > MAX_OBJECTS) return;
      yield* this.item(item);
    }
  }

  private *object(object: DocMap, listKind: string, listApi: string): Generator<FormatOutput> {
    this.count += 1;
    const kind = textAt(object, 'kind') ?? (listKind || guessKind(object));
    const output = this.read(object, kind, textAt(object, 'apiVersion') ?? listApi);
    yield* this.invalid;
    this.invalid = [];
    if (output === undefined) {
      this.miss(kind || '(no kind)', object);
      return;
    }
    const title = output.kind === 'workload' ? output.workload.kind : TITLES[output.kind];
    this.found.set(title, (this.found.get(title) ?? 0) + 1);
    yield output;
  }

  private read(object: DocMap, kind: string, apiVersion: string): ObjectOutput | undefined {
    const context: ObjectContext = {
      ref: this.ref,
      invalid: (what, at) => {
        this.invalid.push({
          kind: 'issue',
          code: 'object-field-invalid',
          severity: 'warning',
          source: this.ref(at, at),
          detail: what,
        });
      },
    };
    switch (kind) {
      case 'Pod':
        return wrap(readPod(context, object), (pod) => ({ kind: 'pod', pod }));
      case 'Event':
        return wrap(readEvent(context, object), (kubeEvent) => ({ kind: 'kube-event', kubeEvent }));
      case 'Lease':
        return wrap(readLease(context, object), (lease) => ({ kind: 'lease', lease }));
      case 'Node':
        return wrap(readNode(context, object), (node) => ({ kind: 'node', node }));
      default:
        return wrap(readWorkload(context, object, kind, apiVersion), (workload) => ({ kind: 'workload', workload }));
    }
  }

  private miss(kind: string, object: DocMap | undefined): void {
    this.unused.set(kind, (this.unused.get(kind) ?? 0) + 1);
    if (!PLAIN_KINDS.has(kind)) this.unknown.set(kind, (this.unknown.get(kind) ?? 0) + 1);
    if (object !== undefined && !PLAIN_KINDS.has(kind)) this.firstUnused ??= this.ref(object.at, object.end);
  }

  *end(): Generator<FormatOutput> {
    const unused = counted(this.unused);
    if (this.lists > 0 && this.count === 0 && this.unused.size === 0 && this.listKind !== '')
      yield { kind: 'issue', code: 'list-empty', severity: 'info', source: undefined, detail: this.listKind };
    const unknown = counted(this.unknown);
    if (unknown !== '')
      yield { kind: 'issue', code: 'object-kind-unknown', severity: 'info', source: this.firstUnused, detail: unknown };
    const all = [counted(this.found), unused === '' ? '' : `not used: ${unused}`].filter((text) => text !== '');
    yield {
      kind: 'summary',
      text: all.length > 0 ? all.join('; ') : this.lists > 0 ? 'a list without items' : 'no objects',
    };
  }
}

function wrap<T>(value: T | undefined, make: (value: T) => ObjectOutput): ObjectOutput | undefined {
  return value === undefined ? undefined : make(value);
}

/** "3 × Event, 1 × Pod", by name. */
function counted(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, 20)
    .map(([kind, count]) => `${count} × ${kind.slice(0, 60)}`)
    .join(', ');
}

/** Go programs write items of a list without kind and sometimes the list without one too. */
function guessKind(object: DocMap): string {
  if (mapAt(object, 'involvedObject') !== undefined || mapAt(object, 'regarding') !== undefined) return 'Event';
  if (valueAt(object, 'spec', 'renewTime') !== undefined) return 'Lease';
  if (mapAt(object, 'status', 'nodeInfo') !== undefined) return 'Node';
  if (isList(valueAt(object, 'spec', 'containers'))) return 'Pod';
  return '';
}
