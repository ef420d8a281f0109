/** The last line that surely is a rank's: an event, a marked line that made no event, or the last line of its own file. */
import type { LogStream } from '../../model/events.ts';
import type { LifeLine, PlacedEvent, RankPlace } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { Stamp } from '../../model/time.ts';
import { canCompare } from '../clocks/order.ts';

type Seen = NonNullable<LifeLine['lastSeen']>;

const positionOf = (source: SourceRef): number =>
  source.kind === 'line' ? source.line : source.kind === 'byte' ? source.byte : 0;

/** Position in the order of time: files of log services may have their newest lines first. */
const timePosition = (source: SourceRef, stream: LogStream | undefined): number =>
  stream?.newestFirst === true ? -positionOf(source) : positionOf(source);

const keyOf = (source: SourceRef): string => `${source.entry}/${positionOf(source)}`;

interface Candidate extends Seen {
  readonly stream: LogStream | undefined;
  readonly clock: string | undefined;
}

/** Streams by entry, and the attempt that a position of a stream lies in, as its events tell it. */
export class StreamIndex {
  private readonly byEntry = new Map<EntryId, LogStream[]>();
  private readonly events = new Map<LogStream, PlacedEvent[]>();
  private readonly figures = new Map<LogStream, ReadonlyMap<number, LogStream['ranks'][number]>>();
  /** Ranks of the events of the lines that streams name as a rank's last. */
  private readonly placed = new Map<string, Set<number | undefined>>();

  constructor(streams: readonly LogStream[], events: readonly PlacedEvent[]) {
    for (const stream of streams) {
      const entry = (stream.first?.source ?? stream.lastLine?.source ?? stream.ranks[0]?.lastSource)?.entry;
      if (entry === undefined) continue;
      const list = this.byEntry.get(entry) ?? [];
      list.push(stream);
      this.byEntry.set(entry, list);
      for (const item of stream.ranks) this.placed.set(keyOf(item.lastSource), new Set());
    }
    for (const event of events) {
      this.placed.get(keyOf(event.event.source))?.add(event.rank);
      if (event.stream === undefined) continue;
      const list = this.events.get(event.stream) ?? [];
      list.push(event);
      this.events.set(event.stream, list);
    }
  }

  /** False if the line made an event that is not this rank's: its mark was a rank in some group, or a task number. */
  isOf(rank: number, source: SourceRef): boolean {
    const placed = this.placed.get(keyOf(source));
    return placed === undefined || placed.size === 0 || placed.has(rank);
  }

  /** What the stream counted for a rank. */
  figuresOf(stream: LogStream, rank: number): LogStream['ranks'][number] | undefined {
    const known = this.figures.get(stream) ?? new Map(stream.ranks.map((item) => [item.rank, item]));
    this.figures.set(stream, known);
    return known.get(rank);
  }

  streamsOf(entry: EntryId): readonly LogStream[] {
    return this.byEntry.get(entry) ?? [];
  }

  /** Attempt and clock at a position: those of the event before it, else of the first one. */
  at(
    stream: LogStream,
    source: SourceRef,
  ): { readonly attempt: number; readonly clock: string | undefined } | undefined {
    const events = this.events.get(stream) ?? [];
    const found = events[Math.max(0, countUpTo(events, timePosition(source, stream)) - 1)];
    if (found === undefined) return undefined;
    return { attempt: found.attempt, clock: found.clock ?? events.find(({ clock }) => clock !== undefined)?.clock };
  }
}

/** Events (by position) that do not stand behind `position`. */
function countUpTo(events: readonly PlacedEvent[], position: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event !== undefined && timePosition(event.event.source, event.stream) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True for a file that only this rank wrote. */
export const isOwnStream = (stream: LogStream, rank: number): boolean =>
  stream.localRank !== undefined ||
  (stream.fileRank === rank && stream.ranks.length <= 1 && (stream.ranks[0]?.rank ?? rank) === rank);

export function lastSeen(place: RankPlace, own: readonly PlacedEvent[], index: StreamIndex): LifeLine['lastSeen'] {
  const candidates: Candidate[] = own.map(({ event, clock, stream }) => ({
    stamp: event.stamp,
    text: event.text,
    source: event.source,
    clock,
    stream,
  }));
  const entries = new Set([...place.entries, ...own.map(({ event }) => event.source.entry)]);
  for (const entry of [...entries].sort((a, b) => a - b)) {
    for (const stream of index.streamsOf(entry)) candidates.push(...streamCandidates(stream, place, index));
  }
  let best: Candidate | undefined;
  for (const candidate of candidates) if (best === undefined || isLater(candidate, best)) best = candidate;
  return best === undefined ? undefined : { stamp: best.stamp, text: best.text, source: best.source };
}

function streamCandidates(stream: LogStream, place: RankPlace, index: StreamIndex): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const add = (source: SourceRef, text: string, stamp: Stamp | undefined) => {
    const at = index.at(stream, source) ?? { attempt: place.attempt, clock: undefined };
    if (at.attempt === place.attempt) candidates.push({ stamp, text, source, clock: at.clock, stream });
  };
  const figures = index.figuresOf(stream, place.rank);
  if (figures !== undefined && index.isOf(place.rank, figures.lastSource))
    add(figures.lastSource, figures.lastText, figures.last);
  if (isOwnStream(stream, place.rank) && stream.lastLine !== undefined) {
    const { source, text } = stream.lastLine;
    add(
      source,
      text,
      stream.last?.source.kind === 'line' && stream.last.source.entry === source.entry ? stream.last.stamp : undefined,
    );
  }
  return candidates;
}

/** Inside a file by position; between files by their clock, if it is one clock; else the file named first stays. */
function isLater(a: Candidate, b: Candidate): boolean {
  if (a.source.entry === b.source.entry) return timePosition(a.source, a.stream) > timePosition(b.source, b.stream);
  if (a.stamp === undefined || b.stamp === undefined) return false;
  return canCompare({ clock: a.clock, stamp: a.stamp }, { clock: b.clock, stamp: b.stamp }) === 'after';
}
