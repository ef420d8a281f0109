/** The course of one import: entries as they come, a provisional finding in between, then analysis, report and views. */
import { createHash } from 'node:crypto';
import { DumpSharing } from '#shared/formats/flight-recorder/dump-sharing.ts';
import type { Result } from '#shared/lib/result.ts';
import { err, ok } from '#shared/lib/result.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { Report } from '#shared/report/schema.ts';
import { filesText } from '#shared/text/partial-text.ts';
import type { BundleItem, ContainerIssueItem, EntryItem, RefusedItem } from '../bundle/bundle-item.ts';
import { releaseChunk } from '../bundle/chunk-lease.ts';
import type { Bundle } from '../bundle/open-bundle.ts';
import { readAhead } from '../decode/read-ahead.ts';
import type { CaseWriter } from '../store/case-writer.ts';
import { BufferCollector } from './buffer-collector.ts';
import type { EntryRecord } from './entry-record.ts';
import { EventBudget } from './event-budget.ts';
import { StoppedError } from './import-control.ts';
import { importEntry, refusedEntry } from './import-entry.ts';
import type { ImportJournal } from './import-journal.ts';
import { readLogEnds } from './log-ends.ts';
import { Pacer } from './pacer.ts';
import { failureOf } from './read-failure.ts';
import type { ImportError, ImportHooks, ImportParts, ImportRequest } from './run-import.ts';
import { settleIncident } from './settle-incident.ts';
import { SoFarTeller } from './so-far.ts';
import { storeEntry, storeIssues, storeOutputs } from './store-entry.ts';
import { ChangedError, entryFrame, type TakenUp, unitFrame } from './taken-up.ts';

export interface ReadingOptions {
  readonly request: ImportRequest;
  readonly hooks: ImportHooks;
  readonly parts: ImportParts;
  /** Where finished entries are noted; undefined = an interruption loses everything. */
  readonly journal?: ImportJournal | undefined;
  /** What an earlier, interrupted run has finished. */
  readonly takenUp?: TakenUp | undefined;
}

/** In the case: the digest of the folder that it was made of. */
export const FOLDER_KEY = 'folder';

/** What one file of the bundle gave so far. */
interface UnitAtHand {
  readonly slots: number[];
  readonly issues: ContainerIssueItem[];
  readonly fromBytes: number;
}

const newUnit = (fromBytes: number): UnitAtHand => ({ slots: [], issues: [], fromBytes });

export class Reading {
  readonly #request: ImportRequest;
  readonly #hooks: ImportHooks;
  readonly #parts: ImportParts;
  readonly #records: EntryRecord[] = [];
  readonly #containerIssues: ContainerIssueItem[] = [];
  readonly #collector = new BufferCollector();
  readonly #budget = new EventBudget();
  readonly #sharing = new DumpSharing();
  readonly #teller: SoFarTeller;
  readonly #journal: ImportJournal | undefined;
  readonly #takenUp: TakenUp | undefined;
  /** Of the file of the bundle at hand. */
  #unit: UnitAtHand = newUnit(0);
  #inputBytes = 0;
  /** Of logs that are not read yet, by slot; undefined until they are looked at. */
  #ends: Map<number, EntryRecord> | undefined;
  /** Entries that only reading told of. */
  #unplaced = 0;
  /** Of the entry at hand. */
  #slot = -1;
  #bundle: Bundle | undefined;
  #stopped: Report['bundle']['stopped'];

  constructor({ request, hooks, parts, journal, takenUp }: ReadingOptions) {
    this.#request = request;
    this.#hooks = hooks;
    this.#parts = parts;
    this.#journal = journal;
    this.#takenUp = takenUp;
    this.#teller = new SoFarTeller(parts.analyse, hooks.now);
  }

  addInputBytes(bytes: number): void {
    this.#inputBytes += bytes;
    this.#progress();
  }

