import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimsOn, detectFormat, FORMATS } from '#shared/formats/index.ts';
import type { Format } from '#shared/model/format.ts';
import { eachLine, eventsOf, readEntry, streamsOf, toGolden, toHead } from './read-entry.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/formats');

interface Fixture {
  readonly format: Format;
  readonly name: string;
  readonly file: string;
  readonly expectedFile: string;
  readonly bytes: Uint8Array;
}

function fixturesOf(format: Format): Fixture[] {
  const folder = join(FIXTURES, format.id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.includes('.in.'))
    .sort()
    .map((name) => ({
      format,
      name,
      file: join(folder, name),
      expectedFile: join(folder, `${name.slice(0, name.indexOf('.in.'))}.expected.json`),
      bytes: new Uint8Array(readFileSync(join(folder, name))),
    }));
}

const ALL = FORMATS.flatMap(fixturesOf);
const TEXTUAL = ALL.filter(({ format }) => format.shape !== 'ignored');

describe('the list of formats', () => {
  it('has no id twice', () => {
    const ids = FORMATS.map((format) => format.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    'pod-log',
    'kernel-log',
    'host-state',
    'torch-error-file',
    'nccl-ras',
    'unknown-text',
    'html-page',
    'image',
    'nested-archive',
    'other-binary',
    'unknown-binary',
  ])('has fixtures for %s', (id) => {
    expect(ALL.some(({ format }) => format.id === id)).toBe(true);
  });

  it('gives no format to an entry without content', () => {
    expect(detectFormat(toHead(new Uint8Array(0), 'w-0.log'))).toEqual({ format: undefined, why: 'no content' });
  });
});

describe.each(ALL.map((fixture) => [`${fixture.format.id}/${fixture.name}`, fixture] as const))('%s', (_, fixture) => {
  it.each([fixture.name, 'unknown'])('is claimed by its own format alone, under the name %s', (path) => {
    const claims = claimsOn(toHead(fixture.bytes, path));
    expect(claims[0]?.format.id).toBe(fixture.format.id);
    expect(claims[0]?.score).toBeGreaterThan(claims[1]?.score ?? 0);
  });
});

describe.each(TEXTUAL.map((fixture) => [`${fixture.format.id}/${fixture.name}`, fixture] as const))(
  '%s',
  (_, fixture) => {
    it('gives the expected outputs', () => {
      const golden = toGolden(readEntry(fixture.format, fixture.bytes, fixture.name));
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(fixture.expectedFile, golden);
      expect(golden).toBe(readFileSync(fixture.expectedFile, 'utf8'));
    });

    it('gives every event and stream a source that points at its line', () => {
      const places = new Map<number, { byte: number; length: number }>();
      eachLine(fixture.bytes, (_text, line, byte, length) => places.set(line, { byte, length }));
      const outputs = readEntry(fixture.format, fixture.bytes, fixture.name);
      const sources = [
        ...eventsOf(outputs).map((event) => event.source),
        ...streamsOf(outputs).flatMap((stream) => [stream.first?.source, stream.last?.source, stream.lastLine?.source]),
      ];
      for (const source of sources) {
        if (source === undefined || source.kind !== 'line') continue;
        expect({ byte: source.byte, length: source.length }).toEqual(places.get(source.line));
      }
      for (const event of eventsOf(outputs)) {
        if (event.source.kind === 'line') expect(event.lastLine).toBeGreaterThanOrEqual(event.source.line);
        expect(event.text.length).toBeLessThanOrEqual(600);
      }
    });

    it('survives any cut and any damaged byte', () => {
      fc.assert(
        fc.property(
          fc.nat(fixture.bytes.length),
          fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
          (cut, damage) => {
            const bytes = fixture.bytes.slice(0, cut);
            for (const [at, value] of damage) if (bytes.length > 0) bytes[at % bytes.length] = value;
            claimsOn(toHead(bytes, fixture.name));
            readEntry(fixture.format, bytes, fixture.name);
          },
        ),
        { numRuns: 40, seed: 4711 },
      );
    });
  },
);

describe('every format that reads lines or documents', () => {
  const readers = FORMATS.filter((format) => format.shape !== 'ignored');
  it.each(readers.map((format) => [format.id, format] as const))('%s does not throw for random bytes', (_, format) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        claimsOn(toHead(bytes, 'x'));
        readEntry(format, bytes, 'x');
      }),
      { numRuns: 60, seed: 4711 },
    );
  });
});
