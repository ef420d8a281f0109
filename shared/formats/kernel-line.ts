/** Envelopes of kernel log lines: stamp, host and message. */
import { parseObject } from './log/envelopes/docker-json.ts';
import { type RawStamp, readIsoStamp, readTimeAt, secondsOf, yearlessStamp } from './log/stamp.ts';

export interface KernelLine {
  readonly stamp: RawStamp;
  readonly host: string | undefined;
  readonly text: string;
  /** `kernel`, or the daemon that a syslog line names. */
  readonly program: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** 1 to 12; 0 for a word that is no month. */
export const monthOf = (name: string | undefined): number => MONTHS.indexOf(name ?? '') + 1;

/** `<3>` or `kern  :err   : ` in front (dmesg -r, -x). */
const PRIORITY = /^(?:<\d{1,3}>|[a-z]{2,9} {0,6}:[a-z]{3,8} {0,6}: )/;
/** With the time since the line before, which `-d` adds: `[  812.004211 <    0.000021>]`. */
const BOOT = /^\[ {0,10}(\d{1,10})\.(\d{6})(?: < {0,10}\d{1,10}\.\d{6}>)?\] ?/;
const MINUTE = /^\[([A-Z][a-z]{2}) ?(\d{1,2}) (\d\d):(\d\d)\] ?/;
const SINCE_LAST = /^\[(?: {0,10}\+| {0,4}< {0,10})(\d{1,10})\.(\d{6})>?\] ?/;
const CTIME = /^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) [ \d](\d) (?=\d\d:\d\d:\d\d)/;
const CTIME_FULL =
  /^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})(?: < {0,10}\d{1,10}\.\d{6}>)?\] ?/;
const SYSLOG = /^(\w{3}) {1,2}(\d{1,2}) (?=\d\d:\d\d:\d\d)/;
const ORIGIN = /^([\w.-]{1,120}) ([\w./@-]{1,60})(?:\[\d{1,8}\])?: ?/;
/** Thread or CPU tag of newer kernels: `[ T1234]`, `[   C12]`. */
const CALLER = /^\[ {0,8}[TC]\d{1,8}\] ?/;

/** Reads one line; undefined if it has none of the known envelopes. */
export function readKernelLine(raw: string): KernelLine | undefined {
  if (raw.charCodeAt(0) === 123) return readJournalJson(raw);
  const text = raw.replace(PRIORITY, '');
  return readBoot(text) ?? readCtime(text) ?? readMinute(text) ?? readIso(text) ?? readSyslog(text);
}

/** What a line says that may only tell how long after the one before it was written. */
export type KernelLineInFile = Omit<KernelLine, 'stamp'> & { readonly stamp: RawStamp | undefined };

/** Reads the lines of one file in order: those of `dmesg -e` have a time of their own only where the minute changes. */
export function createKernelLines(): (raw: string) => KernelLineInFile | undefined {
  let last: RawStamp | undefined;
  return (raw) => {
    const read = readKernelLine(raw);
    if (read !== undefined) {
      last = read.stamp;
      return read;
    }
    const text = raw.replace(PRIORITY, '');
    const since = SINCE_LAST.exec(text);
    if (since === null) return undefined;
    last = last && later(last, Number(since[1]), Number(since[2]) * 1000);
    return { stamp: last, host: undefined, text: message(text.slice(since[0].length)), program: 'kernel' };
  };
}

function later(stamp: RawStamp, seconds: number, nanos: number): RawStamp {
  const sum = stamp.nanos + nanos;
  return { ...stamp, seconds: stamp.seconds + seconds + Math.floor(sum / 1e9), nanos: sum % 1e9 };
}

/** `{"__REALTIME_TIMESTAMP":"1773483457931882","_TRANSPORT":"kernel","MESSAGE":"NVRM: …"}`: journalctl -o json. */
function readJournalJson(raw: string): KernelLine | undefined {
  if (!raw.includes('"__REALTIME_TIMESTAMP"')) return undefined;
  const record = parseObject(raw);
  const micros = /^(\d{10})(\d{6})$/.exec(String(record?.['__REALTIME_TIMESTAMP'] ?? ''));
  const said = journalText(record?.['MESSAGE']);
  if (record === undefined || micros === null || said === undefined) return undefined;
  const host = record['_HOSTNAME'];
  const isKernel = record['_TRANSPORT'] === 'kernel' || record['SYSLOG_IDENTIFIER'] === 'kernel';
  return {
    stamp: {
      seconds: Number(micros[1]),
      nanos: Number(micros[2]) * 1000,
      kind: 'epoch',
      resolutionNs: 1000,
      zoneAssumed: false,
      yearless: false,
    },
    host: typeof host === 'string' ? host : undefined,
    text: message(said),
    program: isKernel ? 'kernel' : String(record['SYSLOG_IDENTIFIER'] ?? record['_COMM'] ?? ''),
  };
}

