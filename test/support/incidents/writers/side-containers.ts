/**
 * The containers that Polyaxon puts beside the one that trains: an init container that prepares folders, a side container that carries
 * files to the store. Their words are free; what matters is that a Pod has more than one container and more than one log.
 */
import type { Attempt } from '../attempts.ts';
import { SECOND } from '../clock.ts';
import { utf8 } from './text.ts';

export const SIDECAR = 'polyaxon-sidecar';
export const INIT = 'polyaxon-init-artifacts';

/** Beside logs of one file a container; where all containers share a file, only the one that trains was asked for. */
export function sideLogs({ scene, startedNs }: Attempt): Map<string, Uint8Array> {
  const { spec, topology, stamper } = scene;
  const files = new Map<string, Uint8Array>();
  if (spec.workload !== 'polyaxon' || !['kubectl', 'cri', 'plain'].includes(spec.layout)) return files;
  const gone = new Set([...(spec.missing?.logsOfNodes ?? []), scene.plan.missingNode]);
  for (const place of topology.nodes) {
    if (gone.has(place.index)) continue;
    const began = startedNs(place.index);
    const say = (container: string, atNs: number, text: string): void => {
      const stamp = stamper.runtime(place.clock, atNs);
      const [path, line] =
        spec.layout === 'cri'
          ? [
              `var/log/pods/${topology.namespace}_${place.pod}_${place.uid}/${container}/0.log`,
              `${stamp} stdout F ${text}`,
            ]
          : [`logs/${place.pod}/${container}.log`, spec.layout === 'plain' ? text : `${stamp} ${text}`];
      files.set(path, utf8(`${line}\n`));
    };
    say(INIT, began - 1.5 * SECOND, 'Artifacts path is ready.');
    say(SIDECAR, began + 5 * SECOND, 'Syncing artifacts of the run every 10 seconds.');
  }
  return files;
}
