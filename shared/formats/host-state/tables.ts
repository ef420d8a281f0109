/** Tables of commands about pressure: df, free, top, kubectl top. A header opens a table, a line that is no row ends it. */
import { percent, type Said } from './readings.ts';

/** A row of `kubectl top` is of a Pod or a node of its own. */
export type Row = Said & {
  readonly pod?: string | undefined;
  readonly container?: string | undefined;
  readonly host?: string | undefined;
};
/** The rows that a line gives; undefined if the line is no row of this table. */
type ReadRow = (text: string) => readonly Row[] | undefined;

const DF = /^Filesystem {1,200}(?:Type {1,40})?(?:(?:1K|1M|1G|512|1024|4K)-blocks|Size|Inodes)\b.{1,120}Mounted on$/;
const FREE = /^ {6,20}total {1,20}used {1,20}free {1,20}shared {1,20}(?:buff\/cache|buffers).{0,60}$/;
/** The processes below the head of `top -b`: known, and nothing is told of them. */
const TOP_PROCESSES = /^ {0,10}PID +USER +PR +NI +VIRT +RES +SHR +S +%CPU +%MEM +TIME\+ +COMMAND/;
const PROCESS = /^ {0,10}\d{1,9} \S{1,32} {1,20}(?:rt|-?\d{1,3}) {1,6}-?\d{1,3} /;
const TOP_NODES =
  /^NAME {1,253}CPU\((?:cores|m)\) {1,20}CPU(?:\(%\)|%) {1,20}MEMORY\((?:bytes|Mi)\) {1,20}MEMORY(?:\(%\)|%)/;
const TOP_PODS = /^(?:NAMESPACE {1,253})?(?:POD {1,253})?NAME {1,253}CPU\(cores\) {1,20}MEMORY\(bytes\)\s*$/;

/** The table that a header opens. */
export function openTable(header: string): { readonly name: string; readonly read: ReadRow } | undefined {
  if (DF.test(header)) return { name: /Inodes/.test(header) ? 'df -i' : 'df', read: createDf(header) };
  if (FREE.test(header)) return { name: 'free', read: createFree(header) };
  if (TOP_PROCESSES.test(header)) return { name: 'top', read: (text) => (PROCESS.test(text) ? [] : undefined) };
  if (TOP_NODES.test(header)) return { name: 'kubectl top nodes', read: nodeRow };
  if (TOP_PODS.test(header)) return { name: 'kubectl top pods', read: podRow(header) };
  return undefined;
}

/** A file system this full is told of; below it a df row is only counted. */
const NEARLY_FULL = 95;
const SHM = '/dev/shm';

function createDf(header: string): ReadRow {
  const inodes = /Inodes/.test(header);
  const unit = /\b1K-|\b1024-/.test(header)
    ? 1024
    : /\b512-/.test(header)
      ? 512
      : /\b1M-/.test(header)
        ? 2 ** 20
        : undefined;
  /** A long device name stands on a line of its own; its figures are on the next. */
  let device = '';
  return (text) => {
    const words = text.trim().split(/\s+/, 12);
    if (words.length === 1 && /^[\w./:@-]{15,400}$/.test(words[0] ?? '') && !text.startsWith(' ')) {
      device = words[0] ?? '';
      return [];
    }
    const at = words.findIndex((word) => /^(?:\d{1,3}%|-)$/.test(word));
    const mount = words.slice(at + 1).join(' ');
    if (at < 3 || !mount.startsWith('/') || (at === 3 && device === '')) return undefined;
    device = '';
    const value = Number.parseInt(words[at] ?? '', 10);
    const size = words[at - 3] ?? '';
    const of = mount.slice(0, 300);
    if (Number.isNaN(value) || (value < NEARLY_FULL && (of !== SHM || inodes)) || sizeOf(size, unit) === 0) return [];
    return [
      {
        what: inodes ? 'inodes' : 'disk',
        value,
        of,
        ...(inodes ? {} : { bytes: sizeOf(size, unit) }),
        text: `${inodes ? 'df -i' : 'df'}: ${of} is ${value} % full${inodes ? ' of inodes' : ''} (size ${size})`,
      },
    ];
  };
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 };

/** Bytes of `64M`, `67108864Ki`, or of a number in `unit`; undefined where the unit is not told. */
export function sizeOf(text: string, unit: number | undefined): number | undefined {
  const [, number, letter = ''] = /^(\d{1,19}(?:[.,]\d{1,3})?)(?:([KMGTP])i?)?B?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const factor = letter === '' ? unit : UNITS[letter];
  const value = Number(number.replace(',', '.'));
  return value === 0 ? 0 : factor === undefined ? undefined : Math.round(value * factor);
}

