/**
 * Bundles of training logs of any size, the same bytes for the same arguments: what the benchmarks import. A rank a Pod, `kubectl logs
 * --timestamps` of each, as a job prints them that runs for hours and then loses a rank.
 *
 *   quiet   a step line a minute among the chatter of loaders, memory and communication: most lines are no known shape
 *   steps   every rank prints every step: every second line is one
 *
 * Numbers in the lines come from a small generator of their own, so that the logs pack like real ones (a fifth to a seventh by gzip).
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress, gzipSync, constants as zlibConstants } from 'node:zlib';
import tar from 'tar-stream';

export const LOG_MIXES = ['quiet', 'steps'] as const;
export type LogMix = (typeof LOG_MIXES)[number];
export const LOG_CONTAINERS = ['tar.gz', 'tar.zst', 'tar'] as const;
export type LogContainer = (typeof LOG_CONTAINERS)[number];

export interface LogsOptions {
  readonly ranks: number;
  /** Of all ranks together, in 10^6 bytes, to the next 64 KiB of each rank. */
  readonly megabytes: number;
  readonly mix: LogMix;
  /** The same logs so many times, each with another first line; 1 by default. For size alone: `tar.gz` only. */
  readonly times?: number;
}

const START_MS = Date.UTC(2026, 10, 29, 18, 33, 15);
const PIECE_BYTES = 256 * 1024;
const FAILED_RANK = 17;

