import type { EntryContext, LineFormat, LineReader } from '#shared/model/format.ts';
import type { CaseWriter } from '../store/case-writer.ts';
import type { TextEncoding } from '../store/text-encoding.ts';
import type { EntryOutputs } from './entry-outputs.ts';
import { type EntrySink, HeadKeeper } from './entry-sink.ts';
import { type LineBlockSinks, LineBlocks } from './line-blocks.ts';
import { SecondCounts } from './second-counts.ts';

export interface LineSinkOptions {
  readonly format: LineFormat;
  readonly entry: EntryContext;
  readonly slot: number;
  readonly outputs: EntryOutputs;
  readonly writer: Pick<CaseWriter, 'addBlock' | 'addSecondCounts'>;
  readonly encoding: TextEncoding;
}

/** Parses line by line and stores the text in blocks. A reader that throws is a bug of ours: the text is stored all the same. */
export function lineSink({ format, entry, slot, outputs, writer, encoding }: LineSinkOptions): EntrySink {
  const head = new HeadKeeper();
  const counts = new SecondCounts();
  let reader: LineReader | undefined = format.open(entry, (output) => outputs.add(output));
  const failed = (error: unknown, line: number) => {
    reader = undefined;
    outputs.issue({ code: 'parser-failed', severity: 'error', detail: `at line ${line}: ${messageOf(error)}` });
  };
  const sinks: LineBlockSinks = {
    onBlock: (block) => writer.addBlock(slot, block),
    onLine: (text, line, byte, length) => {
      if (reader === undefined) return Number.NaN;
      try {
        const ms = reader.line(text, line, byte, length);
        counts.add(ms);
        return ms;
      } catch (error) {
        failed(error, line);
        return Number.NaN;
      }
    },
  };
  const skimming: LineBlockSinks =
    reader.skim === undefined
      ? sinks
      : {
          ...sinks,
          onTime: (ms, lines) => counts.add(ms, lines),
          skim: (run) => {
            try {
              reader?.skim?.(run);
            } catch (error) {
              failed(error, run.line);
            }
          },
        };
  const blocks = new LineBlocks(skimming, encoding);
  return {
    keepsNothing: true,
    storesText: true,
    push(chunk) {
      head.push(chunk);
      blocks.push(chunk);
    },
    async end() {
      blocks.end();
      try {
        reader?.end();
      } catch (error) {
        failed(error, blocks.lines);
      }
      addTextIssues(blocks, outputs);
      const columns = counts.columns();
      if (columns !== undefined) writer.addSecondCounts(slot, counts.widthS, columns);
    },
    lines: () => blocks.lines,
    head: () => head.bytes(),
  };
}

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

/** What the bytes of a text say about themselves. */
export function addTextIssues(blocks: LineBlocks, outputs: EntryOutputs): void {
  if (blocks.undecodableLines > 0) {
    outputs.issue(
      { code: 'undecodable-bytes', severity: 'warning', detail: `${blocks.undecodableLines} lines` },
      blocks.undecodableLines,
    );
  }
  if (blocks.longLines > 0)
    outputs.issue({ code: 'line-too-long', severity: 'warning', detail: 'longer than 64 KiB' }, blocks.longLines);
  if (blocks.nulBytes) outputs.issue({ code: 'nul-bytes', severity: 'warning', detail: '' });
}
