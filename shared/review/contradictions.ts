/** Variables of communication that must be the same in all Pods and are not, and values that speak against each other. */
import type { PodEnv } from './environment.ts';
import { byValue, foundText, valueIn } from './environment.ts';
import type { SettingItem } from './types.ts';

const COMMUNICATION =
  /^(?:TORCH_NCCL_|TORCH_FR_|TORCH_DISTRIBUTED_|NCCL_|GLOO_|UCX_|FI_|CUDA_DEVICE_MAX_CONNECTIONS$|TORCHELASTIC_(?!RESTART))/;
/** Differ by design: files named per process, host names, addresses of this very Pod. */
const OWN =
  /^(?:NCCL_DEBUG_FILE|NCCL_HOSTID|NCCL_TOPO_FILE|NCCL_GRAPH_FILE|TORCHELASTIC_ERROR_FILE|TORCHELASTIC_RUN_ID)$/;
/** Most names shown; a Pod may list any number. */
const MOST = 20;

/** `judged`: names that another part already told about. */
export function contradictions(pods: readonly PodEnv[], judged: ReadonlySet<string>): SettingItem[] {
  const names = [...new Set(pods.flatMap(({ values }) => [...values.keys()]))]
    .filter((name) => COMMUNICATION.test(name) && !OWN.test(name) && !judged.has(name))
    .sort();
  const differing = names.flatMap((name): SettingItem[] => {
    const groups = byValue(pods, [name]);
    const told = [...groups.keys()].filter((key) => key !== 'unknown');
    if (told.length < 2) return [];
    return [
      {
        name,
        area: name.startsWith('GLOO_') ? 'gloo' : name.startsWith('NCCL_') ? 'nccl' : 'watchdog',
        state: 'differs',
        found: foundText(groups),
        want: undefined,
        why: 'Ranks that communicate must agree on it: different interfaces, protocols or limits make them fail at each other, or fail first where the limit is shorter.',
        sources: [...groups.values()].slice(0, 2).flatMap(([first]) =>
          first === undefined
            ? []
            : [
                {
                  text: `Pod ${first.pod.name}: ${name}`,
                  source: first.pod.source,
                  rank: undefined,
                  rawNs: undefined,
                  clock: undefined,
                },
              ],
        ),
      },
    ];
  });
  return [...differing.slice(0, MOST), ...interfaces(pods), ...workarounds(pods)];
}

/** Gloo and NCCL of one Pod on different interfaces: legal, and a frequent surprise. */
function interfaces(pods: readonly PodEnv[]): SettingItem[] {
  const found = pods.find((one) => {
    const [a, b] = [valueIn(one, ['NCCL_SOCKET_IFNAME']), valueIn(one, ['GLOO_SOCKET_IFNAME'])];
    return a.kind === 'set' && b.kind === 'set' && a.value !== b.value;
  });
  if (found === undefined) return [];
  const value = (name: string): string => {
    const one = valueIn(found, [name]);
    return one.kind === 'set' ? one.value : '';
  };
  return [
    {
      name: 'NCCL_SOCKET_IFNAME / GLOO_SOCKET_IFNAME',
      area: 'nccl',
      state: 'note',
      found: `"${value('NCCL_SOCKET_IFNAME').slice(0, 80)}" and "${value('GLOO_SOCKET_IFNAME').slice(0, 80)}" in ${found.pod.name}`,
      want: undefined,
      why: 'NCCL and gloo use different interfaces: one may reach all peers while the other does not.',
      sources: [
        {
          text: `Pod ${found.pod.name}: both variables`,
          source: found.pod.source,
          rank: undefined,
          rawNs: undefined,
          clock: undefined,
        },
      ],
    },
  ];
}

const WORKAROUNDS: ReadonlyMap<string, string> = new Map([
  [
    'NCCL_P2P_DISABLE',
    'GPUs of one host do not copy to each other directly: slower, and a sign that peer access was once suspected.',
  ],
  [
    'NCCL_SHM_DISABLE',
    'Processes of one host talk over the network instead of shared memory: slower, and /dev/shm problems are hidden.',
  ],
  [
    'NCCL_IB_DISABLE',
    'NCCL uses sockets instead of InfiniBand or RoCE: much slower; a time limit that was enough before may not be.',
  ],
  [
    'CUDA_LAUNCH_BLOCKING',
    'Every GPU call waits for its end: right for finding the failing call, wrong for timing, and hangs look different.',
  ],
  [
    'TORCH_NCCL_BLOCKING_WAIT',
    'The main thread waits and raises at the time limit itself: its traceback is that of a victim.',
  ],
  [
    'NCCL_BLOCKING_WAIT',
    'The main thread waits and raises at the time limit itself: its traceback is that of a victim.',
  ],
]);

function workarounds(pods: readonly PodEnv[]): SettingItem[] {
  return [...WORKAROUNDS].flatMap(([name, why]): SettingItem[] => {
    const set = pods.filter((one) => {
      const value = valueIn(one, [name]);
      return value.kind === 'set' && /^(?:1|true|yes)$/i.test(value.value);
    });
    const [first] = set;
    // Where only some have it, a variable of communication is told as one that differs.
    if (first === undefined || (set.length !== pods.length && COMMUNICATION.test(name))) return [];
    return [
      {
        name,
        area: name.startsWith('NCCL_') ? 'nccl' : 'watchdog',
        state: 'note',
        found: foundText(byValue(pods, [name])),
        want: undefined,
        why,
        sources: [
          {
            text: `Pod ${first.pod.name}: ${name}`,
            source: first.pod.source,
            rank: undefined,
            rawNs: undefined,
            clock: undefined,
          },
        ],
      },
    ];
  });
}
