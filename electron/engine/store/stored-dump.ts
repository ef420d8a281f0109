import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';

/** True for a dump as this program's own importer wrote it: the few fields that every use needs are looked at. */
export const isStoredDump = (value: unknown): value is FlightRecorderDump =>
  typeof value === 'object' &&
  value !== null &&
  'columns' in value &&
  'strings' in value &&
  'stacks' in value &&
  'frames' in value;
