/**
 * A codec of node:zlib without its stream: it reads from memory that was given and writes into memory that was given. A stream makes a new
 * buffer for every chunk, and an object with a new codec for every block: both are garbage outside the heap that costs a whole collection
 * every few megabytes (measured: 1.5 of 13 s of processor time a gigabyte).
 *
 * It is the object that the stream itself calls. Node keeps it for itself, so it is only used if it looks as expected; else the caller takes
 * the stream. Runs from its text alone in threads that have no file: it may use nothing of this module.
 */
export interface DirectCodec {
  /** Goes on from `input[from]`, into `output[at …]`. False if the codec refused: see `failure`; what this call wrote is lost then. */
  write(flush: number, input: Uint8Array, from: number, output: Uint8Array, at: number): boolean;
  /** Of the input and the output of the last call that succeeded. */
  readonly inputLeft: number;
  readonly outputLeft: number;
  readonly failure: { readonly message: string; readonly code: string } | undefined;
}

/** Undefined if this runtime's streams are built in another way. `stream`: of node:zlib, unused, and not to be used otherwise. */
export function directCodec(stream: object): DirectCodec | undefined {
  const handle: unknown = Reflect.get(stream, '_handle');
  const left: unknown = Reflect.get(stream, '_writeState');
  if (typeof handle !== 'object' || handle === null || !(left instanceof Uint32Array) || left.length !== 2)
    return undefined;
  const writeSync: unknown = Reflect.get(handle, 'writeSync');
  if (typeof writeSync !== 'function') return undefined;
  let failure: DirectCodec['failure'];
  Reflect.set(handle, 'onerror', (message: unknown, _number: unknown, code: unknown) => {
    failure = { message: String(message), code: String(code) };
  });
  return {
    write(flush, input, from, output, at) {
      Reflect.apply(writeSync, handle, [flush, input, from, input.length - from, output, at, output.length - at]);
      return failure === undefined;
    },
    get outputLeft() {
      return left[0] ?? 0;
    },
    get inputLeft() {
      return left[1] ?? 0;
    },
    get failure() {
      return failure;
    },
  };
}
