import { defineSignature, type Hit, num } from './define.ts';
import { torchVersion } from './software-version.ts';

interface Shape {
  readonly pattern: RegExp;
  /** Captures: rank, world size, local rank, pid; 0 = not told. */
  readonly rank: number;
  readonly world: number;
  readonly local: number;
  readonly pid: number;
}

/** Announcements are short; longer lines are dumps of configuration. */
const MAX_ANNOUNCEMENT = 1_000;

const WORD = '(?:^|[\\s|:\\]>(\\-,])';

/** One per launcher or framework; the first that fits. */
const SHAPES: readonly Shape[] = [
  // rank 4 of 6 (local 0) pid 29902
  {
    pattern: new RegExp(
      `${WORD}[Rr]ank (\\d{1,7}) of (\\d{1,7}) \\(local(?:[ _]rank)?[ :=]{0,2}(\\d{1,5})\\)(?:,? pid[ :=]{1,2}(\\d{1,8}))?`,
    ),
    rank: 1,
    world: 2,
    local: 3,
    pid: 4,
  },
  // Lightning: Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/8
  { pattern: /GLOBAL_RANK: (\d{1,7}), MEMBER: \d{1,7}\/(\d{1,7})/, rank: 1, world: 2, local: 0, pid: 0 },
  // fairseq: initialized host h as rank 3 and device id 3
  {
    pattern: /initialized host \S{1,120} as rank (\d{1,7})(?: and device id (\d{1,5}))?/,
    rank: 1,
    world: 0,
    local: 2,
    pid: 0,
  },
  // timm: Process 0, total 4, device cuda:0.
  { pattern: /Process (\d{1,7}), total (\d{1,7}), device cuda:(\d{1,5})/, rank: 1, world: 2, local: 3, pid: 0 },
  // transformers: Process rank: 0, device: cuda:0, n_gpu: 1
  { pattern: /Process rank: (\d{1,7}), device: cuda:(\d{1,5})/, rank: 1, world: 0, local: 2, pid: 0 },
  // DETR, MAE: | distributed init (rank 3): env://
  { pattern: /distributed init \(rank (\d{1,7})(?:, gpu (\d{1,5}))?\)/, rank: 1, world: 0, local: 2, pid: 0 },
  // DDP tutorials: Start running basic DDP example on rank 3.
  {
    pattern: /[Rr]unning (?:basic )?(?:DDP|FSDP)(?: \w{1,20}){0,4} on rank (\d{1,7})\b/,
    rank: 1,
    world: 0,
    local: 0,
    pid: 0,
  },
  // DeepSpeed under MPI: Discovered MPI settings of world_rank=3, local_rank=3, world_size=8, master_addr=…
  {
    pattern: /\bworld_rank=(\d{1,7}), local_rank=(\d{1,5}), world_size=(\d{1,7})\b/,
    rank: 1,
    world: 3,
    local: 2,
    pid: 0,
  },
  // DeepSpeed: … initialized rank=3 world_size=8 · "rank: 3, local_rank: 3, world_size: 8" · "rank 3/8"
  {
    pattern: new RegExp(
      `${WORD}(?:global[_ ])?[Rr]ank\\s?[:=]\\s?(\\d{1,7}),? {1,3}local[_ ]rank\\s?[:=]\\s?(\\d{1,5}),? {1,3}world[_ ]size\\s?[:=]\\s?(\\d{1,7})`,
    ),
    rank: 1,
    world: 3,
    local: 2,
    pid: 0,
  },
  {
    pattern: new RegExp(
      `${WORD}(?:global[_ ])?[Rr]ank\\s?[:=]\\s?(\\d{1,7}),? {1,3}world[_ ]size\\s?[:=]\\s?(\\d{1,7})(?:,? {1,3}local[_ ]rank\\s?[:=]\\s?(\\d{1,5}))?`,
    ),
    rank: 1,
    world: 2,
    local: 3,
    pid: 0,
  },
  {
    pattern:
      /(?:[Ii]nitiali[sz](?:ed|ing)|[Ss]tart(?:ed|ing)|[Jj]oined|[Ss]etting up).{0,60}?\brank (\d{1,7})(?:\/| of | out of |, world size )(\d{1,7})\b/,
    rank: 1,
    world: 2,
    local: 0,
    pid: 0,
  },
];

