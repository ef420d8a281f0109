/** Node leases with managedFields: the kubelet's renewTime (node clock) beside the API server's stamp of the same write. */

import type { Scene } from '../aftermath/story.ts';
import { API_CLOCK, SECOND } from '../clock.ts';
import type { Timeline } from '../timeline.ts';
import { utf8 } from './text.ts';
import { formatYaml } from './yaml.ts';

export function writeLeases(scene: Scene, timeline: Timeline): Map<string, Uint8Array> {
  const items = scene.topology.nodes
    .filter((place) => scene.plan.missingNode !== place.index)
    .map((place) => {
      const random = scene.random.fork(`lease-${place.index}`);
      // Renewed every ten seconds; the write reaches the API server some milliseconds later.
      const renewNs = timeline.snapshotNs - random.between(0.1, 10) * SECOND;
      const storedNs = renewNs + random.between(0.002, 0.15) * SECOND;
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          managedFields: [
            {
              apiVersion: 'coordination.k8s.io/v1',
              fieldsType: 'FieldsV1',
              manager: 'kubelet',
              operation: 'Update',
              time: scene.stamper.api(API_CLOCK, storedNs),
            },
          ],
          name: place.node,
          namespace: 'kube-node-lease',
        },
        spec: {
          holderIdentity: place.node,
          leaseDurationSeconds: 40,
          renewTime: scene.stamper.micro(place.clock, renewNs),
        },
      };
    });
  const text = formatYaml({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } });
  return new Map([['leases.yaml', utf8(text)]]);
}
