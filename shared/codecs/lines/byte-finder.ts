/**
 * Finds where the next of many literals stands in bytes, without looking at each byte: the filter that lets a log's many lines without a
 * known shape pass without becoming text.
 *
 * Each literal is known by its rarest run of four bytes (its anchor). Wherever an anchor stands, one of its three pairs of neighbours lies
 * at a place divisible by three, so a look at every third pair is enough; a small table tells whether it may be the first, second or
 * third pair of any anchor. Only then are the four bytes looked up, and only then a literal compared.
 *
 *   …time 0.42 s | step 17 …       anchors: step, rror; pairs: st, te, ep, rr, ro, or
 *      ^^ ^^ ^^ ^^ ^^ ^^            looks; the last one finds the pair te
 *
 * Which pairs are rare is counted in TYPICAL, chatter of training logs; another text changes the speed, never the result.
 * Cost: a third of a look a byte plus the comparisons (1.4 GB/s where the engine compiles it). Case matters. Literals are ASCII,
 * four characters or more, without line feed.
 */

export interface ByteFinder {
  /** Index of the first byte of a literal that lies within [from, to): of one in the first line that has any. -1 if there is none. */
  next(bytes: Uint8Array, from: number, to: number): number;
}

/** A literal, and where in it the anchor stands that it is known by. */
export interface Anchored {
  readonly codes: Uint8Array;
  /** Bytes of the literal up to and including its anchor's last one. */
  readonly end: number;
}

const PAIRS = 65_536;
const ANCHOR = 4;
/** Pairs of an anchor, and how far apart the looks are. */
const STRIDE = ANCHOR - 1;
/** Few enough that the table stays in the processor's first cache: with all pairs it is a third slower. */
const CELLS = 8_192;
/** Bits of a cell: the pair may be the first, second or third of an anchor. */
const FIRST = 1;
const SECOND = 2;
const THIRD = 4;

const TYPICAL = `
2026-11-29T18:33:15.629596270Z 2026-11-29 18:33:15,704 | 17 | loader.py:88 | DEBUG shard-02122 bucket 41 queue=2 prefetch 81.83 ms host=gpu-node-2
2026-11-29T18:33:15.745373173Z [rank17]: INFO memory: allocated 68.77 GiB reserved 50.12 GiB peak 76.08 GiB fragments 45 of the device
2026-11-29T18:33:15.808657457Z [2026-11-29 18:33:15,808] [INFO] [trainer.py:213:log] step 1204 loss 2.3141 lr 0.000120 grad_norm 0.8312 tokens/s 51234
2026-11-29T18:33:15.873434368Z train-worker-17:111:4028 [1] NCCL INFO Channel 16/0 : 17[1] -> 20[2] via P2P/CUMEM/read
2026-03-14T10:17:41.508170235Z stdout F INFO:data:batch 397782 of shard 3285 took 0.604s (decode 0.029s, pack 0.063s) tokens 8192 pad 64
2026-03-14T10:17:41.914520363Z WARNING root: the model's gradient is not finite in layer 31, using the previous scale 16384.0 instead of 32768.0
I0314 11:17:40.219304 140 main.cc:12] {"level": "info", "message": "request done", "status": 200, "elapsed_ms": 12.7, "user": "train"}
epoch 3 iter 1200/5000 time 0.120 data 0.004 lr 1.0e-04 loss 2.3011 (2.4120) acc 0.7312 mem 40213 eta 1:02:03 throughput 512.3 samples/s
train-worker-17:111:4028 [1] NCCL INFO comm 0x55d0c8a1f2b0 rank 17 nranks 64 cudaDev 1 busId 1b000 commId 0x8f2 - Init START
2026-11-29T18:33:16.2Z DEBUG buckets: all-reduce bucket 13 of 40 bytes 26214400 launched after 10.649 ms on stream 0 for group 2
2026-11-29T18:33:16.3Z INFO training: process 4051 waits for the next batch; checkpoint every 500 steps; memory 61 % of 80 GiB
/usr/lib/python3.11/site-packages/transformers/modeling_utils.py:481: FutureWarning: this argument will be removed in a later version
`;

/**
 * How often an anchor stands in TYPICAL counts for more than how often its pairs do, since each time costs a comparison; and so do its first
 * and its last three bytes, by which the scanner in machine code looks (measured: half as many looks find something).
 */
const WEIGHT_OF_ANCHOR = 20;

function pairCounts(): Float64Array {
  const counts = new Float64Array(PAIRS);
  for (let i = 1; i < TYPICAL.length; i++) {
    const pair = (TYPICAL.charCodeAt(i - 1) << 8) | TYPICAL.charCodeAt(i);
    counts[pair] = (counts[pair] ?? 0) + 1;
  }
  return counts;
}

const timesIn = (text: string): number => TYPICAL.split(text).length - 1;

