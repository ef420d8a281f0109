import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScannerMemory } from '#engine/import/prefilter/line-scanner.ts';
import { createByteFinder } from '#shared/codecs/lines/byte-finder.ts';
import { QuickLayers } from '#shared/formats/log/quick-layers.ts';
import { QUICK_PLAN } from '#shared/formats/log/quick-lines.ts';
import { RECORDS, SIGNATURES } from '#shared/formats/log/signatures/index.ts';
import { SPLICED_FROM } from '#shared/formats/log/spliced-stamps.ts';
import { type LineRun, SCANNED_INTS } from '#shared/model/format.ts';
import { formatLineScanner } from '../../../../../../build/scripts/make-line-scanner.ts';
import { rankLog } from '../../../../../perf/training-logs.ts';

const BLOCK_BYTES = 64 * 1024;
/** Bytes that the scanner leaves to its twin. */
const EDGE = 32;
const memory = createScannerMemory(BLOCK_BYTES);
const finder = createByteFinder(QUICK_PLAN);

interface Plain {
  readonly end: number;
  readonly text: number;
  readonly seconds: number;
  readonly ms: number;
  readonly rank: number;
  readonly output: string;
  readonly torchMark: boolean;
}

/** Plain lines from `from` on, by the twin's parts. */
function expected(bytes: Buffer, from: number): Plain[] {
  const found: Plain[] = [];
  const layers = new QuickLayers();
  const run: LineRun = {
    ...{ serial: 1, bytes, to: bytes.length, ascii: true, byte: 0, at: from, line: 2 },
    find: (value, at) => bytes.indexOf(value, at),
    text: (a, b) => bytes.toString('latin1', a, b),
    onTime: () => undefined,
  };
  for (let at = from; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(at, end);
    if (end - at > SPLICED_FROM || end + EDGE > bytes.length) break;
    if (line.some((byte) => byte > 127 || byte === 13 || byte === 27 || byte === 0)) break;
    if (finder.next(bytes, at, end) >= 0 || !layers.read(run, at, end)) break;
    const { text, seconds, ms, rank, output } = layers;
    found.push({ end, text, seconds, ms, rank, output, torchMark: rank >= 0 && layers.torchMark });
    at = end + 1;
  }
  return found;
}

/** Scans the whole text as a reader does: what is not plain is passed over. */
function expectTwin(text: Buffer): number {
  const block = memory?.blocks[0];
  if (memory === undefined || block === undefined) throw new Error('this runtime has no SIMD');
  const bytes = block.subarray(0, text.copy(block));
  // What stood there before must not be looked at.
  block.fill(84, bytes.length);
  const { scan, records } = memory.scannerOf(block, bytes.length);
  const layers = new QuickLayers();
  let lines = 0;
  for (let from = 0; from < bytes.length; ) {
    const count = scan(from);
    const scanned = Array.from({ length: count }, (_, i): Plain => {
      const end = layers.take(records, i);
      const { seconds, ms, rank, output, torchMark } = layers;
      return { end, text: layers.text, seconds, ms, rank, output, torchMark };
    });
    expect(scanned).toEqual(expected(bytes, from).slice(0, records.length / SCANNED_INTS));
    lines += count;
    const last = scanned.at(-1);
    const feed = bytes.indexOf(10, last === undefined ? from : last.end + 1);
    from = feed < 0 ? bytes.length : feed + 1;
  }
  return lines;
}

const STAMP = '2026-11-29T18:33:15.123456789Z ';

function scanFirst(text: Buffer): number | undefined {
  const block = memory?.blocks[0];
  if (block === undefined) return undefined;
  return memory?.scannerOf(block, text.copy(block)).scan(0);
}

const literal = fc.constantFrom(...[...RECORDS, ...SIGNATURES].flatMap((shape) => shape.literals));
const piece = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('a', ' ', '17', ': ', '[rank3]: ', '[', ']', '|', '.', 'worker', '\n', '\n'),
  },
  { weight: 3, arbitrary: fc.constantFrom('2026-11-29T18:33:15.123456789Z ', '2026-11-29 18:34:01,123 ', 'stdout F ') },
  { weight: 1, arbitrary: literal },
  { weight: 1, arbitrary: fc.tuple(literal, fc.nat(20)).map(([text, cut]) => text.slice(0, cut)) },
  { weight: 1, arbitrary: fc.constantFrom('\r', '\u001b', '\0', 'é', 'x'.repeat(SPLICED_FROM)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

describe('the line scanner', () => {
  it('takes the lines that its twin takes and reads the same from them, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        expectTwin(Buffer.from(pieces.join('')).subarray(0, BLOCK_BYTES));
      }),
      { numRuns: 1500, seed: 4711 },
    );
  });

  it('takes nearly all lines of a log of training, and no other', () => {
    const [log] = rankLog(3, 200_000, 'quiet', 64);
    expect(log).toBeDefined();
    for (let at = 0; log !== undefined && at + BLOCK_BYTES <= log.length; at += BLOCK_BYTES)
      expect(expectTwin(log.subarray(at, at + BLOCK_BYTES))).toBeGreaterThan(100);
  });

  it('finds every literal, wherever it stands in a line', () => {
    for (const text of [...RECORDS, ...SIGNATURES].flatMap((shape) => shape.literals)) {
      for (let pad = 0; pad < 13; pad += 1) {
        const lines = Buffer.from(
          `${STAMP}plain line\n${STAMP}${'.'.repeat(pad)}${text}\n${'next line, plain\n'.repeat(4)}`,
        );
        expectTwin(lines);
        expect(scanFirst(lines), text).toBe(1);
      }
    }
  });

  it('is what its source builds to', { timeout: 60_000 }, async () => {
    const file = new URL('../../../../../../electron/engine/import/prefilter/line-scanner-code.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(await formatLineScanner());
  });
});
