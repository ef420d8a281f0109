/** Nodes of which only log lines or Pods' times are there, through the product's own readers of evidence. */
import { EvidenceTable } from '#shared/analysis/clocks/evidence/evidence-table.ts';
import { API, addKubernetes } from '#shared/analysis/clocks/evidence/kubernetes.ts';
import { addLogLines } from '#shared/analysis/clocks/evidence/log-lines.ts';
import { addSetUps } from '#shared/analysis/clocks/evidence/set-ups.ts';
import { type EventBody, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { entryId } from '#shared/model/ids.ts';
import { type PodObject, UNTOLD_POD } from '#shared/model/kubernetes.ts';
import { type EpochNs, epochNs } from '#shared/model/time.ts';
import { createRandom, type Random } from '../incidents/random.ts';
import { alignTable, type Solved } from './judge.ts';
import { drawClock, type NodeClock, nodeClock } from './node-clock.ts';
import type { Scenario } from './scenarios.ts';

export interface Told {
  readonly scenario: Pick<Scenario, 'clocks'> & { readonly run: { readonly incidentNs: number } };
  readonly solved: Pick<Solved, 'aligned'>;
}

const NODES = 8;
const PER_NODE = 8;
const SOURCE = { kind: 'entry', entry: entryId(0) } as const;
const BASE = 1_800_000_000_000_000_000n;
const at = (ns: number): EpochNs => epochNs(BASE + BigInt(Math.round(ns)));

/** Six communicators of all ranks, set up one after the other; ranks come to each with delays of 60 ms in the mean. */
export function communicatorSetUps(seed: number): Told {
  const { random, clocks, line } = open(seed);
  const events: PlacedEvent[] = [];
  let now = 0;
  for (let comm = 0; comm < 6; comm++) {
    const body = (rank: number, complete: boolean): EventBody => ({
      kind: 'nccl-init',
      complete,
      rank,
      nranks: NODES * PER_NODE,
      commId: `0x${comm}`,
      cudaDev: undefined,
      busId: undefined,
      host: undefined,
      pid: undefined,
    });
    const starts = ranks().map(() => now - Math.log(1 - random.next()) * 60e6);
    const ready = Math.max(...starts) + random.between(5e6, 50e6);
    for (const rank of ranks()) {
      events.push(line(rank, starts[rank] ?? 0, body(rank, false)));
      events.push(line(rank, ready + random.between(0, 60e6), body(rank, true)));
    }
    now = ready + random.between(0.2e9, 2e9);
  }
  return tell(clocks, events, now);
}

/** Six barriers over the store: a rank counts itself in, writes that a moment later, and looks every 10 ms whether all are there. */
export function storeBarriers(seed: number): Told {
  const { random, clocks, line } = open(seed);
  const events: PlacedEvent[] = [];
  let now = 0;
  for (let barrier = 1; barrier <= 6; barrier++) {
    const key = `store_based_barrier_key:${barrier}`;
    const added = ranks().map(() => now - Math.log(1 - random.next()) * 60e6);
    const ready = Math.max(...added);
    for (const rank of ranks()) {
      const told = (added[rank] ?? 0) + random.between(0.05e6, 15e6);
      events.push(line(rank, told, { kind: 'set-up-begun', what: 'store-barrier', key }));
      events.push(line(rank, ready + random.between(0.1e6, 12e6), { kind: 'set-up-over', what: 'store-barrier', key }));
    }
    now = ready + random.between(0.2e9, 2e9);
  }
  return tell(clocks, events, now);
}

/** One rank of each node stands for its agent: it joins within seconds, and is done soon after the last has joined. Three rounds of one store. */
export function rendezvousRounds(seed: number): Told {
  const { random, clocks, line } = open(seed);
  const events: PlacedEvent[] = [];
  let now = 0;
  const agents = Array.from({ length: NODES }, (_, node) => node * PER_NODE);
  for (let round = 0; round < 3; round++) {
    const joined = agents.map(() => now + random.between(0, 4e9));
    const ready = Math.max(...joined) + random.between(5e6, 60e6);
    for (const [i, rank] of agents.entries()) {
      events.push(line(rank, joined[i] ?? 0, { kind: 'set-up-begun', what: 'rendezvous', key: undefined }));
      events.push(
        line(rank, ready + random.between(1e6, 1.5e9), {
          kind: 'rendezvous-result',
          restartCount: round,
          groupRank: i,
          globalRanks: [rank],
          round: `node-0:29400 of ${NODES}`,
        }),
      );
    }
    now = ready + random.between(10e9, 30e9);
  }
  return tell(clocks, events, now);
}

/** One rank sets the dump signal, the others look for it every second. */
export function dumpSignals(seed: number): Told {
  const { random, clocks, line } = open(seed);
  const origin = random.int(0, NODES * PER_NODE - 1);
  const body = (from: number | undefined): EventBody => ({ kind: 'dump-signal', from, global: true });
  const events = ranks().map((rank) =>
    rank === origin
      ? line(rank, 0, body(undefined))
      : line(rank, random.between(1e6, 1e9) + random.between(0, 0.1e9), body(origin)),
  );
  return tell(clocks, events, 1e9);
}

/** One Pod on each node, as the API server shows it. */
export function podTimes(seed: number): Told {
  const { random, clocks } = open(seed);
  const whole = (ns: number): EpochNs => at(Math.floor(ns / 1e9) * 1e9);
  const pods = clocks.map((clock, node): PodObject => {
    const bound = random.between(0, 20e9);
    const started = bound + random.between(0.05e9, 0.8e9);
    const ready = started + random.between(0.5e9, 5e9);
    const condition = (type: string, stamp: EpochNs) => ({
      type,
      status: 'True',
      reason: undefined,
      message: undefined,
      at: stamp,
    });
    return {
      ...EMPTY_POD,
      name: `pod-${node}`,
      node: `node-${node}`,
      created: whole(bound - random.between(0, 1e9)),
      startTime: whole(clock.shows(started)),
      conditions: [condition('PodScheduled', whole(bound)), condition('Ready', whole(clock.shows(ready)))],
      managedFields: [{ manager: 'kubelet', subresource: 'status', at: whole(ready + random.between(0.02e9, 0.8e9)) }],
    };
  });
  const names = [...clocks.map((_, i) => `node-${i}`), API];
  const table = new EvidenceTable(names, BASE);
  addKubernetes(table, { pods, leases: [], nodes: [], kubeEvents: [] });
  const all = [...clocks, nodeClock({ offsetNs: 0, driftPpm: 0 })];
  const aligned = alignTable(
    table,
    table.finish(),
    all.map(({ shows }) => shows(30e9)),
    NODES,
  );
  return { scenario: { clocks: all, run: { incidentNs: 30e9 } }, solved: { aligned } };
}

const ranks = (): number[] => Array.from({ length: NODES * PER_NODE }, (_, rank) => rank);

function open(seed: number): {
  readonly random: Random;
  readonly clocks: readonly NodeClock[];
  readonly line: (rank: number, trueNs: number, body: EventBody) => PlacedEvent;
} {
  const random = createRandom(seed);
  const clockRandom = random.fork('clocks');
  const clocks = Array.from({ length: NODES }, () => nodeClock(drawClock(clockRandom)));
  const late = random.fork('late');
  return {
    random: random.fork('story'),
    clocks,
    line(rank, trueNs, body) {
      const node = Math.floor(rank / PER_NODE);
      // A line is written a moment after its event.
      const shown = clocks[node]?.shows(trueNs + late.between(0, 0.3e6)) ?? 0;
      return placed(rank, `node-${node}`, at(shown), body);
    },
  };
}

function placed(rank: number, node: string, ns: EpochNs, body: EventBody): PlacedEvent {
  return {
    event: {
      body,
      ...UNTOLD_ORIGIN,
      stamp: { ns, kind: 'runtime', resolutionNs: 1, zoneAssumed: false },
      rank,
      rankBasis: 'rank-prefix',
      text: '',
      source: SOURCE,
      lastLine: 0,
    },
    stream: undefined,
    rank,
    rankWhy: '',
    attempt: 0,
    pod: undefined,
    node,
    clock: node,
  };
}

function tell(clocks: readonly NodeClock[], events: readonly PlacedEvent[], incidentNs: number): Told {
  const table = new EvidenceTable(
    clocks.map((_, i) => `node-${i}`),
    BASE,
  );
  addLogLines(table, events);
  addSetUps(table, events);
  const aligned = alignTable(
    table,
    table.finish(),
    clocks.map(({ shows }) => shows(incidentNs)),
  );
  return { scenario: { clocks, run: { incidentNs } }, solved: { aligned } };
}

const EMPTY_POD: PodObject = {
  source: SOURCE,
  from: 'object',
  name: '',
  namespace: 'ml',
  ...UNTOLD_POD,
  phase: 'Running',
};
