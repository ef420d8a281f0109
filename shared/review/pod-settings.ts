/** What is no variable: shared memory, restart policy, the launcher's options, the time limits that ranks printed. */
import { nameRanks, rankSet } from '../lib/rank-set.ts';
import type { Evidence, Facts } from '../model/finding.ts';
import type { PodEnv } from './environment.ts';
import type { SettingItem } from './types.ts';

export function podSettings(pods: readonly PodEnv[], facts: Facts): SettingItem[] {
  return [...sharedMemory(pods), ...restartPolicy(pods), ...launcherOptions(pods), ...timeLimits(facts)];
}

function evidence({ pod }: PodEnv, text: string): Evidence {
  return { text: `Pod ${pod.name}: ${text}`, source: pod.source, rank: undefined, rawNs: undefined, clock: undefined };
}

function sharedMemory(pods: readonly PodEnv[]): SettingItem[] {
  const told = pods.filter(({ pod }) => pod.sharedMemory !== undefined);
  const small = told.filter(({ pod }) => pod.sharedMemory?.kind === 'default');
  const [first] = small;
  if (first === undefined) return [];
  return [
    {
      name: '/dev/shm',
      area: 'pod',
      state: small.length === told.length ? 'missing' : 'differs',
      found: `no volume on /dev/shm${small.length === told.length ? '' : ` in ${small.length} of ${told.length} Pods`}: the runtime gives 64 MiB`,
      want: 'emptyDir with medium: Memory',
      why: 'Data loader workers and NCCL pass data between processes of a host through it. 64 MiB end in bus errors and in "No space left on device", at a rank that is found by chance.',
      sources: [evidence(first, 'no volume is mounted at /dev/shm')],
    },
  ];
}

function restartPolicy(pods: readonly PodEnv[]): SettingItem[] {
  const restarting = pods.filter(({ pod }) => pod.restartPolicy === 'Always' || pod.restartPolicy === 'OnFailure');
  const [first] = restarting;
  if (first === undefined) return [];
  return [
    {
      name: 'restartPolicy',
      area: 'pod',
      state: 'note',
      found: `${first.pod.restartPolicy ?? ''} in ${restarting.length} of ${pods.length} Pods`,
      want: 'Never',
      why: 'The container starts again in place: only the log of the last end but one is kept (--previous), and that of the first failure is soon gone. With Never the Pod stays as it ended.',
      sources: [evidence(first, `restartPolicy ${first.pod.restartPolicy ?? ''}`)],
    },
  ];
}

const TORCHRUN = /(?:^|\/)torchrun$|^torch\.distributed\.(?:run|launch)$/;

function launcherOptions(pods: readonly PodEnv[]): SettingItem[] {
  const items: SettingItem[] = [];
  const launching = pods.filter(({ pod }) => wordsOf(pod.command).some((word) => TORCHRUN.test(word)));
  const [first] = launching;
  if (first === undefined) return items;
  const has = ({ pod, values }: PodEnv, option: string, variable: string): boolean =>
    values.has(variable) ||
    wordsOf(pod.command).some((word) => word.replaceAll('_', '-').split('=')[0] === `--${option}`);
  if (
    !launching.every(
      (one) =>
        has(one, 'log-dir', 'PET_LOG_DIR') && (has(one, 'tee', 'PET_TEE') || has(one, 'redirects', 'PET_REDIRECTS')),
    )
  )
    items.push({
      name: 'torchrun --log-dir --tee',
      area: 'launcher',
      state: 'missing',
      found: 'not among the options',
      want: 'PET_LOG_DIR and PET_TEE',
      why: 'One file a rank, kept by attempt: a line without a rank in it still belongs to somebody, and a restart does not mix the attempts.',
      sources: [evidence(first, `command ${first.pod.command.join(' ').slice(0, 160)}`)],
    });
  const restarts = launching.find((one) => restartsOf(one) > 0);
  if (restarts !== undefined)
    items.push({
      name: 'torchrun --max-restarts',
      area: 'launcher',
      state: 'note',
      found: String(restartsOf(restarts)),
      want: undefined,
      why: 'Workers start again inside the same Pod: the log holds several attempts, dumps of the first are written over, and only the first attempt shows how it began.',
      sources: [evidence(restarts, 'the workers are started again')],
    });
  return items;
}

function restartsOf({ pod, values }: PodEnv): number {
  const words = wordsOf(pod.command);
  const i = words.findIndex((word) => /^--max[-_]restarts(?:=|$)/.test(word));
  const text = i < 0 ? (values.get('PET_MAX_RESTARTS')?.value ?? '') : (words[i]?.split('=')[1] ?? words[i + 1] ?? '');
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

const wordsOf = (command: readonly string[]): readonly string[] =>
  command.flatMap((word) => word.slice(0, 50_000).split(/[\s;\\]+/));

/** Limits that ranks printed with their time-outs, of one and the same operation number: unlike ones say who speaks first, nothing else. */
function timeLimits({ events }: Facts): SettingItem[] {
  const byLimit = new Map<number, { ranks: Set<number>; first: Evidence }>();
  for (const placed of events) {
    const { body, source, text } = placed.event;
    if (body.kind !== 'collective-timeout' || body.timeoutMs === undefined || placed.rank === undefined) continue;
    const known = byLimit.get(body.timeoutMs);
    if (known !== undefined) known.ranks.add(placed.rank);
    else
      byLimit.set(body.timeoutMs, {
        ranks: new Set([placed.rank]),
        first: { text: text.slice(0, 160), source, rank: placed.rank, rawNs: undefined, clock: undefined },
      });
  }
  if (byLimit.size < 2) return [];
  const limits = [...byLimit].sort(([a], [b]) => a - b);
  return [
    {
      name: 'timeout of init_process_group / new_group',
      area: 'watchdog',
      state: 'differs',
      found: limits.map(([ms, { ranks }]) => `${ms} ms (${nameRanks(rankSet(ranks))})`).join(', '),
      want: undefined,
      why: 'Groups or ranks have unlike limits: those with the shorter one report first, which says nothing about who was late.',
      sources: limits.slice(0, 2).map(([, { first }]) => first),
    },
  ];
}
