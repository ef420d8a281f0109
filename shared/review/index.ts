/**
 * Which diagnostics were on, what is missing so that the next failure can be decided, and a patch with it. Never fails; without Pods everything
 * is unknown and the patch holds all that is worth having.
 */
import type { Facts } from '../model/finding.ts';
import { KEEP_FOLDER, type Release, type Situation, VARIABLES } from './catalogue.ts';
import { contradictions } from './contradictions.ts';
import { type PodEnv, podEnvironments } from './environment.ts';
import { judgeVariable, wantedValue } from './judge.ts';
import { settingsPatch } from './patch.ts';
import { podSettings } from './pod-settings.ts';
import type { PatchVariable, SettingItem, SettingsReview } from './types.ts';

export type { PatchVariable, SettingItem, SettingState, SettingsPatch, SettingsReview } from './types.ts';

const ORDER: readonly SettingItem['state'][] = ['unfit', 'differs', 'missing', 'unknown', 'note', 'good'];

export function reviewSettings(facts: Facts): SettingsReview {
  const pods = podEnvironments(facts);
  const torch = torchOf(facts);
  const situation = situationOf(facts, torch);
  const judged = VARIABLES.flatMap((variable) => {
    const item = judgeVariable(variable, pods, situation);
    return item === undefined ? [] : [{ variable, item }];
  }).filter(({ item }, _index, all) => {
    // The kinds of lines matter only where INFO is (or is to be) switched on.
    const level = all.find((other) => other.item.name === 'NCCL_DEBUG')?.item;
    return item.name !== 'NCCL_DEBUG_SUBSYS' || item.state === 'unfit' || level?.state !== 'good';
  });
  const names = new Set(VARIABLES.flatMap((variable) => variable.names));
  const others = [...podSettings(pods, facts), ...contradictions(pods, names)];
  const variables = judged.flatMap(({ variable, item }): PatchVariable[] =>
    item.state === 'good' || item.state === 'note'
      ? []
      : // Also where an older name carries a wrong value: the newer one wins over it.
        variable
          .nameFor(situation.torch)
          .map((name) => ({ name, value: wantedValue(variable, situation), why: variable.why })),
  );
  const toFiles = others.some(({ name, state }) => name === 'torchrun --log-dir --tee' && state === 'missing');
  return {
    pods: pods.length,
    torch: torch === undefined ? undefined : `${torch.major}.${torch.minor}`,
    items: [...judged.map(({ item }) => item), ...others].sort(
      (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    ),
    patch: settingsPatch({
      variables: [...variables, ...(toFiles ? LOG_FILES : [])],
      sharedMemory: others.some(({ name, state }) => name === '/dev/shm' && state !== 'note'),
      workloads: facts.input.workloads,
      kind: kindByLabels(pods),
      container: pods.find(({ pod }) => pod.trainingContainer !== undefined)?.pod.trainingContainer,
    }),
  };
}

/** torchrun reads every option as `PET_NAME` too. */
const LOG_FILES: readonly PatchVariable[] = [
  { name: 'PET_LOG_DIR', value: `${KEEP_FOLDER}/logs`, why: 'One file a rank and attempt.' },
  { name: 'PET_TEE', value: '3', why: 'Output and errors go to the files and to the log of the Pod.' },
];

function kindByLabels(pods: readonly PodEnv[]): 'PyTorchJob' | 'JobSet' | undefined {
  const labelled = (prefix: string): boolean =>
    pods.some(({ pod }) => Object.keys(pod.labels).some((label) => label.startsWith(prefix)));
  if (labelled('jobset.sigs.k8s.io/')) return 'JobSet';
  return labelled('training.kubeflow.org/') || labelled('pytorch-') ? 'PyTorchJob' : undefined;
}

/** The release that the logs name, if they name one. */
function torchOf({ events }: Facts): Release | undefined {
  const found = new Map<string, Release>();
  for (const { event } of events) {
    if (event.body.kind !== 'software' || event.body.torch === undefined) continue;
    const match = /^(\d{1,2})\.(\d{1,3})/.exec(event.body.torch);
    if (match !== null) found.set(match[0], { major: Number(match[1]), minor: Number(match[2]) });
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

function situationOf({ events, collectives }: Facts, torch: Release | undefined): Situation {
  const kinds = new Set(events.map((placed) => placed.event.body.kind));
  const backends = new Set(collectives.groups.map((group) => group.backend));
  const gloo = backends.has('gloo') || [...kinds].some((kind) => kind.startsWith('gloo-'));
  const showsNccl =
    backends.has('nccl') || kinds.has('collective-timeout') || [...kinds].some((kind) => kind.startsWith('nccl-'));
  const { first, groups } = collectives;
  return {
    nccl: showsNccl || !gloo,
    gloo,
    torch,
    dumpsSeen: collectives.dumpsPresent.length > 0,
    ringTooShort: groups.some(
      (group) =>
        group.members.length > 1 &&
        group.window === undefined &&
        group.members.every((member) => (member.oldestSeq ?? 0) > 1),
    ),
    hang:
      collectives.waits.length > 0 ||
      collectives.allJoined !== undefined ||
      kinds.has('collective-timeout') ||
      kinds.has('gloo-timeout'),
    mismatch: first !== undefined && first.kind !== 'missing' && first.kind !== 'state',
  };
}
