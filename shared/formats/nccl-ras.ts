import { type EventBody, type LogEvent, UNTOLD_ORIGIN } from '../model/events.ts';
import {
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { bareMessage, num } from './log/signatures/define.ts';
import softwareVersion from './log/signatures/software-version.ts';
import { withoutCr } from './log/terminal-text.ts';
import { looksLikeText } from './text-head.ts';

const GROUP = /^#\d{1,6}-\d{1,6} \([0-9a-fA-F]{1,32}\) ?([A-Z,]{0,40})/;
const DIFFERENT = /Communicator ranks have different (\w{1,40}) operation counts/;
const LAUNCHED = /^\s{1,8}(\d{1,7}) ranks? have (?:launched up to operation (\d{1,18})|not launched any operations)/;
const RANK =
  /^\s{1,8}Rank (\d{1,7})(?: has (?:launched up to operation (\d{1,18})|(not launched any operations)))? -- (?:GPU \S{1,40} managed by process (\d{1,8}) on node (\S{1,200}))?/;
const DEAD = /job process(?:es)? (?:is|are) considered dead/;
const PROCESS = /^\s{1,8}Process (\d{1,8}) on node (\S{1,200}) managing GPU/;
/** Ranks and processes kept of one report. */
const MAX_KEPT = 100_000;

interface Count {
  readonly count: number;
  readonly ranks: number[];
  readonly source: SourceRef;
  readonly text: string;
}

interface DeadProcess {
  readonly pid: number;
  readonly host: string;
  readonly source: SourceRef;
  readonly text: string;
}

/**
 * The text report of NCCL's RAS service (`ncclras`, 2.24 and later): for each communicator that is not in step, how far
 * its ranks have launched. It lists the MINORITY by name, which may be the ones ahead: both counts are given. One
 * snapshot; a difference of one in a running communicator is no failure. Clock: none.
 *
 *   #0-0 (12a1b02d15a8bb89) MISMATCH
 *     Communicator ranks have different AllGather operation counts
 *     1 ranks have launched up to operation 288686
 *     Rank 1 has launched up to operation 288686 -- GPU 0 managed by process 8121 on node 10.20.7.12
 *
 * A dead process gets its rank from the list of ranks that sent no data, by process and node: ranks of the largest
 * communicator come first. The JSON form: `nccl-ras-json.ts`. Not covered: ranks of different status, error codes.
 */
export default defineLineFormat({
  id: 'nccl-ras',
  title: 'NCCL RAS report',
  claim(head: EntryHead) {
    if (!looksLikeText(head.text)) return undefined;
    const summary = /^Job summary\s*$/m.test(head.text) && /^Communicators\.\.\./m.test(head.text);
    const counts = DIFFERENT.test(head.text) && /ranks? have launched up to operation/.test(head.text);
    return summary || counts ? { score: 0.93, why: 'sections of a NCCL RAS report' } : undefined;
  },
  open: (context, emit) => new RasReader(context, emit),
});

class RasReader implements LineReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private lines = 0;
  private mismatches = 0;
  private section: 'dead' | 'incomplete' | 'counts' | 'other' = 'other';
  private op: string | undefined;
  private counts = new Map<number, Count>();
  private current: Count | undefined;
  private readonly dead: DeadProcess[] = [];
  /** `pid node` of ranks without data → rank, of the first (largest) communicator that lists it. */
  private readonly rankOfProcess = new Map<string, number>();

  constructor(context: EntryContext, emit: (output: FormatOutput) => void) {
    this.context = context;
    this.emit = emit;
  }

  line(raw: string, line: number, byte: number, length: number): number {
    this.lines += 1;
    this.look(withoutCr(raw.slice(0, 2000)), { kind: 'line', entry: this.context.entry, line, byte, length });
    return Number.NaN;
  }

  end(): void {
    this.closeCounts();
    for (const { pid, host, source, text } of this.dead) {
      const rank = this.rankOfProcess.get(`${pid} ${host}`);
      this.event({ kind: 'ras-dead', rank, pid, host, text }, source, text);
    }
    const found = [`${this.mismatches} ${this.mismatches === 1 ? 'communicator' : 'communicators'} out of step`];
    if (this.dead.length > 0) found.push(`${this.dead.length} dead`);
    this.emit({ kind: 'summary', text: `${this.lines} lines, ${found.join(', ')}` });
  }

  private look(text: string, source: SourceRef): void {
    if (text.trim() === '') return;
    const group = GROUP.exec(text);
    if (group !== null || !/^\s/.test(text)) {
      this.closeCounts();
      this.section = group?.[1]?.includes('INCOMPLETE') === true ? 'incomplete' : 'other';
    }
    if (DEAD.test(text)) this.section = 'dead';
    const op = DIFFERENT.exec(text)?.[1];
    if (op !== undefined) {
      this.closeCounts();
      this.section = 'counts';
      this.op = op;
    } else if (text.includes('ranks have different status')) this.section = 'other';
    else if (this.section === 'dead') this.takeProcess(text, source);
    else if (this.section === 'incomplete') this.takeMissing(text);
    else if (this.section === 'counts') this.takeCount(text, source);
    else if (text.includes('ersion')) this.takeVersion(text, source);
  }

  private takeProcess(text: string, source: SourceRef): void {
    const process = PROCESS.exec(text);
    if (process === null || this.dead.length >= MAX_KEPT) return;
    this.dead.push({ pid: Number(process[1]), host: process[2] ?? '', source, text: text.trim() });
  }

  private takeMissing(text: string): void {
    const [, rank, , , pid, host] = RANK.exec(text) ?? [];
    const key = `${pid} ${host}`;
    if (rank === undefined || pid === undefined || this.rankOfProcess.has(key)) return;
    if (this.rankOfProcess.size < MAX_KEPT) this.rankOfProcess.set(key, Number(rank));
  }

  private takeCount(text: string, source: SourceRef): void {
    const launched = LAUNCHED.exec(text);
    if (launched !== null) {
      this.current = this.countOf(num(launched[2]) ?? 0, source, text);
      return;
    }
    const rank = RANK.exec(text);
    if (rank === null) return;
    const own = num(rank[2]) ?? (rank[3] === undefined ? undefined : 0);
    const entry = own === undefined ? this.current : this.countOf(own, source, text);
    if (entry !== undefined && entry.ranks.length < MAX_KEPT) entry.ranks.push(Number(rank[1]));
  }

  private takeVersion(text: string, source: SourceRef): void {
    const found = softwareVersion.match(bareMessage(text));
    if (found !== undefined) this.event(found.body, source, text);
  }

  private countOf(count: number, source: SourceRef, text: string): Count {
    const known = this.counts.get(count);
    if (known !== undefined) return known;
    const fresh: Count = { count, ranks: [], source, text: text.trim() };
    this.counts.set(count, fresh);
    return fresh;
  }

  /** Tells the counts of the operation that ends here, largest first. */
  private closeCounts(): void {
    const sorted = [...this.counts.values()].sort((a, b) => b.count - a.count);
    const newest = sorted[0]?.count;
    if (sorted.length > 1 && newest !== undefined) {
      this.mismatches += 1;
      for (const { ranks, count, source, text } of sorted) {
        if (ranks.length === 0) continue;
        const behind = count < newest;
        const others = behind ? newest : sorted[1]?.count;
        const sortedRanks = [...new Set(ranks)].sort((a, b) => a - b);
        this.event({ kind: 'ras-count', ranks: sortedRanks, count, behind, op: this.op, others }, source, text);
      }
    }
    this.counts = new Map();
    this.current = undefined;
    this.op = undefined;
  }

  private event(body: EventBody, source: SourceRef, text: string): void {
    this.emit({ kind: 'event', event: rasEvent(body, source, text) });
  }
}

/** What RAS says: of no moment that could be compared, and printed by no rank. */
export const rasEvent = (body: EventBody, source: SourceRef, text: string): LogEvent => ({
  body,
  ...UNTOLD_ORIGIN,
  text: text.slice(0, 600),
  source,
  lastLine: source.kind === 'line' ? source.line : 0,
});
