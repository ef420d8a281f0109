/** Which clock each log file is on, and when each rank wrote its lines, by what the streams say. */
import type { AnalysisResult } from '../../model/finding.ts';
import type { LaneFile } from './types.ts';
import type { TimeWindow } from './window.ts';

export function logFiles({ facts }: AnalysisResult, clockIndex: (id: string | undefined) => number): LaneFile[] {
  const nodeOfPod = new Map(facts.rankMap.pods.map((pod) => [pod.pod, pod.node]));
  const clocks = new Map<number, number>();
  for (const placed of facts.events) {
    const { entry } = placed.event.source;
    const clock = clockIndex(placed.clock);
    if (clock >= 0 && !clocks.has(entry)) clocks.set(entry, clock);
  }
  for (const stream of facts.input.streams) {
    const entry = stream.first?.source.entry ?? stream.last?.source.entry;
    if (entry === undefined || (clocks.get(entry) ?? -1) >= 0) continue;
    const node = stream.pod === undefined ? undefined : nodeOfPod.get(stream.pod);
    const known = [stream.host, node, stream.pod].map(clockIndex).find((clock) => clock >= 0);
    clocks.set(entry, known ?? -1);
  }
  return [...clocks].map(([entry, clock]) => ({ entry, clock })).sort((a, b) => a.entry - b.entry);
}

export interface Coverage {
  from: number;
  to: number;
}

/** First and last stamp of the lines that surely are a rank's own, raw. */
export function logCoverage({ facts }: AnalysisResult, window: TimeWindow): ReadonlyMap<number, Coverage> {
  const found = new Map<number, Coverage>();
  const see = (rank: number, at: number): void => {
    if (Number.isNaN(at)) return;
    const known = found.get(rank);
    if (known === undefined) found.set(rank, { from: at, to: at });
    else {
      known.from = Math.min(known.from, at);
      known.to = Math.max(known.to, at);
    }
  };
  for (const { fileRank, first, last, ranks } of facts.input.streams) {
    if (fileRank !== undefined) {
      see(fileRank, window.ofStamp(first?.stamp));
      see(fileRank, window.ofStamp(last?.stamp));
    }
    for (const one of ranks) {
      see(one.rank, window.ofStamp(one.first));
      see(one.rank, window.ofStamp(one.last));
    }
  }
  return found;
}
