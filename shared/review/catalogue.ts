/**
 * The variables that decide how much the next failure tells. Names by release: torch 2.14 reads `TORCH_FR_*` first and the older
 * `TORCH_NCCL_*` as well; before 2.2 the prefix `TORCH_` was missing. Source: torch 1.13 to 2.14, NCCL 2.4 to 2.30, torchrun.
 */
import type { SettingArea } from './types.ts';

export interface Release {
  readonly major: number;
  readonly minor: number;
}

/** What else is known of the job, for settings that matter only sometimes. */
export interface Situation {
  readonly nccl: boolean;
  readonly gloo: boolean;
  readonly torch: Release | undefined;
  /** Ranks left dumps: the recorder was on, whatever the Pods say. */
  readonly dumpsSeen: boolean;
  /** The rings had lost calls that would have been needed. */
  readonly ringTooShort: boolean;
  /** Ranks waited for each other, or called different things. */
  readonly hang: boolean;
  readonly mismatch: boolean;
}

export interface Variable {
  readonly area: SettingArea;
  /** All names that are read, the newest first. */
  readonly names: readonly string[];
  /** The name to set. */
  readonly nameFor: (torch: Release | undefined) => readonly string[];
  readonly want: string;
  /** Absence is as good as the wanted value. */
  readonly onByDefault: (situation: Situation) => boolean;
  readonly isGood: (value: string, situation: Situation) => boolean;
  readonly applies: (situation: Situation) => boolean;
  /** Without it: `missing`. `false`: only bad values are told. */
  readonly wanted: boolean;
  readonly why: string;
}

const isAtLeast = (torch: Release | undefined, major: number, minor: number): boolean =>
  torch !== undefined && (torch.major > major || (torch.major === major && torch.minor >= minor));

/**
 * False for a name that this release does not read: a value under it does nothing. The first release that reads `TORCH_FR_*` lies between
 * 2.8 and 2.14; what is not known to be ignored counts as read. Without a release every name does.
 */
export function isRead(name: string, torch: Release | undefined): boolean {
  if (torch === undefined) return true;
  if (name.startsWith('TORCH_FR_')) return isAtLeast(torch, 2, 8);
  return !name.startsWith('TORCH_NCCL_') || isAtLeast(torch, 2, 2);
}

const ON = /^(?:1|true|yes|y|on)$/i;
const OFF = /^(?:0|false|no|n|off|)$/i;
const always = (): boolean => true;
const never = (): boolean => false;
const nccl = ({ nccl: used }: Situation): boolean => used;
/** Both names where the release is not known: one that is not read does no harm. */
const renamed =
  (newer: string, older: string) =>
  (torch: Release | undefined): readonly string[] =>
    torch === undefined ? [older, newer] : isAtLeast(torch, 2, 14) ? [newer] : [older];

const RING_ENTRIES = '2000';
export const LONG_RING_ENTRIES = '20000';
/** Where the patch puts what must outlive a Pod. */
export const KEEP_FOLDER = '/diagnostics';

const number = (value: string): number => (/^\d{1,9}$/.test(value) ? Number(value) : -1);