/** A process says which rank it is: `rank 4 of 6 (local 0) pid 29902 torch 2.13.0+cpu` and what other launchers print. */
export const rankAnnounced = defineSignature({
  id: 'rank-announced',
  literals: ['ank ', 'ank: ', 'rank=', 'RANK: ', 'Process '],
  match({ text }): Hit | undefined {
    const said = text.slice(0, MAX_ANNOUNCEMENT);
    for (const shape of SHAPES) {
      const match = shape.pattern.exec(said);
      if (match === null) continue;
      const take = (index: number): number | undefined => (index === 0 ? undefined : num(match[index]));
      const rank = take(shape.rank);
      const worldSize = take(shape.world);
      if (rank === undefined || (worldSize !== undefined && rank >= worldSize)) return undefined;
      const localRank = take(shape.local);
      const pid = take(shape.pid);
      const torch = torchVersion(text);
      return {
        body: { kind: 'rank-announced', rank, worldSize, localRank, pid },
        also:
          torch === undefined ? [] : [{ kind: 'software', torch, nccl: undefined, cuda: undefined, driver: undefined }],
        printer: { rank, basis: 'announced', localRank, pid },
      };
    }
    return undefined;
  },
  samples: [
    {
      text: '| 4 | train.py:176 | rank 4 of 6 (local 0) pid 29902 torch 2.13.0+cpu',
      expect: [
        { kind: 'rank-announced', rank: 4, worldSize: 6, localRank: 0, pid: 29_902 },
        { kind: 'software', torch: '2.13.0+cpu', nccl: undefined, cuda: undefined, driver: undefined },
      ],
      printer: { rank: 4, basis: 'announced', localRank: 0, pid: 29_902 },
    },
    {
      text: 'Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/8',
      expect: { kind: 'rank-announced', rank: 3, worldSize: 8, localRank: undefined, pid: undefined },
      printer: { rank: 3, basis: 'announced', localRank: undefined, pid: undefined },
    },
    {
      text: 'INFO:train:rank: 3, local_rank: 1, world_size: 8',
      expect: { kind: 'rank-announced', rank: 3, worldSize: 8, localRank: 1, pid: undefined },
      printer: { rank: 3, basis: 'announced', localRank: 1, pid: undefined },
    },
    {
      text: 'Start running basic DDP example on rank 3.',
      expect: { kind: 'rank-announced', rank: 3, worldSize: undefined, localRank: undefined, pid: undefined },
      printer: { rank: 3, basis: 'announced', localRank: undefined, pid: undefined },
    },
  ],
  nearMisses: ['waiting for rank 2 of 4 to finish', 'rank 9 of 4 (local 1)', 'Failed to connect to rank 2/4'],
});

/** The group is made: everyone has come as far as this. */
export const groupReady = defineSignature({
  id: 'group-ready',
  literals: [
    'rocess group',
    'mesh dp',
    'evice mesh',
    'istributed environment',
    'All distributed processes registered',
    'All ranks ',
  ],
  match({ text }) {
    const ready =
      /\b(?:process group|distributed environment|device mesh)s? (?:is |are )?(?:now )?(?:ready|initiali[sz]ed|created|up)\b/i.test(
        text,
      );
    const mesh = /\bready, mesh dp \d/.test(text);
    const lightning = /All distributed processes registered\. Starting with \d{1,7} processes/.test(text);
    return ready || mesh || lightning ? { body: { kind: 'group-ready' } } : undefined;
  },
  samples: [
    { text: 'INFO process group ready', expect: { kind: 'group-ready' } },
    { text: 'INFO:pretrain:model ready, mesh dp 2 x tp 4', expect: { kind: 'group-ready' } },
    { text: 'All distributed processes registered. Starting with 8 processes', expect: { kind: 'group-ready' } },
  ],
  nearMisses: ['Default process group has not been initialized, please make sure to call init_process_group.'],
});
