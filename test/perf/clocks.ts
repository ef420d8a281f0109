/**
 * Time and memory of the clock solver: 8 ranks a node, entries of cross-node groups, from rows of ranks to bounds.
 *
 *   npm run bench:clocks -- [ranks …]        default 64 512 4096; 2,000 entries a rank
 *
 * Groups are data-parallel ones of 64 ranks on different nodes and one of a pipeline's stages, as in a large job. Processor
 * time; making the calls is not counted: members are made when their group's turn comes, as a reader of dumps would.
 */
import { EvidenceTable } from '#shared/analysis/clocks/evidence/evidence-table.ts';
import { type MemberCalls, reduceGroup } from '#shared/analysis/clocks/evidence/reduce-group.ts';
import { alignTable } from '../support/clock-simulator/judge.ts';
import { createRandom } from '../support/incidents/random.ts';

const ENTRIES = 2000;
const PER_NODE = 8;
const LIMITS = new Map([
  [64, 0.5],
  [512, 1],
  [4096, 4],
]);

for (const ranks of process.argv.length > 2 ? process.argv.slice(2).map(Number) : [64, 512, 4096]) measure(ranks);

function measure(ranks: number): void {
  const nodes = Math.ceil(ranks / PER_NODE);
  const random = createRandom(ranks);
  const offsets = Array.from({ length: nodes }, () => random.between(-300e9, 300e9));
  const table = new EvidenceTable(
    offsets.map((_, i) => `node-${i}`),
    0n,
  );
  const size = Math.min(64, nodes);
  const clusters = Math.ceil(nodes / size);
  let seconds = 0;
  let rows = 0;
  let top = 0;
  const watch = (): void => {
    top = Math.max(top, process.memoryUsage().rss);
  };
  const timed = (work: () => void): void => {
    // Processor time: other work on the machine must not count.
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    seconds += (user + system) / 1e6;
    watch();
  };
  const label = (why: string) => table.label({ kind: 'collective', why, source: undefined });
  // Nine tenths of the entries in groups of one local rank, the rest in groups of all clusters.
  for (let cluster = 0; cluster < clusters; cluster++) {
    for (let local = 0; local < PER_NODE; local++) {
      const members = Array.from({ length: size }, (_, i) => (cluster * size + i) * PER_NODE + local).filter(
        (rank) => rank < ranks,
      );
      const calls = groupOf(members, Math.floor(ENTRIES * 0.9), 0);
      rows += calls.length * ENTRIES * 0.9;
      const labels = { collective: label(`group ${cluster}/${local}`), lockstep: label('') };
      timed(() => void reduceGroup(table.builder, calls, labels));
    }
  }
  for (let lane = 0; lane < size; lane++) {
    const members = Array.from({ length: clusters }, (_, c) => (c * size + lane) * PER_NODE).filter(
      (rank) => rank < ranks,
    );
    const calls = groupOf(members, Math.floor(ENTRIES * 0.1), 1);
    rows += calls.length * ENTRIES * 0.1;
    timed(() => void reduceGroup(table.builder, calls, { collective: label(`lane ${lane}`), lockstep: label('') }));
  }
  const moments = offsets.map((offset) => offset + ENTRIES * 20e6);
  let widest = 0;
  timed(() => {
    const aligned = alignTable(table, table.finish(), moments);
    for (let d = 0; d < nodes; d++) {
      const width = ((aligned.likely.high[d] ?? 0) - (aligned.likely.low[d] ?? 0)) / 1e6;
      if (width > widest) widest = width;
    }
  });
  const limit = LIMITS.get(ranks);
  console.log(
    `${ranks} ranks, ${Math.round(rows)} entries: ${seconds.toFixed(2)} s${limit === undefined ? '' : ` (limit ${limit} s)`}, ` +
      `peak ${(top / 2 ** 20).toFixed(0)} MiB (limit 1536), widest likely interval ${widest.toFixed(0)} ms`,
  );

  function groupOf(members: readonly number[], entries: number, kind: number): MemberCalls[] {
    return members.map((rank) => {
      const domain = Math.floor(rank / PER_NODE);
      const offset = offsets[domain] ?? 0;
      const spacing = (ENTRIES * 20e6) / entries;
      const phase = random.between(0, 100e6);
      const own: MemberCalls = {
        rank,
        domain,
        seq: Float64Array.from({ length: entries }, (_, i) => i),
        call: new Int32Array(entries).fill(kind),
        barrierLike: new Uint8Array(entries).fill(1),
        created: new Float64Array(entries),
        completed: new Float64Array(entries),
        over: new Float64Array(entries).fill(Number.NaN),
      };
      for (let i = 0; i < entries; i++) {
        const over = i * spacing + 5e6;
        own.created[i] = offset + i * spacing - random.between(0, 5e6);
        own.completed[i] = offset + Math.ceil((over - phase) / 100.5e6) * 100.5e6 + phase;
      }
      return own;
    });
  }
}
