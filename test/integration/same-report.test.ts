/** What a report must not depend on: how a bundle is packed, in which order, in what pieces it arrives, and how files are named. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeEnd } from '#engine/bundle/archive-place.ts';
import type { BundleItem } from '#engine/bundle/bundle-item.ts';
import { importEntry } from '#engine/import/import-entry.ts';
import { Pacer } from '#engine/import/pacer.ts';
import { CaseWriter } from '#engine/store/case-writer.ts';
import { detectFormat } from '#shared/formats/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { Report } from '#shared/report/schema.ts';
import { PRODUCERS_FOLDER, producerFiles } from '../support/producers.ts';
import { tarBytes, tgzBytes, zipBytes } from './archives.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const FILES = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file) => join(file.parentPath, file.name))
  .sort()
  .map((path) => ({ name: path.slice(EXAMPLE.length + 1), data: readFileSync(path) }));
const scratch = scratchFolder();
let cases = 0;
const importFiles = (paths: readonly string[]) =>
  importIncident(paths, join(scratch.path, `case-${cases++}`, 'case.db'));

/** The report without what names the bundle; `inside`: the folder under which its files stand. */
const stripped = ({ bundle: _, ...rest }: Report, inside = ''): unknown =>
  JSON.parse(JSON.stringify(rest).replaceAll(inside === '' ? '\0' : inside, ''));

/** A permutation of the files by a seed. */
const shuffled = (seed: number) =>
  FILES.map((file, i) => ({ file, key: ((i + 1) * 7919 * (seed * 2 + 1)) % 104_729 }))
    .sort((a, b) => a.key - b.key)
    .map(({ file }) => file);

describe('the same report', async () => {
  const plain = stripped((await importFiles([EXAMPLE])).report);
  type Pack = (files: readonly { name: string; data: Buffer }[]) => Promise<Buffer> | Buffer;
  const packs: Record<string, Pack> = {
    tar: tarBytes,
    gz: tgzBytes,
    zst: async (files) => zstdCompressSync(await tarBytes(files)),
    zip: zipBytes,
  };

  it.each(Object.keys(packs))('from the files in a %s, in any order', async (kind) => {
    for (const seed of [1, 2]) {
      const bytes = (await packs[kind]?.(shuffled(seed))) ?? Buffer.alloc(0);
      const { report } = await importFiles([scratch.write(`packed-${kind}-${seed}`, bytes)]);
      expect(stripped(report)).toEqual(plain);
    }
  });

  it('from archives nested in any way', async () => {
    const kinds = Object.keys(packs);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...kinds), { minLength: 2, maxLength: 4 }),
        fc.nat(1000),
        async (nesting, seed) => {
          let bytes: Buffer = Buffer.alloc(0);
          let inside = '';
          for (const [level, kind] of nesting.entries()) {
            const name = `in-${level}`;
            const files = level === 0 ? shuffled(seed) : [{ name, data: bytes }];
            if (level > 0) inside = `${name}/${inside}`;
            bytes = (await packs[kind]?.(files)) ?? bytes;
          }
          const { report } = await importFiles([scratch.write('nested', bytes)]);
          expect(stripped(report, inside)).toEqual(plain);
        },
      ),
      { numRuns: 6 },
    );
  });

  it('from a support bundle as a folder and as the archive that it came in', async () => {
    const folder = join(PRODUCERS_FOLDER, 'troubleshoot/support-bundle-2026-03-14T10_25_02');
    const unpacked = await importFiles([folder]);
    const packed = await importFiles([`${folder}.tar.gz`]);
    const inside = 'support-bundle-2026-03-14T10_25_02/';
    const paths = packed.input.entries.map(({ path, status }) => `${path.replace(inside, '')} ${status}`);
    // The archive holds a link beside its files, which is listed and not followed.
    expect(paths.filter((path) => !path.includes('refused') && !path.endsWith(' skipped'))).toEqual(
      unpacked.input.entries
        .map(({ path, status }) => `${path} ${status}`)
        .filter((path) => !path.endsWith(' skipped')),
    );
    expect(packed.input.entries.filter(({ kind }) => kind === 'Link')).toHaveLength(1);
    expect(packed.input.pods).toHaveLength(2);
    expect(eventsOf(packed.input)).toEqual(eventsOf(unpacked.input));
  });

  it('from files of which each is compressed', async () => {
    const files = FILES.map(({ name, data }, i) =>
      i % 2 === 0
        ? { name: `${name}.gz`, data: gzipSync(data) }
        : { name: `${name}.zst`, data: zstdCompressSync(data) },
    );
    const { report } = await importFiles([scratch.write('compressed-members.tar', await tarBytes(files))]);
    expect(stripped(report)).toEqual(plain);
  });

  it.each(['\ufeff', ''])('from logs and documents that PowerShell wrote, with the mark "%s"', async (mark) => {
    const files = FILES.map(({ name, data }) =>
      /\.(?:log|yaml|json)$/.test(name)
        ? { name, data: Buffer.from(`${mark}${data.toString('utf8')}`, 'utf16le') }
        : { name, data },
    );
    const { input } = await importFiles([scratch.write('wide.zip', zipBytes(files))]);
    const { input: expected } = await importFiles([EXAMPLE]);
    expect(eventsOf(input)).toEqual(eventsOf(expected));
    expect(input.pods.map((pod) => pod.name)).toEqual(expected.pods.map((pod) => pod.name));
    for (const event of input.events) {
      if (event.source.kind !== 'line') continue;
      const path = input.entries[event.source.entry]?.path;
      const bytes = files.find(({ name }) => name === path)?.data ?? Buffer.alloc(0);
      const original = FILES.find(({ name }) => name === path)
        ?.data.toString('utf8')
        .split('\n');
      const { byte, length, line } = event.source;
      expect(bytes.toString('utf16le', byte, byte + length)).toBe(original?.[line - 1]);
    }
  });
});

