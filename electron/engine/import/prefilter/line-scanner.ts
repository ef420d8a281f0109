/**
 * Loads the machine code of `scan.as` and lays out its memory. The literals come from the log reader, so that a new shape needs no new
 * code. The module is built by `node build/scripts/make-line-scanner.ts`; a test holds it to its source, another to its twin.
 */
import type { FinderPlan } from '#shared/codecs/lines/byte-finder.ts';
import { STARTS } from '#shared/formats/log/quick-layers.ts';
import { QUICK_PLAN } from '#shared/formats/log/quick-lines.ts';
import { readMinute } from '#shared/formats/log/quick-stamp.ts';
import { type LineScanner, SCANNED_INTS } from '#shared/model/format.ts';
import { LINE_SCANNER_CODE } from './line-scanner-code.ts';

/** Offsets, as in `scan.as`. */
const PRESENT = 16_384;
const ANCHORS = 81_920;
const ANCHOR_CELLS = 1_024;
const ANCHOR_BYTES = 12;
const LITERALS = 94_208;
const LITERAL_BYTES = 8;
const CODES = 102_400;
const STARTS_AT = 118_784;
const MINUTES = 119_040;
const MINUTE_BYTES = 16;
const RECORDS = 122_880;
const MAX_RECORDS = 2_048;
const TRIPLES = 737_280;
const BEGINS = 1;
const ENDS = 2;
const BLOCKS = 196_608;
/** Read, and not looked at, behind a block. */
const BLOCK_MARGIN = 1_024;
const PAGES = 12;
const PAGE_BYTES = 65_536;

export interface ScannerMemory {
  /** Places for blocks of this size; views of the scanner's memory. */
  readonly blocks: readonly Buffer[];
  /** A scanner of the first `to` bytes of that block. One block at a time: making another ends this one. */
  readonly scannerOf: (block: Buffer, to: number) => LineScanner;
}

/** Undefined where the runtime has no SIMD or no memory for it, or the literals do not fit: the twin does it then. */
export function createScannerMemory(blockBytes: number): ScannerMemory | undefined {
  try {
    const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
    const bytes = Buffer.from(memory.buffer);
    if (!layOut(bytes, QUICK_PLAN)) return undefined;
    const code = new WebAssembly.Module(Buffer.from(LINE_SCANNER_CODE, 'base64'));
    const learn = (at: number, minute: number): number => {
      const seconds = readMinute(bytes.toString('latin1', at, at + MINUTE_BYTES));
      if (seconds === undefined) return 0;
      bytes.copy(bytes, minute, at, at + MINUTE_BYTES);
      bytes.writeInt32LE(seconds, minute + MINUTE_BYTES);
      return 1;
    };
    const { exports } = new WebAssembly.Instance(code, { env: { memory, learn } });
    const { scan, restart } = exports;
    if (!isScan(scan) || !isRestart(restart)) return undefined;
    const records = new Int32Array(memory.buffer, RECORDS, MAX_RECORDS * SCANNED_INTS);
    const blocks: Buffer[] = [];
    for (let at = BLOCKS; at + blockBytes + BLOCK_MARGIN <= TRIPLES; at += blockBytes + BLOCK_MARGIN)
      blocks.push(bytes.subarray(at, at + blockBytes));
    return {
      blocks,
      scannerOf: (block, to) => {
        const base = block.byteOffset - bytes.byteOffset;
        restart();
        return { records, scan: (from) => scan(base, from, to) };
      },
    };
  } catch {
    return undefined;
  }
}

const isScan = (value: unknown): value is (base: number, from: number, to: number) => number =>
  typeof value === 'function';
const isRestart = (value: unknown): value is () => void => typeof value === 'function';

/** False if there are more literals than places. */
function layOut(bytes: Buffer, { anchors }: FinderPlan): boolean {
  const literals = [...anchors.values()].flat();
  const codeBytes = literals.reduce((sum, { codes }) => sum + codes.length, 0);
  const fits =
    bytes.length === PAGES * PAGE_BYTES &&
    anchors.size * 2 <= ANCHOR_CELLS &&
    LITERALS + literals.length * LITERAL_BYTES <= CODES &&
    CODES + codeBytes <= STARTS_AT;
  if (!fits) return false;
  bytes.set(STARTS, STARTS_AT);
  // No minute begins with zeroes.
  bytes.fill(0, MINUTES, RECORDS);
  let literal = 0;
  let code = CODES;
  for (const [anchor, known] of anchors) {
    const key = swapped(anchor);
    bytes[PRESENT + hashOf(key)] = 1;
    for (const [three, bit] of [
      [key & 0xffffff, BEGINS],
      [key >>> 8, ENDS],
    ] as const) {
      const at = TRIPLES + (hashOf(three) >>> 2);
      bytes[at] = (bytes[at] ?? 0) | bit;
    }
    let cell = hashOf(key) % ANCHOR_CELLS;
    while (bytes.readUInt32LE(ANCHORS + cell * ANCHOR_BYTES) !== 0) cell = (cell + 1) % ANCHOR_CELLS;
    const entry = ANCHORS + cell * ANCHOR_BYTES;
    bytes.writeUInt32LE(key, entry);
    bytes.writeUInt32LE(literal, entry + 4);
    bytes.writeUInt32LE(known.length, entry + 8);
    for (const { codes, end } of known) {
      const at = LITERALS + literal * LITERAL_BYTES;
      bytes.writeUInt32LE(code, at);
      bytes.writeUInt16LE(codes.length, at + 4);
      bytes.writeUInt16LE(end, at + 6);
      bytes.set(codes, code);
      code += codes.length;
      literal += 1;
    }
  }
  return true;
}

/** The four bytes as memory holds them. */
const swapped = (anchor: number): number =>
  (((anchor & 0xff) << 24) | ((anchor & 0xff00) << 8) | ((anchor >>> 8) & 0xff00) | (anchor >>> 24)) >>> 0;

const hashOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 16;
