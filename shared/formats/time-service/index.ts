import { defineDocumentFormat, type EntryContext, type EntryHead, type FormatOutput } from '../../model/format.ts';
import { headLines, looksLikeText } from '../text-head.ts';
import { readSources, readTracking, readTrackingCsv, readTrackingLogRow, TRACKING_LOG_HEAD } from './chrony.ts';
import { readNtpq, readTimedatectl, readTimesync } from './others.ts';
import type { Reading } from './reading.ts';

/** A tracking log grows by 200 KB a day; it is rotated by the week. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 200;

const TITLES: Readonly<Record<Reading['tool'], string>> = {
  'chronyc-tracking': 'chronyc tracking',
  'chronyc-sources': 'chronyc sources',
  'chrony-tracking-log': 'tracking.log of chronyd',
  ntpq: 'ntpq -p',
  'timesync-status': 'timedatectl timesync-status',
  timedatectl: 'timedatectl',
};

/**
 * What a time service says of its node's clock, saved as text: `chronyc tracking` (also `-c`), `chronyc sources`,
 * `ntpq -p`, `timedatectl`, `timedatectl timesync-status`.
 *
 *   System time     : 4.731204510 seconds fast of NTP time
 *
 * Signs differ between the tools; here an offset is always the node's clock minus true time. A clock that follows
 * nothing has an unknown offset, not none. `tracking.log` of chronyd: one report a row. Lines of daemons in system logs, PTP among them,
 * are events. Clock: true time, as the service knows it.
 */
export default defineDocumentFormat({
  id: 'time-service',
  title: 'Time service state',
  maxBytes: MAX_BYTES,
  claim(head: EntryHead) {
    if (!looksLikeText(head.text)) return undefined;
    const lines = headLines(head.text, head.whole, MAX_LINES);
    if (isTrackingLog(lines)) return { score: 0.94, why: `the layout of ${TITLES['chrony-tracking-log']}` };
    const reading = read(lines);
    return reading === undefined ? undefined : { score: 0.94, why: `the layout of ${TITLES[reading.tool]}` };
  },
  parse,
});

const isTrackingLog = (lines: readonly string[]): boolean =>
  lines.slice(0, 4).some((line) => TRACKING_LOG_HEAD.test(line)) || readTrackingLogRow(lines[0] ?? '') !== undefined;

/** The head is repeated every so many rows; a file cut by rotation has none. */
function* parseTrackingLog(text: string, { entry }: EntryContext): Iterable<FormatOutput> {
  let rows = 0;
  let byte = 0;
  for (const [i, raw] of text.split('\n').entries()) {
    const reading = readTrackingLogRow(withoutReturn(raw));
    if (reading !== undefined) {
      rows += 1;
      const source = { kind: 'line', entry, line: i + 1, byte, length: raw.length } as const;
      yield { kind: 'time-report', report: { ...reading, source } };
    }
    byte += raw.length + 1;
  }
  yield {
    kind: 'summary',
    text: `${TITLES['chrony-tracking-log']}: ${rows} ${rows === 1 ? 'update' : 'updates'} of the clock`,
  };
}

function* parse(bytes: Uint8Array, context: EntryContext): Iterable<FormatOutput> {
  const text = new TextDecoder().decode(bytes);
  if (isTrackingLog(text.split('\n', 4).map(withoutReturn))) {
    yield* parseTrackingLog(text, context);
    return;
  }
  const reading = read(text.split('\n', MAX_LINES).map(withoutReturn));
  if (reading === undefined) {
    yield { kind: 'status', status: 'failed', detail: 'the state of a time service, but not readable' };
    return;
  }
  const source = { kind: 'line', entry: context.entry, line: 1, byte: 0, length: bytes.length } as const;
  yield { kind: 'time-report', report: { ...reading, source } };
  yield { kind: 'summary', text: `${TITLES[reading.tool]}: ${summary(reading)}` };
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, 400);

function read(lines: readonly string[]): Reading | undefined {
  return (
    readTracking(lines) ??
    readSources(lines) ??
    readNtpq(lines) ??
    readTimesync(lines) ??
    readTimedatectl(lines) ??
    (lines.length <= 3 ? readTrackingCsv(lines[0] ?? '') : undefined)
  );
}

function summary({ offset, synchronised }: Reading): string {
  if (offset !== undefined) {
    const ms = (offset.lowMs + offset.highMs) / 2;
    return `${Math.abs(ms).toFixed(3)} ms ${ms < 0 ? 'behind' : 'ahead of'} true time`;
  }
  return synchronised === true ? 'said to be synchronised' : 'not said to be synchronised';
}