export const VARIABLES: readonly Variable[] = [
  {
    area: 'recorder',
    names: ['TORCH_FR_BUFFER_SIZE', 'TORCH_NCCL_TRACE_BUFFER_SIZE', 'TORCH_TRACE_BUFFER_SIZE'],
    nameFor: renamed('TORCH_FR_BUFFER_SIZE', 'TORCH_NCCL_TRACE_BUFFER_SIZE'),
    want: RING_ENTRIES,
    onByDefault: ({ torch, dumpsSeen, ringTooShort }) => (dumpsSeen || isAtLeast(torch, 2, 14)) && !ringTooShort,
    isGood: (value, { ringTooShort }) => number(value) >= (ringTooShort ? number(LONG_RING_ENTRIES) : 1),
    applies: always,
    wanted: true,
    why: 'The Flight Recorder keeps the last calls of every rank. Without it nothing shows which rank did not join, or joined with another call.',
  },
  {
    area: 'recorder',
    names: ['TORCH_FR_DUMP_ON_TIMEOUT', 'TORCH_NCCL_DUMP_ON_TIMEOUT'],
    nameFor: renamed('TORCH_FR_DUMP_ON_TIMEOUT', 'TORCH_NCCL_DUMP_ON_TIMEOUT'),
    want: '1',
    onByDefault: ({ torch, dumpsSeen }) => dumpsSeen || isAtLeast(torch, 2, 14),
    isGood: (value) => ON.test(value),
    applies: always,
    wanted: true,
    why: 'Every rank writes its dump when one of them times out. Without it the recorder fills and nobody ever reads it.',
  },
  {
    area: 'recorder',
    names: ['TORCH_FR_DUMP_TEMP_FILE', 'TORCH_NCCL_DEBUG_INFO_TEMP_FILE'],
    nameFor: renamed('TORCH_FR_DUMP_TEMP_FILE', 'TORCH_NCCL_DEBUG_INFO_TEMP_FILE'),
    want: `${KEEP_FOLDER}/fr/nccl_trace_rank_`,
    onByDefault: never,
    isGood: (value) => value !== '' && !/^\/(?:tmp|dev\/shm|root\/\.cache)\//.test(value),
    applies: always,
    wanted: true,
    why: 'By default dumps lie in the cache folder or in /tmp of the container and are gone with it. They belong on a volume that outlives the Pod.',
  },
  {
    area: 'recorder',
    names: ['TORCH_NCCL_ENABLE_MONITORING'],
    nameFor: () => ['TORCH_NCCL_ENABLE_MONITORING'],
    want: '1',
    onByDefault: always,
    isGood: (value) => !OFF.test(value),
    applies: nccl,
    wanted: false,
    why: 'The monitor thread writes the dump when the watchdog itself is stuck (a driver call, the interpreter lock). Switched off, such a rank leaves nothing.',
  },
  {
    area: 'recorder',
    names: ['TORCH_NCCL_ENABLE_TIMING'],
    nameFor: () => ['TORCH_NCCL_ENABLE_TIMING'],
    want: '1',
    onByDefault: never,
    isGood: (value) => ON.test(value),
    applies: (situation) => situation.nccl && situation.hang && situation.dumpsSeen,
    wanted: true,
    why: 'With it the recorder tells a call whose GPU work has begun from one that is only queued. In a hang where everybody joined, that separates a stuck GPU from a rank that never got there. It costs two events a call.',
  },
  {
    area: 'watchdog',
    names: ['TORCH_NCCL_DESYNC_DEBUG', 'NCCL_DESYNC_DEBUG'],
    nameFor: (torch) =>
      torch !== undefined && !isAtLeast(torch, 2, 2) ? ['NCCL_DESYNC_DEBUG'] : ['TORCH_NCCL_DESYNC_DEBUG'],
    want: '1',
    onByDefault: never,
    isGood: (value) => ON.test(value),
    applies: (situation) => situation.nccl && situation.hang && !situation.dumpsSeen,
    wanted: true,
    why: 'The first rank that times out then prints which ranks lag behind and what they last finished, from counters in the store: it works even where no dump is written.',
  },
  {
    area: 'watchdog',
    names: ['TORCH_NCCL_ASYNC_ERROR_HANDLING', 'NCCL_ASYNC_ERROR_HANDLING'],
    nameFor: (torch) =>
      torch !== undefined && !isAtLeast(torch, 2, 2)
        ? ['NCCL_ASYNC_ERROR_HANDLING']
        : ['TORCH_NCCL_ASYNC_ERROR_HANDLING'],
    want: '1',
    onByDefault: always,
    isGood: (value) => !OFF.test(value),
    applies: nccl,
    wanted: false,
    why: 'Switched off, ranks wait for ever: no time-out is printed, no dump is written, and the job hangs until somebody ends it from outside.',
  },
  {
    area: 'watchdog',
    names: ['TORCH_DISTRIBUTED_DEBUG'],
    nameFor: () => ['TORCH_DISTRIBUTED_DEBUG'],
    want: 'DETAIL',
    onByDefault: never,
    isGood: (value) => value.toUpperCase() === 'DETAIL',
    applies: ({ mismatch }) => mismatch,
    wanted: true,
    why: 'Every call is compared with those of the other ranks before it runs, and the first one that differs is printed with both sides. It slows the job down: for a reproduction, not for good.',
  },
  {
    area: 'nccl',
    names: ['NCCL_DEBUG'],
    nameFor: () => ['NCCL_DEBUG'],
    want: 'INFO',
    onByDefault: never,
    isGood: (value) => /^(?:WARN|INFO|TRACE|ABORT)$/i.test(value),
    applies: nccl,
    wanted: true,
    why: 'Without it NCCL keeps its warnings to itself: the failing device, peer or size is not named. INFO also prints which rank runs on which GPU and network interface, which ties kernel lines to ranks.',
  },
  {
    area: 'nccl',
    names: ['NCCL_DEBUG_SUBSYS'],
    nameFor: () => ['NCCL_DEBUG_SUBSYS'],
    want: 'INIT,ENV,NET',
    onByDefault: never,
    isGood: (value) => value === '' || /INIT|ALL|^\^/i.test(value),
    applies: nccl,
    wanted: true,
    why: 'Keeps INFO small: the lines about communicators, settings and interfaces, not those about every call.',
  },
  {
    area: 'nccl',
    names: ['NCCL_DEBUG_FILE'],
    nameFor: () => ['NCCL_DEBUG_FILE'],
    want: `${KEEP_FOLDER}/nccl/%h.%p.log`,
    onByDefault: always,
    isGood: (value) => /%p/.test(value) && /%h/.test(value),
    applies: nccl,
    wanted: false,
    why: "Without %h and %p in the name, processes write over each other's lines in one file.",
  },
  {
    area: 'logs',
    names: ['PYTHONUNBUFFERED'],
    nameFor: () => ['PYTHONUNBUFFERED'],
    want: '1',
    onByDefault: never,
    isGood: (value) => value !== '',
    applies: always,
    wanted: true,
    why: 'Python keeps output back when it does not write to a terminal: a process that is killed loses its last lines, and others come late with a wrong stamp.',
  },
  {
    area: 'logs',
    names: ['PYTHONFAULTHANDLER'],
    nameFor: () => ['PYTHONFAULTHANDLER'],
    want: '1',
    onByDefault: never,
    isGood: (value) => value !== '',
    applies: always,
    wanted: true,
    why: 'A crash in native code then prints the Python stack of every thread instead of nothing.',
  },
  {
    area: 'logs',
    names: ['TORCH_CPP_LOG_LEVEL'],
    nameFor: () => ['TORCH_CPP_LOG_LEVEL'],
    want: 'WARNING',
    onByDefault: always,
    isGood: (value) => !/^(?:FATAL|3)$/i.test(value),
    applies: always,
    wanted: false,
    why: "At FATAL the watchdog's own lines are not printed: which call timed out, and what came before.",
  },
];