  async run(bundle: Bundle, writer: CaseWriter): Promise<Result<Report, ImportError>> {
    const { cancel, listener, now } = this.#hooks;
    const pacer = new Pacer(cancel, now, {
      onTurn: () => this.#tellSoFar(),
      onPaused: (paused) => {
        if (paused) writer.flush();
        listener.onPaused?.(paused);
      },
    });
    this.#bundle = bundle;
    listener.onPhase('reading');
    this.#progress();
    await this.#readAll(bundle, writer, pacer);
    this.#records.sort((a, b) => a.slot - b.slot);
    const failure = failureOf(this.#records, this.#containerIssues, bundle.stoppedBy());
    if (failure !== undefined) return err(failure);
    return this.#conclude(bundle, writer, pacer);
  }

  async #readAll(bundle: Bundle, writer: CaseWriter, pacer: Pacer): Promise<void> {
    pacer.canStop = true;
    try {
      for await (const item of readAhead(bundle.items(), this.#hooks.decoders)) await this.#take(item, writer, pacer);
      writer.drain();
      // Headers and directories of archives are input, too.
      this.#inputBytes = bundle.inputBytes;
      this.#progress();
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      writer.dropContent(this.#slot);
      this.#stopped = { filesRead: this.#records.length, filesTotal: bundle.filesTotal };
      this.#containerIssues.push({
        kind: 'issue',
        code: 'import-stopped',
        severity: 'warning',
        path: bundle.name,
        detail: filesText({ files: { total: this.#records.length }, stopped: this.#stopped }),
      });
    }
    pacer.canStop = false;
    for (const gone of this.#takenUp?.rest() ?? []) writer.dropEntry(gone);
    if (this.#journal !== undefined) writer.flush();
  }

  async #conclude(bundle: Bundle, writer: CaseWriter, pacer: Pacer): Promise<Result<Report, ImportError>> {
    const { listener } = this.#hooks;
    listener.onPhase('analysing');
    this.#budget.settle();
    for (const record of this.#records) {
      await pacer.turn();
      storeOutputs(writer, record);
    }
    await pacer.turn();
    const { input, settlements } = settleIncident(this.#records, this.#containerIssues);
    writer.settle(settlements);
    storeIssues(writer, input.issues, settlements);
    await pacer.turn();
    const result = this.#parts.analyse(input);
    await pacer.turn();
    const report = this.#parts.buildReport({
      input,
      result,
      bundle: {
        name: bundle.name,
        sha256: bundle.fileSha256() ?? listHash(input),
        bytes: bundle.inputBytes,
        unpackedBytes: bundle.unpackedBytes(),
        ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      },
      tool: this.#request.tool,
    });
    listener.onPhase('finishing');
    writer.report(JSON.stringify(report));
    for (const view of this.#parts.views ?? []) {
      await pacer.turn();
      const value = view.build({ input, result, report });
      if (value !== undefined) writer.addView(view.name, value);
    }
    writer.meta('tool', `${this.#request.tool.name} ${this.#request.tool.version}`);
    writer.meta('bundle', bundle.name);
    const folder = this.#stopped === undefined ? bundle.folderDigest(this.#records) : undefined;
    if (folder !== undefined) writer.meta(FOLDER_KEY, JSON.stringify(folder));
    await pacer.turn();
    return ok(report);
  }

  async #take(item: BundleItem, writer: CaseWriter, pacer: Pacer): Promise<void> {
    switch (item.kind) {
      case 'issue':
        this.#containerIssues.push(item);
        if (this.#bundle?.isInsideUnit === true) this.#unit.issues.push(item);
        return;
      case 'stored-unit':
        this.#takeStored(item.key);
        return;
      case 'unit-end': {
        const { slots, issues, fromBytes } = this.#unit;
        const { key, totals, sha256 } = item;
        const inputBytes = this.#inputBytes - fromBytes;
        const frame = unitFrame({ key, totals, sha256, slots, issues, inputBytes });
        writer.whenStored(slots.at(-1) ?? -1, () => this.#journal?.append(frame));
        this.#unit = newUnit(this.#inputBytes);
        return;
      }
      default: {
        const slot = item.place ?? (this.#bundle?.places ?? 0) + this.#unplaced++;
        this.#slot = slot;
        this.#unit.slots.push(slot);
        if (this.#bundle?.hasReadValuable === true) await this.#lookAhead(this.#bundle, pacer);
        await this.#readEntry(item, slot, writer, pacer);
      }
    }
  }

  /** Once, before the first log is read: its item is there already, and none of its bytes was taken. */
  async #lookAhead({ logsAhead }: Bundle, pacer: Pacer): Promise<void> {
    if (this.#ends !== undefined || !this.#tellsSoFar) return;
    this.#ends = new Map();
    const { detectFormat } = this.#parts;
    const read = new Set(this.#records.map(({ slot }) => slot));
    const files = logsAhead.filter(({ place }) => !read.has(place));
    this.#ends = await readLogEnds(files, { detectFormat, pacer, cancel: this.#hooks.cancel });
    if (this.#ends.size > 0) this.#tellSoFar();
  }

  async #readEntry(item: EntryItem | RefusedItem, slot: number, writer: CaseWriter, pacer: Pacer): Promise<void> {
    const { listener } = this.#hooks;
    for (const changed of this.#takenUp?.forgetUnitOf(slot) ?? []) writer.dropEntry(changed);
    const before = this.#takenUp?.stored(slot);
    if (before !== undefined) {
      // A part of an archive that was not finished: its bytes come by again, and must be the same.
      if (item.path !== before.path) throw new ChangedError(item.path);
      if (item.kind === 'entry' && !(await isSame(item, before, pacer))) throw new ChangedError(item.path);
      const record = this.#restore(slot);
      if (record !== undefined) {
        this.#keep(record);
        return;
      }
    }
    const onKind = (kind: string) => {
      const bytes = item.kind === 'entry' ? (item.declaredBytes ?? 0) : item.bytes;
      listener.onFile({ path: item.path, kind, bytes, status: 'reading', detail: '' });
    };
    const record =
      item.kind === 'refused'
        ? refusedEntry(item, slot)
        : await importEntry(item, slot, {
            writer,
            pacer,
            detectFormat: this.#parts.detectFormat,
            collector: this.#collector,
            budget: this.#budget,
            onKind,
          });
    record.outputs.replaceDumps((dump) => this.#sharing.share(dump));
    if (item.kind === 'refused' || !writer.isHashing(slot)) this.#store(record, writer);
    else if (item.end.refusal !== undefined) this.#store(record, writer);
    else writer.endHash(slot, (sha256) => this.#store({ ...record, sha256 }, writer));
  }

  /** Of large logs this is done a little later than they are read: when their hash is there. */
  #store(record: EntryRecord, writer: CaseWriter): void {
    storeEntry(writer, record);
    const { slot } = record;
    const journal = this.#journal;
    if (journal !== undefined)
      writer.whenStored(slot, () => journal.append(entryFrame(record, writer.blocksOf(slot), this.#budget)));
    this.#keep(record);
  }

  #restore(slot: number): EntryRecord | undefined {
    const record = this.#takenUp?.restore(slot, this.#budget);
    record?.outputs.replaceDumps((dump) => this.#sharing.share(dump));
    return record;
  }

  /** A file that an earlier run has finished: nothing of it is read. */
  #takeStored(key: string): void {
    const unit = this.#takenUp?.unit(key);
    const bundle = this.#bundle;
    if (unit === undefined || bundle === undefined) throw new ChangedError(key);
    for (const slot of unit.slots) {
      const record = this.#restore(slot);
      if (record === undefined) throw new ChangedError(key);
      this.#unplaced = Math.max(this.#unplaced, slot - bundle.places + 1);
      this.#keep(record);
    }
    this.#containerIssues.push(...unit.issues);
    bundle.addStored(unit);
    this.addInputBytes(unit.inputBytes);
    this.#unit = newUnit(this.#inputBytes);
  }

  #keep(record: EntryRecord): void {
    this.#records.push(record);
    this.#ends?.delete(record.slot);
    this.#teller.add(record);
    const { path, kind, bytes, status, detail } = record;
    this.#hooks.listener.onFile({ path, kind, bytes, status, detail });
    this.#progress();
  }

  get #tellsSoFar(): boolean {
    return this.#hooks.listener.onSoFar !== undefined && this.#request.withoutSoFar !== true;
  }

  #tellSoFar(): void {
    const bundle = this.#bundle;
    if (!this.#tellsSoFar || bundle === undefined) return;
    const soFar = this.#teller.consider({
      records: this.#records,
      ends: [...(this.#ends?.values() ?? [])],
      containerIssues: this.#containerIssues,
      filesTotal: bundle.filesTotal,
      hasReadValuable: bundle.hasReadValuable,
      isListed: bundle.places > 0,
      fraction: bundle.inputBytes === 0 ? 1 : Math.min(1, this.#inputBytes / bundle.inputBytes),
    });
    if (soFar !== undefined) this.#hooks.listener.onSoFar?.(soFar);
  }

  #progress(): void {
    this.#hooks.listener.onProgress({
      filesDone: this.#records.length,
      filesTotal: this.#bundle?.filesTotal ?? null,
      bytesDone: Math.round(Math.min(this.#inputBytes, this.#bundle?.inputBytes ?? this.#inputBytes)),
      bytesTotal: this.#bundle?.inputBytes ?? null,
    });
  }
}

/** Reads an entry without looking at it: are its bytes those that were stored? */
async function isSame(item: EntryItem, { bytes, sha256 }: EntryBefore, pacer: Pacer): Promise<boolean> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const chunk of item.chunks) {
    await pacer.turn();
    hash.update(chunk);
    count += chunk.length;
    releaseChunk(chunk);
  }
  return count === bytes && (sha256 === null || hash.digest('hex') === sha256);
}

type EntryBefore = Pick<EntryRecord, 'bytes' | 'sha256'>;

/** For folders and several inputs: SHA-256 of the lines `sha256␠␠path\n` in path order; `-` for bytes that were not read. */
function listHash(input: IncidentInput): string {
  const hash = createHash('sha256');
  for (const entry of input.entries) hash.update(`${entry.sha256 ?? '-'}  ${entry.path}\n`);
  return hash.digest('hex');
}
