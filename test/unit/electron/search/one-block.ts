/** A case of one file of one block, as far as the reading of lines needs it. */
import { makeBlockTable } from '#engine/search/block-table.ts';
import type { BlockPlace } from '#engine/search/case-index.ts';
import type { LogFile } from '#engine/search/log-files.ts';
import type { LineKind } from '#shared/search/line-facts.ts';

const START_S = Date.UTC(2026, 10, 29, 18, 33) / 1000;

/** Its keys lie between 18:33:00 and 18:34:00 of 2026-11-29; the origin is half a second before. */
export function caseOfOneBlock(bytes: Buffer, kind: LineKind): BlockPlace {
  const count = bytes.length === 0 ? 0 : bytes.toString('latin1').replace(/\n$/, '').split('\n').length;
  const block = {
    id: 7,
    firstLine: 1,
    lines: count,
    byte: 0,
    bytes: bytes.length,
    skip: 0,
    encoding: 'utf-8',
    t0: START_S * 1000,
    t1: START_S * 1000 + 59_999,
  };
  const file: LogFile = {
    index: 0,
    record: {
      slot: 1,
      contentSlot: 1,
      id: 1,
      path: 'logs/w-0.log',
      format: 'pod-log',
      lines: count,
      firstNs: null,
      lastNs: null,
    },
    kind,
    scope: { path: 'logs/w-0.log', places: [{ pod: null, node: null }], ranks: null, sources: [] },
    pod: null,
    node: null,
    rank: null,
    clock: null,
    offsetNs: 0,
    zoneNs: null,
    nearSeconds: START_S,
  };
  return {
    files: [file],
    origin: { seconds: START_S - 1, nanos: 500_000_000 },
    blocks: makeBlockTable([[block]], START_S * 1000 - 500),
  };
}
