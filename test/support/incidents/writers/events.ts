/** Events as `kubectl get events -o json` lists them; first/lastTimestamp on the reporter's clock, creation on the API's. */
import type { Aftermath, Scene } from '../aftermath/story.ts';
import { API_CLOCK, type NodeClock, SECOND } from '../clock.ts';
import type { Timeline } from '../timeline.ts';
import type { NodePlace } from '../topology.ts';
import { UNSCHEDULABLE_MESSAGE } from './pods.ts';
import { utf8 } from './text.ts';

interface EventInput {
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

export function writeEvents(scene: Scene, aftermath: Aftermath, timeline: Timeline): Map<string, Uint8Array> {
  const events = scene.topology.nodes.flatMap((place) => eventsOf(scene, aftermath, timeline, place));
  events.sort((a, b) => a.atNs + a.lagS * SECOND - (b.atNs + b.lagS * SECOND) || a.place.index - b.place.index);
  const items = events.map((event, i) => formatEvent(scene, event, i));
  return new Map([['events.json', utf8(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1)}\n`)]]);
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
