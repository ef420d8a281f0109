/** Files of the kernel about pressure: cgroup counters, PSI, /proc/meminfo. One reader a kind; each takes the lines it knows. */
import type { EventBody } from '../../model/events.ts';

export type HostState = Extract<EventBody, { kind: 'host-state' }>;

/** What one reading says. */
export type Said = Pick<HostState, 'what' | 'value' | 'of' | 'bytes' | 'text'>;

export interface Block {
  /** True if the line is of this kind. A line that begins another reading of the same kind is not taken before `end`. */
  readonly take: (text: string, file: string | undefined) => boolean | 'again';
  /** What the lines taken say; forgets them. */
  readonly end: () => readonly Said[];
}

export const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;

/** `nr_throttled 812`, `oom_kill 1`; cgroup v1 names time `throttled_time`, in ns. */
const PAIR = /^([a-z_]{2,24}) (\d{1,19}|max)$/;

/** Of one file whose lines are a word and a number. */
function createPairs(
  keys: ReadonlySet<string>,
  conclude: (pairs: ReadonlyMap<string, number>) => readonly Said[],
): Block {
  const pairs = new Map<string, number>();
  return {
    take(text) {
      const [, key = '', value = ''] = PAIR.exec(text) ?? [];
      if (!keys.has(key)) return false;
      if (pairs.has(key)) return 'again';
      pairs.set(key, Number(value));
      return true;
    },
    end() {
      const said = conclude(pairs);
      pairs.clear();
      return said;
    },
  };
}

const CPU_KEYS = new Set([
  'usage_usec',
  'user_usec',
  'system_usec',
  'nice_usec',
  'nr_periods',
  'nr_throttled',
  'throttled_usec',
  'throttled_time',
  'nr_bursts',
  'burst_usec',
  'burst_time',
  'wait_sum',
]);
/** With fewer periods (of 100 ms by default) a share says nothing. Chosen, not measured. */
const FEWEST_PERIODS = 100;

export const createCpuStat = (): Block =>
  createPairs(CPU_KEYS, (pairs) => {
    const periods = pairs.get('nr_periods') ?? 0;
    const throttled = pairs.get('nr_throttled');
    if (throttled === undefined || periods < FEWEST_PERIODS || throttled > periods) return [];
    const usec = pairs.get('throttled_usec');
    const nsec = pairs.get('throttled_time');
    const seconds = usec !== undefined ? usec / 1e6 : nsec !== undefined ? nsec / 1e9 : undefined;
    const waited = seconds === undefined ? '' : `, held back for ${Math.round(seconds)} s in all`;
    const value = percent(throttled, periods);
    return [
      {
        what: 'throttled',
        value,
        of: undefined,
        text: `cpu.stat: nr_throttled ${throttled} of nr_periods ${periods} (${value} %)${waited}`,
      },
    ];
  });

const MEMORY_KEYS = new Set([
  'low',
  'high',
  'max',
  'oom',
  'oom_kill',
  'oom_group_kill',
  'oom_kill_disable',
  'under_oom',
  'sock_throttled',
]);

export const createMemoryEvents = (): Block =>
  createPairs(MEMORY_KEYS, (pairs) => {
    const kills = pairs.get('oom_kill');
    if (kills === undefined) return [];
    const max = pairs.get('max');
    const file = pairs.has('oom_kill_disable') ? 'memory.oom_control' : 'memory.events';
    const text = `${file}: oom_kill ${kills}${max === undefined ? '' : `, max ${max}`}`;
    return [
      { what: 'oom-kills', value: kills, of: undefined, text },
      ...(max === undefined || max === 0
        ? []
        : [{ what: 'memory-limit-hits' as const, value: max, of: undefined, text }]),
    ];
  });

const PRESSURE = /^(some|full) avg10=(\d{1,3}\.\d\d) avg60=(\d{1,3}\.\d\d) avg300=(\d{1,3}\.\d\d) total=(\d{1,20})$/;

