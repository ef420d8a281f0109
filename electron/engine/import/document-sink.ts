import type { DocumentFormat, EntryContext } from '#shared/model/format.ts';
import { formatLimit } from '../bundle/limits.ts';
import type { Decoded } from '../decode/decode-pool.ts';
import { DECODED_FORMAT } from '../decode/decode-worker.ts';
import type { CaseWriter } from '../store/case-writer.ts';
import type { TextEncoding } from '../store/text-encoding.ts';
import { decodeDocument, moveRefs } from './decoded-document.ts';
import type { EntryOutputs } from './entry-outputs.ts';
import { type EntrySink, HeadKeeper } from './entry-sink.ts';
import { type LineBlockSinks, LineBlocks } from './line-blocks.ts';
import { addTextIssues, messageOf } from './line-sink.ts';
import type { Pacer } from './pacer.ts';

/** Entries that are no text are kept whole up to this size; of larger ones the head is kept. */
export const MAX_BLOB_BYTES = 64 * 1024 * 1024;

export interface DocumentSinkOptions {
  readonly format: DocumentFormat;
  readonly entry: EntryContext;
  readonly slot: number;
  readonly outputs: EntryOutputs;
  readonly writer: CaseWriter;
  readonly pacer: Pacer;
  /** Stored as text blocks, so that its lines can be opened; otherwise as one BLOB. */
  readonly text: boolean;
  readonly encoding: TextEncoding;
  /** Bytes of the byte order mark; 0 without one. */
  readonly markBytes: number;
  /** Asked at the end: did the container end early? */
  readonly isCut: () => boolean;
  /** What a thread makes of the document meanwhile; undefined = it is parsed here. */
  readonly decoded?: Promise<Decoded | undefined> | undefined;
}

/** Collects a document up to its format's limit and parses it when it is whole. */
export function documentSink(options: DocumentSinkOptions): EntrySink {
  const { format, entry, slot, outputs, writer, pacer } = options;
  const head = new HeadKeeper();
  const sinks: LineBlockSinks = { onBlock: (block) => writer.addBlock(slot, block) };
  const blocks = options.text ? new LineBlocks(sinks, options.encoding) : undefined;
  let parts: Buffer[] = [];
  let bytes = 0;
  let tooLarge = false;
  return {
    keepsNothing: false,
    storesText: false,
    push(chunk) {
      head.push(chunk);
      bytes += chunk.length;
      if (bytes > format.maxBytes) {
        tooLarge = true;
        parts = [];
        return;
      }
      blocks?.push(chunk);
      parts.push(chunk);
    },
    async end() {
      if (tooLarge) {
        const detail = `${formatLimit(bytes)}, limit ${formatLimit(format.maxBytes)}; ${format.ifTooLarge ?? 'a smaller part of it can be imported'}`;
        outputs.issue({ code: 'document-too-large', severity: 'refused', detail });
        outputs.status = { status: 'refused', detail: `larger than ${formatLimit(format.maxBytes)}` };
        return;
      }
      blocks?.end();
      if (blocks !== undefined) addTextIssues(blocks, outputs);
      const asUtf8 = options.encoding === 'utf-8' && options.markBytes === 0;
      const ahead = asUtf8 && format.id === DECODED_FORMAT ? await options.decoded : undefined;
      if (ahead !== undefined) {
        // The thread has seen to everything: the bytes are not even put together here.
        parts = [];
        if (blocks === undefined && ahead.packed !== undefined) writer.addPackedBlob(slot, bytes, ahead.packed);
        for (const output of ahead.outputsFor(entry.entry)) outputs.add(output);
        return;
      }
      const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      parts = [];
      if (blocks === undefined) writer.addBlob(slot, whole.length <= MAX_BLOB_BYTES ? whole : head.bytes());
      try {
        const decoded = asUtf8 ? undefined : decodeDocument(whole, options.encoding, options.markBytes);
        const moved = new WeakSet();
        for (const output of format.parse(decoded?.bytes ?? whole, entry, options.isCut())) {
          if (decoded !== undefined) moveRefs(output, decoded, moved);
          outputs.add(output);
          await pacer.turn();
        }
      } catch (error) {
        if (error instanceof Error && error.name === 'CancelledError') throw error;
        outputs.issue({ code: 'parser-failed', severity: 'error', detail: messageOf(error) });
        outputs.status ??= { status: 'failed', detail: 'reading stopped because of a fault in this program' };
      }
    },
    lines: () => (blocks === undefined || tooLarge ? null : blocks.lines),
    head: () => head.bytes(),
  };
}
