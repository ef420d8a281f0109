/** What is open of one case's logs: the index, the threads, the searches of its windows. */

import { ok, type Result } from '#shared/lib/result.ts';
import { entryId } from '#shared/model/ids.ts';
import type { ListChoice, LogCase, SearchState } from '#shared/rpc/areas/logs.ts';
import type { QueryError } from '#shared/search/parse-query.ts';
import { printQuery, type Query } from '#shared/search/query.ts';
import { BlockCache } from './block-cache.ts';
import { BlockOutlines } from './block-outline.ts';
import { BlockSeverities } from './block-severities.ts';
import { type CaseIndex, openCaseIndex } from './case-index.ts';
import { secondsOf } from './density.ts';
import { RunView } from './run-view.ts';
import { openScannerHere, openScanners, type Scanner } from './search-pool.ts';
import { planOf, planSearch, type SearchRequest, withFilters } from './search-request.ts';
import { SearchRun } from './search-run.ts';

export interface SessionOptions {
  readonly caseFile: string;
  readonly entry: string | URL | undefined;
  readonly threads: number;
  /** Ranks that the case names first: their lines are not folded away. */
  readonly keep: ReadonlySet<number>;
}

/** Threads are let go after this long without a question. */
const IDLE_MS = 60_000;
/** Searches that are kept for their windows; the oldest go first. */
const MAX_RUNS = 8;
const MAX_VIEWS = 4;
/** Read in this thread, where nothing has to start first: 60 ms. Expressions go to threads, which can be ended. */
const SMALL_BYTES = 4_000_000;
/** Files whose lines a second are read in one step. */
const FILES_AHEAD = 32;
const TOP_SHAPES = 12;
const TOP_VALUES = 5_000;

export class LogSession {
  readonly index: CaseIndex;
  readonly #options: SessionOptions;
  readonly #cache: BlockCache;
  readonly #severities: BlockSeverities;
  readonly #outlines: BlockOutlines;
  readonly #here: Scanner;
  readonly #threads: readonly Scanner[];
  readonly #runs = new Map<number, SearchRun>();
  readonly #views = new Map<string, RunView>();
  #nextRun = 1;
  #idle: NodeJS.Timeout | undefined;
  #ahead: NodeJS.Immediate | undefined;
  /** Scans are done one after the other: threads have one request at a time. */
  #turn: Promise<void> = Promise.resolve();

