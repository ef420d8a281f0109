/**
 * An interrupted import that goes on: what its journal holds, and what of it can be used.
 *
 *   frames: 'entry' = one finished entry; 'unit' = a file of the bundle with all its entries
 */
import type { ContainerIssueItem, UnitTotals } from '../bundle/bundle-item.ts';
import { type Interrupted, openInterrupted, type StoredEntry } from '../store/interrupted-case.ts';
import { isStoredDump } from '../store/stored-dump.ts';
import { EntryOutputs, type KeptOutputs } from './entry-outputs.ts';
import type { EntryRecord } from './entry-record.ts';
import type { EventBudget, EventState } from './event-budget.ts';
import { ImportJournal } from './import-journal.ts';

interface EntryFrame {
  readonly t: 'entry';
  readonly record: Omit<EntryRecord, 'outputs'>;
  readonly outputs: KeptOutputs;
  readonly events: EventState;
  readonly blocks: number;
  readonly hasDump: boolean;
}

interface UnitFrame {
  readonly t: 'unit';
  readonly key: string;
  readonly totals: UnitTotals;
  readonly sha256: string | undefined;
  readonly slots: readonly number[];
  readonly issues: readonly ContainerIssueItem[];
  /** Of the input that it took. */
  readonly inputBytes: number;
}

/** `stamps`: what shows that the inputs are the same. `tool`: another version may read or store otherwise. */
export interface JournalHeader {
  readonly tool: string;
  readonly stamps: readonly string[];
  readonly limits: string;
}

export function entryFrame(record: EntryRecord, blocks: number, budget: EventBudget): EntryFrame {
  const { outputs, ...rest } = record;
  const events = budget.stateOf(outputs);
  return { t: 'entry', record: rest, outputs: outputs.kept(), events, blocks, hasDump: outputs.dumps.length > 0 };
}

export const unitFrame = (unit: Omit<UnitFrame, 't'>): UnitFrame => ({ t: 'unit', ...unit });

/** The frames are our own and pass a checksum: their shape is trusted once their kind is known. */
const isFrame = (value: unknown): value is EntryFrame | UnitFrame =>
  typeof value === 'object' && value !== null && 't' in value && (value.t === 'entry' || value.t === 'unit');

/**
 * Plain data with every list made anew. V8 gives back lists that may have holes, and writes those in another way: what is stored of them at
 * the end would not be byte for byte what an undisturbed import stores.
 */
function packed<T>(value: T, seen = new Map<object, unknown>()): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const known = seen.get(value);
  if (known !== undefined) return known as T;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    seen.set(value, list);
    for (const item of value) list.push(packed(item, seen));
    return list as T;
  }
  if (value instanceof Map || value instanceof Set) return value;
  seen.set(value, value);
  const object: Record<string, unknown> = value as Record<string, unknown>;
  for (const key of Object.keys(object)) object[key] = packed(object[key], seen);
  return value;
}

/** What was stored does not fit what is there now: everything is to be read from the start. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

export class TakenUp {
  readonly #case: Interrupted;
  readonly #entries = new Map<number, EntryFrame>();
  readonly #units = new Map<string, UnitFrame>();

  private constructor(interrupted: Interrupted, entries: readonly EntryFrame[], units: readonly UnitFrame[]) {
    this.#case = interrupted;
    for (const frame of entries)
      if (interrupted.slots.has(frame.record.slot)) this.#entries.set(frame.record.slot, frame);
    for (const unit of units) if (unit.slots.every((slot) => this.#entries.has(slot))) this.#units.set(unit.key, unit);
  }

  /** Undefined if there is nothing that can be used: no journal, other inputs, another version, or a damaged case file. */
  static open(
    files: { readonly journal: string; readonly temporary: string },
    expected: JournalHeader,
  ): { readonly takenUp: TakenUp; readonly journal: ImportJournal; readonly interrupted: Interrupted } | undefined {
    const known = ImportJournal.reopen(files.journal);
    if (known === undefined || JSON.stringify(known.header) !== JSON.stringify(expected)) return undefined;
    const frames = known.frames.filter(isFrame);
    const entries = frames.filter((frame) => frame.t === 'entry');
    const stored = entries.map(({ record: { slot, path, sha256 }, blocks, hasDump }): StoredEntry => {
      return { slot, path, sha256, blocks, hasDump };
    });
    const interrupted = openInterrupted(files.temporary, stored);
    if (interrupted === undefined) return undefined;
    const units = frames.filter((frame) => frame.t === 'unit');
    return { takenUp: new TakenUp(interrupted, entries, units), journal: known.open(), interrupted };
  }

  hasUnit(key: string): boolean {
    return this.#units.has(key);
  }

  unit(key: string): UnitFrame | undefined {
    return this.#units.get(key);
  }

  /**
   * The slots of a finished file to which `slot` belonged, if there was one: it is read again, so it has changed. They are forgotten here.
   */
  forgetUnitOf(slot: number): readonly number[] {
    for (const [key, { slots }] of this.#units) {
      if (!slots.includes(slot)) continue;
      this.#units.delete(key);
      for (const one of slots) this.#entries.delete(one);
      return slots;
    }
    return [];
  }

  /** Slots that nothing came for. */
  rest(): readonly number[] {
    return [...this.#entries.keys()];
  }

  /** What is stored of a slot, without the entry being opened. */
  stored(slot: number): EntryFrame['record'] | undefined {
    return this.#entries.get(slot)?.record;
  }

  /** The entry as it was when it was finished. */
  restore(slot: number, budget: EventBudget): EntryRecord | undefined {
    const frame = this.#entries.get(slot);
    if (frame === undefined) return undefined;
    const dump = frame.hasDump ? this.#case.dump(slot) : undefined;
    // Dumps that are read later take parts of it over.
    const dumps = isStoredDump(dump) ? [packed(dump)] : [];
    if (dumps.length === 0 && frame.hasDump) throw new ChangedError(`the stored dump of ${frame.record.path}`);
    const outputs = EntryOutputs.restore(packed(frame.outputs), dumps);
    budget.restore(outputs, frame.events);
    this.#entries.delete(slot);
    return { ...frame.record, outputs };
  }
}
