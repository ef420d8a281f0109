/**
 * Where each rank waited, by the traceback of the time-out or lost connection that ended its wait.
 *
 *   rank 1   train.py:178 collect  dist.barrier()            ranks 0, 2, 3   train.py:163 prog_ddp  loss.backward()
 */
import type { StackFrame } from '../../../model/events.ts';
import type { PlacedEvent } from '../../../model/facts.ts';
import { consequenceOf, eventsOf, inAttempt, type PlacedOf } from './events.ts';

export interface WaitingPlace {
  readonly placed: PlacedOf<'exception'>;
  readonly how: 'timeout' | 'closed';
  /** Equal for two ranks that waited in one call from one line of the program, come to in the same way. */
  readonly key: string;
  /** The operation that needs everybody, `backward` for a wait inside a backward pass; empty for any other. */
  readonly call: string;
  /** The innermost line of the program itself, in words. */
  readonly shown: string;
  /** True if the call is surely one of all ranks: it names no group, or it is the backward pass of data-parallel training. */
  readonly ofAllRanks: boolean;
  /** True for a call that some may leave while others still wait in it: a broadcast, a gather, a scatter, a reduction to one. */
  readonly oneSided: boolean;
}

const LIBRARY = /(?:site-packages|dist-packages|\/torch\/|<frozen|\/lib\/python)/;
const POINT_TO_POINT = /\b(?:i?recv|i?send|batch_isend_irecv)\b/;
const DISTRIBUTED = /\/torch\/distributed\//;
/** Parts of torch that make groups of their own. */
const OWN_GROUPS =
  /\/torch\/distributed\/(?:fsdp|_composable|tensor|_tensor|pipelining|device_mesh|checkpoint|algorithms)/;

/** By rank, its first such exception; ranks that waited in a transfer between two, or whose stack shows no line of the program, are left out. */
export function waitingPlaces(events: readonly PlacedEvent[], attempt: number): ReadonlyMap<number, WaitingPlace> {
  const places = new Map<number, WaitingPlace>();
  for (const placed of inAttempt(eventsOf(events, 'exception'), attempt)) {
    const { body } = placed.event;
    const how = consequenceOf(body);
    if (placed.rank === undefined || places.has(placed.rank) || (how !== 'timeout' && how !== 'closed')) continue;
    const own = body.frames.find((frame) => !LIBRARY.test(frame.file));
    if (own === undefined || body.frames.some((frame) => POINT_TO_POINT.test(frame.name))) continue;
    const call = callOf(body.frames);
    places.set(placed.rank, {
      placed,
      how,
      key: [call, ...body.frames.flatMap(({ file, line }) => (LIBRARY.test(file) ? [] : `${file}:${line}`))].join('\n'),
      call,
      shown: `${own.name} (${own.file}:${own.line})`,
      ofAllRanks: isOfAllRanks(body.frames, call),
      oneSided: ONE_SIDED.has(call),
    });
  }
  return places;
}

/** All `frames` here stand innermost first. */
function callOf(frames: readonly StackFrame[]): string {
  // C++ waits there: the reducer of DistributedDataParallel.
  if (frames[0]?.name === BACKWARD) return 'backward';
  return frames.findLast((frame) => DISTRIBUTED.test(frame.file) && BEFORE_GROUP.has(frame.name))?.name ?? '';
}

function isOfAllRanks(frames: readonly StackFrame[], call: string): boolean {
  if (frames.some((frame) => OWN_GROUPS.test(frame.file))) return false;
  if (call === 'backward') return true;
  const text = frames[frames.findLastIndex((frame) => DISTRIBUTED.test(frame.file)) + 1]?.text;
  return call !== '' && text !== undefined && namesNoGroup(text, call);
}

const BACKWARD = '_engine_run_backward';

/**
 * Operations of a whole group, with how many positional arguments stand before `group`. Nobody can leave them before everybody has entered them, but
 * for those in `ONE_SIDED`.
 */
const BEFORE_GROUP: ReadonlyMap<string, number> = new Map([
  ['barrier', 0],
  ['all_reduce', 2],
  ['all_gather', 2],
  ['all_gather_into_tensor', 2],
  ['all_gather_object', 2],
  // It gathers the sizes from all to all first.
  ['gather_object', 3],
  ['reduce_scatter', 3],
  ['reduce_scatter_tensor', 3],
  ['broadcast', 2],
  ['broadcast_object_list', 2],
  ['gather', 3],
  ['reduce', 3],
  ['scatter', 3],
  ['scatter_object_list', 3],
]);

const ONE_SIDED: ReadonlySet<string> = new Set([
  'broadcast',
  'broadcast_object_list',
  'gather',
  'reduce',
  'scatter',
  'scatter_object_list',
]);

/** The one call of that name in a line has all its arguments there, and none of them is a group. */
function namesNoGroup(text: string, call: string): boolean {
  const parts = text.split(new RegExp(`(?<![\\w])${call}\\(`));
  const rest = parts[1];
  // Two calls in one line: which of them it is cannot be told, so both must be without.
  if (rest === undefined) return false;
  return parts.slice(1).every((part) => {
    const args = argumentsOf(part);
    const keywords = args?.filter((arg) => /^\w+\s*=(?!=)/.test(arg)) ?? [];
    return (
      args !== undefined &&
      !keywords.some((arg) => /^group\b/.test(arg)) &&
      !args.some((arg) => arg.startsWith('*')) &&
      args.length - keywords.length <= (BEFORE_GROUP.get(call) ?? 0)
    );
  });
}

/** Arguments up to the closing bracket; undefined if it is not in the text. */
function argumentsOf(text: string): string[] | undefined {
  const args: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if ('([{'.includes(char)) depth++;
    else if (depth > 0 && ')]}'.includes(char)) depth--;
    else if (depth === 0 && (char === ',' || char === ')')) {
      const arg = text.slice(from, i).trim();
      if (arg !== '') args.push(arg);
      if (char === ')') return args;
      from = i + 1;
    }
  }
  return undefined;
}
