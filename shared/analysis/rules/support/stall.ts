/** Why a rank did not arrive, as far as its own lines and the calls of the waiting ranks show it. */
import type { EventBody } from '../../../model/events.ts';
import type { GroupFact, LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { Cause, Evidence } from '../../../model/finding.ts';
import { cite, citeSource, quote } from './draft.ts';
import { eventsOf, inAttempt } from './events.ts';
import { lifeOf, placeOf } from './ranks.ts';

type Operation = Extract<EventBody, { kind: 'operation-start' }>['what'];

const CAUSE_OF: Readonly<Record<Operation, Cause>> = {
  checkpoint: 'slow-checkpoint',
  data: 'slow-input',
  compile: 'compile',
  evaluation: 'stalled-unknown',
  other: 'stalled-unknown',
};

export interface Stall {
  readonly cause: Cause;
  /** Completes "rank 3 …". */
  readonly words: string;
  readonly because: readonly Evidence[];
}

/** Frames that show that the program was writing or reading a checkpoint when the others got stuck. */
const CHECKPOINT_FRAME = /checkpoint|save_state|state_dict|dcp/i;

/**
 * The cause by the strongest sign: an operation of this rank that began and did not end, a hint at the interpreter lock, the code in
 * which the waiting ranks wait. Without any: `stalled-unknown`.
 */
export function stallOf(
  rank: number,
  attempt: number,
  events: readonly PlacedEvent[],
  lifeLines: readonly LifeLine[],
  rankMap: RankMapFact,
  groups: readonly GroupFact[] = [],
): Stall {
  const life = lifeOf(lifeLines, rank, attempt);
  const resisted = resistedStop(rank, attempt, events, rankMap);
  const extra = resisted
    ? [cite(resisted, `Rank ${rank} did not react to the launcher's signal: ${quote(resisted.event.text, 140)}`)]
    : [];
  const open = life?.openOperations[0];
  if (open !== undefined && open.event.body.kind === 'operation-start') {
    const { what, label } = open.event.body;
    return {
      cause: CAUSE_OF[what],
      words: `began ${operationWords(what)} (${quote(label, 80)}) and never ended it`,
      because: [cite(open, `Rank ${rank} began: ${quote(open.event.text, 140)}; no line says that it ended`), ...extra],
    };
  }
  const gil = inAttempt(eventsOf(events, 'gil-suspected'), attempt).find((placed) => placed.rank === rank);
  if (gil !== undefined)
    return {
      cause: 'gil-held',
      words: 'held the interpreter lock',
      because: [cite(gil, `Rank ${rank}: ${quote(gil.event.text, 140)}`), ...extra],
    };
  const inCheckpoint = groups
    .flatMap((group) => group.members)
    .find(
      (member) =>
        member.rank !== rank &&
        member.waitsIn?.frames.some((frame) => CHECKPOINT_FRAME.test(`${frame.file} ${frame.name}`)),
    );
  if (inCheckpoint?.waitsIn !== undefined) {
    return {
      cause: 'slow-checkpoint',
      words: 'did not come out of a checkpoint',
      because: [
        citeSource(
          inCheckpoint.waitsIn.source,
          `Rank ${inCheckpoint.rank} waits in code of a checkpoint`,
          inCheckpoint.rank,
        ),
        ...extra,
      ],
    };
  }
  return { cause: 'stalled-unknown', words: 'stalled for a reason that the bundle does not show', because: extra };
}

/** "Unable to shutdown process … forcefully exiting": the process was stopped, in the kernel, or deaf; a healthy one ends at once. */
export function resistedStop(
  rank: number,
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): PlacedEvent | undefined {
  const pids = placeOf(rankMap, rank, attempt)?.pids ?? [];
  return inAttempt(eventsOf(events, 'shutdown-stuck'), attempt).find(
    (placed) => placed.rank === rank || pids.includes(placed.event.body.pid),
  );
}

function operationWords(what: Operation): string {
  switch (what) {
    case 'checkpoint':
      return 'a checkpoint';
    case 'data':
      return 'loading data';
    case 'compile':
      return 'compiling or tuning';
    case 'evaluation':
      return 'an evaluation';
    case 'other':
      return 'an operation';
  }
}

export function stallChecks(cause: Cause, rank: string): string[] {
  const stack = `Python and native stack of ${rank} while it hangs (py-spy dump --native --pid PID; in a Pod it needs CAP_SYS_PTRACE)`;
  switch (cause) {
    case 'slow-checkpoint':
      return ['Latency, quota and errors of the checkpoint storage at that time', stack];
    case 'slow-input':
      return [`Latency of the data source of ${rank} at that time`, stack];
    case 'compile':
      return [`Compile cache and autotuning on ${rank}; warm up all ranks before the first collective`, stack];
    case 'gil-held':
      return [stack, `Native extensions that ${rank} calls without releasing the interpreter lock`];
    case 'gpu-hang':
      return [`Kernel log (Xid) and nvidia-smi -q of the GPU of ${rank}`, stack];
    default:
      return [stack, `What the log of ${rank} says at its end, and CPU, disk and GPU use of its node at that time`];
  }
}
