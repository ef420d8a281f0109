import type { EventBody } from '../model/events.ts';
import {
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../model/format.ts';
import { createKernelLines } from './kernel-line.ts';
import { finishEntry } from './log/entry-summary.ts';
import { type Draft, originOf, toEvent } from './log/event-draft.ts';
import { LogLine } from './log/log-line.ts';
import { createMatcher, MAX_LOOK, type Matcher } from './log/matcher.ts';
import { readPath } from './log/path-facts.ts';
import { PlaceBook } from './log/place-book.ts';
import { clockService } from './log/signatures/clock-service.ts';
import { gpuUnreachable } from './log/signatures/device-fault.ts';
import { KERNEL_SIGNATURES } from './log/signatures/kernel.ts';
import { toMs } from './log/stamp.ts';
import { withoutCr } from './log/terminal-text.ts';
import { createYearKeeper } from './log/year-keeper.ts';
import { headLines, looksLikeText } from './text-head.ts';

/** Lines within which a log's own beginning lies. */
const START_LINES = 5;

const MATCHER = createMatcher([], [...KERNEL_SIGNATURES, gpuUnreachable]);
const CLOCK_MATCHER = createMatcher([], [clockService]);
/** Daemons whose lines tell what became of the node's clock. */
const TIME_DAEMONS = new Set(['chronyd', 'ntpd', 'ntpdate', 'phc2sys', 'systemd-journald', 'systemd-resolved']);

/**
 * The kernel's log of a node as text, with its OOM kills, GPU errors, links, disks and stalls.
 *
 *   [8300911.871215] NVRM: Xid (PCI:0000:9d:00): 79, pid=41877, …            dmesg: seconds since boot
 *   <3>[8300911.871215] …    kern  :err   : [8300911.871215] …                dmesg -r, -x
 *   [Sat Mar 14 10:17:37 2026] …                                             dmesg -T
 *   2026-11-29T18:36:35,287604+00:00 …                                        dmesg --time-format=iso
 *   [8300911.871215 <    0.000021>] …  [Sat Mar 14 10:17:37 2026 <    0.000021>] …   dmesg -d, -Td
 *   [Mar14 10:17] …   [  +0.000021] …                                          dmesg -e (-H): time of the minute, then since the line before
 *   2026-03-14T10:17:37.931882+0000 gpu-node-03 kernel: …                      journalctl -k -o short-iso-precise
 *   {"__REALTIME_TIMESTAMP":"1773483457931882","_TRANSPORT":"kernel", …}      journalctl -o json
 *   Mar 14 10:17:37 gpu-node-03 kernel: [8300911.871215] …                    syslog: no year
 *
 * Clock: the node's; stamps since boot are no wall clock and are not compared. In a syslog only the lines of the kernel
 * and of time services are read, and of the journal's JSON. Lines of `-e` are uncertain by
 * their minute. Not covered: `-d` with `--notime` before the first time.
 */
export default defineLineFormat({
  id: 'kernel-log',
  title: 'Kernel log',
  claim: (head) => claim(head),
  open: (context, emit) => openKernelLog(context, emit),
});

function claim(head: EntryHead) {
  if (!looksLikeText(head.text)) return undefined;
  const readLine = createKernelLines();
  let lines = 0;
  let kernel = 0;
  let system = 0;
  let journal = 0;
  for (const text of headLines(head.text, head.whole)) {
    if (text.trim() === '') continue;
    lines += 1;
    const read = readLine(text);
    if (read === undefined) continue;
    system += 1;
    if (read.program === 'kernel') kernel += 1;
    if (text.startsWith('{')) journal += 1;
  }
  if (lines === 0) return undefined;
  if (journal * 2 > lines) return { score: 0.93, why: 'records of the systemd journal' };
  if (kernel * 2 >= lines) return { score: 0.88, why: 'lines have the stamps of a kernel log' };
  // The kernel's lines may come further down.
  return system * 10 >= lines * 9 ? { score: 0.65, why: 'lines of a system log' } : undefined;
}

function openKernelLog(context: EntryContext, emit: (output: FormatOutput) => void): LineReader {
  const path = { ...readPath(context.path), pod: undefined, container: undefined, fileRank: undefined };
  const counts = new Map<EventBody['kind'], number>();
  const years = createYearKeeper((draft: Draft) => {
    counts.set(draft.body.kind, (counts.get(draft.body.kind) ?? 0) + 1);
    emit({ kind: 'event', event: toEvent(draft, context.entry, undefined) });
  });
  const line = new LogLine();
  line.reset('');
  const book = new PlaceBook(line, years.pass);
  const readLine = createKernelLines();

  return {
    line(text, lineNumber, byte, length) {
      const place = { line: lineNumber, byte, length };
      const plain = withoutCr(text);
      const read = readLine(plain);
      line.reset(read?.text ?? plain);
      if (read !== undefined) {
        if (read.stamp !== undefined) line.addStamp(read.stamp);
        line.host = read.host;
        if (read.host !== undefined) book.noteHost(read.host);
      }
      years.see(line);
      book.countLine(line, place);
      book.notes.atStart = book.lines <= START_LINES;
      if (line.text.length > MAX_LOOK) line.text = line.text.slice(0, MAX_LOOK);
      if (read === undefined || read.program === 'kernel') look(place, MATCHER);
      else if (TIME_DAEMONS.has(read.program)) look(place, CLOCK_MATCHER);
      return line.outer === undefined ? Number.NaN : toMs(line.outer);
    },
    end() {
      book.gate.flush();
      years.end();
      finishEntry({ context, path, places: [book], counts, years, printers: new Set(), emit });
    },
  };

  function look(place: { line: number; byte: number; length: number }, matcher: Matcher): void {
    const candidates = matcher.candidates(line.text);
    if (candidates.length === 0) return;
    const found = matcher.match(
      {
        text: line.text,
        header: undefined,
        host: line.host,
        pid: undefined,
        rank: undefined,
        marked: false,
        stamped: true,
        notes: book.notes,
      },
      candidates,
      '',
    );
    if (found?.kind !== 'hit') return;
    const origin = originOf(line, place, path.host);
    book.gate.offer(
      { body: found.hit.body, origin, printer: found.hit.printer, text: line.text, lastLine: place.line },
      '',
    );
  }
}
