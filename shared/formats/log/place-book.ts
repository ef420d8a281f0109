/** What is kept per place (Pod and container) of a log file: its coverage, and what is open in it. */
import type { LogStream, RankBasis } from '../../model/events.ts';
import type { EntryId } from '../../model/ids.ts';
import { type Draft, type LinePlace, MAX_EVENT_TEXT, type Origin, sourceOf } from './event-draft.ts';
import { createEventGate, type EventGate } from './event-gate.ts';
import type { LogLine } from './log-line.ts';
import type { PathFacts } from './path-facts.ts';
import { createRankColumn, type RankColumn } from './rank-column.ts';
import type { Notes, OpenRecord } from './signatures/define.ts';
import { type RawStamp, toStamp } from './stamp.ts';
import { clip } from './terminal-text.ts';

/** Ranks with figures of their own per place; a place of more is no Pod. */
const MAX_RANKS = 20_000;
/** Characters kept of a last line. More than an event shows, so that most lines need no copy. */
const KEPT_TEXT = 2_000;

interface Moment {
  readonly stamp: RawStamp;
  readonly place: LinePlace;
}

/** The newest line that was counted as bytes: its text and stamp are made when they are needed, most often never. */
export class LateLine {
  /** 0 = there is none. */
  line = 0;
  from = 0;
  to = 0;
  /** Rank of its column; -1 without one. */
  column = -1;

  copy({ line, from, to, column }: LateLine): void {
    this.set(line, from, to, column);
  }

  set(line: number, from: number, to: number, column: number): void {
    this.line = line;
    this.from = from;
    this.to = to;
    this.column = column;
  }
}

/** Lines that are counted together. */
export interface LateLines {
  readonly late: LateLine;
  readonly text: LateLine;
  readonly stamped: boolean;
  /** -1 = none. */
  readonly rank: number;
}

/** What a late line turns out to say, its layers taken off; `line` is only valid until the next call. */
export type ReadLate = (late: LateLine) => { readonly line: LogLine; readonly place: LinePlace };

interface RankFigures {
  lines: number;
  first: RawStamp | undefined;
  last: RawStamp | undefined;
  lastText: string;
  lastPlace: LinePlace;
  /** Newer than `last`, and than `lastText` with its place. */
  readonly lateStamp: LateLine;
  readonly lateText: LateLine;
}

/** A record in the making, with what its first line said. */
export interface Pending {
  readonly record: OpenRecord;
  readonly origin: Origin;
  readonly tag: string;
  readonly output: string;
  /** Begun by a C++ header: its further lines carry no mark. */
  readonly loose: boolean;
  readonly text: string;
  lastLine: number;
}

/** First parts of a record that the runtime cut. */
export interface Fragments {
  text: string;
  readonly place: LinePlace;
  readonly outer: RawStamp | undefined;
}

export class PlaceBook {
  readonly column: RankColumn = createRankColumn();
  readonly notes: Notes = {};
  readonly fragments = new Map<string, Fragments>();
  readonly gate: EventGate;
  pending: Pending[] = [];
  lines = 0;
  events = 0;
  lastTag = '';
  lastText = '';
  newestFirst = false;
  private readonly ranks = new Map<number, RankFigures>();
  private first: Moment | undefined;
  private last: Moment | undefined;
  private lastPlace: LinePlace | undefined;
  private hosts = new Set<string>();
  /** As in RankFigures. */
  private readonly lateStamp = new LateLine();
  private readonly lateText = new LateLine();
  private readonly lateRanks = new Set<RankFigures>();
  private newestRank = -1;
  private newestFigures: RankFigures | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly namespace: string | undefined;

  constructor(place: Pick<LogLine, 'pod' | 'container' | 'namespace'>, emit: (draft: Draft) => void) {
    this.pod = place.pod;
    this.container = place.container;
    this.namespace = place.namespace;
    this.gate = createEventGate(emit);
  }

  /** A host that lines of the place name as their own. */
  noteHost(host: string): void {
    if (this.hosts.size < 2) this.hosts.add(host);
  }

  countLine(line: LogLine, place: LinePlace): void {
    this.lines += 1;
    const stamp = line.outer;
    if (stamp !== undefined) {
      this.last = { stamp, place };
      this.first ??= this.last;
      this.lateStamp.line = 0;
    }
    if (line.text !== '') this.setLastText(line, place);
  }

  private setLastText(line: LogLine, place: LinePlace): void {
    this.lastText = clip(line.text, KEPT_TEXT);
    this.lastTag = line.tag;
    this.lastPlace = place;
    this.lateText.line = 0;
  }

  /**
   * Counts a line that stays bytes. `rank` -1 = it names none. False = not counted: it is the first of its kind here and must be read.
   */
  countLate(late: LateLine, stamped: boolean, empty: boolean, rank: number): boolean {
    if (stamped && this.first === undefined) return false;
    const figures = rank < 0 ? undefined : this.figuresOf(rank);
    if (rank >= 0 && (figures === undefined || (stamped && figures.first === undefined))) return false;
    const { line, from, to, column } = late;
    this.lines += 1;
    if (stamped) this.lateStamp.set(line, from, to, column);
    if (!empty) this.lateText.set(line, from, to, column);
    if (figures === undefined) return true;
    figures.lines += 1;
    // A late line more: it is known already.
    if (figures.lateStamp.line === 0 && figures.lateText.line === 0) this.lateRanks.add(figures);
    if (stamped) figures.lateStamp.set(line, from, to, column);
    if (!empty) figures.lateText.set(line, from, to, column);
    return true;
  }