/** A message that is no UTF-8 stands there as a list of bytes. */
function journalText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((item) => Number.isInteger(item))) return undefined;
  return new TextDecoder().decode(Uint8Array.from(value));
}

const message = (text: string): string => text.replace(CALLER, '');

function bootStamp(match: RegExpExecArray): RawStamp {
  return {
    seconds: Number(match[1]),
    nanos: Number(match[2]) * 1000,
    kind: 'boot',
    resolutionNs: 1000,
    zoneAssumed: false,
    yearless: false,
  };
}

/** `[8300911.871215] NVRM: …`: seconds since boot. */
function readBoot(text: string): KernelLine | undefined {
  const match = BOOT.exec(text);
  return match === null
    ? undefined
    : { stamp: bootStamp(match), host: undefined, text: message(text.slice(match[0].length)), program: 'kernel' };
}

/** `[Mar14 10:17] …` (dmesg -e): local time, no year, of the minute only. */
function readMinute(text: string): KernelLine | undefined {
  const match = MINUTE.exec(text);
  const month = monthOf(match?.[1]);
  if (match === null || month === 0) return undefined;
  const clock: [number, number, number] = [Number(match[3]), Number(match[4]), 0];
  const stamp = yearlessStamp(month, Number(match[2]), { clock, nanos: 0, digits: 0, end: 0 }, 0);
  if (stamp === undefined) return undefined;
  const said = message(text.slice(match[0].length));
  return { stamp: { ...stamp, resolutionNs: 60e9 }, host: undefined, text: said, program: 'kernel' };
}

/** `[Sat Mar 14 10:17:37 2026] …` (dmesg -T): local time, drifts after a suspend. */
function readCtime(text: string): KernelLine | undefined {
  if (!CTIME.test(text)) return undefined;
  const match = CTIME_FULL.exec(text);
  if (match === null) return undefined;
  const stamp = ctimeStamp(match);
  return stamp && { stamp, host: undefined, text: message(text.slice(match[0].length)), program: 'kernel' };
}

const CTIME_BARE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})\s*$/;

/** A text that is nothing but `Sat Mar 14 10:25:09 2026`: local time. */
export function readCtimeStamp(text: string): RawStamp | undefined {
  const match = CTIME_BARE.exec(text);
  return match === null ? undefined : ctimeStamp(match);
}

function ctimeStamp([, month, day, hour, minute, second, year]: RegExpExecArray): RawStamp | undefined {
  const seconds = secondsOf(
    [Number(year), monthOf(month), Number(day)],
    [Number(hour), Number(minute), Number(second)],
  );
  return seconds === undefined
    ? undefined
    : { seconds, nanos: 0, kind: 'local', resolutionNs: 1e9, zoneAssumed: true, yearless: false };
}

/** `2026-11-29T18:36:35,287604+00:00 …` (dmesg --time-format=iso), `2026-03-14T10:17:37.931882+0000 HOST kernel: …` (journal). */
function readIso(text: string): KernelLine | undefined {
  const read = readIsoStamp(text, 0);
  if (read === undefined || !read.zoned || text.charCodeAt(read.end) !== 32) return undefined;
  const rest = text.slice(read.end + 1);
  if (text.charAt(19) === ',') return { stamp: read.raw, host: undefined, text: message(rest), program: 'kernel' };
  return withOrigin(read.raw, rest);
}

/** `Mar 14 10:17:37 HOST kernel: [8300911.871215] …`: no year, no zone. */
function readSyslog(text: string): KernelLine | undefined {
  const match = SYSLOG.exec(text);
  const time = match && readTimeAt(text, match[0].length);
  const month = monthOf(match?.[1]);
  if (!match || !time || month === 0) return undefined;
  const stamp = yearlessStamp(month, Number(match[2]), time, time.digits);
  return stamp && withOrigin(stamp, text.slice(time.end + 1));
}

function withOrigin(stamp: RawStamp, rest: string): KernelLine | undefined {
  const origin = ORIGIN.exec(rest);
  if (origin === null) return undefined;
  const said = rest.slice(origin[0].length);
  const boot = BOOT.exec(said);
  return {
    stamp,
    host: origin[1],
    text: message(boot === null ? said : said.slice(boot[0].length)),
    program: origin[2] ?? '',
  };
}