/** Pressure stall information; its lines do not name the resource, the file does. */
export function createPressure(): Block {
  const lines = new Map<string, { readonly text: string; readonly value: number }>();
  let resource: string | undefined;
  return {
    take(text, file) {
      const [, kind = '', , minute] = PRESSURE.exec(text) ?? [];
      if (kind === '') return false;
      if (lines.has(kind)) return 'again';
      resource = /(cpu|io|memory)/.exec(file ?? '')?.[1];
      lines.set(kind, { text, value: Number(minute) });
      return true;
    },
    end() {
      // At least one task waits for a processor on any busy host; that all wait at once for memory or a disk is stall.
      const line = lines.get(resource === 'cpu' ? 'some' : 'full');
      lines.clear();
      const what = resource === 'cpu' ? 'cpu-pressure' : resource === 'io' ? 'io-pressure' : 'memory-pressure';
      return resource === undefined || line === undefined
        ? []
        : [{ what, value: line.value, of: undefined, text: `${resource} pressure: ${line.text}` }];
    },
  };
}

const MEMINFO =
  /^(Mem(?:Total|Free|Available)|Buffers|Cached|SwapTotal|SwapFree|Shmem|Committed_AS|CommitLimit|[A-Z][A-Za-z0-9_()]{2,24}): {1,40}(\d{1,15}) kB$/;

export function createMeminfo(): Block {
  const found = new Map<string, number>();
  return {
    take(text) {
      const [, key = '', value = ''] = MEMINFO.exec(text) ?? [];
      if (key === '') return false;
      if (key === 'MemTotal' && found.has(key)) return 'again';
      if (key.startsWith('Mem')) found.set(key, Number(value));
      return true;
    },
    end() {
      const total = found.get('MemTotal') ?? 0;
      const free = found.get('MemAvailable');
      found.clear();
      if (free === undefined || total === 0 || free > total) return [];
      const value = percent(total - free, total);
      return [
        {
          what: 'memory',
          value,
          of: undefined,
          text: `meminfo: ${free} kB of ${total} kB are available (${value} % in use)`,
        },
      ];
    },
  };
}

const LOADAVG = /^(\d{1,6}\.\d\d) (\d{1,6}\.\d\d) (\d{1,6}\.\d\d) \d{1,7}\/\d{1,8} \d{1,9}$/;
const UPTIME =
  /^(?:top - | )?\s?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)? {1,4}up .{1,60}, {1,4}load averages?: (\d{1,6}[.,]\d\d),? (\d{1,6}[.,]\d\d),? (\d{1,6}[.,]\d\d)$/;

/** Load averages; how many processors they are to be held against is not told, so nothing follows from them alone. */
export function readLoad(text: string): string | undefined {
  const match = LOADAVG.exec(text) ?? UPTIME.exec(text);
  return match === null ? undefined : `load ${match[1]}`;
}

const SINGLE: ReadonlyMap<string, HostState['what']> = new Map([
  ['memory.current', 'memory-bytes'],
  ['memory.usage_in_bytes', 'memory-bytes'],
  ['memory.peak', 'memory-peak-bytes'],
  ['memory.max_usage_in_bytes', 'memory-peak-bytes'],
  ['memory.max', 'memory-limit-bytes'],
  ['memory.limit_in_bytes', 'memory-limit-bytes'],
  ['memory.failcnt', 'memory-limit-hits'],
]);
/** cgroup v1 writes "no limit" as the highest number of whole pages. */
const NO_LIMIT = 2 ** 62;

/** Files of one number, which only their name explains. */
export function readSingle(text: string, file: string | undefined): Said | 'known' | undefined {
  const what = file === undefined ? undefined : SINGLE.get(file);
  if (what === undefined || !/^(?:\d{1,19}|max)$/.test(text)) return undefined;
  const value = Number(text);
  return text === 'max' || value >= NO_LIMIT || (what === 'memory-limit-hits' && value === 0)
    ? 'known'
    : { what, value, of: undefined, text: `${file}: ${text}` };
}