  /**
   * The same for lines in a row that name one rank, or none, and no column: `late` is the last of them, `text` the last that is not empty
   * (line 0 = all are). Only where `canCountLate` says so.
   */
  countLates(lines: number, { late, text, stamped, rank }: LateLines): void {
    this.lines += lines;
    const figures = rank < 0 ? undefined : this.figuresOf(rank);
    if (stamped) this.lateStamp.copy(late);
    if (text.line > 0) this.lateText.copy(text);
    if (figures === undefined) return;
    figures.lines += lines;
    if (figures.lateStamp.line === 0 && figures.lateText.line === 0) this.lateRanks.add(figures);
    if (stamped) figures.lateStamp.copy(late);
    if (text.line > 0) figures.lateText.copy(text);
  }

  /** Would `countLate` count it? */
  canCountLate(stamped: boolean, rank: number): boolean {
    if (stamped && this.first === undefined) return false;
    const figures = rank < 0 ? undefined : this.figuresOf(rank);
    return rank < 0 || (figures !== undefined && !(stamped && figures.first === undefined));
  }

  private figuresOf(rank: number): RankFigures | undefined {
    if (rank !== this.newestRank || this.newestFigures === undefined) {
      this.newestRank = rank;
      this.newestFigures = this.ranks.get(rank);
    }
    return this.newestFigures;
  }

  /** Text and mark of the last line, if they are still to be made. */
  settleLastText(read: ReadLate): void {
    if (this.lateText.line === 0) return;
    const { line, place } = read(this.lateText);
    this.setLastText(line, place);
  }

  /** Makes everything that was put off: the bytes will be gone. */
  settle(read: ReadLate): void {
    this.gate.settleLate();
    this.settleLastText(read);
    if (this.lateStamp.line > 0) {
      const { line, place } = read(this.lateStamp);
      if (line.outer !== undefined) this.last = { stamp: line.outer, place };
      this.lateStamp.line = 0;
    }
    for (const figures of this.lateRanks) settleFigures(figures, read);
    this.lateRanks.clear();
  }

  /** `basis` must come from the line itself, not from the file's name. */
  countRank(rank: number, _basis: RankBasis, line: LogLine, place: LinePlace): void {
    const figures = this.ranks.get(rank);
    if (figures === undefined) {
      if (this.ranks.size >= MAX_RANKS) return;
      const lastText = clip(line.text, KEPT_TEXT);
      const made = { lines: 1, first: line.outer, last: line.outer, lastText, lastPlace: place };
      this.ranks.set(rank, { ...made, lateStamp: new LateLine(), lateText: new LateLine() });
      return;
    }
    figures.lines += 1;
    figures.first ??= line.outer;
    if (line.outer !== undefined) {
      figures.last = line.outer;
      figures.lateStamp.line = 0;
    }
    if (line.text !== '') setFiguresText(figures, line, place);
  }

  /** `settle` gives stamps without a year the one that the file told. */
  toStream(entry: EntryId, path: PathFacts, settle: (stamp: RawStamp) => RawStamp): LogStream {
    const stampOf = (raw: RawStamp | undefined) => (raw === undefined ? undefined : toStamp(settle(raw)));
    const moment = (at: Moment | undefined) =>
      at === undefined ? undefined : { stamp: toStamp(settle(at.stamp)), source: sourceOf(entry, at.place) };
    const own = this.pod === path.pod;
    return {
      pod: this.pod,
      container: this.container,
      namespace: this.namespace ?? (own ? path.namespace : undefined),
      podUid: own ? path.podUid : undefined,
      restart: own ? path.restart : undefined,
      previous: path.previous,
      attempt: path.attempt,
      localRank: path.localRank,
      fileRank: path.fileRank ?? this.onlyRank(path),
      host: path.host ?? this.onlyHost(),
      ...(this.newestFirst ? { newestFirst: true as const } : {}),
      lines: this.lines,
      first: moment(this.first),
      last: moment(this.last),
      lastLine: this.lastPlace && {
        text: this.lastText.slice(0, MAX_EVENT_TEXT),
        source: sourceOf(entry, this.lastPlace),
      },
      ranks: [...this.ranks]
        .sort(([a], [b]) => a - b)
        .map(([rank, figures]) => ({
          rank,
          lines: figures.lines,
          first: stampOf(figures.first),
          last: stampOf(figures.last),
          lastText: figures.lastText.slice(0, MAX_EVENT_TEXT),
          lastSource: sourceOf(entry, figures.lastPlace),
        })),
    };
  }

  private onlyHost(): string | undefined {
    return this.hosts.size === 1 ? [...this.hosts][0] : undefined;
  }

  /**
   * The one rank whose lines the file holds: only where the file belongs to one process by its place (torchrun's log
   * folder). A Pod's log in which one rank alone prints its mark still holds the others' lines.
   */
  private onlyRank(path: PathFacts): number | undefined {
    if (path.localRank === undefined || this.ranks.size !== 1) return undefined;
    return [...this.ranks.keys()][0];
  }
}

function setFiguresText(figures: RankFigures, line: LogLine, place: LinePlace): void {
  figures.lastText = clip(line.text, KEPT_TEXT);
  figures.lastPlace = place;
  figures.lateText.line = 0;
}

function settleFigures(figures: RankFigures, read: ReadLate): void {
  if (figures.lateText.line > 0) {
    const { line, place } = read(figures.lateText);
    setFiguresText(figures, line, place);
  }
  if (figures.lateStamp.line > 0) {
    figures.last = read(figures.lateStamp).line.outer;
    figures.lateStamp.line = 0;
  }
}
