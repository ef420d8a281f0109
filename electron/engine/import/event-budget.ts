/**
 * Bounds the events of a whole bundle. Each log keeps its own repetition small (the gate of its reader), but thousands of logs with a
 * thousand events each are gigabytes of memory: about 600 bytes an event while reading, and three times that in analysis (measured).
 *
 *   level 0   everything that the readers passed
 *   level n   of each file, kind and printer the first 1000 / 2^n and the last; of progress every 2^n-th, the first, the last, and the
 *             one before any other event that is kept
 *
 * The level is the lowest at which all files together stay below the bound, and what a level keeps of a file does not depend on when it
 * was reached: thinning by n and then by n + 1 keeps exactly what thinning by n + 1 keeps. So the result is the same in any order of
 * files. Text is never thinned: every line stays in the case.
 */
import type { LogEvent } from '#shared/model/events.ts';
import { EntryOutputs } from './entry-outputs.ts';

/** About 35 MB while reading. Chosen: 117 a rank at 512 ranks, above what 100 real incidents of small jobs hold together. */
export const MAX_EVENTS = 60_000;
/** Events above the bound between two passes over all of them. */
const SLACK = MAX_EVENTS / 4;
/** Events of one file, kind and printer that pass at level 0: no reader passes more of anything but progress. */
const FIRST_PER_KIND = 1_000;
/** Fewer are never kept: what tells a failure stands among them. */
const LEAST_PER_KIND = 64;
/** Lines of set-up that a communicator prints by the hundred; rules ask for the first. */
const LEAST_OF_SETUP = 8;
/** One of 65,536 steps: enough for any log that can be read. */
const MAX_LEVEL = 16;

/** What must be kept of an entry's events to thin them further later. */
export interface EventState {
  readonly level: number;
  readonly ordinals: readonly number[];
  readonly counts: readonly (readonly [string, number])[];
}

interface Taken {
  readonly outputs: EntryOutputs;
  /** Beside the events that were looked at so far: how many of its kind and printer stood before each in the file. */
  readonly ordinals: number[];
  readonly counts: Map<string, number>;
}

export class EventBudget {
  readonly #max: number;
  readonly #taken: Taken[] = [];
  #level = 0;
  #count = 0;
  #nextPass: number;

  constructor(max = MAX_EVENTS) {
    this.#max = max;
    this.#nextPass = max + Math.floor((max * SLACK) / MAX_EVENTS);
  }

  /** For one more entry, whose events count from now on. */
  open(): EntryOutputs {
    const outputs = new EntryOutputs();
    let isTaken = false;
    outputs.onEvent = () => {
      // Most of very many files have none.
      if (!isTaken) this.#taken.push({ outputs, ordinals: [], counts: new Map() });
      isTaken = true;
      this.#count += 1;
      if (this.#count > this.#nextPass) this.settle();
    };
    return outputs;
  }

  /** Thins the entry to the present level first, so that what is kept of it stays small. */
  stateOf(outputs: EntryOutputs): EventState {
    const taken = this.#taken.findLast((one) => one.outputs === outputs);
    if (taken === undefined || this.#level === 0) return { level: this.#level, ordinals: [], counts: [] };
    this.#count -= outputs.events.length;
    this.#count += thin(taken, this.#level);
    return { level: this.#level, ordinals: [...taken.ordinals], counts: [...taken.counts] };
  }

  /** Takes an entry of an earlier run as it was then. */
  restore(outputs: EntryOutputs, { level, ordinals, counts }: EventState): void {
    this.#taken.push({ outputs, ordinals: [...ordinals], counts: new Map(counts) });
    this.#level = Math.max(this.#level, level);
    this.#count += outputs.events.length;
  }

  /** Brings all entries to one level. To be called once more when everything is read. */
  settle(): void {
    this.#count = this.#thinAll();
    while (this.#count > this.#max && this.#level < MAX_LEVEL) {
      this.#level += 1;
      this.#count = this.#thinAll();
    }
    this.#nextPass = Math.max(this.#max, this.#count) + Math.floor((this.#max * SLACK) / MAX_EVENTS);
  }

  #thinAll(): number {
    let sum = 0;
    for (const taken of this.#taken) sum += this.#level === 0 ? taken.outputs.events.length : thin(taken, this.#level);
    return sum;
  }
}

const printerOf = ({ rank, pod, localRank, pid }: LogEvent): string =>
  rank === undefined ? `${pod} ${localRank} ${pid}` : `${rank}`;

const keyOf = (event: LogEvent): string => `${event.body.kind} ${printerOf(event)}`;

/** What a passing file says by the thousand while nothing is wrong. */
const isChatter = ({ body }: LogEvent): boolean => body.kind === 'progress' || body.kind === 'nccl-network';

/** Events that are left. O(events). */
function thin({ outputs: { events }, ordinals, counts }: Taken, level: number): number {
  // The entry forgot what it had said.
  if (events.length < ordinals.length) ordinals.length = 0;
  for (const event of events.slice(ordinals.length)) {
    const key = keyOf(event);
    const ordinal = counts.get(key) ?? 0;
    counts.set(key, ordinal + 1);
    ordinals.push(ordinal);
  }
  const keep = chosen(events, ordinals, level);
  let left = 0;
  for (const [i, event] of events.entries()) {
    if (keep[i] === 0) continue;
    events[left] = event;
    ordinals[left] = ordinals[i] ?? 0;
    left += 1;
  }
  events.length = left;
  ordinals.length = left;
  return left;
}

/** 1 = keep. */
function chosen(events: readonly LogEvent[], ordinals: readonly number[], level: number): Uint8Array {
  const keep = new Uint8Array(events.length);
  const last = new Map(events.map((event, i) => [keyOf(event), i]));
  const progress = new Map<string, number>();
  for (const [i, event] of events.entries()) {
    const passes = passesAt(level, event, ordinals[i] ?? 0) || last.get(keyOf(event)) === i;
    keep[i] = passes ? 1 : 0;
    if (event.body.kind === 'progress') progress.set(printerOf(event), i);
    const before = progress.get(printerOf(event));
    if (passes && !isChatter(event) && before !== undefined) keep[before] = 1;
  }
  return keep;
}

function passesAt(level: number, event: LogEvent, ordinal: number): boolean {
  if (event.body.kind === 'progress') return ordinal % 2 ** level === 0;
  const least = isChatter(event) ? LEAST_OF_SETUP : LEAST_PER_KIND;
  return ordinal < Math.max(least, FIRST_PER_KIND / 2 ** level);
}
