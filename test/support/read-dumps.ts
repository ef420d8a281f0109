/** Dump files → dumps → comparison, through the real formats: what the product does with a folder of dumps. */
import { computeCollectives, resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import json from '#shared/formats/flight-recorder/json.ts';
import pickle from '#shared/formats/flight-recorder/pickle.ts';
import type { CollectivesFact, PlacedEvent } from '#shared/model/facts.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import type { DumpFile } from './dump-builder.ts';

export function readDumpFile(file: DumpFile, entry = 0): FormatOutput[] {
  const format = file.bytes[0] === 0x80 || file.bytes.length === 0 ? pickle : json;
  return [...format.parse(file.bytes, { entry: entryId(entry), path: file.path }, false)];
}

export function readDumpFiles(files: readonly DumpFile[]): FlightRecorderDump[] {
  return files.flatMap((file, entry) =>
    readDumpFile(file, entry).flatMap((output) => (output.kind === 'dump' ? [output.dump] : [])),
  );
}

export function compareFiles(
  files: readonly DumpFile[],
  given: { worldSize?: number; events?: readonly PlacedEvent[] } = {},
): CollectivesFact {
  const { ranked } = resolveDumpRanks(readDumpFiles(files), given.worldSize);
  return computeCollectives({ dumps: ranked, events: given.events ?? [], worldSize: given.worldSize });
}
