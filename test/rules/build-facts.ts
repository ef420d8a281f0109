/** The short form of a rule case → facts. See README.md for the form. */
import type { EntryInfo } from '#shared/model/entry.ts';
import { type EventBody, type LogEvent, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import type { CollectivesFact, ExitFact, LifeLine, PlacedEvent, PodPlace, RankPlace } from '#shared/model/facts.ts';
import type { Facts } from '#shared/model/finding.ts';
import { entryId } from '#shared/model/ids.ts';
import type { Issue } from '#shared/model/issue.ts';
import {
  type KubeEvent,
  type LeaseObject,
  type NodeObject,
  type PodObject,
  UNTOLD_POD,
} from '#shared/model/kubernetes.ts';
import type { SourceRef } from '#shared/model/source-ref.ts';
import { epochNs, NS_PER_MS, type Stamp } from '#shared/model/time.ts';

export interface ShortPod {
  readonly pod: string;
  readonly node?: string;
  readonly ranks?: readonly number[];
  readonly expected?: readonly number[];
  readonly object?: Partial<PodObject>;
}
export type ShortEvent = Readonly<Record<string, unknown>> & { readonly kind: EventBody['kind'] };
export interface ShortExit {
  readonly rank: number;
  readonly code?: number;
  readonly signal?: number;
  readonly byLauncher?: boolean;
  readonly by?: 'agent' | 'pod';
}
export interface ShortFacts {
  readonly note?: string;
  readonly world?: number;
  readonly spec?: number;
  readonly nproc?: number;
  readonly nnodes?: number;
  readonly pods?: readonly ShortPod[];
  readonly events?: readonly ShortEvent[];
  readonly exits?: readonly ShortExit[];
  readonly quiet?: readonly number[];
  readonly cutShort?: readonly number[];
  readonly podCutShort?: readonly number[];
  readonly collectives?: Partial<CollectivesFact> & { readonly wait?: Readonly<Record<string, readonly number[]>> };
  readonly kube?: readonly (Partial<KubeEvent> & { readonly pod?: string; readonly onNode?: string })[];
  readonly leases?: readonly { readonly node: string; readonly offsetMs: number }[];
  readonly nodes?: readonly Partial<NodeObject>[];
  /** Paths of files that are of one rank alone, by rank. */
  readonly ownFiles?: Readonly<Record<string, string>>;
  /** GPU of a rank, as the rank map would name it. */
  readonly gpus?: Readonly<Record<string, string>>;
  /** Path of a file of objects that was cut or damaged. */
  readonly damagedObjects?: string;
}

const ORIGIN_MS = 1_700_000_000_000;

function stampAt(ms: number): Stamp {
  return { ns: epochNs(BigInt(ORIGIN_MS + ms) * NS_PER_MS), kind: 'runtime', resolutionNs: 1, zoneAssumed: false };
}

function lineRef(entry: number, line: number): SourceRef {
  return { kind: 'line', entry: entryId(entry), line, byte: line * 100, length: 99 };
}

export function buildFacts(short: ShortFacts): Facts {
  const pods = (short.pods ?? []).map((pod, index) => podPlace(pod, index));
  const places = placesOf(short, pods);
  const events = (short.events ?? []).map((event, index) => placed(event, index, pods));
  const lifeLines = lifeLinesOf(places, events, short);
  return {
    input: {
      entries: [
        ...Object.entries(short.ownFiles ?? {}).map(([rank, path]) => fileEntry(Number(rank), path)),
        ...(short.damagedObjects === undefined ? [] : [damagedEntry(short.damagedObjects)]),
      ],
      issues: short.damagedObjects === undefined ? [] : [damageOf(short.damagedObjects)],
      events: events.map((one) => one.event),
      streams: [],
      pods: pods.flatMap((pod) => pod.object ?? []),
      kubeEvents: (short.kube ?? []).map((event, index) => kubeEvent(event, index)),
      leases: (short.leases ?? []).map((lease, index) => leaseOf(lease, index)),
      nodes: (short.nodes ?? []).map((node, index) => nodeOf(node, index)),
      workloads: [],
      dumps: [],
    },
    rankMap: {
      worldSize: short.world,
      worldSizeBasis: undefined,
      specWorldSize: short.spec,
      nprocPerNode: short.nproc,
      nnodes: short.nnodes,
      attempts: 1 + events.reduce((most, one) => Math.max(most, one.attempt), 0),
      places,
      pods,
    },
    events,
    lifeLines,
    collectives: collectivesOf(short),
    clocks: {
      reference: undefined,
      domains: [...new Set(events.flatMap((one) => one.clock ?? []))].map((id, component) => ({
        id,
        kind: 'node',
        offset: undefined,
        driftPpm: undefined,
        quality: 'none',
        anchors: 0,
        basis: [],
        component,
      })),
    },
  };
}

function podPlace(short: ShortPod, index: number): PodPlace {
  return {
    pod: short.pod,
    namespace: 'ml',
    node: short.node,
    ranks: short.ranks ?? [],
    expectedRanks: short.expected ?? short.ranks ?? [],
    nodeRank: index,
    nodeRankBasis: undefined,
    object: short.object === undefined ? undefined : podObject(short, index),
  };
}

function podObject(short: ShortPod, index: number): PodObject {
  return {
    source: lineRef(900, index + 1),
    from: 'object',
    name: short.pod,
    namespace: 'ml',
    ...UNTOLD_POD,
    node: short.node,
    ...short.object,
  };
}

function placesOf(short: ShortFacts, pods: readonly PodPlace[]): RankPlace[] {
  const ranks = new Set<number>(pods.flatMap((pod) => pod.ranks));
  if (pods.length === 0) for (let rank = 0; rank < (short.world ?? 0); rank++) ranks.add(rank);
  for (const event of short.events ?? []) if (typeof event['rank'] === 'number') ranks.add(event['rank']);
  return [...ranks]
    .sort((a, b) => a - b)
    .map((rank) => {
      const pod = pods.find((candidate) => candidate.ranks.includes(rank));
      return {
        rank,
        attempt: 0,
        localRank: undefined,
        pod: pod?.pod,
        container: undefined,
        node: pod?.node,
        gpu: short.gpus?.[String(rank)],
        pids: [100 + rank],
        basis: ['announced'],
        conflicts: [],
        entries: short.ownFiles?.[String(rank)] === undefined ? [] : [entryId(OWN_FILES + rank)],
      };
    });
}

const ENVELOPE: ReadonlySet<string> = new Set([
  'rank',
  'at',
  'pod',
  'node',
  'clock',
  'text',
  'attempt',
  'entry',
  'host',
]);

/** Kinds whose body has a field of the same name as the envelope's short form. */
const RANK_IN_BODY: ReadonlySet<string> = new Set(['rank-announced', 'monitored-barrier-reached', 'nccl-init']);
const TEXT_IN_BODY: ReadonlySet<string> = new Set([
  'nccl-warning',
  'nccl-network',
  'xid',
  'link-event',
  'kernel-note',
  'ras-dead',
  'collector-note',
  'gpu-state',
  'host-state',
]);

function placed(short: ShortEvent, index: number, pods: readonly PodPlace[]): PlacedEvent {
  const rank =
    typeof short['rank'] === 'number' && short.kind !== 'monitored-barrier-reached'
      ? short['rank']
      : (short['printer'] as number | undefined);
  const pod =
    (short['pod'] as string | undefined) ??
    pods.find((candidate) => rank !== undefined && candidate.ranks.includes(rank))?.pod;
  const node = (short['node'] as string | undefined) ?? pods.find((candidate) => candidate.pod === pod)?.node;
  const entry =
    (short['entry'] as number | undefined) ??
    (pod === undefined ? 0 : 1 + pods.findIndex((candidate) => candidate.pod === pod));
  const keep = new Set(ENVELOPE);
  if (RANK_IN_BODY.has(short.kind)) keep.delete('rank');
  if (TEXT_IN_BODY.has(short.kind)) keep.delete('text');
  if (short.kind === 'task-exit') keep.delete('host');
  const body = Object.fromEntries(
    Object.entries(short).filter(([key]) => !keep.has(key) && key !== 'printer' && key !== 'printerLocalRank'),
  ) as unknown as EventBody;
  const at = (short['at'] as number | null | undefined) ?? undefined;
  const text =
    (short['text'] as string | undefined) ??
    (typeof short['message'] === 'string' ? `${short['type']}: ${short['message']}` : short.kind);
  const event: LogEvent = {
    body: withDefaults(body),
    ...UNTOLD_ORIGIN,
    localRank: short['printerLocalRank'] as number | undefined,
    stamp: at === undefined ? undefined : stampAt(at),
    rank,
    rankBasis: rank === undefined ? undefined : 'rank-prefix',
    pid: rank === undefined ? undefined : 100 + rank,
    host: short['host'] as string | undefined,
    text,
    source: lineRef(entry, index + 1),
    lastLine: index + 1,
  };
  return {
    event,
    stream: undefined,
    rank,
    rankWhy: '',
    attempt: (short['attempt'] as number | undefined) ?? 0,
    pod,
    node,
    clock: (short['clock'] as string | undefined) ?? (at === undefined ? undefined : (node ?? pod)),
  };
}

function withDefaults(body: EventBody): EventBody {
  if (body.kind === 'exception') return { ...body, frames: body.frames ?? [], handled: body.handled ?? false };
  if (body.kind === 'nccl-warning') return { ...body, ranks: body.ranks ?? [] };
  return body;
}

function lifeLinesOf(places: readonly RankPlace[], events: readonly PlacedEvent[], short: ShortFacts): LifeLine[] {
  return places.map((place) => {
    const own = events.filter((event) => event.rank === place.rank);
    const kind = (name: EventBody['kind']) => own.filter((event) => event.event.body.kind === name);
    const ended = new Set(
      kind('operation-end').map((event) => (event.event.body.kind === 'operation-end' ? event.event.body.label : '')),
    );
    const last = own[own.length - 1];
    const exit = short.exits?.find((candidate) => candidate.rank === place.rank);
    return {
      rank: place.rank,
      attempt: 0,
      log: short.quiet?.includes(place.rank) ? 'none' : short.cutShort?.includes(place.rank) ? 'own' : 'mixed',
      ...(short.cutShort?.includes(place.rank) || short.podCutShort?.includes(place.rank)
        ? { endsInsideALine: true as const }
        : {}),
      started: kind('rank-announced')[0],
      ready: kind('group-ready')[0],
      lastProgress: kind('progress').at(-1),
      lastSeen:
        last === undefined ? undefined : { stamp: last.event.stamp, text: last.event.text, source: last.event.source },
      finished: kind('finished')[0],
      openOperations: kind('operation-start').filter(
        (event) => event.event.body.kind === 'operation-start' && !ended.has(event.event.body.label),
      ),
      errors: own.filter((event) =>
        ['exception', 'collective-timeout', 'gloo-timeout', 'gloo-closed'].includes(event.event.body.kind),
      ),
      exit: exit === undefined ? undefined : exitOf(exit),
    };
  });
}

function exitOf(exit: ShortExit): ExitFact {
  return {
    code: exit.code,
    signal: exit.signal,
    reason: undefined,
    at: undefined,
    clock: undefined,
    by: exit.by ?? 'agent',
    terminatedByAgent: exit.byLauncher ?? false,
    source: lineRef(800, exit.rank + 1),
  };
}

function collectivesOf(short: ShortFacts): CollectivesFact {
  const { wait, ...given } = short.collectives ?? {};
  return {
    groups: [],
    waits: Object.entries(wait ?? {}).map(([rank, others]) => ({
      rank: Number(rank),
      group: 'default_pg',
      seq: 31,
      for: others,
    })),
    roots: [],
    cycle: [],
    first: undefined,
    dumpsPresent: [],
    dumpsExpected: undefined,
    onlyActive: false,
    allJoined: undefined,
    ...given,
  };
}

function kubeEvent(
  short: Partial<KubeEvent> & { readonly pod?: string; readonly onNode?: string },
  index: number,
): KubeEvent {
  const { pod, onNode, ...given } = short;
  return {
    source: lineRef(901, index + 1),
    type: 'Warning',
    reason: '',
    message: '',
    object: { kind: pod === undefined ? 'Node' : 'Pod', name: pod ?? onNode ?? '', namespace: 'ml' },
    component: undefined,
    host: undefined,
    first: undefined,
    last: undefined,
    created: undefined,
    count: 1,
    age: undefined,
    ...given,
  };
}

/** Entries of files that are of one rank alone have this id and up. */
const OWN_FILES = 800;

function fileEntry(rank: number, path: string): EntryInfo {
  return {
    id: entryId(OWN_FILES + rank),
    path,
    bytes: 1000,
    sha256: null,
    format: 'pod-log',
    kind: 'Pod log',
    why: '',
    status: 'read',
    detail: '',
    lines: 10,
    firstNs: null,
    lastNs: null,
    duplicateOf: null,
  };
}

const DAMAGED = entryId(799);

const damagedEntry = (path: string): EntryInfo => ({
  ...fileEntry(0, path),
  id: DAMAGED,
  format: 'objects-json',
  kind: 'Kubernetes objects',
  status: 'warned',
});

const damageOf = (path: string): Issue => ({
  code: 'json-invalid',
  severity: 'warning',
  entry: DAMAGED,
  path,
  source: undefined,
  count: 1,
  detail: 'the text ends too early',
});

function leaseOf(short: { readonly node: string; readonly offsetMs: number }, index: number): LeaseObject {
  return {
    source: lineRef(902, index + 1),
    node: short.node,
    renewTime: stampAt(60_000 + short.offsetMs).ns,
    managedAt: stampAt(60_000).ns,
  };
}

function nodeOf(short: Partial<NodeObject>, index: number): NodeObject {
  return {
    source: lineRef(903, index + 1),
    name: '',
    internalIp: undefined,
    unschedulable: false,
    taints: [],
    conditions: [],
    gpuCapacity: undefined,
    gpuAllocatable: undefined,
    statusManagedAt: undefined,
    ...short,
  };
}
