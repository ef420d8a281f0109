import type { EventBody, LogEvent } from '../model/events.ts';
import {
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { num } from './log/signatures/define.ts';
import softwareVersion from './log/signatures/software-version.ts';
import { withoutCr } from './log/terminal-text.ts';
import { looksLikeText } from './text-head.ts';

const GROUP = /^#(\d{1,6})-(\d{1,6}) \(([0-9a-fA-F]{1,32})\) ?(.{0,80})$/;
const DIFFERENT = /Communicator ranks have different (\w{1,40}) operation counts/;
const LAUNCHED = /^\s{1,8}(\d{1,7}) ranks? have launched up to operation (\d{1,18})/;
const RANK =
  /^\s{1,8}Rank (\d{1,7})(?: has launched up to operation (\d{1,18}))? -- GPU \d{1,4} managed by process (\d{1,8}) on node (\S{1,200})/;
const DEAD = /\bDEAD\b|considered dead|is dead/;
const PROCESS = /[Pp]rocess (\d{1,8}) on node (\S{1,200}?)(?: managing GPU|[,.:]|\s|$)/;

interface Count {
  readonly count: number;
  readonly ranks: number[];
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
 * Not covered: the JSON form.
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
  open: (context, emit) => openReport(context, emit),
});

function openReport(context: EntryContext, emit: (output: FormatOutput) => void): LineReader {
  let lines = 0;
  let mismatches = 0;
  let dead = 0;
  let op: string | undefined;
  let counts = new Map<number, Count>();
  let current: Count | undefined;

  const event = (body: EventBody, source: SourceRef, text: string): void => {
    emit({ kind: 'event', event: toEvent(body, source, text) });
  };

  /** Tells the counts of the communicator that ends here, largest first. */
  const closeGroup = (): void => {
    const sorted = [...counts.values()].sort((a, b) => b.count - a.count);
    const newest = sorted[0]?.count;
    if (sorted.length > 1 && newest !== undefined) {
      mismatches += 1;
      for (const entry of sorted) {
        if (entry.ranks.length === 0) continue;
        const behind = entry.count < newest;
        const others = behind ? newest : sorted[1]?.count;
        const ranks = [...new Set(entry.ranks)].sort((a, b) => a - b);
        event({ kind: 'ras-count', ranks, count: entry.count, behind, op, others }, entry.source, entry.text);
      }
    }
    counts = new Map();
    current = undefined;
    op = undefined;
  };

  const countOf = (count: number, source: SourceRef, text: string): Count => {
    const known = counts.get(count);
    if (known !== undefined) return known;
    const fresh: Count = { count, ranks: [], source, text };
    counts.set(count, fresh);
    return fresh;
  };

  const look = (text: string, source: SourceRef): void => {
    if (GROUP.test(text)) {
      closeGroup();
      return;
    }
    const different = DIFFERENT.exec(text)?.[1];
    if (different !== undefined) {
      closeGroup();
      op = different;
      return;
    }
    const launched = LAUNCHED.exec(text);
    if (launched !== null) {
      current = countOf(Number(launched[2]), source, text.trim());
      return;
    }
    const rank = RANK.exec(text);
    if (rank !== null && !DEAD.test(text)) {
      const count = num(rank[2]);
      const entry = count === undefined ? current : countOf(count, source, text.trim());
      if (entry !== undefined && entry.ranks.length < 100_000) entry.ranks.push(Number(rank[1]));
      return;
    }
    if (DEAD.test(text)) {
      const process = PROCESS.exec(text);
      if (process === null && !/Rank \d/.test(text)) return;
      dead += 1;
      const about = num(/Rank (\d{1,7})/.exec(text)?.[1]);
      event(
        { kind: 'ras-dead', rank: about, pid: num(process?.[1]), host: process?.[2], text: text.trim().slice(0, 400) },
        source,
        text.trim(),
      );
      return;
    }
    const software = text.includes('ersion') ? softwareVersion.match(plainMessage(text)) : undefined;
    if (software !== undefined) event(software.body, source, text);
  };

  return {
    line(text, line, byte, length) {
      lines += 1;
      look(withoutCr(text.slice(0, 2000)), { kind: 'line', entry: context.entry, line, byte, length });
      return Number.NaN;
    },
    end() {
      closeGroup();
      const found = [`${mismatches} ${mismatches === 1 ? 'communicator' : 'communicators'} out of step`];
      if (dead > 0) found.push(`${dead} dead`);
      emit({ kind: 'summary', text: `${lines} lines, ${found.join(', ')}` });
    },
  };
}

const plainMessage = (text: string) => ({
  text,
  header: undefined,
  host: undefined,
  pid: undefined,
  rank: undefined,
  marked: false,
  stamped: false,
  notes: {},
});

const toEvent = (body: EventBody, source: SourceRef, text: string): LogEvent => ({
  body,
  stamp: undefined,
  innerStamp: undefined,
  rank: undefined,
  rankBasis: undefined,
  localRank: undefined,
  pid: undefined,
  pod: undefined,
  container: undefined,
  host: undefined,
  text: text.slice(0, 600),
  source,
  lastLine: source.kind === 'line' ? source.line : 0,
});