  /** Throws if the case file cannot be read. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.index = openCaseIndex(options.caseFile);
    this.#outlines = new BlockOutlines(this.index.blocks);
    this.#cache = new BlockCache(this.index, this.#outlines, (job) => this.#threads.some((thread) => thread.help(job)));
    this.#severities = new BlockSeverities(this.index);
    this.#here = openScannerHere(this.index);
    this.#threads = options.entry === undefined ? [] : openScanners(options.entry, options.caseFile, options.threads);
    if (this.index.blocks.totalBytes > SMALL_BYTES) for (const thread of this.#threads) thread.warm();
    this.touch();
    this.#readSeconds();
  }

  /** In steps of few milliseconds, so that the first histogram of thousands of files need not wait for them. */
  #readSeconds(): void {
    this.#ahead = setImmediate(() => {
      try {
        if (secondsOf(this.index).readSome(FILES_AHEAD)) this.#readSeconds();
      } catch {
        // Damaged ones are told when somebody asks for them.
      }
    });
    this.#ahead.unref();
  }

  /** Somebody is still here. Threads are let go when nobody was for a while; the next search starts them again. */
  touch(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if ([...this.#runs.values()].some(({ status }) => status === 'searching')) this.touch();
      else for (const thread of this.#threads) thread.close();
    }, IDLE_MS);
    this.#idle.unref();
  }

  close(): void {
    clearTimeout(this.#idle);
    clearImmediate(this.#ahead);
    for (const run of this.#runs.values()) run.cancel();
    for (const scanner of [this.#here, ...this.#threads]) scanner.close();
    this.index.store.close();
  }

  describe(): LogCase {
    const { files, blocks, originNs } = this.index;
    return {
      originNs: originNs.toString(),
      files: files.map((file) => ({
        entryId: entryId(file.record.id),
        path: file.record.path,
        lines: file.record.lines ?? 0,
        pod: file.pod,
        node: file.node,
        rank: file.rank,
        clock: file.clock?.id ?? null,
        component: file.clock?.component ?? null,
        offset: file.clock?.offset ?? null,
        untimed: file.record.firstNs === null,
      })),
      totalLines: blocks.totalLines,
      totalBytes: blocks.totalBytes,
      span: blocks.span,
    };
  }

  search(request: SearchRequest, nearNs: number | null, replaces: number | null): Result<SearchRun, QueryError> {
    const planned = planSearch(this.index, request);
    if (!planned.ok) return planned;
    if (replaces !== null) this.#runs.get(replaces)?.cancel();
    const { plan, parsed } = planned.value;
    const run = new SearchRun({
      id: this.#nextRun++,
      index: this.index,
      request,
      plan,
      parsed,
      severities: this.#severities,
      outlines: this.#outlines,
      nearNs,
    });
    this.#runs.set(run.id, run);
    for (const [oldest, known] of this.#runs) {
      if (this.#runs.size <= MAX_RUNS) break;
      known.cancel();
      this.#runs.delete(oldest);
    }
    this.#scan(run);
    return ok(run);
  }

  run(id: number): SearchRun | undefined {
    return this.#runs.get(id);
  }

  view(run: SearchRun, choice: ListChoice): RunView {
    const key = JSON.stringify([run.id, run.version, choice]);
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const view = new RunView({ run, cache: this.#cache, outlines: this.#outlines, choice, keep: this.#options.keep });
    this.#views.set(key, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= MAX_VIEWS) break;
      this.#views.delete(oldest);
    }
    return view;
  }

  state(run: SearchRun, choice: ListChoice): SearchState {
    const view = this.view(run, choice);
    const over = run.status === 'done';
    return {
      status: run.status,
      version: run.version,
      matches: run.matches,
      exact: over || run.allOfAll,
      matchedFiles: run.matchedFiles,
      doneBytes: run.doneBytes,
      wholeBytes: run.wholeBytes,
      damaged: run.damaged,
      rows: view.total,
      notFolded: view.notFolded,
      levels: [...run.tally.levels],
      ranks: mostFirst(run.tally.ranks).map(([rank, lines]) => ({ rank, lines })),
      files: mostFirst(run.tally.files).map(([file, lines]) => ({ file, lines })),
      shapes: over ? view.shapes(TOP_SHAPES) : [],
    };
  }

  /** Whether anything would match without each of the terms, and without the case's own filters. Stops at the first match of each. */
  async without(run: SearchRun): Promise<{ terms: readonly (boolean | null)[]; filters: boolean | null }> {
    const { query } = run.parsed;
    const items: readonly Query[] = query.kind === 'and' ? query.items : [query];
    const filtered = run.request.ranks.length > 0 || run.request.range !== null;
    const filters = filtered ? await this.#anyMatch(run, { ...run.request, ranks: [], range: null }, query) : null;
    const terms: (boolean | null)[] = [];
    for (const [dropped] of items.entries()) {
      const rest = items.filter((_, index) => index !== dropped);
      const [only] = rest;
      const tree: Query =
        rest.length === 0 ? { kind: 'all' } : rest.length === 1 && only ? only : { kind: 'and', items: rest };
      terms.push(await this.#anyMatch(run, run.request, tree));
    }
    return { terms, filters };
  }

  async #anyMatch(run: SearchRun, request: SearchRequest, query: Query): Promise<boolean | null> {
    const text = printForThreads(query, request);
    if (text === undefined) return null;
    const whole = { ...request, query: text, regex: false };
    const plan = planOf(this.index, whole, withFilters(query, this.index, whole));
    const probe = new SearchRun({
      id: this.#nextRun++,
      index: this.index,
      request: whole,
      plan,
      parsed: run.parsed,
      severities: this.#severities,
      outlines: this.#outlines,
      nearNs: null,
      firstOnly: true,
    });
    if (probe.matches > 0) return true;
    await this.#scan(probe);
    return probe.status === 'done' ? probe.matches > 0 : null;
  }

  #scan(run: SearchRun): Promise<void> {
    const small = run.wholeBytes <= SMALL_BYTES && !hasRegex(run.parsed.query);
    const scanners = small || this.#threads.length === 0 ? [this.#here] : this.#threads;
    this.#turn = this.#turn.then(() => run.scan(scanners));
    return this.#turn;
  }
}

function hasRegex(query: Query): boolean {
  switch (query.kind) {
    case 'regex':
      return true;
    case 'and':
    case 'or':
      return query.items.some(hasRegex);
    case 'not':
      return hasRegex(query.item);
    default:
      return false;
  }
}

/** Threads parse the text again; one whole expression has no terms to drop. */
const printForThreads = (query: Query, request: SearchRequest): string | undefined =>
  request.regex && query.kind !== 'all' ? undefined : printQuery(query);

const mostFirst = (counts: ReadonlyMap<number, number>): readonly (readonly [number, number])[] =>
  [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TOP_VALUES);
