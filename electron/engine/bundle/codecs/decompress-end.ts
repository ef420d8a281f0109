/** How a compressed stream ended. Valid once its bytes are exhausted. */
export interface DecompressEnd {
  /** `truncated`: the input ended inside; `damaged`: the codec refused it; `stopped`: we could not go on, see `detail`. Undefined if whole. */
  cut: 'truncated' | 'damaged' | 'stopped' | undefined;
  /** Bytes of input after a proper end that were no further member. */
  trailingBytes: number;
  detail: string;
  /** The codec came to its proper end inside the piece of input it was given last … */
  finished: boolean;
  /** … and did not take this part of it. */
  rest: Buffer | undefined;
}

export const newDecompressEnd = (): DecompressEnd => ({
  cut: undefined,
  trailingBytes: 0,
  detail: '',
  finished: false,
  rest: undefined,
});

/** A codec of one kind of stream: every byte before a cut is delivered; how it ended stands in `end` afterwards. Never throws for input. */
export type Decompress = (source: AsyncIterable<Buffer>, end: DecompressEnd) => AsyncGenerator<Buffer>;
