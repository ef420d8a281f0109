/** Which of a Pod's containers trains, and what it was given. */
import { type DocMap, listAt, mapAt, numberAt, textAt } from '../../codecs/document-tree.ts';
import { mapsAt } from './fields.ts';

/** Resource names that stand for one accelerator each; slices of one (MIG) count as one device of the process. */
const ACCELERATOR =
  /^(?:nvidia\.com\/(?:gpu|gpu\.shared|mig-[\w.-]+)|amd\.com\/gpu|habana\.ai\/gaudi|gpu\.intel\.com\/(?:i915|xe)|aws\.amazon\.com\/neuron(?:device)?|google\.com\/tpu|huawei\.com\/Ascend\w+)$/;

/** Sum of the accelerators in `resources.limits`; undefined if none is named. */
export function gpuLimit(container: DocMap): number | undefined {
  return gpusOf(
    [...(mapAt(container, 'resources', 'limits')?.entries ?? [])].map(([name, value]) => [name, textAt(value) ?? '']),
  );
}

/** The same over pairs of resource name and quantity. */
export function gpusOf(limits: readonly (readonly [name: string, quantity: string])[]): number | undefined {
  let sum: number | undefined;
  for (const [name, quantity] of limits) {
    const count = Number(quantity);
    if (ACCELERATOR.test(name) && Number.isInteger(count) && count >= 0) sum = (sum ?? 0) + count;
  }
  return sum;
}

const LAUNCHER = /\b(?:torchrun|torch\.distributed\.(?:run|launch)|deepspeed|accelerate|mpirun|horovodrun)\b/;
const LAUNCHER_ENV = /^(?:PET_|MASTER_ADDR$|WORLD_SIZE$|RANK$|LWS_|VC_|OMPI_|NCCL_|TORCH_)/;

interface Candidate {
  readonly gpus: number | undefined;
  readonly command: string;
  readonly envNames: readonly string[];
}

/** Higher = more likely the trainer: accelerators, then a launcher on the command line, then its environment. */
export function trainerScore({ gpus, command, envNames }: Candidate): number {
  return (
    ((gpus ?? 0) > 0 ? 4 : 0) +
    (LAUNCHER.test(command) ? 2 : 0) +
    (envNames.some((name) => LAUNCHER_ENV.test(name)) ? 1 : 0)
  );
}

/** The first of the containers with the highest score; undefined if there is none. */
export function pickTrainingContainer(containers: readonly DocMap[]): DocMap | undefined {
  let best: DocMap | undefined;
  let bestScore = -1;
  for (const container of containers) {
    const command = [...listAt(container, 'command'), ...listAt(container, 'args')]
      .map((word) => textAt(word) ?? '')
      .join(' ');
    const envNames = mapsAt(container, 'env').map((map) => textAt(map, 'name') ?? '');
    const score = trainerScore({ gpus: gpuLimit(container), command: command.slice(0, 20_000), envNames });
    if (score > bestScore) {
      best = container;
      bestScore = score;
    }
  }
  return best;
}

/** Accelerators among a Node's `status.capacity` or `status.allocatable`. */
export function nodeGpus(resources: DocMap | undefined): number | undefined {
  if (resources === undefined) return undefined;
  return gpusOf([...resources.entries].map(([name, value]) => [name, String(numberAt(value) ?? '')]));
}
