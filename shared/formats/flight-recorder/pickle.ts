/**
 * Flight Recorder dump as pickle: one file a rank, written by PyTorch's C++ pickler (protocol 2) or saved again by Python (2 to 5).
 *
 *   80 02 7d 28 58 07 00 00 00 "version" 71 00 58 03 00 00 00 "2.9" …
 *
 * Source: PyTorch 2.13 `FlightRecorder*.hpp`, 64 dumps of format 2.9 and the gloo dumps of 28 runs. All versions 1.x to 2.10
 * and the bare list before 1.0. Not covered: pickle protocols 0 and 1.
 * Clock: wall clock of the rank's node, ns. Safety: no opcode that names or calls code is followed; see the pickle codec.
 */
import { type PickleOutcome, readPickle, readPickleDirectly } from '../../codecs/pickle/index.ts';
import {
  type Claim,
  defineDocumentFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
} from '../../model/format.ts';
import { DirectEntries } from './direct-entries.ts';
import { decodedOutputs } from './dump-outputs.ts';
import { isDumpName } from './name-rank.ts';
import { DUMP_WORDS } from './read-dump.ts';

/** A ring of 100 000 entries with C++ stacks stays below; chosen, not measured. */
const MAX_BYTES = 256 * 1024 * 1024;

function claim(head: EntryHead): Claim | undefined {
  const [first, protocol] = head.bytes;
  if (head.whole && head.bytes.length === 0) {
    return isDumpName(head.path) ? { score: 0.5, why: 'named like a recorder dump, 0 bytes' } : undefined;
  }
  if (first !== 0x80 || protocol === undefined || protocol < 2 || protocol > 5) return undefined;
  const words = DUMP_WORDS.filter((word) => head.text.includes(word));
  if (words.length >= 2) return { score: 0.95, why: `pickle protocol ${protocol} with ${words[0]}` };
  if (words.length === 1) return { score: 0.8, why: `pickle protocol ${protocol} with ${words[0]}` };
  return { score: 0.5, why: `pickle protocol ${protocol}` };
}

export default defineDocumentFormat({
  id: 'flight-recorder-pickle',
  title: 'Recorder dump',
  maxBytes: MAX_BYTES,
  claim,
  *parse(bytes, context): Generator<FormatOutput> {
    if (bytes.length === 0) {
      yield {
        kind: 'issue',
        code: 'empty-file',
        severity: 'warning',
        source: { kind: 'entry', entry: context.entry },
        detail: 'the dump has 0 bytes: its process was stopped before it wrote',
      };
      yield { kind: 'status', status: 'empty', detail: 'the file has 0 bytes' };
      return;
    }
    const direct = new DirectEntries();
    const decoded = readPickleDirectly(bytes, direct);
    if (decoded === undefined) yield* pickleOutputs(readPickle(bytes), context, bytes);
    else yield* pickleOutputs(decoded, context, bytes, direct);
  },
});

/** Outputs for a dump that is not empty. `direct`: its entries, if they were read past the arena. */
export function* pickleOutputs(
  decoded: PickleOutcome,
  context: EntryContext,
  bytes: Uint8Array,
  direct?: DirectEntries,
): Generator<FormatOutput> {
  if (decoded.kind !== 'refused') {
    yield* decodedOutputs(decoded, 'pickle', context, bytes, direct);
    return;
  }
  const what = decoded.named === undefined ? decoded.opcode : `${decoded.opcode} ${decoded.named}`;
  const source = { kind: 'byte', entry: context.entry, byte: decoded.at, length: 1 } as const;
  yield {
    kind: 'issue',
    code: 'pickle-refused',
    severity: 'refused',
    source,
    detail: `${what} at byte ${decoded.at}`,
  };
  yield {
    kind: 'status',
    status: 'refused',
    detail: `opcode ${what} at byte ${decoded.at}: a recorder dump holds plain values only; nothing was run`,
  };
}
