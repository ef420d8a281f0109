/**
 * The Pods that the bundle knows, one record per Pod generation: what `get -o yaml`, `describe` and tables say of the
 * same Pod is one Pod; the same name with another uid is another generation of it.
 */
import { type KubeEvent, type PodObject, UNTOLD_POD } from '../../model/kubernetes.ts';
import { byText, listIn } from './order.ts';

export interface PodRecord {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly node: string | undefined;
  /** The best description: an object before `describe` before a table; of several the newest. */
  readonly object: PodObject;
  /** Only Events speak of this Pod: `object` holds nothing but its name and node. */
  readonly fromEvents: boolean;
}

const FROM_ORDER = { object: 0, describe: 1, table: 2 } as const;

/** Latest stamp of a Pod's status: which of two snapshots is newer. */
function freshness(pod: PodObject): bigint {
  let newest = pod.created ?? 0n;
  const see = (at: bigint | undefined) => {
    if (at !== undefined && at > newest) newest = at;
  };
  for (const field of pod.managedFields) see(field.at);
  for (const container of pod.containers) {
    see(container.runningSince);
    see(container.terminated?.finishedAt);
  }
  return newest;
}

const restartsOf = (pod: PodObject): number =>
  pod.containers.reduce((sum, container) => sum + (container.restartCount ?? 0), 0);

/** Best description first; total, so that the order of files does not matter. */
function byQuality(a: PodObject, b: PodObject): number {
  const from = FROM_ORDER[a.from] - FROM_ORDER[b.from];
  if (from !== 0) return from;
  const [freshA, freshB] = [freshness(a), freshness(b)];
  if (freshA !== freshB) return freshA > freshB ? -1 : 1;
  return restartsOf(b) - restartsOf(a) || byText(JSON.stringify(a, plain), JSON.stringify(b, plain));
}

const plain = (key: string, value: unknown): unknown =>
  key === 'source' ? undefined : typeof value === 'bigint' ? value.toString() : value;

/**
 * All Pods by name, generations in the order of their creation (the last one is the current one). Two Pods of one
 * name in different namespaces are told apart only if both say their namespace.
 */
export function podTable(
  pods: readonly PodObject[],
  kubeEvents: readonly KubeEvent[],
): ReadonlyMap<string, readonly PodRecord[]> {
  const scheduled = nodesFromEvents(kubeEvents);
  const byName = new Map<string, PodObject[]>();
  for (const pod of pods) listIn(byName, pod.name).push(pod);
  const described = new Set(byName.keys());
  for (const pod of podsOfEvents(kubeEvents)) if (!described.has(pod.name)) listIn(byName, pod.name).push(pod);
  const table = new Map<string, readonly PodRecord[]>();
  for (const name of [...byName.keys()].sort(byText)) {
    const generations = generationsOf(byName.get(name) ?? []);
    table.set(
      name,
      generations.map((objects, i) =>
        record(objects, i === generations.length - 1 ? scheduled.get(name) : undefined, !described.has(name)),
      ),
    );
  }
  return table;
}

function generationsOf(objects: readonly PodObject[]): readonly (readonly PodObject[])[] {
  const byUid = new Map<string, PodObject[]>();
  const withoutUid: PodObject[] = [];
  for (const object of objects) {
    if (object.uid === undefined) withoutUid.push(object);
    else listIn(byUid, object.uid).push(object);
  }
  const generations = [...byUid.values()].map((list) => list.sort(byQuality)).sort(byCreation);
  const last = generations.at(-1);
  if (last === undefined) return withoutUid.length > 0 ? [withoutUid.sort(byQuality)] : [];
  for (const object of withoutUid.sort(byQuality)) last.push(object);
  return generations;
}

function byCreation(a: readonly PodObject[], b: readonly PodObject[]): number {
  const [createdA, createdB] = [a[0]?.created ?? 0n, b[0]?.created ?? 0n];
  return createdA < createdB ? -1 : createdA > createdB ? 1 : byText(a[0]?.uid ?? '', b[0]?.uid ?? '');
}

function record(objects: readonly PodObject[], scheduledOn: string | undefined, fromEvents: boolean): PodRecord {
  const [best] = objects;
  if (best === undefined) throw new Error('a generation has at least one object');
  const first = <T>(pick: (pod: PodObject) => T | undefined): T | undefined =>
    objects.map(pick).find((value) => value !== undefined);
  return {
    name: best.name,
    namespace: first((pod) => pod.namespace),
    node: first((pod) => pod.node) ?? scheduledOn,
    fromEvents,
    object: {
      ...best,
      env: first((pod) => (pod.env.length > 0 ? pod.env : undefined)) ?? [],
      command: first((pod) => (pod.command.length > 0 ? pod.command : undefined)) ?? [],
    },
  };
}

/** Pods that Events name, with nothing else known of them. */
function podsOfEvents(kubeEvents: readonly KubeEvent[]): readonly PodObject[] {
  const byName = new Map<string, PodObject>();
  for (const { object, source } of kubeEvents) {
    if (object.kind !== 'Pod' || byName.has(object.name)) continue;
    byName.set(object.name, { ...UNTOLD_POD, from: 'table', source, name: object.name, namespace: object.namespace });
  }
  return [...byName.values()];
}

const ASSIGNED = /^Successfully assigned (?:\S{1,253}\/)?(\S{1,253}) to (\S{1,253})$/;

/** Pod name → node, as the scheduler's events tell it; a name that went to several nodes is left out. */
function nodesFromEvents(kubeEvents: readonly KubeEvent[]): ReadonlyMap<string, string> {
  const nodes = new Map<string, string>();
  const several = new Set<string>();
  for (const event of kubeEvents) {
    const [, pod, node] = event.reason === 'Scheduled' ? (ASSIGNED.exec(event.message) ?? []) : [];
    if (pod === undefined || node === undefined) continue;
    if ((nodes.get(pod) ?? node) !== node) several.add(pod);
    nodes.set(pod, node);
  }
  for (const pod of several) nodes.delete(pod);
  return nodes;
}
