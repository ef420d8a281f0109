/**
 * When a provisional finding is worked out: the analysis runs on what was read, within a small share of the time of the whole import.
 *
 *   folder, zip   as soon as everything that names tell to be an object or a dump was read, with the ends of large logs where they lie on
 *                 disk as they are; later now and then
 *   tar           when nothing of that kind has come for a while, or while it comes at most every few seconds; of logs alone as often
 */
import { soFarOf } from '#shared/analysis/so-far/index.ts';
import type { AnalysisResult } from '#shared/model/finding.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { JobSoFar } from '#shared/model/job.ts';
import type { ContainerIssueItem } from '../bundle/bundle-item.ts';
import type { EntryRecord } from './entry-record.ts';
import { settleIncident } from './settle-incident.ts';

/** Of the whole import's time, as far as it can be told. */
const SHARE = 0.05;
/** Of the first run over all objects and dumps, which is what the user waits for. Small inputs with many ranks need about a tenth (measured). */
const FIRST_SHARE = 0.125;
/** Imports that are over by then need none. */
const FIRST_AFTER_MS = 1_000;
/** Of a tar: so long without a further object or dump, then what there is is looked at. */
const QUIET_MS = 500;
const EVERY_MS = 3_000;
/** Once the objects and dumps were read, only logs change what can be said. */
const LATER_EVERY_MS = 15_000;
/** Taken for the first run, ns a recorder entry or event; measured 1,900 to 2,500 of CPU at 512 ranks with a million of them. */
const FIRST_GUESS_NS = 2_200;

export interface ReadSoFar {
  readonly records: readonly EntryRecord[];
  /** What beginnings and ends say of logs that are not among the records. */
  readonly ends?: readonly EntryRecord[];
  readonly containerIssues: readonly ContainerIssueItem[];
  readonly filesTotal: number | null;
  /** See Bundle. */
  readonly hasReadValuable: boolean;
  /** The names of all files are known, so that `hasReadValuable` becomes true one day. */
  readonly isListed: boolean;
  /** Of the input, 0..1. */
  readonly fraction: number;
}

export class SoFarTeller {
  readonly #analyse: (input: IncidentInput) => AnalysisResult;
  readonly #now: () => number;
  readonly #startMs: number;
  #spentMs = 0;
  #tookMs = 0;
  #lastMs = 0;
  #nsPerItem = FIRST_GUESS_NS;
  #items = 0;
  #valuable = 0;
  #valuableMs = 0;
  #done = { records: 0, valuable: 0, hadAll: false };

  constructor(analyse: (input: IncidentInput) => AnalysisResult, now: () => number) {
    this.#analyse = analyse;
    this.#now = now;
    this.#startMs = now();
  }

  /** Tells of each finished entry. */
  add({ outputs }: EntryRecord): void {
    const { pods, kubeEvents, nodes, dumps, events } = outputs;
    this.#items += events.length;
    for (const { columns } of dumps) this.#items += columns.createdNs.length;
    if (pods.length + kubeEvents.length + nodes.length + dumps.length === 0) return;
    this.#valuable += 1;
    this.#valuableMs = this.#now();
  }

  /** Cheap if nothing is due. */
  consider(read: ReadSoFar): JobSoFar | undefined {
    const now = this.#now();
    if (!this.#isDue(read, now)) return undefined;
    // Of the reading alone: its own time must not make the whole look longer.
    const elapsedMs = now - this.#startMs - this.#spentMs;
    const wholeMs = read.fraction > 0 ? elapsedMs / read.fraction : elapsedMs;
    // It grows with what was read: the last run cost no more than the next will.
    const ends = read.ends ?? [];
    const items = ends.reduce((sum, { outputs }) => sum + outputs.events.length, this.#items);
    const costMs = Math.max(this.#tookMs, (items * this.#nsPerItem) / 1e6);
    const isFirst = read.hasReadValuable && !this.#done.hadAll;
    if (this.#spentMs + costMs > wholeMs * (isFirst ? FIRST_SHARE : SHARE)) return undefined;
    const { input } = settleIncident([...read.records, ...ends], read.containerIssues);
    const { verdict } = this.#analyse(input);
    this.#done = { records: read.records.length, valuable: this.#valuable, hadAll: read.hasReadValuable };
    this.#lastMs = this.#now();
    this.#tookMs = this.#lastMs - now;
    this.#spentMs += this.#tookMs;
    // Small inputs cost more an item than the rate says; the guess stays where it is then.
    if (items > 10_000) this.#nsPerItem = (this.#tookMs * 1e6) / items;
    return {
      ...soFarOf(verdict),
      filesRead: read.records.length,
      filesTotal: read.filesTotal,
      ...(ends.length === 0 ? {} : { logEnds: ends.length }),
    };
  }

  #isDue({ records, ends = [], hasReadValuable, isListed }: ReadSoFar, now: number): boolean {
    if (now - this.#startMs < FIRST_AFTER_MS || records.length + ends.length === 0) return false;
    if (hasReadValuable && !this.#done.hadAll) return true;
    if (records.length === this.#done.records || (isListed && !hasReadValuable)) return false;
    // Logs alone, as far as they came.
    if (this.#valuable === 0) return now - this.#lastMs >= EVERY_MS;
    const isNew = this.#valuable > this.#done.valuable;
    if (!hasReadValuable && isNew) return now - this.#valuableMs >= QUIET_MS || now - this.#lastMs >= EVERY_MS;
    return now - this.#lastMs >= LATER_EVERY_MS;
  }
}
