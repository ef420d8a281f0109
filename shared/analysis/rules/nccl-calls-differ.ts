/**
 * NCCL's own log of calls (NCCL_DEBUG_SUBSYS=COLL): under one number, processes of a communicator made different calls.
 *
 *   NCCL INFO Broadcast: opCount 0 sendbuff 0x7f0 recvbuff 0x7f0 count 9216 datatype 6 op 0 root 0 comm 0x7f8 [nranks=8] stream 0x55f
 *   NCCL INFO Broadcast: opCount 0 sendbuff 0x7e0 recvbuff 0x7e0 count 21 datatype 4 op 0 root 0 comm 0x7e8 [nranks=8] stream 0x55d
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { type Caller, type Communicator, communicatorsOf, firstDifference, type Side } from './support/nccl-calls.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

export default defineRule({
  id: 'nccl-calls-differ',
  title: 'NCCL logged different calls under one number',
  needs: ['events', 'rankMap'],
  explain: `
With NCCL_DEBUG=INFO and the subsystem COLL each process logs its calls as it makes them, numbered per communicator (opCount, hexadecimal). Members of one communicator must make the same calls in the same order. If under one number the operation, the count, the type or the root differs, that is a mismatch, whatever the printed error says. What most members did is taken as right; the others are the ones that left something out or did something else first.

The processes are joined by the communicator's id where their init lines are here, else by its size: only if it is the whole job's, and as many processes as it has members, or fewer, logged exactly one communicator of that size. Sends and receives, and calls that a program puts into one group under one number, are not compared. The newest calls of each communicator are kept, so the difference that is shown need not be the first one.

How sure: *supported* where most members are heard and agree; a *hypothesis* that names both sides where there is no majority. When it can be wrong: if what most did is what should not have been called.`,
  remedy:
    'Print what the deviating rank does before that call: branches on the rank, parameters, buffers or batches that only some ranks have. TORCH_DISTRIBUTED_DEBUG=DETAIL stops the job at the first call that differs, with both sides in the message.',
  run: ({ events, rankMap }) => {
    const calls = eventsOf(events, 'nccl-collective');
    return attemptsOf(calls).flatMap((attempt) =>
      communicatorsOf(inAttempt(calls, attempt), inAttempt(eventsOf(events, 'nccl-init'), attempt), events, rankMap)
        .flatMap((communicator) => differenceIn(communicator, attempt, events, rankMap))
        .slice(0, 1),
    );
  },
});

function differenceIn(
  communicator: Communicator,
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const difference = firstDifference(communicator);
  if (difference === undefined) return [];
  const { opCount, sides } = difference;
  const [most, ...others] = sides;
  if (most === undefined || others.length === 0) return [];
  const heard = sides.reduce((sum, side) => sum + side.callers.length, 0);
  const majority = most.callers.length * 2 > heard && heard * 2 > communicator.nranks;
  const odd = majority ? others.flatMap((side) => side.callers) : sides.flatMap((side) => side.callers);
  const ranks = rankSet(odd.flatMap(({ rank }) => rank ?? []));
  const known = ranks.length === odd.length;
  const hosts = new Set(odd.map(({ host }) => host));
  const [host] = hosts;
  const place = commonPlace(rankMap, ranks, attempt);
  const who = known ? nameRanksAtStart(ranks) : namesOf(odd);
  return [
    draft({
      outcome: known && majority && ranks.length === 1 ? 'named' : 'group',
      status: majority ? 'supported' : 'hypothesis',
      stage: 'mismatched-collective',
      cause: causeOf(most, others),
      strength: 'recorder',
      firstRanks: known ? ranks : [],
      symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
      pod: place.pod,
      node: place.node ?? (hosts.size === 1 ? host : undefined),
      attempt,
      at: momentOf(odd[0]?.calls.get(opCount)?.[0]),
      summary: majority
        ? `${who} called ${others[0]?.words} as number ${opCount} of a communicator of ${communicator.nranks}, where ${most.callers.length} of ${heard} members that are heard called ${most.words}.`
        : `Members of a communicator of ${communicator.nranks} called ${sides.map((side) => side.words).join(' and ')} under number ${opCount}; neither side has a majority.`,
      because: sides.flatMap((side) =>
        side.callers
          .slice(0, side === most ? 2 : 3)
          .flatMap((caller) =>
            (caller.calls.get(opCount) ?? []).map((placed) => cite(placed, quote(placed.event.text, 220))),
          ),
      ),
      wouldChange: ['Flight Recorder dumps of all ranks, which show what was called before'],
      nextChecks: [
        `What ${known ? nameRanks(ranks) : namesOf(odd)} does before that call and the others do not`,
        'TORCH_DISTRIBUTED_DEBUG=DETAIL in the next run, which stops at the first call that differs',
      ],
    }),
  ];
}

/** `Process 4021 on gpu-14` */
function namesOf(callers: readonly Caller[]): string {
  const names = callers.slice(0, 3).map(({ host, pid }) => `process ${pid ?? '?'}${host === '' ? '' : ` on ${host}`}`);
  const all = `${names.join(', ')}${callers.length > 3 ? `, and ${callers.length - 3} more` : ''}`;
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

function causeOf(most: Side, others: readonly Side[]): Draft['cause'] {
  if (others.some((side) => side.op !== most.op)) return 'collective-type';
  if (others.some((side) => side.datatype !== most.datatype)) return 'collective-dtype';
  if (others.some((side) => side.root !== most.root)) return 'collective-order';
  return 'collective-size';
}
