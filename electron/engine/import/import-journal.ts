/**
 * What an import has finished, beside the case file while that is being written: enough to go on after a crash as if nothing had been.
 *
 *   header, then one frame a finished entry or file: [ length | crc32 | codec | packed bytes ]
 *
 * A frame is written when the rows of its entry are committed, never before. What a crash left half-written at the end is cut off.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { BLOCK_CODECS, packBlock, preferredCodec, unpackBlock } from '../store/block-codec.ts';

/** Raised when frames of an older shape would be misread. */
export const JOURNAL_VERSION = 2;
const HEAD_BYTES = 13;
/** A frame is one entry's events, at most; a larger length is damage. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024;

export class ImportJournal {
  readonly #file: string;
  #handle: number | undefined;

  private constructor(file: string, handle: number) {
    this.#file = file;
    this.#handle = handle;
  }

  static create(file: string, header: unknown): ImportJournal {
    const journal = new ImportJournal(file, openSync(file, 'w', 0o600));
    journal.append({ version: JOURNAL_VERSION, header });
    return journal;
  }

  /** What was written before, and the journal to go on with; undefined if there is none that can be used. */
  static reopen(
    file: string,
  ): { readonly header: unknown; readonly frames: unknown[]; open(): ImportJournal } | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch {
      return undefined;
    }
    const frames: unknown[] = [];
    let at = 0;
    for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
      frames.push(frame.value);
      at = frame.end;
    }
    const [first] = frames.splice(0, 1);
    if (typeof first !== 'object' || first === null || !('version' in first) || !('header' in first)) return undefined;
    if (first.version !== JOURNAL_VERSION) return undefined;
    const open = (): ImportJournal => {
      const handle = openSync(file, 'r+');
      ftruncateSync(handle, at);
      closeSync(handle);
      return new ImportJournal(file, openSync(file, 'a'));
    };
    return { header: first.header, frames, open };
  }

  append(value: unknown): void {
    if (this.#handle === undefined) return;
    const bytes = serialize(value);
    const { codec, data } = packBlock(bytes, preferredCodec());
    const frame = Buffer.alloc(HEAD_BYTES + data.length);
    data.copy(frame, HEAD_BYTES);
    frame.writeUInt32LE(data.length, 0);
    frame.writeUInt32LE(crc32(data), 4);
    frame.writeUInt8(BLOCK_CODECS.indexOf(codec), 8);
    frame.writeUInt32LE(bytes.length, 9);
    writeSync(this.#handle, frame);
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  remove(): void {
    this.close();
    rmSync(this.#file, { force: true });
  }
}

/** Undefined at the end, or at the first frame that is not whole. */
function frameAt(bytes: Buffer, at: number): { readonly value: unknown; readonly end: number } | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  const end = at + HEAD_BYTES + length;
  const codec = BLOCK_CODECS[bytes.readUInt8(at + 8)];
  const plainBytes = bytes.readUInt32LE(at + 9);
  if (length > MAX_FRAME_BYTES || plainBytes > MAX_FRAME_BYTES || end > bytes.length || codec === undefined)
    return undefined;
  const data = bytes.subarray(at + HEAD_BYTES, end);
  if (crc32(data) !== bytes.readUInt32LE(at + 4)) return undefined;
  try {
    return { value: deserialize(unpackBlock(codec, data, plainBytes)), end };
  } catch {
    return undefined;
  }
}
