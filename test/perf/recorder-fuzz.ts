/**
 * The recorder's readers against input that nobody honest writes, for as long as one likes.
 *
 *   node test/perf/recorder-fuzz.ts [SECONDS] [SEED]            default 60 and 1
 *
 * Every input goes through reading, ranks, comparison. Demanded of each: no exception, at most MAX_CPU_SECONDS of CPU, and that the whole
 * process never takes more than MAX_MEMORY. A failing input is written beside the temporary files and its path printed. Status 1 then.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeCollectives, resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import json from '#shared/formats/flight-recorder/json.ts';
import pickle from '#shared/formats/flight-recorder/pickle.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { entryId } from '#shared/model/ids.ts';
import { call, dumpOf, encodeDump, recv, sameProgram, send, simulate, times } from '../support/dump-builder.ts';
import { type Plain, writePickle } from '../support/pickle-writer.ts';

/** For inputs of at most MAX_INPUT bytes; measured as CPU, so that a busy machine does not fail it. */
const MAX_CPU_SECONDS = 3;
const MAX_INPUT = 2_000_000;
const MAX_MEMORY = 1024 * 1_048_576;

type Random = (below: number) => number;
interface Input {
  readonly bytes: Uint8Array;
  readonly json: boolean;
}

/** xorshift32: the same numbers on every machine. */
function randomFrom(seed: number): Random {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const VERSIONS = ['list', '1.0', '1.4', '2.0', '2.3', '2.9', '2.10'] as const;
const STYLES = ['cpp', 'python2', 'python4', 'python5', 'json'] as const;

/** Honest dumps to damage: every style and version, with and without transfers. */
function honest(): Input[] {
  const run = simulate(sameProgram(3, times(4, call('all_reduce', 8), call('barrier'), call('_all_gather_base', 4))));
  const pipeline = sameProgram(3, times(3, call('all_reduce', 4)));
  for (const [rank, program] of pipeline.programs.entries()) program.push(rank === 0 ? send(1) : recv(0));
  const transfers = simulate(pipeline);
  return STYLES.flatMap((style) =>
    VERSIONS.flatMap((version) =>
      [run, transfers].map((one) => ({
        bytes: encodeDump(dumpOf(one, 1, { version }), style),
        json: style === 'json',
      })),
    ),
  );
}

const text = new TextEncoder();
const pick = <T>(random: Random, list: readonly T[]): T => {
  const one = list[random(list.length)];
  if (one === undefined) throw new Error('empty list');
  return one;
};
const bytesOf = (random: Random, size: number): number[] => Array.from({ length: size }, () => random(256));

const OPCODES = [
  0x28, 0x29, 0x2e, 0x47, 0x4a, 0x4b, 0x4d, 0x4e, 0x58, 0x5d, 0x61, 0x63, 0x65, 0x68, 0x6a, 0x71, 0x72, 0x73, 0x74,
  0x75, 0x7d, 0x80, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x93, 0x94, 0x95, 0x52, 0x62, 0x81, 0x30,
  0x32,
];
const KEYS = [
  'version',
  'entries',
  'pg_config',
  'pg_status',
  'frames',
  'process_group',
  'input_sizes',
  'output_sizes',
  'state',
  'collective_seq_id',
  'p2p_seq_id',
  'op_id',
  'record_id',
  'pg_id',
  'profiling_name',
  'time_created_ns',
  'ranks',
  'name',
  'desc',
  'filename',
  'line',
  'input_dtypes',
  'is_p2p',
  'retired',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
];

/** Values of the wrong kind at places where the reader expects the right one. */
function oddValue(random: Random, depth = 0): Plain {
  switch (random(depth > 4 ? 8 : 11)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return random(1 << 30) - (1 << 29);
    case 3:
      return pick(random, [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, -1n]);
    case 4:
      return pick(random, KEYS);
    case 5:
      return `[${bytesOf(random, random(40)).join(', ')}]`;
    case 6:
      return pick(random, [
        'nccl:all_reduce',
        'nccl:send 0->1',
        'gloo:recv 1<-0',
        'completed',
        'scheduled',
        '2.10',
        '99.99',
        '[0, 1',
      ]);
    case 7:
      return 'x'.repeat(random(2000));
    case 8:
      return Array.from({ length: random(8) }, () => oddValue(random, depth + 1));
    default:
      return new Map(
        Array.from({ length: random(8) }, (): [Plain, Plain] => [pick(random, KEYS), oddValue(random, depth + 1)]),
      );
  }
}

function jsonText(value: Plain): string {
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${JSON.stringify(String(key))}:${jsonText(item)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.map((item: Plain) => jsonText(item)).join(',')}]`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function oddDump(random: Random): Input {
  const entry = (): Plain =>
    new Map(KEYS.filter(() => random(3) > 0).map((key): [Plain, Plain] => [key, oddValue(random, 2)]));
  const value: Plain = new Map<Plain, Plain>([
    ['version', random(3) > 0 ? pick(random, ['2.9', '2.10', '1.4']) : oddValue(random)],
    ['pg_config', oddValue(random)],
    ['pg_status', oddValue(random)],
    ['entries', random(4) > 0 ? Array.from({ length: random(12) }, entry) : oddValue(random)],
    ['__proto__', oddValue(random)],
  ]);
  return random(2) === 0
    ? { bytes: writePickle(value, pick(random, ['cpp', 'python2', 'python4', 'python5'] as const)), json: false }
    : { bytes: text.encode(jsonText(value)), json: true };
}

const u32 = (value: number): number[] => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
const HEAD = [0x80, 0x02];
/** `{"version": "2.9", "entries": …` up to the value of entries. */
const ENTRIES = [
  ...HEAD,
  0x7d,
  0x28,
  0x58,
  ...u32(7),
  ...text.encode('version'),
  0x58,
  ...u32(3),
  ...text.encode('2.9'),
  0x58,
  ...u32(7),
  ...text.encode('entries'),
];

function nested(random: Random): Input {
  const depth = 1 + random(pick(random, [100, 100_000]));
  if (random(2) === 0) {
    const open = pick(random, ['[', '{"a":', '{"entries":[']);
    return { bytes: text.encode(open.repeat(Math.min(depth, Math.floor(MAX_INPUT / open.length)))), json: true };
  }
  const unit = pick(random, [[0x5d, 0x28], [0x7d, 0x28, 0x4b, 1], [0x5d, 0x85], [0x29, 0x85], [0x28]]);
  const body = new Uint8Array(Math.min(depth, 400_000) * unit.length);
  for (let i = 0; i < body.length; i++) body[i] = unit[i % unit.length] ?? 0;
  return { bytes: Uint8Array.from([...(random(2) === 0 ? HEAD : ENTRIES), ...body, 0x2e]), json: false };
}

/** Few bytes that stand for a tree of ten to the power of `levels`: each level holds the one below ten times. */
function memoBomb(random: Random): Input {
  const inDump = random(2) === 0;
  const out = [...(inDump ? ENTRIES : HEAD), 0x28, 0x5d, 0x71, 0];
  const levels = 2 + random(58);
  for (let level = 1; level <= levels; level++) {
    const dict = random(3) === 0;
    out.push(dict ? 0x7d : 0x5d, 0x28);
    for (let i = 0; i < 10; i++) {
      if (dict) out.push(0x4b, i);
      out.push(0x68, level - 1);
    }
    out.push(dict ? 0x75 : 0x65, 0x71, level);
  }
  // The levels lie side by side: as a tuple they are one value.
  out.push(0x74);
  if (inDump) out.push(0x75);
  out.push(0x2e);
  return { bytes: Uint8Array.from(out), json: false };
}

/** Shared lists as sizes, ranks, frames: what the reader turns into text must not be expanded either. */
function sharedShapes(random: Random): Input {
  const wide = Array.from({ length: 1 + random(3000) }, () => random(1 << 20));
  const shape = Array.from({ length: 1 + random(300) }, () => wide);
  const frame = new Map<Plain, Plain>([
    ['name', 'f'.repeat(random(5000))],
    ['filename', 'g'.repeat(random(5000))],
    ['line', 1],
  ]);
  const frames = Array.from({ length: random(2000) }, () => frame);
  const entry = new Map<Plain, Plain>([
    ['profiling_name', 'nccl:all_reduce'],
    ['collective_seq_id', 1],
    ['state', 'scheduled'],
    ['input_sizes', shape],
    ['output_sizes', shape],
    ['frames', frames],
    ['process_group', wide],
  ]);
  return {
    bytes: writePickle({ version: '2.9', entries: Array.from({ length: random(3000) }, () => entry) }, 'cpp'),
    json: false,
  };
}

function hugeLengths(random: Random): Input {
  const length = pick(random, [u32(0xffff_ffff), u32(0x7fff_ffff), u32(0x8000_0000), u32(MAX_INPUT * 8)]);
  const wide = [...length, ...pick(random, [u32(0), u32(0xffff_ffff), u32(1)])];
  const body = pick(random, [
    [0x58, ...length],
    [0x8d, ...wide],
    [0x8b, ...length],
    [0x8a, 255],
    [0x95, ...wide],
    [0x72, ...length],
    [0x5d, 0x72, ...length],
    [0x6a, ...length],
    [0x8c, 255],
  ]);
  return {
    bytes: Uint8Array.from([...(random(2) === 0 ? HEAD : ENTRIES), ...body, ...bytesOf(random, random(50)), 0x2e]),
    json: false,
  };
}

function damaged(random: Random, base: Input): Input {
  const bytes = Uint8Array.from(base.bytes);
  for (let i = 1 + random(12); i > 0; i--) {
    const at = random(bytes.length);
    bytes[at] = base.json
      ? pick(random, [...text.encode('[]{}",:0-9eE.\\u'), random(256)])
      : random(2) === 0
        ? pick(random, OPCODES)
        : random(256);
  }
  return { bytes: random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes, json: base.json };
}

/** Pieces of two dumps, one behind the other. */
function spliced(random: Random, a: Input, b: Input): Input {
  const [left, right] = [a.bytes.subarray(0, random(a.bytes.length)), b.bytes.subarray(random(b.bytes.length))];
  return { bytes: Uint8Array.from([...left, ...right]), json: a.json };
}

const KINDS: Readonly<Record<string, (random: Random, base: readonly Input[]) => Input>> = {
  random: (random) => ({ bytes: Uint8Array.from([...HEAD, ...bytesOf(random, random(3000))]), json: random(2) === 0 }),
  opcodes: (random) => ({
    bytes: Uint8Array.from([
      ...(random(2) === 0 ? HEAD : ENTRIES),
      ...Array.from({ length: random(3000) }, () => pick(random, OPCODES)),
    ]),
    json: false,
  }),
  cut: (random, base) => {
    const one = pick(random, base);
    return { bytes: one.bytes.subarray(0, random(one.bytes.length)), json: one.json };
  },
  damaged: (random, base) => damaged(random, pick(random, base)),
  spliced: (random, base) => spliced(random, pick(random, base), pick(random, base)),
  odd: (random) => oddDump(random),
  nested: (random) => nested(random),
  'memo bomb': (random) => memoBomb(random),
  shared: (random) => (random(20) === 0 ? sharedShapes(random) : memoBomb(random)),
  lengths: (random) => hugeLengths(random),
};

function readDumps(input: Input, entry: number): FlightRecorderDump[] {
  const format = input.json ? json : pickle;
  const path = `rank_${entry}`;
  return [...format.parse(input.bytes, { entry: entryId(entry), path }, false)].flatMap((output) =>
    output.kind === 'dump' ? [output.dump] : [],
  );
}

interface Tally {
  inputs: number;
  dumps: number;
  slowest: number;
}

function main(): void {
  const limit = Number(process.argv[2] ?? 60) * 1000;
  const seed = Number(process.argv[3] ?? 1);
  const random = randomFrom(seed);
  const base = honest();
  const healthy = base.slice(0, 2).flatMap((input, rank) => readDumps(input, rank));
  const tallies = new Map<string, Tally>(Object.keys(KINDS).map((kind) => [kind, { inputs: 0, dumps: 0, slowest: 0 }]));
  const failures: string[] = [];
  const prototype = Object.getOwnPropertyNames(Object.prototype).join();
  const end = performance.now() + limit;
  for (let n = 0; performance.now() < end && failures.length < 10; n++) {
    for (const [kind, make] of Object.entries(KINDS)) {
      const input = make(random, base);
      const tally = tallies.get(kind);
      if (tally === undefined || input.bytes.length > MAX_INPUT) continue;
      const problem = tryInput(input, healthy, tally);
      if (problem === undefined) continue;
      const path = join(tmpdir(), `firstfault-fuzz-${seed}-${n}-${kind.replace(' ', '-')}`);
      writeFileSync(path, input.bytes);
      failures.push(`${kind}: ${problem}; input in ${path}`);
    }
  }
  if (Object.getOwnPropertyNames(Object.prototype).join() !== prototype) failures.push('Object.prototype was changed');
  const peak = process.resourceUsage().maxRSS * 1024;
  if (peak > MAX_MEMORY) failures.push(`peak memory ${Math.round(peak / 1_048_576)} MiB`);
  for (const [kind, { inputs, dumps, slowest }] of tallies)
    console.log(
      `${kind.padEnd(10)} ${inputs} inputs, ${dumps} read as dumps, slowest ${(slowest * 1000).toFixed(0)} ms CPU`,
    );
  console.log(
    `seed ${seed}; peak memory ${Math.round(peak / 1_048_576)} MiB of ${MAX_MEMORY / 1_048_576} MiB allowed; ${failures.length} failures`,
  );
  for (const failure of failures) console.log(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/** What is wrong with how the input was taken; undefined if nothing is. */
function tryInput(input: Input, healthy: readonly FlightRecorderDump[], tally: Tally): string | undefined {
  const before = process.cpuUsage();
  try {
    const dumps = readDumps(input, 2);
    tally.inputs++;
    tally.dumps += dumps.length;
    const { ranked, conflicts } = resolveDumpRanks([...healthy, ...dumps], undefined);
    computeCollectives({ dumps: ranked, events: [], worldSize: undefined, conflicts });
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  }
  const used = process.cpuUsage(before);
  const seconds = (used.user + used.system) / 1e6;
  tally.slowest = Math.max(tally.slowest, seconds);
  return seconds > MAX_CPU_SECONDS ? `${seconds.toFixed(1)} s of CPU` : undefined;
}

main();
