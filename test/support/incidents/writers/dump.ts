/**
 * Flight Recorder dumps as each rank writes them at its own moment: the ring's newest entries, the groups it used, and
 * where each group stands. NCCL fills in discovery times (its watchdog looks every 100 ms); gloo does not.
 */

import type { Aftermath, Scene } from '../aftermath/story.ts';
import type { Frame } from '../calls.ts';
import { MS } from '../clock.ts';
import type { CallRecord, RankRun } from '../run.ts';
import { NCCL_VERSION, SOFTWARE } from '../software.ts';
import type { Group, RankPlace } from '../topology.ts';
import { placeOf } from '../topology.ts';
import { type Pickled, picklePython2 } from './cpp-pickle.ts';

const POLL_NS = 100 * MS;

/** A second attempt writes to the same names and overwrites what the first left. */
export function writeDumps(scene: Scene, aftermath: Aftermath): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const rankRun of scene.runs) {
    const atNs = aftermath.dumps.get(rankRun.rank);
    if (atNs !== undefined) files.set(dumpPath(rankRun.rank), picklePython2(dumpOf(scene, rankRun, atNs)));
  }
  return files;
}

export const dumpPath = (rank: number): string => `flight-recorder/nccl_trace_rank_${rank}`;

function dumpOf(scene: Scene, rankRun: RankRun, atNs: number): Pickled {
  const { backend } = scene.spec;
  const seen = rankRun.calls.filter((call) => call.enqueuedNs <= atNs && call.spec.group.gloo !== true);
  const kept = seen.slice(-(scene.spec.ringEntries ?? 2000));
  const writer = new EntryWriter(scene, placeOf(scene.topology, rankRun.rank), atNs);
  const library: [string, Pickled] = backend === 'gloo' ? ['comm_lib_version', ''] : ['nccl_version', NCCL_VERSION];
  return new Map<string, Pickled>([
    ['version', SOFTWARE[backend].recorderVersion],
    ['pg_config', backend === 'gloo' ? glooConfig(scene) : ncclConfig(seen)],
    library,
    ['pg_status', writer.status(seen)],
    ['entries', kept.map((call, i) => writer.entry(call, seen.length - kept.length + i))],
  ]);
}

const rankList = (ranks: readonly number[]): string => `[${ranks.join(', ')}]`;

/** gloo's ring knows one group, and that without a name. */
const glooConfig = (scene: Scene): Pickled =>
  new Map([
    [
      '',
      new Map<string, Pickled>([
        ['name', ''],
        ['desc', ''],
        ['ranks', rankList(scene.topology.world.ranks)],
      ]),
    ],
  ]);

/** A group appears when its communicator was first used. */
function ncclConfig(seen: readonly CallRecord[]): Pickled {
  const groups = new Map<string, Pickled>();
  for (const { spec } of seen) {
    const { name, desc, ranks } = spec.group;
    if (!groups.has(name))
      groups.set(
        name,
        new Map<string, Pickled>([
          ['name', name],
          ['desc', desc],
          ['ranks', rankList(ranks)],
        ]),
      );
  }
  return groups;
}

class EntryWriter {
  readonly #scene: Scene;
  readonly #place: RankPlace;
  readonly #atNs: number;
  readonly #groups: readonly Group[];
  readonly #threadId: string;
  readonly #frames = new Map<Frame, ReadonlyMap<string, Pickled>>();

  constructor(scene: Scene, place: RankPlace, atNs: number) {
    this.#scene = scene;
    this.#place = place;
    this.#atNs = atNs;
    this.#groups = scene.topology.groupsOf[place.rank] ?? [];
    this.#threadId = `14${scene.random.fork(`thread-${place.rank}`).int(1_000_000_000_000, 9_999_999_999_999)}`;
  }

  entry(call: CallRecord, recordId: number): Pickled {
    const { spec } = call;
    const { backend } = this.#scene.spec;
    const done = this.#doneAsSeen(call);
    const finished = backend === 'nccl' && done.discoveredNs !== undefined;
    const wall = (ns: number): bigint => this.#scene.stamper.wallNs(this.#place.place.clock, ns);
    return new Map<string, Pickled>([
      ['frames', spec.frames.map((frame) => ({ shared: this.#frame(frame) }))],
      ['record_id', recordId],
      ['pg_id', this.#groups.indexOf(spec.group)],
      ['process_group', { tuple: [spec.group.name, spec.group.desc] }],
      [
        'thread_name',
        spec.frames[0]?.name === '_engine_run_backward' && backend === 'nccl' ? 'pt_autograd_0' : 'python',
      ],
      ['thread_id', this.#threadId],
      ['collective_seq_id', call.seq],
      ['p2p_seq_id', call.p2pSeq],
      ['op_id', call.opId],
      ['profiling_name', `${backend}:${spec.op}`],
      ['time_created_ns', wall(call.enqueuedNs)],
      ['input_sizes', spec.input],
      ['input_dtypes', spec.input.map(() => spec.dtype)],
      ['output_sizes', spec.output],
      ['output_dtypes', spec.output.map(() => spec.dtype)],
      ['state', finished ? 'completed' : 'scheduled'],
      ['time_discovered_started_ns', null],
      ['time_discovered_completed_ns', finished && done.discoveredNs !== undefined ? wall(done.discoveredNs) : null],
      ['retired', done.retired],
      ['timeout_ms', spec.group.timeoutMs],
      ['is_p2p', spec.p2p !== undefined],
    ]);
  }

  status(seen: readonly CallRecord[]): Pickled {
    const status = new Map<string, Pickled>();
    for (const [id, group] of this.#groups.entries()) {
      let enqueued = -1;
      let completed = -1;
      for (const call of seen) {
        if (call.spec.group !== group) continue;
        enqueued = call.spec.p2p === undefined ? call.seq : call.p2pSeq;
        if (this.#doneAsSeen(call).retired) completed = enqueued;
      }
      if (enqueued < 0) continue;
      status.set(
        String(id),
        new Map<string, Pickled>([
          ['last_enqueued_collective', enqueued],
          ['last_started_collective', -1],
          ['last_completed_collective', completed],
        ]),
      );
    }
    return status;
  }

  /** NCCL's watchdog finds a completion at its next look; what it had not found yet is found when the dump is written. */
  #doneAsSeen(call: CallRecord): { discoveredNs: number | undefined; retired: boolean } {
    const { doneNs } = call;
    if (doneNs === undefined || doneNs > this.#atNs) return { discoveredNs: undefined, retired: false };
    if (this.#scene.spec.backend === 'gloo') return { discoveredNs: doneNs, retired: true };
    const phase = this.#scene.random.fork(`watchdog-${this.#place.rank}-${call.spec.group.name}`).between(0, POLL_NS);
    const looks = Math.ceil((doneNs - phase) / POLL_NS);
    const foundNs = Math.round(phase + looks * POLL_NS) + ((call.recordId * 7919) % 90_000);
    return foundNs <= this.#atNs
      ? { discoveredNs: foundNs, retired: true }
      : { discoveredNs: this.#atNs, retired: false };
  }

  #frame(frame: Frame): ReadonlyMap<string, Pickled> {
    const known = this.#frames.get(frame);
    if (known !== undefined) return known;
    const made = new Map<string, Pickled>([
      ['name', frame.name],
      ['filename', frame.file],
      ['line', frame.line],
    ]);
    this.#frames.set(frame, made);
    return made;
  }
}