/** End of the rarest anchor. */
function anchorEnd(literal: string, counts: Float64Array): number {
  const countAt = (i: number): number => counts[(literal.charCodeAt(i - 1) << 8) | literal.charCodeAt(i)] ?? 0;
  let best = ANCHOR;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let end = ANCHOR; end <= literal.length; end++) {
    const whole = timesIn(literal.slice(end - ANCHOR, end));
    const threes = timesIn(literal.slice(end - ANCHOR, end - 1)) + timesIn(literal.slice(end - ANCHOR + 1, end));
    const cost = WEIGHT_OF_ANCHOR * (whole + threes) + countAt(end - 1) + countAt(end - 2) + countAt(end - 3);
    if (cost < bestCost) {
      best = end;
      bestCost = cost;
    }
  }
  return best;
}

function codesOf(literal: string): Uint8Array {
  const codes = Uint8Array.from(literal, (character) => character.charCodeAt(0));
  if (codes.length < ANCHOR) throw new Error(`literal too short: ${JSON.stringify(literal)}`);
  if (codes.some((code, i) => code === 10 || literal.charCodeAt(i) > 127)) {
    throw new Error(`not one line of ASCII: ${JSON.stringify(literal)}`);
  }
  return codes;
}

/** What is looked up, for others who look as this one does. */
export interface FinderPlan {
  /** By `((a << 6) ^ b) & 8191` of a pair of bytes: bits 1, 2, 4 if it may be the first, second, third of an anchor. */
  readonly cells: Uint8Array;
  /** Literals by their anchor, its first byte highest. */
  readonly anchors: ReadonlyMap<number, readonly Anchored[]>;
}

/** Throws for a literal that is too short, not ASCII, or more than one line. */
export function planByteFinder(literals: readonly string[]): FinderPlan {
  const counts = pairCounts();
  const cells = new Uint8Array(CELLS);
  const anchors = new Map<number, Anchored[]>();
  const mark = (a: number, b: number, bit: number): void => {
    cells[cellOf(a, b)] = (cells[cellOf(a, b)] ?? 0) | bit;
  };
  for (const literal of new Set(literals)) {
    const codes = codesOf(literal);
    const end = anchorEnd(literal, counts);
    const [a = 0, b = 0, c = 0, d = 0] = codes.subarray(end - ANCHOR, end);
    mark(a, b, FIRST);
    mark(b, c, SECOND);
    mark(c, d, THIRD);
    const key = keyOf(a, b, c, d);
    const known = anchors.get(key);
    if (known === undefined) anchors.set(key, [{ codes, end }]);
    else known.push({ codes, end });
  }
  return { cells, anchors };
}

export function createByteFinder({ cells, anchors }: FinderPlan): ByteFinder {
  const present = hashesOf(anchors.keys());

  /** Start of a literal whose anchor begins at `at`, or -1. */
  const literalAt = (bytes: Uint8Array, at: number, from: number, to: number): number => {
    const key = keyOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
    for (const { codes, end } of anchors.get(key) ?? []) {
      const start = at + ANCHOR - end;
      if (start >= from && start + codes.length <= to && standsAt(bytes, start, codes)) return start;
    }
    return -1;
  };

  return {
    next(bytes, from, to) {
      let i = from + STRIDE - 1;
      for (const last = to - ANCHOR; i <= last; i += STRIDE) {
        // Undefined is never read here; the operator costs nothing in compiled code.
        const c = bytes[i] ?? 0;
        const d = bytes[i + 1] ?? 0;
        const cell = cells[((c << 6) ^ d) & (CELLS - 1)] ?? 0;
        if (cell === 0) continue;
        const a = bytes[i - 2] ?? 0;
        const b = bytes[i - 1] ?? 0;
        if ((cell & THIRD) !== 0 && present[hashOf((a << 24) | (b << 16) | (c << 8) | d)] !== 0) {
          const found = literalAt(bytes, i - 2, from, to);
          if (found >= 0) return found;
        }
        const e = bytes[i + 2] ?? 0;
        if ((cell & SECOND) !== 0 && present[hashOf((b << 24) | (c << 16) | (d << 8) | e)] !== 0) {
          const found = literalAt(bytes, i - 1, from, to);
          if (found >= 0) return found;
        }
        if ((cell & FIRST) !== 0 && present[hashOf((c << 24) | (d << 16) | (e << 8) | (bytes[i + 3] ?? 0))] !== 0) {
          const found = literalAt(bytes, i, from, to);
          if (found >= 0) return found;
        }
      }
      for (let at = Math.max(from, i - 2); at + ANCHOR <= to; at += 1) {
        const found = literalAt(bytes, at, from, to);
        if (found >= 0) return found;
      }
      return -1;
    },
  };
}

const cellOf = (a: number, b: number): number => ((a << 6) ^ b) & (CELLS - 1);
const keyOf = (a: number, b: number, c: number, d: number): number => (a << 24) | (b << 16) | (c << 8) | d;

/** A table in front of the map: 16 bits of the anchor's product with an odd number. */
const hashOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 16;

function hashesOf(keys: Iterable<number>): Uint8Array {
  const present = new Uint8Array(PAIRS);
  for (const key of keys) present[hashOf(key)] = 1;
  return present;
}

function standsAt(bytes: Uint8Array, start: number, codes: Uint8Array): boolean {
  for (let i = 0; i < codes.length; i++) if (bytes[start + i] !== codes[i]) return false;
  return true;
}
