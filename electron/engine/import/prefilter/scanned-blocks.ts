/** Blocks of text while they are filled: in the scanner's memory as long as it has room, else in memory of their own. */
import type { LineScanner } from '#shared/model/format.ts';
import { createScannerMemory } from './line-scanner.ts';

export interface HeldBlock {
  readonly bytes: Buffer;
  /** For the first `to` bytes; undefined if nothing can scan them. */
  readonly scannerTo: ((to: number) => LineScanner) | undefined;
}

/** Blocks of finished entries: thousands of small files take turns with one. */
let scanned: HeldBlock[] | undefined;
const plain: HeldBlock[] = [];

/** `mayScan` false: in memory of its own. */
export function takeBlock(blockBytes: number, mayScan: boolean): HeldBlock {
  scanned ??= scannedBlocks(blockBytes);
  const spare = (mayScan ? scanned.pop() : undefined) ?? plain.pop();
  return spare ?? { bytes: Buffer.allocUnsafeSlow(blockBytes), scannerTo: undefined };
}

/** Nothing may look at its bytes afterwards. */
export function giveBackBlock(block: HeldBlock): void {
  (block.scannerTo === undefined ? plain : scanned)?.push(block);
}

function scannedBlocks(blockBytes: number): HeldBlock[] {
  const memory = createScannerMemory(blockBytes);
  if (memory === undefined) return [];
  return memory.blocks.map((bytes) => ({ bytes, scannerTo: (to) => memory.scannerOf(bytes, to) }));
}
