/**
 * What the beginnings and ends of logs say, for a provisional finding before the logs themselves are read. Nothing of it is stored, and each
 * of these records is forgotten when its file has been read: nothing is counted twice.
 */
import { type EntryHead, HEAD_BYTES } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import type { ReadHooks } from '../bundle/byte-source.ts';
import { type FileAhead, type FileEnds, readEnds } from '../bundle/log-ends.ts';
import { decodeText, detectEncoding } from '../store/text-encoding.ts';
import { EntryOutputs } from './entry-outputs.ts';
import type { EntryRecord } from './entry-record.ts';
import type { DetectFormat } from './import-entry.ts';
import { lineSink } from './line-sink.ts';
import type { Pacer } from './pacer.ts';

/** Smaller bundles are read before anybody has read a provisional finding. Chosen: a second of reading. */
const MIN_BYTES = 96 * 1024 * 1024;
/** Ends cost a millisecond a file (measured), which is a fourteenth of reading a file of this size. */
const MIN_BYTES_A_FILE = 1024 * 1024;

export interface LogEndsContext {
  readonly detectFormat: DetectFormat;
  readonly pacer: Pacer;
  readonly cancel: ReadHooks['cancel'];
}

/** By slot. Empty where it is not worth it. Throws CancelledError. */
export async function readLogEnds(
  files: readonly FileAhead[],
  { detectFormat, pacer, cancel }: LogEndsContext,
): Promise<Map<number, EntryRecord>> {
  const records = new Map<number, EntryRecord>();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes < MIN_BYTES || bytes < files.length * MIN_BYTES_A_FILE) return records;
  for (const file of files) {
    await pacer.turn();
    const ends = await readEnds(file, { cancel });
    const record = ends === undefined ? undefined : await recordOf(file, ends, detectFormat);
    if (record !== undefined) records.set(file.place, record);
  }
  return records;
}

/** Lines of the end have their places as if they followed the beginning: nobody is shown them. Undefined for anything but logs. */
async function recordOf(
  { path, place, bytes }: FileAhead,
  { head, tail }: FileEnds,
  detectFormat: DetectFormat,
): Promise<EntryRecord | undefined> {
  const { encoding } = detectEncoding(head.subarray(0, HEAD_BYTES));
  if (encoding !== 'utf-8' || head.length === 0) return undefined;
  const { format, why } = detectFormat(headOf(head, path, tail.length === 0));
  if (format === undefined || format.shape !== 'lines') return undefined;
  const outputs = new EntryOutputs();
  const writer = { addBlock: () => undefined, addSecondCounts: () => undefined };
  const sink = lineSink({ format, entry: { entry: entryId(place), path }, slot: place, outputs, writer, encoding });
  const isWhole = tail.length === 0;
  sink.push(isWhole ? head : head.subarray(0, head.lastIndexOf(10) + 1));
  if (!isWhole) sink.push(tail.subarray(tail.indexOf(10) + 1));
  await sink.end();
  return {
    slot: place,
    path,
    bytes,
    sha256: null,
    format: format.id,
    kind: format.title,
    why,
    status: isWhole ? 'read' : 'truncated',
    detail: isWhole ? '' : 'only its beginning and its end were read so far',
    lines: null,
    firstNs: null,
    lastNs: null,
    recognised: true,
    mayRepeat: false,
    outputs,
  };
}

function headOf(head: Buffer, path: string, isWhole: boolean): EntryHead {
  const bytes = head.subarray(0, HEAD_BYTES);
  const text = decodeText(bytes, 0, bytes.length, 'utf-8');
  return { bytes, text, path, whole: isWhole && head.length <= HEAD_BYTES };
}
