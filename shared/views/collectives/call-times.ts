/**
 * When chosen ranks entered chosen calls of a group, out of their dumps: raw stamps, each with the clock that wrote it. Nothing is said where the
 * recorder holds no record, or no stamp in it. O(ranks × calls).
 */
import type { CallTimesAnswer, RankCallTimes } from './answers.ts';
import type { LoadedEntry } from './call-detail.ts';
import { CellReader } from './cells.ts';
import type { CollectiveGroup, CollectivesView } from './types.ts';

export interface CallTimesQuestion {
  readonly calls: readonly { readonly seq: number; readonly part: number }[];
  readonly ranks: readonly number[];
}

/** `load`: undefined if there is no such entry. */
export function callTimes(
  view: CollectivesView,
  group: CollectiveGroup,
  asked: CallTimesQuestion,
  load: (entry: number) => LoadedEntry | undefined,
): CallTimesAnswer {
  const reader = new CellReader(group, view.pool);
  const places = new Map(view.ranks.map((one) => [one.rank, one]));
  const origin = BigInt(view.originNs);
  const ranks = asked.ranks.map((rank): RankCallTimes => {
    const place = places.get(rank);
    const member = group.members.indexOf(rank);
    const dump = place?.entry === undefined || member < 0 ? undefined : load(place.entry)?.dump;
    const rawNs = Float64Array.from(asked.calls, ({ seq, part }) => {
      const record = dump === undefined ? -1 : reader.record(member, seq, part);
      const ns = record < 0 ? 0n : (dump?.columns.createdNs[reader.dumpRow(member, seq, record)] ?? 0n);
      return ns === 0n ? Number.NaN : Number(ns - origin);
    });
    return { rank, clock: place?.clock ?? -1, rawNs };
  });
  return { originNs: view.originNs, clocks: view.clocks, ranks };
}
