/**
 * Keeps a log that repeats itself from becoming millions of events, without losing the first and the last of anything.
 *
 * - progress: all while there are few; later one in ten seconds per printer, and always the last before another event of
 *   the same printer and at the end;
 * - an operation that is still open is not started again (each state of a progress bar says so);
 * - versions, and assertions of the same expression by the thousands of threads of a kernel: once per printer;
 * - how NCCL's channels copy (each new communicator prints a line a pair of GPUs): once per printer, process and transport;
 * - NCCL's call log: the newest few per communicator;
 * - anything else: the first 1 000 of a kind in one place, and the last.
 */
import type { Draft } from './event-draft.ts';
import { toMs } from './stamp.ts';

/** A step of a line that stays bytes: the newest of its printer that is held back. */
export interface LateStep {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly column: number;
  readonly step: number | undefined;
  readonly epoch: number | undefined;
}

/** Makes the draft as reading the line would have. */
export type ReadStep = (late: LateStep) => Draft;

/** Events of one kind and place that pass without thinning. Chosen: far above what a failure prints. */
const MAX_PER_KIND = 1_000;
const MAX_PROGRESS = 2_000;
/** Calls kept of one communicator of a process: what differs between processes goes on differing. Chosen. */
const CALLS_KEPT = 16;
const PROGRESS_EVERY_MS = 10_000;
/** Printers and communicators remembered; beyond it their events pass unthinned. */
const MAX_KEYS = 50_000;

/** Communicators whose calls are remembered. */
const MAX_COMMUNICATORS = 5_000;
/** In `Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read`. */
const TRANSPORT = /^Channel .{1,160} via (\w{1,20})\//;

export interface EventGate {
  /** `printer` tells printers of the place apart (rank or mark). */
  offer(draft: Draft, printer: string): void;
  /** As `offer` of a progress, where it is only held back or passed over: true. False: nothing happened, the line must be read. */
  offerLate(late: LateStep, printer: string, ms: number, read: ReadStep): boolean;
  /** Makes drafts of what is held back as bytes: those will be gone. */
  settleLate(): void;
  flush(): void;
  /** Events that were not handed on. */
  dropped(): number;
}

export function createEventGate(emit: (draft: Draft) => void): EventGate {
  const counts = new Map<string, number>();
  const once = new Set<string>();
  const open = new Set<string>();
  const newest = new Map<string, Draft>();
  const calls = new Map<string, Draft[]>();
  const progress = createProgressGate(emit);
  let dropped = 0;

  const keep = (key: string, draft: Draft): void => {
    if (newest.has(key)) dropped += 1;
    newest.set(key, draft);
  };

  const keepCall = (key: string, draft: Draft): void => {
    const kept = calls.get(key);
    if (kept === undefined) {
      if (calls.size < MAX_COMMUNICATORS) calls.set(key, [draft]);
      else dropped += 1;
      return;
    }
    if (kept.length === CALLS_KEPT) {
      kept.shift();
      dropped += 1;
    }
    kept.push(draft);
  };

  /** Passes the first draft of a key. */
  const pass = (key: string, draft: Draft): void => {
    if (once.has(key)) dropped += 1;
    else {
      if (once.size < MAX_KEYS) once.add(key);
      limited(draft);
    }
  };

  const limited = (draft: Draft): void => {
    const { kind } = draft.body;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > MAX_PER_KIND) keep(kind, draft);
    else emit(draft);
  };

  return {
    offer(draft, printer) {
      const { body } = draft;
      if (body.kind === 'progress') return progress.offer(draft, printer, body);
      progress.release(printer);
      switch (body.kind) {
        case 'software':
          return pass(`software ${body.torch} ${body.nccl} ${body.cuda} ${body.driver}`, draft);
        case 'device-assert':
          return pass(`assert ${printer} ${body.expression}`, draft);
        case 'operation-start': {
          const key = `${printer} ${body.what} ${body.label}`;
          if (open.has(key)) return;
          if (open.size < MAX_KEYS) open.add(key);
          return limited(draft);
        }
        case 'operation-end':
          open.delete(`${printer} ${body.what} ${body.label}`);
          return limited(draft);
        case 'nccl-network': {
          const transport = TRANSPORT.exec(body.text)?.[1];
          if (transport === undefined) return limited(draft);
          return pass(`channel ${printer} ${body.host} ${body.pid} ${transport}`, draft);
        }
        case 'nccl-collective':
          return keepCall(`${body.host} ${body.pid} ${body.comm}`, draft);
        default:
          limited(draft);
      }
    },
    offerLate: (late, printer, ms, read) => progress.offerLate(late, printer, ms, read),
    settleLate: () => progress.settleLate(),
    flush() {
      const rest = [...newest.values(), ...[...calls.values()].flat(), ...progress.rest()].sort(
        (a, b) => a.origin.line - b.origin.line,
      );
      newest.clear();
      calls.clear();
      for (const draft of rest) emit(draft);
    },
    dropped: () => dropped + progress.dropped(),
  };
}

