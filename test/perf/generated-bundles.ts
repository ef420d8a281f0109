/** Bundles of any size, written while they are made: for measurements of memory and time. Linux only where memory is read (/proc). */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, crc32, createZstdCompress, deflateRawSync } from 'node:zlib';

const CLI = fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url));
const FIXTURES = new URL('../fixtures/compressed/', import.meta.url);
const FILES = 16;
const MB = 1_000_000;

export const BUNDLE_KINDS = ['tar.gz', 'tar.zst', 'zip', 'log.xz', 'log.bz2'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

const pieceCount = (megabytes: number): number => Math.max(1, Math.round(megabytes / FILES));

/** Pieces in use over and over: more than any window of a codec holds, so that the same text never packs like a bomb (refused as one). */
const POOL = 37;
const pools = new Map<number, readonly Piece[]>();

interface Piece {
  readonly text: Buffer;
  /** The text as blocks of deflate that may stand anywhere in a stream. */
  readonly deflated: () => Buffer;
}

function piecePool(lineBytes: number): readonly Piece[] {
  const made = pools.get(lineBytes);
  if (made !== undefined) return made;
  const pool = Array.from({ length: POOL }, (_, seed): Piece => {
    const text = logText(seed, seed * 101, lineBytes);
    let deflated: Buffer | undefined;
    return {
      text,
      deflated: () => {
        deflated ??= deflatedPart(text);
        return deflated;
      },
    };
  });
  pools.set(lineBytes, pool);
  return pool;
}

/** A file's text in pieces of 1 MB. */
function logPieces(rank: number, megabytes: number, lineBytes: number): Piece[] {
  const pool = piecePool(lineBytes);
  return Array.from({ length: pieceCount(megabytes) }, (_, i) => pool.at((rank * 11 + i) % POOL)).filter(
    (piece) => piece !== undefined,
  );
}

const deflatedPart = (bytes: Buffer): Buffer =>
  deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
/** An empty last block. */
const DEFLATE_END = Buffer.from([0x03, 0x00]);

/** 1 MB of log lines as a training job writes them, the last one cut; `lineBytes` is reached by a list of numbers at the end of each. */
function logText(rank: number, seed: number, lineBytes: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (let i = 0; size < MB; i += 1) {
    const mix = (i * 7919 + seed * 104_729) % 1_000_003;
    const ms = String(mix % 1000).padStart(3, '0');
    const clock = new Date(1_773_480_300_000 + i * 40).toISOString().slice(0, 19);
    let line = `${clock}.${ms}123456Z [rank${rank}]: INFO loader: batch ${mix} shard ${mix % 97} took 0.${ms}s queue=${mix % 13} host=w${rank % 8}`;
    for (let k = 1; line.length < lineBytes; k += 1) line += ` ${(mix * k * 31) % 65_537}`;
    lines.push(line);
    size += line.length + 1;
  }
  return Buffer.from(`${lines.join('\n').slice(0, MB - 1)}\n`);
}

/** Writes a bundle of about `megabytes` of logs. xz and bzip2: one log, the fixture's stream repeated. */
export async function writeBundle(kind: BundleKind, file: string, megabytes: number, lineBytes = 0): Promise<void> {
  const out = createWriteStream(file);
  switch (kind) {
    case 'tar.gz':
      return pipeline(gzipStream(tarParts(megabytes, lineBytes)), out);
    case 'tar.zst':
      return pipeline(textOf(tarParts(megabytes, lineBytes)), createZstdCompress(), out);
    case 'zip':
      return pipeline(zipStream(megabytes, lineBytes), out);
    case 'log.xz':
    case 'log.bz2': {
      const stream = readFileSync(new URL(`lines.${kind}`, FIXTURES));
      return pipeline(
        Array.from({ length: megabytes }, () => stream),
        out,
      );
    }
  }
}

function* tarParts(megabytes: number, lineBytes: number): Generator<Piece> {
  const plain = (text: Buffer): Piece => ({ text, deflated: () => deflatedPart(text) });
  for (let rank = 0; rank < FILES; rank += 1) {
    const pieces = logPieces(rank, megabytes, lineBytes);
    const bytes = pieces.length * MB;
    yield plain(tarHeader(`logs/worker-${rank}.log`, bytes));
    yield* pieces;
    yield plain(Buffer.alloc(-bytes & 511));
  }
  yield plain(Buffer.alloc(1024));
}

function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${'0'.repeat(11)}\0        0`, 136);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function* textOf(parts: Iterable<Piece>): Generator<Buffer> {
  for (const part of parts) yield part.text;
}

/** One gzip member, as gzip writes it. */
function* gzipStream(parts: Iterable<Piece>): Generator<Buffer> {
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const end = Buffer.alloc(8);
  let crc = 0;
  let bytes = 0;
  for (const part of parts) {
    crc = crc32(part.text, crc);
    bytes += part.text.length;
    yield part.deflated();
  }
  yield DEFLATE_END;
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(bytes % 2 ** 32, 4);
  yield end;
}

/** Deflated members with a central directory. */
function* zipStream(megabytes: number, lineBytes: number): Generator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (let rank = 0; rank < FILES; rank += 1) {
    const pieces = logPieces(rank, megabytes, lineBytes);
    const packed = Buffer.concat([...pieces.map((piece) => piece.deflated()), DEFLATE_END]);
    const name = Buffer.from(`logs/worker-${rank}.log`);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(
      pieces.reduce((crc, piece) => crc32(piece.text, crc), 0),
      10,
    );
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(pieces.length * MB, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, name);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]);
    offset += local.length + packed.length;
    yield local;
    yield packed;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(FILES, 8);
  end.writeUInt16LE(FILES, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  yield central;
  yield end;
}

export interface ImportCost {
  readonly ms: number;
  readonly peakMiB: number;
}

/** Imports with the real terminal program and keeps the case in `home`, as the window does; peak of its resident memory. Rejects if it does not end with 0 or did not read everything. */
export function importCost(file: string, home: string): Promise<ImportCost> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let peakKiB = 0;
    // A small young generation of the main thread, which only waits: whether V8 had doubled it by then made 16 MiB of difference between
    // runs of one and the same bundle (measured). The importer's own thread sets its own.
    const caseFile = join(home, 'memory.ffcase');
    const program = ['--max-semi-space-size=4', CLI, 'analyze', file, '--json', '--quiet', '--case', caseFile];
    const child = spawn(process.execPath, program, {
      env: {
        ...process.env,
        FIRSTFAULT_HOME: home,
        TMPDIR: home,
        // One arena: what glibc keeps aside for each thread differs from run to run and is not the importer's.
        MALLOC_ARENA_MAX: '1',
        // Compiling the sources takes longer than importing 100 MB.
        NODE_COMPILE_CACHE: join(home, 'compiled'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let report = '';
    child.stdout.on('data', (data) => {
      report += data;
    });
    const poll = setInterval(() => {
      try {
        const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        if (found?.[1] !== undefined) peakKiB = Math.max(peakKiB, Number(found[1]));
      } catch {
        // it is over
      }
    }, 20);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(poll);
      rmSync(caseFile, { force: true });
      const isWhole = !/ratio-too-high|bundle-too-large|archive-/.test(report);
      if (status === 0 && isWhole) resolve({ ms: performance.now() - start, peakMiB: peakKiB / 1024 });
      else reject(new Error(`analyze ended with ${status}, bundle read ${isWhole ? 'whole' : 'in part'}`));
    });
  });
}
