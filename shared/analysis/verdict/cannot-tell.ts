/** The honest answer when nothing decides: what is seen, which leads remain, what to ask for. */
import { formatRanks, isWithin, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { Evidence, Facts, Finding } from '../../model/finding.ts';
import { blankDumps } from '../rules/support/blank-dumps.ts';
import { consequenceEvidence } from '../rules/support/consequences.ts';
import { citeSource, draft } from '../rules/support/draft.ts';
import { attemptsOf, eventsOf } from '../rules/support/events.ts';
import { consequenceReports, jobRanks, timedOut } from '../rules/support/ranks.ts';
import type { Coverage } from './coverage.ts';
import type { EarlierAttempt } from './earlier-attempt.ts';

/** `earlier`: the leads are about a later attempt only, for this reason. */
export function cannotTell(
  facts: Facts,
  leads: readonly Finding[],
  coverage: Coverage,
  earlier?: EarlierAttempt,
): Finding {
  const attempt = attemptsOf(facts.events)[0];
  const reports = consequenceReports(facts.events, attempt ?? 0);
  const seen = consequenceEvidence(facts.events, attempt, 4);
  const lost: Evidence[] = coverage.lostAttempts
    .slice(0, 2)
    .flatMap((item) =>
      item.source
        ? [citeSource(item.source, `${item.pod === '' ? 'An earlier attempt' : `Pod ${item.pod}`}: ${item.why}`)]
        : [],
    );
  return {
    rule: 'verdict',
    ...draft({
      outcome: 'cannot-tell',
      status: 'not-determinable',
      stage: 'unknown',
      cause: 'none',
      strength: 'context',
      candidates: candidatesOf(facts, leads, reports, coverage),
      attempt,
      summary:
        earlier === undefined
          ? summaryOf(facts, leads, coverage, reports, seen.length > 0)
          : laterAttemptText(earlier, leads, coverage),
      because: [...leads.flatMap((lead) => lead.because.slice(0, 2)).slice(0, 4), ...lost, ...seen],
      wouldChange: wouldChange(facts, coverage),
      nextChecks: [...(earlier === undefined ? [] : [EARLIER_LOGS]), ...nextChecks(facts, leads, timedOut(reports))],
    }),
  };
}

const EARLIER_LOGS =
  'What the first attempt printed: kubectl logs --previous, the log store of the cluster, rotated files of the node';

function laterAttemptText(earlier: EarlierAttempt, leads: readonly Finding[], coverage: Coverage): string {
  const [lost] = coverage.lostAttempts;
  const why =
    earlier === 'unexplained' || lost === undefined
      ? 'an earlier attempt failed, and nothing in the bundle says why'
      : `${lost.pod === '' ? '' : `of Pod ${lost.pod}, `}${lost.why}`;
  const [lead] = leads;
  const later =
    lead === undefined ? '' : ` What attempt ${lead.attempt} shows is only how that one ended: ${lead.summary}`;
  return `The first failure of the job cannot be told: ${why}.${later}`;
}

function summaryOf(
  facts: Facts,
  leads: readonly Finding[],
  coverage: Coverage,
  reports: Reports,
  consequences: boolean,
): string {
  const waited = timedOut(reports);
  const { allJoined } = facts.collectives;
  if (allJoined !== undefined) return allJoinedText(facts, allJoined);
  const ranks = jobRanks(facts.rankMap);
  const recorded = leads.find((lead) => lead.strength === 'recorder');
  if (recorded !== undefined)
    return `The evidence is too thin to name a first rank. The best lead: ${recorded.summary}`;
  if (everyoneWaited(facts, waited)) {
    return `${facts.rankMap.worldSize === undefined ? `All ranks that are seen here (${formatRanks(ranks)})` : `All ${ranks.length} ranks`} waited until the time limit: every one of them is a witness, none is accused by the evidence in this bundle.`;
  }
  const [lead] = leads;
  if (lead !== undefined) return `The evidence is too thin to name a first rank. The best lead: ${lead.summary}`;
  if (coverage.lostAttempts.length > 0)
    return 'Only consequences survive: what began the failure was printed by an earlier attempt whose log is not in the bundle.';
  if (waited.length > 0)
    return `${nameRanksAtStart(waited)} waited until the time limit for somebody; the bundle does not show for whom.`;
  if (facts.events.length === 0)
    return 'Nothing in this bundle says how the job went: no log line, event or dump that tells of a failure or of a good end.';
  const unheard = onlyUnheardLeft(facts, reports, coverage);
  if (unheard.length > 0)
    return `Every rank whose log is here only lost a peer. The log of ${nameRanks(unheard)} is not in the bundle: it began there or outside the job's processes, and what began it cannot be told.`;
  if (!consequences && !facts.events.some(tellsOfTrouble))
    return 'Nothing in this bundle tells of a failure, and nothing shows that the job ended well or made progress when it was taken.';
  return 'The bundle shows no act that began the failure, only its consequences or its surroundings.';
}

type Reports = ReturnType<typeof consequenceReports>;

/** The ranks without a log, if every other rank of the job tells that it lost a peer. Empty if anybody else is left. */
function onlyUnheardLeft({ rankMap }: Facts, reports: Reports, coverage: Coverage): readonly number[] {
  if (rankMap.worldSize === undefined || rankMap.attempts > 1) return [];
  const left = without(jobRanks(rankMap), reports.keys());
  const lost = [...reports.values()].every(({ how }) => how === 'closed');
  return reports.size > 1 && lost && left.length > 0 && isWithin(left, coverage.silentRanks) ? left : [];
}

const TROUBLE: ReadonlySet<string> = new Set([
  'worker-failed',
  'failure-summary',
  'native-terminate',
  'task-exit',
  'nccl-warning',
  'dump-signal',
  'work-status',
  'collective-mismatch',
  'ras-dead',
]);

/** No act that began anything, but not a word of a job that is well either. */
const tellsOfTrouble = ({ event: { body } }: Facts['events'][number]): boolean =>
  TROUBLE.has(body.kind) || (body.kind === 'exception' && !body.handled);

/**
 * All stand in one call. Below the program is the likelier half of what is left, never all of it: calls of other groups may have come in
 * another order, and what a rank without a dump passed is not recorded.
 */
function allJoinedText(facts: Facts, joined: NonNullable<Facts['collectives']['allJoined']>): string {
  const { collectives } = facts;
  const unseen = without(joined.ranks, collectives.dumpsPresent);
  const elsewhere = rankSet(
    collectives.groups
      .filter((group) => group.id !== joined.group)
      .flatMap((group) => group.members.filter((member) => member.waitsIn !== undefined).map((member) => member.rank)),
  );
  const joinedWords = `${nameRanksAtStart(joined.ranks)} all joined ${joined.op} #${joined.seq} and none finished it: in that group nobody is missing.`;
  if (elsewhere.length > 0 && elsewhere.length < joined.ranks.length)
    return `${joinedWords} But ${nameRanks(elsewhere)} also ${elsewhere.length === 1 ? 'waits' : 'wait'} in a call of another group: either calls of the two groups came in another order there than elsewhere, or the cause lies below the program (GPU, driver, network). Nothing here decides.`;
  if (unseen.length > 0)
    return `${joinedWords} What ${nameRanks(unseen)} called is not recorded (no dump): another size or order of calls there is as possible as a cause below the program (GPU, driver, network).`;
  return `${joinedWords} The recorded calls agree, which points below the program (GPU, driver, network) or to a process that was stopped inside the call; nothing here says where.`;
}

/** Of larger jobs no list of silent ranks is shown. */
const MOST_UNSEEN = 4096;

function candidatesOf(
  facts: Facts,
  leads: readonly Finding[],
  reports: Reports,
  coverage: Coverage,
): Finding['candidates'] {
  const fromLeads = leads
    .filter((lead) => lead.firstRanks.length > 0 || lead.candidates.length > 0)
    .flatMap((lead) =>
      lead.firstRanks.length > 0 ? [{ ranks: lead.firstRanks, why: lead.summary }] : [...lead.candidates],
    );
  if (fromLeads.length > 0) return fromLeads.slice(0, 6);
  const { roots } = facts.collectives;
  if (roots.length > 0) return roots.slice(0, 6).map((root) => ({ ranks: [root.rank], why: root.why }));
  const groups = waitsByGroup(facts);
  if (groups.size > 1)
    return [...groups].slice(0, 6).map(([group, ranks]) => ({
      ranks,
      why: `${nameRanksAtStart(ranks)} waited in group ${group}${othersOf(facts, group, ranks)}`,
    }));
  const unheard = onlyUnheardLeft(facts, reports, coverage);
  if (unheard.length > 0)
    return [{ ranks: unheard, why: 'the only ones left: no log of them is here, and all others only lost a peer' }];
  const silent = reports.size === 0 ? [] : without(ranksThatExist(facts, reports), reports.keys());
  return silent.length > 0 && silent.length <= 8 && reports.size > 1
    ? [
        {
          ranks: rankSet(silent),
          why: `${nameRanksAtStart(silent)} reported nothing while the others waited; that alone proves nothing`,
        },
      ]
    : [];
}

/** Ranks are numbered from 0 without gaps: below one that is seen all others exist, whatever the size of the job. */
function ranksThatExist({ rankMap }: Facts, reports: ReadonlyMap<number, unknown>): readonly number[] {
  const ranks = jobRanks(rankMap);
  if (rankMap.worldSize !== undefined) return ranks;
  const highest = Math.max(-1, ...ranks, ...reports.keys());
  return highest >= MOST_UNSEEN ? ranks : Array.from({ length: highest + 1 }, (_, rank) => rank);
}

function othersOf(facts: Facts, label: string, ranks: readonly number[]): string {
  const group = facts.collectives.groups.find(
    (one) => one.membersKnown && (label === one.desc || label.endsWith(` ${one.name}`) || label === one.name),
  );
  if (group === undefined) return '; who else belongs to it is not known';
  const rest = without(group.ranks, ranks);
  return rest.length === 0 ? ', as all its members' : `; ${nameRanks(rest)} of it did not report that`;
}

/** Ranks by the group that their watchdog's status line names, for calls that had not completed. */
function waitsByGroup(facts: Facts): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const placed of eventsOf(facts.events, 'work-status')) {
    const { group, work, lastCompleted } = placed.event.body;
    if (placed.rank === undefined || group === undefined || work === undefined || work <= lastCompleted) continue;
    const name = group.desc ?? group.guid ?? group.id ?? '';
    const label = group.desc === undefined || group.desc === 'default_pg' ? name : `${name} ${group.guid ?? ''}`.trim();
    groups.set(label, rankSet([...(groups.get(label) ?? []), placed.rank]));
  }
  return groups;
}