interface ProgressGate {
  offer(draft: Draft, printer: string, at: Point): void;
  offerLate(late: LateStep, printer: string, ms: number, read: ReadStep): boolean;
  settleLate(): void;
  /** Emits what was held back of this printer. */
  release(printer: string): void;
  rest(): readonly Draft[];
  dropped(): number;
}

interface Point {
  readonly step: number | undefined;
  readonly epoch: number | undefined;
}

interface LastPoint {
  step: number | undefined;
  epoch: number | undefined;
  ms: number;
  pending: Draft | undefined;
  /** In place of `pending`, newer than it. */
  late: LateStep | undefined;
}

function createProgressGate(emit: (draft: Draft) => void): ProgressGate {
  const last = new Map<string, LastPoint>();
  const lately = new Set<LastPoint>();
  let readStep: ReadStep | undefined;
  let passed = 0;
  let dropped = 0;
  const settle = (point: LastPoint): void => {
    if (point.late === undefined) return;
    point.pending = readStep?.(point.late);
    point.late = undefined;
  };
  return {
    offerLate(late, printer, ms, read) {
      const before = last.get(printer);
      if (before === undefined) return false;
      if (before.step === late.step && before.epoch === late.epoch) return true;
      if (passed < MAX_PROGRESS || ms - before.ms >= PROGRESS_EVERY_MS || Number.isNaN(ms - before.ms)) return false;
      if (before.pending !== undefined || before.late !== undefined) dropped += 1;
      before.step = late.step;
      before.epoch = late.epoch;
      before.pending = undefined;
      if (before.late === undefined) lately.add(before);
      before.late = late;
      readStep = read;
      return true;
    },
    settleLate() {
      for (const point of lately) settle(point);
      lately.clear();
    },
    offer(draft, printer, { step, epoch }) {
      const ms = draft.origin.outer === undefined ? Number.NaN : toMs(draft.origin.outer);
      const before = last.get(printer);
      if (before !== undefined && before.step === step && before.epoch === epoch) return;
      if (passed >= MAX_PROGRESS && before !== undefined && !(ms - before.ms >= PROGRESS_EVERY_MS)) {
        if (before.pending !== undefined || before.late !== undefined) dropped += 1;
        last.set(printer, { step, epoch, ms: before.ms, pending: draft, late: undefined });
        return;
      }
      passed += 1;
      if (last.size < MAX_KEYS) last.set(printer, { step, epoch, ms, pending: undefined, late: undefined });
      emit(draft);
    },
    release(printer) {
      const held = last.get(printer);
      if (held === undefined) return;
      settle(held);
      if (held.pending === undefined) return;
      const { pending } = held;
      held.pending = undefined;
      emit(pending);
    },
    rest: () => [...last.values()].flatMap(({ pending }) => pending ?? []),
    dropped: () => dropped,
  };
}
