/** Whether a Pod still ran or was over when its object was read. */
import type { ContainerState, PodObject } from '../../../model/kubernetes.ts';

/** True if the Pod is told to be over, however it ended: its phase, or every training container. False as well where its state is not told. */
export function isOver(pod: PodObject | undefined): boolean {
  if (pod === undefined) return false;
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return true;
  const training = trainingContainers(pod);
  return training.length > 0 && training.every(({ terminated }) => terminated !== undefined);
}

/** True if the Pod is told to run and was never started again: what it prints is of one life. */
export function isInFirstLife(pod: PodObject): boolean {
  const training = trainingContainers(pod);
  return (
    pod.phase === 'Running' &&
    training.length > 0 &&
    training.every(({ runningSince, restartCount }) => runningSince !== undefined && (restartCount ?? 0) === 0)
  );
}

const trainingContainers = (pod: PodObject): readonly ContainerState[] =>
  pod.containers.filter(
    ({ init, name }) => !init && (pod.trainingContainer === undefined || name === pod.trainingContainer),
  );