/** Asking for all dumps again would bring the same. */
const BLANK = 'Flight Recorder dumps that hold calls (those in the bundle hold none)';

function wouldChange(facts: Facts, coverage: Coverage): string[] {
  const items: string[] = [];
  const { collectives } = facts;
  const blank = blankDumps(facts.input);
  if (collectives.dumpsPresent.length === 0) items.push(blank > 0 ? BLANK : 'Flight Recorder dumps of all ranks');
  else if (collectives.dumpsExpected !== undefined) {
    const missing = without(collectives.dumpsExpected, collectives.dumpsPresent);
    if (missing.length > 0) items.push(`Flight Recorder dumps of ranks ${formatRanks(missing)}`);
  }
  if (coverage.silentRanks.length > 0) items.push(`logs of ranks ${formatRanks(coverage.silentRanks)}`);
  for (const lost of coverage.lostAttempts.slice(0, 2))
    items.push(`the log before the restart${lost.pod === '' ? '' : ` of Pod ${lost.pod}`}`);
  if (!coverage.worldKnown) items.push('how many ranks the job had (Pod specs or launcher command)');
  items.push('kernel logs of the nodes');
  return items;
}

function everyoneWaited(facts: Facts, waited: readonly number[]): boolean {
  const all = jobRanks(facts.rankMap);
  const known = facts.rankMap.worldSize !== undefined || all.every((rank, index) => rank === index);
  return known && waited.length > 1 && waited.length === all.length;
}

function nextChecks(facts: Facts, leads: readonly Finding[], waited: readonly number[]): string[] {
  const checks = leads.flatMap((lead) => lead.nextChecks.slice(0, 2));
  if (facts.collectives.allJoined !== undefined || everyoneWaited(facts, waited))
    checks.push(
      'NCCL_DEBUG=WARN output, kernel logs of the nodes and Python stacks (py-spy dump) at the time of the hang',
    );
  if (facts.collectives.dumpsPresent.length === 0 && blankDumps(facts.input) > 0)
    checks.push(`${BLANK}: the settings of these processes tell whether the recorder was on (TORCH_FR_BUFFER_SIZE)`);
  else if (facts.collectives.dumpsPresent.length === 0)
    checks.push('Flight Recorder dumps of all ranks (TORCH_FR_BUFFER_SIZE=2000, TORCH_NCCL_DUMP_ON_TIMEOUT=1)');
  checks.push('Logs of all ranks from the start, with --timestamps, and the previous logs of restarted containers');
  return [...new Set(checks)].slice(0, 6);
}