function createFree(header: string): ReadRow {
  const columns = header.trim().split(/\s+/);
  const available = columns.indexOf('available');
  return (text) => {
    const words = text.trim().split(/\s+/, 12);
    if (/^(?:Swap|-\/\+|Total|Low|High)/.test(words[0] ?? '')) return [];
    if (words[0] !== 'Mem:') return undefined;
    const total = sizeOf(words[1] ?? '', 1);
    const free = available < 0 ? undefined : sizeOf(words[available + 1] ?? '', 1);
    if (total === undefined || free === undefined || total === 0 || free > total) return [];
    const value = percent(total - free, total);
    return [
      {
        what: 'memory',
        value,
        of: undefined,
        text: `free: ${words[available + 1]} of ${words[1]} are available (${value} % in use)`,
      },
    ];
  };
}

/** A node this busy is told of. */
const NEARLY_BUSY = 95;

const nodeRow: ReadRow = (text) => {
  const [host = '', cores = '', cpu = '', bytes = '', memory = ''] = text.trim().split(/\s+/, 8);
  if (!/^[a-z0-9][a-z0-9.-]{0,252}$/.test(host) || !/%$/.test(cpu) || !/%$/.test(memory)) return undefined;
  const shares = [
    {
      what: 'cpu' as const,
      value: Number.parseInt(cpu, 10),
      of: undefined,
      host,
      text: `kubectl top: node ${host} uses ${cores} of CPU (${cpu})`,
    },
    {
      what: 'memory' as const,
      value: Number.parseInt(memory, 10),
      of: undefined,
      host,
      text: `kubectl top: node ${host} uses ${bytes} of memory (${memory})`,
    },
  ];
  return shares.filter(({ value }) => value >= NEARLY_BUSY);
};

function podRow(header: string): ReadRow {
  const columns = header.trim().split(/\s+/);
  const podAt = Math.max(columns.indexOf('POD'), columns.includes('POD') ? 0 : columns.indexOf('NAME'));
  const containerAt = columns.includes('POD') ? columns.indexOf('NAME') : -1;
  const memoryAt = columns.length - 1;
  return (text) => {
    const words = text.trim().split(/\s+/, 8);
    const [pod = '', memory = ''] = [words[podAt], words[memoryAt]];
    const bytes = sizeOf(memory, 1);
    if (words.length !== columns.length || !/^[a-z0-9][a-z0-9.-]{0,252}$/.test(pod) || bytes === undefined)
      return undefined;
    const container = containerAt < 0 ? undefined : words[containerAt];
    return [
      {
        what: 'memory-bytes',
        value: bytes,
        of: undefined,
        pod,
        container,
        text: `kubectl top: Pod ${pod}${container === undefined ? '' : `, container ${container},`} uses ${memory} of memory`,
      },
    ];
  };
}

const TOP_CPU =
  /^%Cpu\(s\): {0,3}(\d{1,3}[.,]\d) us, .{1,80}? (\d{1,3}[.,]\d) id, {0,3}(\d{1,3}[.,]\d) wa, .{1,60}? (\d{1,3}[.,]\d) st/;
const TOP_MEMORY = /^[KMG]iB (?:Mem|Swap) ?: .{1,120}$/;
/** Time that the hypervisor kept from the host; below it is usual. Chosen, not measured. */
const MUCH_STEAL = 10;

/** The head of `top -b`: what of it tells of pressure. Undefined for other lines. */
export function readTop(text: string): readonly Said[] | undefined {
  if (TOP_MEMORY.test(text) || /^(?:Tasks|Threads): {1,4}\d{1,7} total,/.test(text)) return [];
  const match = TOP_CPU.exec(text);
  if (match === null) return undefined;
  const number = (at: number) => Number((match[at] ?? '0').replace(',', '.'));
  const [idle, steal] = [number(2), number(4)];
  return [
    ...(100 - idle >= NEARLY_BUSY
      ? [{ what: 'cpu' as const, value: Math.round(10 * (100 - idle)) / 10, of: undefined, text: `top: ${text}` }]
      : []),
    ...(steal >= MUCH_STEAL ? [{ what: 'steal' as const, value: steal, of: undefined, text: `top: ${text}` }] : []),
  ];
}
