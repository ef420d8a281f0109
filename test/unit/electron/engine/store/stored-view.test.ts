import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadableBlockError, unpackBlock } from '#engine/store/block-codec.ts';
import { pieceNames, readView, writeView } from '#engine/store/stored-view.ts';

const MIB = 1024 * 1024;

function stored(name: string, value: unknown, into = new Map<string, Buffer>()): Map<string, Buffer> {
  writeView(name, value, 'deflate', (row, bytes, codec, data) => into.set(row, unpackBlock(codec, data, bytes)));
  return into;
}

/** With a digest in the place of each column: comparing millions of values one by one takes seconds. */
const digested = (value: unknown): unknown =>
  ArrayBuffer.isView(value)
    ? [
        value.constructor.name,
        createHash('sha256')
          .update(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
          .digest('hex'),
      ]
    : typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, digested(one)]))
      : value;

/** Longer than two pieces of 4 MiB, and starting inside its buffer. */
const long = new Float64Array(MIB + 2).map((_, i) => i / 3).subarray(1);
const short = Int32Array.of(1, 2, 3);

describe('stored views', () => {
  it('writes long columns piece by piece and gives all back as it was', () => {
    const value = {
      calls: { length: 3, startNs: long, seq: short },
      lanes: [{ id: 'rank-0' }],
      of: new Map([[1, 'a']]),
    };
    const rows = stored('lanes', value);
    expect([...rows.keys()]).toEqual(['lanes', 'lanes#0.0', 'lanes#0.1', 'lanes#0.2']);
    expect(Math.max(...[...rows.values()].map((row) => row.length))).toBe(4 * MIB);
    expect(digested(readView('lanes', (name) => rows.get(name)))).toEqual(digested(value));
    expect(value.calls.startNs).toBe(long);
  });

  it('keeps types and exact values', () => {
    const value = {
      a: new Int16Array(MIB).fill(-7),
      b: new Uint8Array(MIB).fill(255),
      c: new Float64Array(MIB).fill(Number.NaN),
    };
    const rows = stored('x', value);
    const back = readView('x', (name) => rows.get(name));
    expect(digested(back)).toEqual(digested(value));
  });

  it('knows nothing of a view that is not there, and refuses one that lacks a piece', () => {
    const rows = stored('lanes', { startNs: long });
    expect(readView('other', (name) => rows.get(name))).toBeUndefined();
    const part = rows.get('lanes#0.1');
    rows.set('lanes#0.1', Buffer.alloc(3));
    expect(() => readView('lanes', (name) => rows.get(name))).toThrow(/damaged/);
    rows.delete('lanes#0.1');
    expect(() => readView('lanes', (name) => rows.get(name))).toThrow(/damaged/);
    expect(part?.length).toBe(4 * MIB);
  });

  it('names pieces between the bounds by which they are removed', () => {
    const { from, to } = pieceNames('lanes');
    const rows = stored('lanes', { startNs: long });
    stored('lanes-too', { startNs: long }, rows);
    const removed = [...rows.keys()].filter((name) => name >= from && name < to);
    expect(removed).toEqual(['lanes#0.0', 'lanes#0.1', 'lanes#0.2']);
  });

  it('leaves the value as it is where nothing is long', () => {
    const value = { short, text: '\ud800', nested: { list: [short] } };
    const rows = stored('small', value);
    expect([...rows.keys()]).toEqual(['small']);
    expect(readView('small', (name) => rows.get(name))).toEqual(value);
  });

  it('is read or refused as damaged, whatever byte of it was changed', () => {
    const value = { short, text: 'worker-3', nested: { list: [short, 1n, null], at: Number.NaN } };
    const whole = stored('small', value).get('small') ?? Buffer.alloc(0);
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (places) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of places) bytes[at] = byte;
        try {
          readView('small', () => bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableBlockError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
