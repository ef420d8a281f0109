/** Hosts of one job run different versions of torch, NCCL, CUDA or the driver. */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { commonPlace, jobRanks } from './support/ranks.ts';

const NAMES = ['torch', 'nccl', 'cuda', 'driver'] as const;

export default defineRule({
  id: 'versions-differ',
  title: 'Software versions differ between ranks',
  needs: ['events', 'rankMap'],
  explain: `
Each rank or NCCL prints the versions it runs. Different versions of torch or NCCL inside one job are a fault of the set-up and often make communicators fail to start or disagree. That they differ is direct; that it is **the
cause** is only plausible if the job never got started. So it is a hypothesis while no rank told of a step or an end, and only context afterwards. Different drivers or CUDA versions alone are always context. The ranks with the rarer version are the group; with equal sides the whole job is.

How sure: a *hypothesis* before the first step, context after it. When it can be wrong: versions that work together, and lines of another job in the same files.`,
  remedy:
    'Start all Pods from the same image by digest (kubectl get pods -o custom-columns=POD:.metadata.name,IMAGE:.status.containerStatuses[*].imageID); compare python -c "import torch; print(torch.__version__, torch.cuda.nccl.version())" in each, and LD_LIBRARY_PATH or LD_PRELOAD that bring another NCCL in.',
  run: ({ events, rankMap }) => NAMES.flatMap((name) => differing(name, events, rankMap)),
});

function differing(name: (typeof NAMES)[number], events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const byVersion = new Map<string, PlacedEvent[]>();
  for (const placed of eventsOf(events, 'software')) {
    const version = placed.event.body[name];
    if (version !== undefined && (placed.rank !== undefined || placed.node !== undefined || placed.pod !== undefined))
      byVersion.set(version, [...(byVersion.get(version) ?? []), placed]);
  }
  for (const cut of byVersion.keys()) if (isCut(cut, byVersion)) byVersion.delete(cut);
  if (byVersion.size < 2) return [];
  const sides = [...byVersion]
    .map(([version, placed]) => ({
      version,
      ranks: rankSet(placed.flatMap((one) => one.rank ?? [])),
      first: placed[0],
    }))
    .sort((a, b) => b.ranks.length - a.ranks.length || (a.version < b.version ? -1 : 1));
  const minority = without(
    sides.slice(1).flatMap((side) => side.ranks),
    sides[0]?.ranks ?? [],
  );
  const started = events.some(
    (placed) => placed.event.body.kind === 'progress' || placed.event.body.kind === 'finished',
  );
  const minor = name === 'driver' || name === 'cuda' || started;
  const tie = (sides[0]?.ranks.length ?? 0) === minority.length;
  const ranks = tie ? jobRanks(rankMap) : minority;
  return [
    draft({
      outcome: ranks.length > 0 ? 'group' : 'cannot-tell',
      status: 'hypothesis',
      stage: 'rendezvous',
      cause: 'version-mismatch',
      strength: minor ? 'context' : 'direct',
      firstRanks: ranks,
      ...commonPlace(rankMap, ranks, 0),
      attempt: 0,
      summary: `Ranks run different versions of ${name}: ${sides
        .slice(0, 3)
        .map((side) => `${quote(side.version, 40)} (${nameRanks(side.ranks)})`)
        .join(', ')}.`,
      because: sides
        .slice(0, 3)
        .flatMap((side) => (side.first ? [cite(side.first, quote(side.first.event.text, 140))] : [])),
      wouldChange: ['an error that has nothing to do with versions'],
      nextChecks: ['Image digests of all Pods'],
    }),
  ];
}

/** True if every line that tells of it ends with it and another version begins with it: a file that was cut ends so, and nobody runs `2.13.` */
function isCut(version: string, byVersion: ReadonlyMap<string, readonly PlacedEvent[]>): boolean {
  const longer = [...byVersion.keys()].some((other) => other !== version && other.startsWith(version));
  return longer && (byVersion.get(version) ?? []).every(({ event }) => event.text.endsWith(version));
}
