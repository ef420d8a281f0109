/**
 * A view as it is stored. Long columns are taken out of it and written piece by piece: serialising a view of millions of calls as a whole needs
 * its size in memory two or three times over.
 *
 *   views   lanes         the view with empty columns in their places, and what belongs there
 *           lanes#0.0     column 0, piece 0           bytes as the machine has them (little-endian everywhere we run)
 *           lanes#0.1 …
 */
import { serialize } from 'node:v8';
import { type BlockCodec, deserializeBlock, packBlock, UnreadableBlockError } from './block-codec.ts';

/** Shorter columns stay where they are. Chosen. */
const MIN_COLUMN_BYTES = 1024 * 1024;
/** Chosen: compressed at once. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Objects inside objects that are looked at. */
const MAX_DEPTH = 4;

const TYPES = { Uint8Array, Uint16Array, Int16Array, Int32Array, Uint32Array, Float32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;
type Column = Uint8Array | Uint16Array | Int16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

interface Place {
  readonly path: readonly string[];
  readonly type: TypeName;
  readonly length: number;
}

interface Envelope {
  readonly value: unknown;
  readonly columns: readonly Place[];
}

/** Takes one row of the table `views`. */
export type TakeRow = (name: string, bytes: number, codec: BlockCodec, data: Buffer) => void;
/** The unpacked bytes of a row; undefined = there is none. */
export type ReadRow = (name: string) => Buffer | undefined;

const pieceName = (view: string, column: number, piece: number): string => `${view}#${column}.${piece}`;

/** Rows of the pieces of a view have names from `from` up to `to`, that one outside. */
export const pieceNames = (view: string): { readonly from: string; readonly to: string } => ({
  from: `${view}#`,
  to: `${view}$`,
});

/** `value`: anything that structured clone takes. */
export function writeView(name: string, value: unknown, codec: BlockCodec, take: TakeRow): void {
  const columns: (Place & { readonly column: Column })[] = [];
  const rest = detach(value, [], columns);
  const places = columns.map(({ path, type, length }): Place => ({ path, type, length }));
  row(name, serialize({ value: rest, columns: places } satisfies Envelope), codec, take);
  for (const [at, { column }] of columns.entries()) {
    for (let from = 0, piece = 0; from < column.byteLength; from += PIECE_BYTES, piece += 1) {
      const size = Math.min(PIECE_BYTES, column.byteLength - from);
      row(pieceName(name, at, piece), Buffer.from(column.buffer, column.byteOffset + from, size), codec, take);
    }
  }
}

function row(name: string, bytes: Buffer, codec: BlockCodec, take: TakeRow): void {
  const packed = packBlock(bytes, codec);
  take(name, bytes.length, packed.codec, packed.data);
}

/** The value with an empty column in the place of each long one. Objects on the way are copied, the value itself is left alone. */
function detach(value: unknown, path: readonly string[], columns: (Place & { readonly column: Column })[]): unknown {
  const column = longColumn(value);
  if (column !== undefined) {
    columns.push({ path, ...column, length: column.column.length });
    return new TYPES[column.type](0);
  }
  if (path.length >= MAX_DEPTH || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, detach(one, [...path, key], columns)]));
}

function longColumn(value: unknown): { readonly type: TypeName; readonly column: Column } | undefined {
  if (!ArrayBuffer.isView(value) || value.byteLength < MIN_COLUMN_BYTES) return undefined;
  for (const [type, of] of Object.entries(TYPES))
    if (value instanceof of && isTypeName(type)) return { type, column: value };
  return undefined;
}

const isTypeName = (text: string): text is TypeName => Object.hasOwn(TYPES, text);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** As it was written; undefined if there is no view of that name. Throws UnreadableBlockError if it is damaged: a piece is missing or of another size. */
export function readView(name: string, read: ReadRow): unknown {
  const head = read(name);
  if (head === undefined) return undefined;
  const envelope = deserializeBlock(head);
  if (!isEnvelope(envelope)) throw damaged(name);
  for (const [at, place] of envelope.columns.entries())
    put(envelope.value, place.path, readColumn(name, at, place, read));
  return envelope.value;
}

const damaged = (name: string): Error => new UnreadableBlockError('damaged', `the view ${name} is damaged`);

function readColumn(name: string, at: number, { type, length }: Place, read: ReadRow): Column {
  const column = new TYPES[type](length);
  const bytes = Buffer.from(column.buffer);
  for (let from = 0, piece = 0; from < bytes.length; from += PIECE_BYTES, piece += 1) {
    const part = read(pieceName(name, at, piece));
    if (part?.length !== Math.min(PIECE_BYTES, bytes.length - from)) throw damaged(name);
    part.copy(bytes, from);
  }
  return column;
}

function put(value: unknown, path: readonly string[], column: Column): void {
  const [key, ...rest] = path;
  if (key === undefined || !isPlain(value) || !Object.hasOwn(value, key))
    throw new UnreadableBlockError('damaged', 'a column of a view has no place');
  if (rest.length > 0) put(value[key], rest, column);
  else value[key] = column;
}

/** Written by this program; what a tampered file could make us allocate is bounded by what its rows unpack to. */
const isEnvelope = (value: unknown): value is Envelope =>
  isPlain(value) &&
  'value' in value &&
  Array.isArray(value['columns']) &&
  value['columns'].every(
    (place: unknown) =>
      isPlain(place) &&
      Array.isArray(place['path']) &&
      place['path'].length <= MAX_DEPTH &&
      typeof place['type'] === 'string' &&
      isTypeName(place['type']) &&
      Number.isSafeInteger(place['length']) &&
      Number(place['length']) >= 0 &&
      Number(place['length']) <= MAX_COLUMN,
  );
/** 32 times the calls of 4,096 ranks with the recorder's default of 2,000 records. */
const MAX_COLUMN = 2 ** 28;
