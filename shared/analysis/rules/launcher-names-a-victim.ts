/**
 * torchrun's "Root Cause (first observed failure)" names a rank that only suffered.
 *
 *   Root Cause (first observed failure):
 *     rank : 3 (local_rank: 3)   exitcode : 1      — and rank 3 printed only "Connection closed by peer"
 */
import { nameRanks } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, draft, quote } from './support/draft.ts';
import { consequenceOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { eventsOfRank } from './support/ranks.ts';

export default defineRule({
  id: 'launcher-names-a-victim',
  title: 'The launcher names a rank that only suffered',
  needs: ['events', 'rankMap'],
  explain: `
Each torchrun agent knows only its own workers and calls the one with the smallest time the root cause. That time has whole seconds and, without an error file, is when the agent *noticed* the exit. On every node but the
guilty one the block therefore names a victim, and on the guilty one it may as well. If the named rank printed a consequence (a time-out, a closed connection) and no error of its own, or if its exit code is −15, which is the launcher's own SIGTERM, the claim is ruled out by that. It is shown
because it is what people read first.

How sure: it only rules out, by the named rank's own words or its exit. When it can be wrong: a rank that failed by itself and whose own error was lost, while its consequences were kept.`,
  remedy:
    'Do not start with that rank. Set an error file per worker (`@record`) so that the blocks at least carry the exception.',
  run: ({ events, rankMap }) =>
    eventsOf(events, 'failure-summary').flatMap((summary) => {
      const root = summary.event.body.failures.find((failure) => failure.root);
      if (root === undefined) return [];
      const own = inAttempt(eventsOfRank(events, root.rank), summary.attempt);
      const primary = own.some(
        (placed) =>
          placed.event.body.kind === 'exception' &&
          !placed.event.body.handled &&
          isPrimaryClass(placed.event.body.class),
      );
      const echo = own.find((placed) => consequenceOf(placed.event.body) !== undefined);
      const byLauncher = root.exitCode === -15;
      if (primary || (echo === undefined && !byLauncher)) return [];
      const others = rankMap.pods.length > 1 ? ' Its agent knows only the workers of its own node.' : '';
      const claim = `torchrun${summary.pod === undefined ? '' : ` in Pod ${summary.pod}`} names rank ${root.rank} as root cause, but rank ${root.rank} ${echo ? 'printed only a consequence' : 'was ended by the launcher itself'}.${others}`;
      return [
        draft({
          outcome: 'named',
          status: 'ruled-out',
          stage: 'exited-rank',
          cause: 'none',
          strength: 'context',
          firstRanks: [root.rank],
          pod: summary.pod,
          node: summary.node,
          attempt: summary.attempt,
          summary: claim,
          because: [
            cite(summary, claim),
            ...(echo
              ? [cite(echo, `All that ${nameRanks([root.rank])} says: ${quote(echo.event.text, 140)}`)]
              : [citeSource(summary.event.source, 'Exit code −15: ended by the launcher', root.rank)]),
          ],
        }),
      ];
    }),
});
