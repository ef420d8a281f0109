/**
 * How a host, a Pod or a container was under pressure, as the kernel's files and the usual commands give it:
 *
 *   nr_periods 9000 ⏎ nr_throttled 8123 ⏎ throttled_usec 812000000       cpu.stat of a cgroup (v1: throttled_time)
 *   low 0 ⏎ high 0 ⏎ max 913 ⏎ oom 2 ⏎ oom_kill 1                         memory.events (v1: memory.oom_control)
 *   68719476736                                                           memory.current, memory.peak, memory.max
 *   some avg10=71.20 avg60=64.80 avg300=41.00 total=8812345678            /proc/pressure/cpu, io.pressure
 *   MemTotal:       65842136 kB                                           /proc/meminfo
 *   210.11 190.20 88.10 34/2211 71301                                     /proc/loadavg, uptime, the head of top -b
 *   Filesystem      Size  Used Avail Use% Mounted on                      df, df -i
 *                  total        used        free      shared  …           free
 *   NAME            CPU(cores)   MEMORY(bytes)                            kubectl top pods, nodes
 *
 * One file each, or many in one text under headings: `==> /sys/fs/cgroup/cpu.stat <==`, `# df -h`, `$ kubectl exec POD -c CTR -- cat
 * /sys/fs/cgroup/memory.events`, `=== POD ===`, and `grep .` with the path before each line. Whose reading it is follows from the path, the
 * heading or the cgroup's own path; else it is of nobody. PSI and files of one number count only where the name of the file is told.
 *
 * Sections of dmesg and nvidia-smi in such a text go to the readers of those formats.
 *
 * Clock: the node's, of a line of `date` above the reading, else none. A state is of the moment of the question, mostly after the failure,
 * and a counter of all the time since the cgroup was made: neither tells when. Only what may speak of a failure becomes an event.
 * Not covered: other locales than C, `top` of other systems, vmstat, iostat, sar.
 */
import {
  type Claim,
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../../model/format.ts';
import gpuState from '../gpu-state/index.ts';
import kernelLog from '../kernel-log.ts';
import { type Draft, type LinePlace, originOf, toEvent } from '../log/event-draft.ts';
import { finishStates } from '../log/finish-states.ts';
import { LogLine } from '../log/log-line.ts';
import { readPath } from '../log/path-facts.ts';
import { PlaceBook } from '../log/place-book.ts';
import { plainText } from '../log/terminal-text.ts';
import { createYearKeeper } from '../log/year-keeper.ts';
import { headLines, looksLikeText } from '../text-head.ts';
import { PressureScanner, type Where } from './scanner.ts';
import type { Row } from './tables.ts';

/** Longer lines are of none of these. */
const MAX_LINE = 1_000;
/** Sections of other formats in one collection; those beyond stay text. */
const MAX_PARTS = 200;
const NVIDIA_REPORT = /^Start of NVIDIA bug report log file/m;

export default defineLineFormat({
  id: 'host-state',
  title: 'Host pressure',
  claim,
  open: (context, emit) => new HostStateReader(context, emit),
});

function claim(head: EntryHead): Claim | undefined {
  if (!looksLikeText(head.text) || NVIDIA_REPORT.test(head.text)) return undefined;
  const scanner = new PressureScanner(head.path, () => {});
  let data = 0;
  let other = 0;
  for (const line of headLines(head.text, head.whole)) {
    if (line.trim() === '') continue;
    const taken = scanner.line(plainText(line).slice(0, MAX_LINE), { line: 1, byte: 0, length: 0 });
    if (taken === 'data') data += 1;
    else if (taken === 'other') other += 1;
  }
  if (data > 0 && scanner.headings >= 2 && scanner.kinds.size >= 2)
    return { score: 0.97, why: 'commands about a host under headings' };
  if (data === 0 || other > data || scanner.kinds.size === 0) return undefined;
  if (scanner.byNameOnly)
    return head.whole && data === 1 ? { score: 0.3, why: 'one number, under the name of a cgroup file' } : undefined;
  return other === 0
    ? { score: 0.93, why: 'counters or tables of a host, and nothing else' }
    : { score: 0.7, why: 'mostly counters or tables of a host' };
}

class HostStateReader implements LineReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private readonly path: ReturnType<typeof readPath>;
  private readonly scanner: PressureScanner;
  private readonly years = createYearKeeper((draft: Draft) =>
    this.emit({ kind: 'event', event: toEvent(draft, this.context.entry, undefined) }),
  );
  private readonly current = new LogLine();
  private readonly book: PlaceBook;
  private told = 0;
  private part: LineReader | undefined;
  private readonly parts: LineReader[] = [];
  private readonly said: string[] = [];

  constructor(context: EntryContext, emit: (output: FormatOutput) => void) {
    this.context = context;
    this.emit = emit;
    this.path = { ...readPath(context.path), pod: undefined, container: undefined, fileRank: undefined };
    this.current.reset('');
    this.book = new PlaceBook(this.current, (draft) => this.years.pass(draft));
    this.scanner = new PressureScanner(context.path, (row, place, where) => this.say(row, place, where));
  }

  line(raw: string, line: number, byte: number, length: number): number {
    const place = { line, byte, length };
    const text = plainText(raw).slice(0, MAX_LINE);
    const taken = this.scanner.line(text, place);
    this.current.reset(text);
    this.book.countLine(this.current, place);
    if (taken === 'heading') this.part = this.openPart();
    else if (this.part !== undefined) return this.part.line(raw, line, byte, length);
    return Number.NaN;
  }

  /** Another format's reader for what stands below the heading; it is of the host that the heading names. */
  private openPart(): LineReader | undefined {
    const { foreign, place } = this.scanner;
    if (foreign === undefined || this.parts.length >= MAX_PARTS) return undefined;
    const host = place?.host ?? place?.about;
    const part = (foreign === 'kernel' ? kernelLog : gpuState).open(this.context, (output) => {
      if (output.kind === 'summary') this.said.push(output.text);
      else if (output.kind === 'event')
        this.emit({ kind: 'event', event: { ...output.event, host: output.event.host ?? host } });
      else if (output.kind !== 'stream') this.emit(output);
    });
    this.parts.push(part);
    return part;
  }

  private say(
    { pod, container, host, ...row }: Row,
    place: LinePlace,
    { place: at, podUid, containerId }: Where,
  ): void {
    this.told += 1;
    const { current } = this;
    current.reset(row.text);
    current.outer = this.scanner.stamp;
    current.pod = pod ?? at?.pod;
    current.container = container ?? at?.container;
    current.host = pod === undefined ? (host ?? at?.host ?? at?.about) : undefined;
    const body = {
      kind: 'host-state' as const,
      ...row,
      podUid: pod === undefined ? podUid : undefined,
      containerId: pod === undefined ? containerId : undefined,
    };
    const origin = originOf(current, place, pod === undefined ? this.path.host : undefined);
    this.book.gate.offer({ body, origin, printer: undefined, text: row.text, lastLine: place.line }, '');
  }

  end(): void {
    this.scanner.close();
    for (const part of this.parts) part.end();
    const { context, path, book, years, emit } = this;
    finishStates({ context, path, book, years, emit });
    const kinds = [...this.scanner.kinds].slice(0, 6).join(', ');
    const own = `${kinds}${this.told === 0 ? '; nothing in it speaks of pressure' : ''}`;
    this.emit({ kind: 'summary', text: [own, ...this.said.slice(0, 4)].join('; ') });
  }
}