/** Numerical Recipes' generator: 32 bits of state, good enough for digits of log lines. */
function createDice(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Dice = ReturnType<typeof createDice>;

const pad = (value: number, width: number): string => String(value).padStart(width, '0');
const decimal = (value: number, digits: number): string => (value / 10 ** digits).toFixed(digits);

/** The text of a line that tells nothing of a failure, after its stamp. */
const CHATTER: readonly ((rank: number, dice: Dice, clock: string) => string)[] = [
  (rank, dice, clock) =>
    `${clock} | ${rank} | loader.py:88 | DEBUG shard-${pad(dice(4096), 5)} bucket ${dice(64)} queue=${dice(16)} prefetch ${decimal(dice(9000), 2)} ms host=gpu-node-${rank >> 3}`,
  (rank, dice) =>
    `[rank${rank}]: INFO memory: allocated ${decimal(dice(8000), 2)} GiB reserved ${decimal(dice(8000), 2)} GiB peak ${decimal(dice(8000), 2)} GiB fragments ${dice(900)}`,
  (_rank, dice) =>
    `INFO:data:batch ${dice(1_000_000)} of shard ${dice(4096)} took 0.${pad(dice(1000), 3)}s (decode 0.0${pad(dice(100), 2)}s, pack 0.0${pad(dice(100), 2)}s) tokens 8192 pad ${dice(64)}`,
  (rank, dice) =>
    `[rank${rank}]: DEBUG buckets: all-reduce bucket ${dice(40)} of 40 bytes 26214400 launched after ${decimal(dice(90_000), 3)} ms on stream ${dice(8)}`,
  (_rank, dice, clock) =>
    `[${clock}] [INFO] [metrics.py:41:emit] gauge gpu.power ${dice(700)} gpu.temp ${dice(90)} gpu.util ${dice(100)} sm.clock ${dice(1980)} pcie.rx ${dice(600)} MB/s nvlink ${dice(4000)} MB/s`,
  (rank, dice) =>
    `train-worker-${rank}:${110 + (rank & 7)}:${4000 + dice(64)} [${rank & 7}] NCCL INFO Channel ${pad(dice(24), 2)}/0 : ${rank}[${rank & 7}] -> ${dice(64)}[${dice(8)}] via P2P/CUMEM/read`,
];

function stepLine(rank: number, step: number, dice: Dice, clock: string): string {
  return `${clock} | ${rank} | train.py:176 | step ${step} loss ${decimal(20_000 + dice(9000), 4)} lr 0.000${dice(1000)} grad_norm ${decimal(dice(40_000), 4)} ${decimal(dice(3000), 3)} s tokens/s ${dice(90_000)}`;
}

/** One rank's log as pieces of whole lines. */
export function* rankLog(rank: number, bytes: number, mix: LogMix, ranks: number): Generator<Buffer> {
  const dice = createDice(rank + 1);
  let ms = START_MS + dice(1000);
  let step = 0;
  let held: string[] = [
    `${stampOf(ms, dice)}2026-11-29 18:33:15,200 | ${rank} | train.py:170 | rank ${rank} of ${ranks} (local ${rank & 7}) pid ${100 + (rank & 7)}\n`,
  ];
  let heldBytes = held[0]?.length ?? 0;
  let sum = heldBytes;
  for (let i = 1; sum < bytes; i += 1) {
    ms += dice(80);
    const clock = new Date(ms).toISOString().slice(0, 23).replace('T', ' ').replace('.', ',');
    const isStep = mix === 'steps' ? i % 2 === 0 : i % 1500 === 0;
    if (isStep) step += 1;
    const text = isStep
      ? stepLine(rank, step, dice, clock)
      : (CHATTER[dice(CHATTER.length)]?.(rank, dice, clock) ?? '');
    const line = `${stampOf(ms, dice)}${text}\n`;
    held.push(line);
    heldBytes += line.length;
    sum += line.length;
    if (heldBytes < PIECE_BYTES) continue;
    yield Buffer.from(held.join(''), 'latin1');
    held = [];
    heldBytes = 0;
  }
  held.push(...lastWords(rank, ms).map((text) => `${stampOf(ms + 900, dice)}${text}\n`));
  yield Buffer.from(held.join(''), 'latin1');
}

const stampOf = (ms: number, dice: Dice): string =>
  `${new Date(ms).toISOString().slice(0, 23)}${pad(dice(1_000_000), 6)}Z `;

function lastWords(rank: number, ms: number): readonly string[] {
  const clock = new Date(ms).toISOString().slice(11, 19);
  if (rank === FAILED_RANK) {
    return [
      `[rank${rank}]: Traceback (most recent call last):`,
      `[rank${rank}]:   File "/workspace/train.py", line 212, in <module>`,
      `[rank${rank}]:     main()`,
      `[rank${rank}]:   File "/workspace/data.py", line 83, in decode`,
      `[rank${rank}]:     raise ValueError(f"shard {self.name} record {i}: expected {n} bytes, got {len(raw)}")`,
      `[rank${rank}]: ValueError: shard shard-00417.bin record 83: expected 260 bytes, got 131`,
    ];
  }
  return [
    `[rank${rank}]:[E1129 ${clock}.759853124 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41233, OpType=ALLREDUCE, NumelIn=26214400, NumelOut=26214400, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.`,
  ];
}

/** Writes the bundle; the same arguments give the same bytes. Returns the bytes of the logs in it. */
export async function writeTrainingLogs(file: string, container: LogContainer, options: LogsOptions): Promise<number> {
  const { ranks, megabytes, mix } = options;
  if ((options.times ?? 1) > 1 && container === 'tar.gz') return writeRepeated(file, options);
  const pack = tar.pack();
  const out = createWriteStream(file);
  const written =
    container === 'tar'
      ? pipeline(pack, out)
      : pipeline(pack, container === 'tar.gz' ? createGzip({ level: 6, chunkSize: PIECE_BYTES }) : zstdStream(), out);
  let total = 0;
  for (let rank = 0; rank < ranks; rank += 1) {
    const wanted = (megabytes * 1e6) / ranks;
    // A tar header names the size first, so the text is made twice: measured once, then written.
    let size = 0;
    for (const piece of rankLog(rank, wanted, mix, ranks)) size += piece.length;
    total += size;
    const entry = pack.entry({ name: `logs/train-worker-${rank}.log`, size, mtime: new Date(START_MS) });
    await pipeline(rankLog(rank, wanted, mix, ranks), entry);
  }
  pack.finalize();
  await written;
  return total;
}

const zstdStream = () =>
  createZstdCompress({ chunkSize: PIECE_BYTES, params: { [zlibConstants.ZSTD_c_compressionLevel]: 3 } });

/** Members of gzip may follow each other: each log is packed once and written again and again behind headers and first lines of its own. */
async function writeRepeated(file: string, { ranks, megabytes, mix, times = 1 }: LogsOptions): Promise<number> {
  const out = createWriteStream(file);
  const texts = Array.from({ length: ranks }, (_, rank) => {
    const whole = Buffer.concat([...rankLog(rank, (megabytes * 1e6) / ranks, mix, ranks)]);
    return { bytes: whole.length, packed: gzipSync(whole, { level: 6 }) };
  });
  let total = 0;
  async function* members(): AsyncGenerator<Buffer> {
    for (let copy = 0; copy < times; copy += 1) {
      for (const [rank, { bytes, packed }] of texts.entries()) {
        const first = Buffer.from(`2026-11-29T18:33:14.${pad(copy, 9)}Z | ${rank} | loader.py:1 | copy ${copy}\n`);
        const size = first.length + bytes;
        total += size;
        yield gzipSync(Buffer.concat([tarHeader(`logs/run-${copy}/train-worker-${rank}.log`, size), first]));
        yield packed;
        yield gzipSync(Buffer.alloc((512 - (size % 512)) % 512));
      }
    }
    yield gzipSync(Buffer.alloc(1024));
  }
  await pipeline(members(), out);
  return total;
}

/** POSIX ustar, a regular file. */
function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write('0000644\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('00000000000\0', 136, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write('0ustar\x0000', 156, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
