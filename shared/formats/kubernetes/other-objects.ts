/** Events, Leases and Nodes, reduced to the fields that analysis uses. */
import { booleanAt, type DocMap, mapAt, numberAt, textAt } from '../../codecs/document-tree.ts';
import type { KubeEvent, LeaseObject, NodeObject } from '../../model/kubernetes.ts';
import { conditionsOf, managedAt, mapsAt, type ObjectContext, timeAt } from './fields.ts';
import { nodeGpus } from './training-container.ts';

/**
 * Both forms of an Event: core v1 (`involvedObject`, `source`, first and last stamps, `count`) and events.k8s.io
 * (`regarding`, `note`, `eventTime`, `series`, `deprecated…`). `created` is the API server's clock, the others the
 * reporting component's.
 */
export function readEvent(context: ObjectContext, object: DocMap): KubeEvent | undefined {
  const about = mapAt(object, 'involvedObject') ?? mapAt(object, 'regarding');
  const name = textAt(about, 'name');
  if (about === undefined || name === undefined) return undefined;
  const source = mapAt(object, 'source') ?? mapAt(object, 'deprecatedSource');
  const eventTime = timeAt(context, object, 'eventTime');
  return {
    source: context.ref(object.at, object.end),
    type: textAt(object, 'type'),
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? textAt(object, 'note') ?? '',
    object: {
      kind: textAt(about, 'kind') ?? '',
      name,
      namespace: textAt(about, 'namespace') || textAt(object, 'metadata', 'namespace'),
    },
    component:
      textAt(object, 'reportingComponent') ||
      textAt(object, 'reportingController') ||
      textAt(source, 'component') ||
      undefined,
    host: textAt(source, 'host') || textAt(object, 'reportingInstance') || undefined,
    first:
      timeAt(context, object, 'firstTimestamp') ?? timeAt(context, object, 'deprecatedFirstTimestamp') ?? eventTime,
    last:
      timeAt(context, object, 'series', 'lastObservedTime') ??
      timeAt(context, object, 'lastTimestamp') ??
      timeAt(context, object, 'deprecatedLastTimestamp') ??
      eventTime,
    created: timeAt(context, object, 'metadata', 'creationTimestamp'),
    count: numberAt(object, 'series', 'count') ?? numberAt(object, 'count') ?? numberAt(object, 'deprecatedCount') ?? 1,
    age: undefined,
  };
}

/** The lease of a node's kubelet; undefined for other leases (leader election). */
export function readLease(context: ObjectContext, object: DocMap): LeaseObject | undefined {
  const name = textAt(object, 'metadata', 'name');
  const holder = textAt(object, 'spec', 'holderIdentity');
  const ofNode =
    textAt(object, 'metadata', 'namespace') === 'kube-node-lease' || (name !== undefined && name === holder);
  if (name === undefined || !ofNode) return undefined;
  return {
    source: context.ref(object.at, object.end),
    node: name,
    renewTime: timeAt(context, object, 'spec', 'renewTime'),
    managedAt: managedAt(context, object, 'kubelet'),
  };
}

export function readNode(context: ObjectContext, object: DocMap): NodeObject | undefined {
  const name = textAt(object, 'metadata', 'name');
  if (name === undefined) return undefined;
  return {
    source: context.ref(object.at, object.end),
    name,
    internalIp: textAt(
      mapsAt(object, 'status', 'addresses').find((map) => textAt(map, 'type') === 'InternalIP'),
      'address',
    ),
    unschedulable: booleanAt(object, 'spec', 'unschedulable') === true,
    taints: mapsAt(object, 'spec', 'taints').map((map) => ({
      key: textAt(map, 'key') ?? '',
      effect: textAt(map, 'effect') ?? '',
      at: timeAt(context, map, 'timeAdded'),
    })),
    conditions: conditionsOf(context, object).map(({ condition, map }) => ({
      ...condition,
      heartbeat: timeAt(context, map, 'lastHeartbeatTime'),
    })),
    gpuCapacity: nodeGpus(mapAt(object, 'status', 'capacity')),
    gpuAllocatable: nodeGpus(mapAt(object, 'status', 'allocatable')),
    statusManagedAt: managedAt(context, object, 'kubelet', 'status'),
  };
}
