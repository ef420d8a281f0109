/** Dumps that are decoded in threads give the very case that one thread makes, in any state of the dumps, and also when a thread dies. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { productParts } from '#engine/analysis/product-parts.ts';
import type { BundleItem } from '#engine/bundle/bundle-item.ts';
import { DecodePool } from '#engine/decode/decode-pool.ts';
import { readAhead } from '#engine/decode/read-ahead.ts';
import { runImport } from '#engine/import/run-import.ts';
import { preferredCodec, unpackBlock } from '#engine/store/block-codec.ts';
import { openForReading } from '#engine/store/sqlite.ts';
import { benchDump } from '../perf/recorder-files.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const FIXTURES = new URL('../fixtures/dumps/', import.meta.url);

/** Dumps of two incidents and a made job, whole, cut, empty, refused and of no shape, among logs. */
function bundle(): string {
  for (const set of ['gpu_error_1st', 'lock_gil_1st'])
    for (const name of readdirSync(new URL(set, FIXTURES)))
      scratch.write(`bundle/${set}/${name}`, readFileSync(new URL(`${set}/${name}`, FIXTURES)));
  for (let rank = 0; rank < 8; rank++) {
    const bytes = Buffer.from(benchDump(rank, { ranks: 8, entries: 300 }));
    scratch.write(`bundle/made/nccl_trace_rank_${rank}`, rank === 3 ? bytes.subarray(0, 30_000) : bytes);
    scratch.write(
      `bundle/made/rank-${rank}.log`,
      `2026-03-14T09:00:0${rank}.000000000Z [rank${rank}]: step 1 loss 2.0\n`,
    );
  }
  scratch.write('bundle/made/nccl_trace_rank_9', '');
  scratch.write('bundle/made/nccl_trace_rank_10', Buffer.from([0x80, 2, 0x63, ...Buffer.from('os\nsystem\n'), 0x2e]));
  scratch.write('bundle/made/nccl_trace_rank_11', Buffer.from([0x80, 4, 0x5d, 0x2e]));
  scratch.write('bundle/made/nccl_trace_rank_12', Buffer.from([0x80, 2, 0x7d, 0x28]));
  return `${scratch.path}/bundle`;
}

async function importWith(name: string, pool: DecodePool | undefined, onFile: () => void = () => undefined) {
  const caseFile = `${scratch.path}/${name}.db`;
  const result = await runImport(
    { paths: [`${scratch.path}/bundle`], caseFile, tool: { name: 'firstfault', version: '0' } },
    {
      cancel: { aborted: false },
      now: () => performance.now(),
      listener: { onPhase: () => undefined, onProgress: () => undefined, onFile },
      ...(pool === undefined ? {} : { decoders: pool }),
    },
    productParts(),
  );
  pool?.close();
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return contentOf(caseFile);
}

/** Every row of every table in order; blobs as what they hold. */
function contentOf(file: string): Record<string, unknown[]> {
  const db = openForReading(file);
  const tables = ['meta', 'entries', 'blobs', 'dumps', 'events', 'issues', 'streams', 'views', 'report'];
  const content = tables.map((table): [string, unknown[]] => {
    const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1`).all();
    return [table, rows.map((row) => open(table, row))];
  });
  db.close();
  return Object.fromEntries(content);
}

function open(table: string, row: Record<string, unknown>): unknown {
  const { codec, data, bytes, ...rest } = row;
  if (typeof codec !== 'string' || !Buffer.isBuffer(data) || typeof bytes !== 'number') return row;
  const plain = unpackBlock(codec, data, bytes);
  return { ...rest, codec, data: table === 'blobs' ? plain.toString('hex') : (deserialize(plain) as unknown) };
}

const newPool = (entry = 'program.ts'): DecodePool => new DecodePool({ entry, codec: preferredCodec(), startAfter: 0 });

describe('decoding in threads', () => {
  it('leaves no trace in the case', async () => {
    bundle();
    const alone = await importWith('alone', undefined);
    const pool = newPool();
    let threads = 0;
    const beside = await importWith('beside', pool, () => {
      threads = Math.max(threads, pool.threadCount);
    });
    expect(threads).toBe(2);
    expect(pool.doneCount).toBeGreaterThan(30);
    expect(alone['dumps']).toHaveLength(40);
    for (const table of Object.keys(alone)) expect(beside[table], table).toEqual(alone[table]);
  });

  it('is done here where a thread cannot start, or ends in between', async () => {
    bundle();
    const alone = await importWith('alone-2', undefined);
    const broken = `${scratch.path}/broken.mjs`;
    writeFileSync(broken, 'process.exit(3);\n');
    expect(await importWith('broken', newPool(broken))).toEqual(alone);
    const mute = `${scratch.path}/mute.mjs`;
    const dies = `import{parentPort}from'node:worker_threads';let n=0;parentPort.on('message',()=>{if(++n===2)process.exit(1);});\n`;
    writeFileSync(mute, dies);
    const pool = newPool(mute);
    expect(await importWith('dies', pool)).toEqual(alone);
    expect(pool.doneCount).toBe(0);
  });

  it('is done here where a thread really runs out of memory', { timeout: 60_000 }, async () => {
    bundle();
    const alone = await importWith('alone-3', undefined);
    const hungry = `${scratch.path}/hungry.mjs`;
    const eats = `const kept=[];for(;;)kept.push(new Array(100000).fill(kept.length+0.5));`;
    writeFileSync(hungry, `import{parentPort}from'node:worker_threads';parentPort.on('message',()=>{${eats}});\n`);
    const pool = new DecodePool({ entry: hungry, codec: preferredCodec(), startAfter: 0, heapMb: 48 });
    expect(await importWith('hungry', pool)).toEqual(alone);
    expect(pool.doneCount).toBe(0);
  });

  it('reads no more than a few entries ahead, however quick the threads are', async () => {
    let read = 0;
    async function* source(): AsyncGenerator<BundleItem> {
      for (; read < 100; read++) {
        const chunks = (async function* () {
          yield Buffer.from([0x80, 2, 0x7d, 0x2e]);
        })();
        const end = { truncatedAt: undefined, cut: '', refusal: undefined };
        yield { kind: 'entry', path: `_dump_${read}`, repeated: false, declaredBytes: 4, chunks, end };
      }
    }
    const quick = { see: () => true, hasRoom: true, decode: () => Promise.resolve(undefined), close: () => undefined };
    const ahead: number[] = [];
    const paths: string[] = [];
    for await (const item of readAhead(source(), quick)) {
      if (item.kind === 'entry') paths.push(item.path);
      ahead.push(read + 1 - paths.length);
    }
    expect(paths).toEqual(Array.from({ length: 100 }, (_, i) => `_dump_${i}`));
    expect(Math.max(...ahead)).toBeLessThan(8);
  });
});
