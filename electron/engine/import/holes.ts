/**
 * Text with holes: a log that was cut by copytruncate while its writer kept its place begins with as many NUL bytes as it had, and one
 * of a machine that crashed has them wherever the disk did not get the text. By its first 4 KiB such a file is binary.
 */
import { type EntryHead, type Format, HEAD_BYTES } from '#shared/model/format.ts';
import { releaseChunk } from '../bundle/chunk-lease.ts';

interface Found {
  readonly format: Format | undefined;
  readonly why: string;
}

interface Look {
  readonly head: EntryHead;
  /** All that was read: the head, and what came with it. */
  readonly first: Buffer;
  readonly found: Found;
  readonly detect: (head: EntryHead) => Found;
  /** The chunk behind `first`; undefined at the end. */
  readonly next: () => Promise<Buffer | undefined>;
}

export interface PastHoles {
  readonly found: Found;
  /** What was read behind `first`, in order: NUL bytes that are not held, then chunks. */
  readonly nuls: number;
  readonly chunks: readonly Buffer[];
}

/**
 * Looks at a file that nothing claims once more, without its holes. Where the head is nothing else, chunks are read up to 4 KiB of something:
 * memory stays that of one head and one chunk, however large the hole. Only a log is taken at its word; anything else stays what it was.
 */
export async function lookPastHoles({ head, first, found, detect, next }: Look): Promise<PastHoles> {
  if (found.format !== undefined && found.format.id !== 'unknown-binary') return { found, nuls: 0, chunks: [] };
  const chunks: Buffer[] = [];
  const isHole = head.bytes.length > 0 && leadingNuls(head.bytes) === head.bytes.length;
  let nuls = 0;
  const behind = [first.subarray(leadingNuls(first))];
  let bytes = behind[0]?.length ?? 0;
  while (isHole && bytes < HEAD_BYTES) {
    const chunk = await next();
    if (chunk === undefined) break;
    const text = bytes === 0 ? chunk.subarray(leadingNuls(chunk)) : chunk;
    if (text.length === 0) {
      nuls += chunk.length;
      releaseChunk(chunk);
      continue;
    }
    bytes += text.length;
    behind.push(text);
    chunks.push(chunk);
  }
  const again = withoutHoles(isHole ? headAt(head, Buffer.concat(behind)) : head);
  const second = again === undefined ? found : detect(again);
  return { found: isLog(second.format) ? second : found, nuls, chunks };
}

function headAt(head: EntryHead, bytes: Buffer): EntryHead {
  const piece = bytes.subarray(0, HEAD_BYTES);
  return { ...head, bytes: piece, text: piece.toString('utf8') };
}

/** Shorter runs of NULs stand in binary content of every kind. Chosen. */
const MIN_HOLE_BYTES = 16;
const HOLE = new RegExp(`\\u0000{${MIN_HOLE_BYTES},}`, 'g');

/** Undefined where nothing but holes is left. Text in front of a hole and behind it are two lines. */
function withoutHoles(head: EntryHead): EntryHead | undefined {
  const text = head.text.replace(HOLE, '\n').replace(/^\n/, '');
  return text.trim() === '' ? undefined : { ...head, text, bytes: Buffer.from(text, 'utf8'), whole: false };
}

const isLog = (format: Format | undefined): boolean => format?.shape === 'lines' && format.id !== 'unknown-text';

function leadingNuls(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at += 1;
  return at;
}

const PIECE = Buffer.alloc(64 * 1024);

/** That many NUL bytes, in pieces. They share one memory that nobody writes to. */
export function* nulPieces(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= PIECE.length) yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
}
