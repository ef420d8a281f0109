/** Takes an entry's bytes in order, each chunk once. */
export interface EntrySink {
  push(chunk: Buffer): void;
  /** True: a chunk is not needed any more once it was pushed. */
  readonly keepsNothing: boolean;
  /** Every byte becomes a block of text, in order. */
  readonly storesText: boolean;
  end(): Promise<void>;
  /** Lines of the stored text, null if it is not stored as text. */
  lines(): number | null;
  /** The first bytes, at most HEAD_KEPT_BYTES. */
  head(): Buffer;
}

/** What is kept of an entry that is skipped or refused. */
export const HEAD_KEPT_BYTES = 64 * 1024;

/** Collects the beginning of a stream. */
export class HeadKeeper {
  #parts: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    if (this.#bytes >= HEAD_KEPT_BYTES) return;
    const part = Buffer.from(chunk.subarray(0, HEAD_KEPT_BYTES - this.#bytes));
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** For entries that nobody parses. */
export function headSink(): EntrySink {
  const head = new HeadKeeper();
  return {
    keepsNothing: true,
    storesText: false,
    push: (chunk) => head.push(chunk),
    end: async () => undefined,
    lines: () => null,
    head: () => head.bytes(),
  };
}
