/**
 * Builds the view `coverage` (`types.ts`) out of streams, dumps and events. Pure and independent of the order of files; O(files + ranks).
 */
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { KubeEvent } from '../../model/kubernetes.ts';
import type { ViewSource } from '../index.ts';
import { laneClocks } from '../lanes/clocks.ts';
import { logFiles } from '../lanes/log-files.ts';
import { spanOfDump, type TimeWindow, timeWindow } from '../lanes/window.ts';
import type { CoverageOf, CoverageView, FileCoverage, PodCoverage } from './types.ts';

export { COVERAGE_VIEW, type CoverageOf, type CoverageView, type FileCoverage, type PodCoverage } from './types.ts';

/** Undefined if nothing in the case carries a time. */
export function buildCoverage({ input, result, report }: ViewSource): CoverageView | undefined {
  const window = timeWindow(input);
  if (window === undefined) return undefined;
  const at = result.verdict.at;
  const faultClock = at === undefined || at.zoneAssumed === true ? undefined : at.clock;
  const clocks = laneClocks(result.facts.clocks, window, faultClock);
  const indexOf = new Map(clocks.map(({ id }, i) => [id, i]));
  const clockIndex = (id: string | undefined): number => (id === undefined ? -1 : (indexOf.get(id) ?? -1));
  const files = new Files(new Map(input.entries.map(({ path, id }) => [path, id])));
  files.addRanks(report, clockIndex);
  files.addStreams({ result, input, window });
  for (const { entry, clock } of logFiles(result, clockIndex)) files.of(entry).clock = clock;
  for (const dump of input.dumps) files.addDump(dump, window);
  for (const event of input.kubeEvents) files.addEvent(event, window, clockIndex('api'));
  const faultNs = window.ofEpoch(at?.rawNs);
  return {
    version: 1,
    originNs: window.originNs.toString(),
    clocks,
    files: files.list(),
    pods: podsOf({ result, report }, files.loggedPods()),
    fault: Number.isNaN(faultNs) ? null : { atNs: faultNs, clock: clockIndex(faultClock) },
  };
}

interface Gathered {
  of: CoverageOf | null;
  clock: number;
  from: number;
  to: number;
  readonly nodes: Set<string>;
  readonly pods: Set<string>;
  readonly ranks: Set<number>;
}

class Files {
  readonly #byEntry = new Map<number, Gathered>();
  readonly #entryOf: ReadonlyMap<string, number>;

  constructor(entryOf: ReadonlyMap<string, number>) {
    this.#entryOf = entryOf;
  }

  of(entry: number): Gathered {
    const known = this.#byEntry.get(entry);
    if (known !== undefined) return known;
    const made: Gathered = {
      ...{ of: null, clock: -1, from: Number.NaN, to: Number.NaN },
      ...{ nodes: new Set(), pods: new Set(), ranks: new Set() },
    };
    this.#byEntry.set(entry, made);
    return made;
  }

  /** Whose files they are, as the report places ranks. A file of ranks on several clocks is on none. */
  addRanks({ ranks }: ViewSource['report'], clockIndex: (id: string | undefined) => number): void {
    const several = new Set<number>();
    for (const { rank, node, pod, clock, files } of ranks) {
      const index = clockIndex(clock ?? undefined);
      for (const path of files) {
        const entry = this.#entryOf.get(path);
        if (entry === undefined) continue;
        const file = this.of(entry);
        if (file.ranks.size > 0 && file.clock !== index) several.add(entry);
        file.clock = several.has(entry) ? -1 : index;
        file.ranks.add(rank);
        if (node !== null) file.nodes.add(node);
        if (pod !== null) file.pods.add(pod);
      }
    }
  }

  addStreams({ result, input, window }: Pick<ViewSource, 'result' | 'input'> & { readonly window: TimeWindow }): void {
    const { pods } = result.facts.rankMap;
    const nodeOfPod = new Map(pods.map(({ pod, node }) => [pod, node]));
    const nodes = new Set([
      ...pods.flatMap(({ node }) => node ?? []),
      ...result.facts.clocks.domains.flatMap(({ id, kind }) => (kind === 'node' ? [id] : [])),
    ]);
    for (const { first, last, lastLine, pod, host } of input.streams) {
      const source = first?.source ?? last?.source ?? lastLine?.source;
      if (source === undefined) continue;
      const file = this.of(source.entry);
      file.of = 'log';
      see(file, window.ofStamp(first?.stamp));
      see(file, window.ofStamp(last?.stamp));
      if (pod !== undefined) file.pods.add(pod);
      const node = host !== undefined && nodes.has(host) ? host : pod === undefined ? undefined : nodeOfPod.get(pod);
      if (node !== undefined) file.nodes.add(node);
    }
  }

  addDump({ source, columns }: FlightRecorderDump, window: TimeWindow): void {
    const file = this.of(source.entry);
    file.of = 'dump';
    const span = spanOfDump(columns);
    see(file, window.ofEpoch(span?.from));
    see(file, window.ofEpoch(span?.to));
  }

  addEvent({ source, first, last, created }: KubeEvent, window: TimeWindow, clock: number): void {
    const file = this.of(source.entry);
    if (file.of !== null && file.of !== 'events') return;
    file.of = 'events';
    file.clock = clock;
    for (const moment of [first, last, created]) see(file, window.ofEpoch(moment));
  }

  /** By the path, by the lines, or because a rank of the Pod has a log of its own. */
  loggedPods(): ReadonlySet<string> {
    return new Set([...this.#byEntry.values()].flatMap(({ of, pods }) => (of === 'log' ? [...pods] : [])));
  }

  list(): FileCoverage[] {
    return [...this.#byEntry]
      .sort(([a], [b]) => a - b)
      .map(([entry, { of, clock, from, to, nodes, pods, ranks }]) => ({
        ...{ entry, of, clock },
        nodes: [...nodes].sort(),
        pods: [...pods].sort(),
        ranks: [...ranks].sort((a, b) => a - b),
        fromNs: Number.isNaN(from) ? null : from,
        toNs: Number.isNaN(to) ? null : to,
      }));
  }
}

function see(file: Gathered, at: number): void {
  if (Number.isNaN(at)) return;
  if (!(file.from <= at)) file.from = at;
  if (!(file.to >= at)) file.to = at;
}

function podsOf({ result, report }: Pick<ViewSource, 'result' | 'report'>, logged: ReadonlySet<string>): PodCoverage[] {
  const dumped = new Set(report.ranks.flatMap(({ rank, dump }) => (dump === 'absent' ? [] : [rank])));
  return result.facts.rankMap.pods
    .map(({ pod, node, ranks, expectedRanks }): PodCoverage => {
      const all = [...new Set([...ranks, ...expectedRanks])].sort((a, b) => a - b);
      return {
        ...{ pod, node: node ?? null, ranks: all },
        log: logged.has(pod),
        withoutDump: dumped.size === 0 ? [] : all.filter((rank) => !dumped.has(rank)),
      };
    })
    .sort((a, b) => compare(a.node ?? '\uffff', b.node ?? '\uffff') || compare(a.pod, b.pod));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
