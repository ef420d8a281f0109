/** Grouped consequences for sentences: who timed out, who saw a connection close. */
import { nameRanksAtStart, rankSet } from '../../../lib/rank-set.ts';
import type { PlacedEvent } from '../../../model/facts.ts';
import type { Evidence } from '../../../model/finding.ts';
import { cite } from './draft.ts';
import { type Consequence, consequenceOf } from './events.ts';

const WORDS: Record<Consequence, string> = {
  timeout: 'waited until the time limit',
  closed: 'saw the connection of a peer close',
  refused: 'could not connect to a peer',
  store: 'lost the key-value store or rendezvous',
  abort: 'were taken down by their own watchdog',
};

/** One item per kind of consequence with its ranks, opening at the first of them; at most `most`, most common first. */
export function consequenceEvidence(events: readonly PlacedEvent[], attempt: number | undefined, most = 3): Evidence[] {
  const kinds = new Map<Consequence, { ranks: Set<number>; first: PlacedEvent; count: number }>();
  for (const placed of events) {
    if (attempt !== undefined && placed.attempt !== attempt) continue;
    const how = consequenceOf(placed.event.body);
    if (how === undefined) continue;
    const known = kinds.get(how) ?? { ranks: new Set<number>(), first: placed, count: 0 };
    known.count += 1;
    if (placed.rank !== undefined) known.ranks.add(placed.rank);
    kinds.set(how, known);
  }
  return [...kinds]
    .sort(([a, x], [b, y]) => y.ranks.size - x.ranks.size || y.count - x.count || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([how, { ranks, first }]) =>
      cite(
        first,
        `${ranks.size > 0 ? nameRanksAtStart(rankSet(ranks)) : 'A process of unknown rank'} ${WORDS[how]}: a consequence, not a cause`,
      ),
    );
}