/** Events without the file they stand in and the Pod that its name tells, in an order of their own. */
const eventsOf = (input: IncidentInput): string[] =>
  input.events
    .map(({ source, pod: _, ...event }) =>
      JSON.stringify({ ...event, line: source.kind === 'line' ? source.line : 0 }, bigAsText),
    )
    .sort();
const bigAsText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('the same events', () => {
  it('whatever the files are called', async () => {
    const named = await importFiles([EXAMPLE]);
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const ending = fc.constantFrom('', '.bin', '.log', '.txt', '.json', '.yaml', '.gz', '.tar', '.previous.log');
    const names = fc.uniqueArray(fc.tuple(word, ending), {
      minLength: FILES.length,
      maxLength: FILES.length,
      selector: ([stem]) => stem,
    });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        const renamed = FILES.map(({ data }, i) => ({ name: (given[i] ?? []).join(''), data }));
        const { input } = await importFiles([scratch.write('renamed.zip', zipBytes(renamed))]);
        expect(eventsOf(input)).toEqual(eventsOf(named.input));
        expect(input.pods.length).toBe(named.input.pods.length);
        expect(input.dumps.length).toBe(named.input.dumps.length);
        // No name became a Pod: whatever still has one has it from its content.
        const stems = new Set(given.map(([stem]) => stem));
        const places = [...input.streams, ...input.events].map(({ pod }) => pod ?? '');
        expect(places.filter((pod) => stems.has(pod) || stems.has(pod.split('.')[0] ?? ''))).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });

  it('in whatever pieces the bytes arrive', { timeout: 120_000 }, async () => {
    const read = async (name: string, pieces: readonly Buffer[]) => {
      const writer = new CaseWriter(join(scratch.path, `pieces-${cases++}.db`), { now: () => 0 });
      const end = wholeEnd();
      async function* chunks(): AsyncGenerator<Buffer> {
        yield* pieces;
      }
      const item: BundleItem = {
        kind: 'entry',
        path: name,
        repeated: false,
        declaredBytes: null,
        chunks: chunks(),
        end,
      };
      const pacer = new Pacer({ aborted: false }, () => 0);
      const record = await importEntry(item, 0, { writer, pacer, detectFormat, onKind: () => undefined });
      writer.discard();
      return record;
    };
    // Pieces that end in every place of a record, sooner or later.
    for (const [name, bytes] of producerFiles()) {
      const data = Buffer.from(bytes);
      const pieces = Array.from({ length: Math.ceil(data.length / 61) }, (_, i) => data.subarray(i * 61, i * 61 + 61));
      expect(await read(name, pieces), name).toEqual(await read(name, [data]));
    }
    for (const { name, data } of FILES) {
      const whole = await read(name, [data]);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(data.length), { maxLength: 12 }), async (cuts) => {
          const ends = [...new Set(cuts)].sort((a, b) => a - b);
          const pieces = [...ends, data.length].map((to, i) => data.subarray(ends[i - 1] ?? 0, to));
          expect(await read(name, pieces)).toEqual(whole);
        }),
        { numRuns: 8 },
      );
    }
  });
});
