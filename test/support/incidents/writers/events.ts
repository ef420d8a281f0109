/** Events as `kubectl get events -o json` lists them; first/lastTimestamp on the reporter's clock, creation on the API's. */
import type { Aftermath, Scene } from '../aftermath/story.ts';
import type { Attempts } from '../attempts.ts';
import { API_CLOCK, type NodeClock, SECOND } from '../clock.ts';
import type { Timeline } from '../timeline.ts';
import type { NodePlace } from '../topology.ts';
import { containerRuns, UNSCHEDULABLE_MESSAGE } from './pods.ts';
import { formatAge, formatTable } from './table.ts';
import { utf8 } from './text.ts';

export interface EventInput {
  readonly place: NodePlace;
  readonly atNs: number;
  /** Seconds until the API server stored it. */
  readonly lagS: number;
  readonly clock: NodeClock;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string; readonly host?: string };
}

export function writeEvents(attempts: Attempts, timeline: Timeline): Map<string, Uint8Array> {
  const [{ scene }] = attempts;
  const events = listEvents(attempts, timeline);
  if (scene.spec.layout === 'capture')
    return new Map([[eventsPath(scene), utf8(formatEventTable(scene, events, timeline))]]);
  const items = events.map((event, i) => formatEvent(scene, event, i));
  return new Map([['events.json', utf8(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1)}\n`)]]);
}

export const eventsPath = (scene: Scene): string => (scene.spec.layout === 'capture' ? 'events.txt' : 'events.json');

/** In the order in which the API server stored them. */
export function listEvents(attempts: Attempts, timeline: Timeline): EventInput[] {
  const [{ scene, aftermath }] = attempts;
  const events = scene.topology.nodes.flatMap((place) => [
    ...eventsOf(scene, aftermath, timeline, place),
    ...restartEvents(attempts, timeline, place),
  ]);
  return events.sort((a, b) => a.atNs + a.lagS * SECOND - (b.atNs + b.lagS * SECOND) || a.place.index - b.place.index);
}

/** `kubectl get events`: ages only, computed where the table is made. */
function formatEventTable(scene: Scene, events: readonly EventInput[], timeline: Timeline): string {
  const rows = events.map((event) => [
    ageOf(scene, event, timeline),
    event.type,
    event.reason,
    `pod/${event.place.pod}`,
    event.message,
  ]);
  return formatTable([['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], ...rows]);
}

/** The reporter's stamp against the API server's clock: a node that is ahead gives `<invalid>`. */
export function ageOf(scene: Scene, event: EventInput, timeline: Timeline): string {
  const now = scene.stamper.wallNs(API_CLOCK, timeline.snapshotNs);
  return formatAge(Number((now - scene.stamper.wallNs(event.clock, event.atNs)) / 1_000_000_000n));
}

function eventsOf(scene: Scene, aftermath: Aftermath, timeline: Timeline, place: NodePlace): EventInput[] {
  const { namespace, container } = scene.topology;
  const scheduler = { place, clock: API_CLOCK, lagS: 0, source: { component: 'default-scheduler' } };
  if (scene.plan.missingNode === place.index)
    return [
      {
        ...scheduler,
        atNs: timeline.createdNs,
        type: 'Warning',
        reason: 'FailedScheduling',
        message: UNSCHEDULABLE_MESSAGE,
      },
    ];
  const kubelet = { place, clock: place.clock, lagS: 0.3, source: { component: 'kubelet', host: place.node } };
  const startedNs = timeline.startedNs(place.index);
  const events: EventInput[] = [
    {
      ...scheduler,
      atNs: timeline.boundNs,
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${namespace}/${place.pod} to ${place.node}`,
    },
    {
      ...kubelet,
      atNs: startedNs - SECOND,
      type: 'Normal',
      reason: 'Pulled',
      message: 'Container image already present on machine',
    },
    {
      ...kubelet,
      atNs: startedNs - 0.5 * SECOND,
      type: 'Normal',
      reason: 'Created',
      message: `Created container: ${container}`,
    },
    { ...kubelet, atNs: startedNs, type: 'Normal', reason: 'Started', message: `Started container ${container}` },
  ];
  if (scene.plan.evictedNode === place.index && aftermath.faultNs !== undefined) {
    events.push(
      {
        ...scheduler,
        source: { component: 'taint-eviction-controller' },
        atNs: aftermath.faultNs - 0.5 * SECOND,
        type: 'Normal',
        reason: 'TaintManagerEviction',
        message: `Marking for deletion Pod ${namespace}/${place.pod}`,
      },
      {
        ...kubelet,
        atNs: aftermath.faultNs - 0.1 * SECOND,
        type: 'Normal',
        reason: 'Killing',
        message: `Stopping container ${container}`,
      },
    );
  }
  return events;
}

/** The kubelet starts the container again. */
function restartEvents(attempts: Attempts, timeline: Timeline, place: NodePlace): EventInput[] {
  const { previous, startedNs } = containerRuns(attempts, timeline.snapshotNs, place);
  if (previous === undefined) return [];
  const { container, namespace } = attempts[0].scene.topology;
  const kubelet = { place, clock: place.clock, lagS: 0.3, source: { component: 'kubelet', host: place.node } };
  const normal = (atNs: number, reason: string, message: string): EventInput => ({
    ...kubelet,
    atNs,
    type: 'Normal',
    reason,
    message,
  });
  return [
    {
      ...kubelet,
      atNs: previous.end.atNs + 0.6 * SECOND,
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container ${container} in pod ${place.pod}_${namespace}(${place.uid})`,
    },
    normal(startedNs - 0.5 * SECOND, 'Created', `Created container: ${container}`),
    normal(startedNs, 'Started', `Started container ${container}`),
  ];
}

function formatEvent(scene: Scene, event: EventInput, index: number): unknown {
  const stamp = scene.stamper.api(event.clock, event.atNs);
  const { namespace } = scene.topology;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${event.place.pod}.${(0x18a1f0c0a100 + index).toString(16)}`,
      namespace,
      creationTimestamp: scene.stamper.api(API_CLOCK, event.atNs + event.lagS * SECOND),
    },
    type: event.type,
    reason: event.reason,
    message: event.message,
    firstTimestamp: stamp,
    lastTimestamp: stamp,
    count: 1,
    involvedObject: { kind: 'Pod', name: event.place.pod, namespace, uid: event.place.uid },
    source: event.source,
  };
}
