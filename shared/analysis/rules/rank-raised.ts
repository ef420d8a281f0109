/**
 * A rank raised an exception that is not about waiting, sockets or process groups.
 *
 *   [rank1]: ValueError: shard-0001.bin record 83: expected 260 bytes, got 131
 *
 * Not covered: the same act told by other means (exit codes: `rank-killed`; CUDA errors seen by the watchdog:
 * `cuda-failed-in-watchdog`; collective mismatches found by the DETAIL wrapper: `fingerprints-differ`).
 * O(n) in the events of kind exception.
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { ExceptionClass } from '../../model/events.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule, type Evidence, type Finding, type Stage } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { citeReading, fullDisks } from './support/host-readings.ts';
import { precedes } from './support/order.ts';
import { commonPlace, consequenceReports, jobRanks, lifeOf, ranksOfPod } from './support/ranks.ts';
import { behindTheRaised, type Raised, type ReactionContext, reactionDraft, waitBefore } from './support/reaction.ts';
import { stopsOf } from './support/stops.ts';
import { tellerOf } from './support/teller.ts';
import { mayHaveBeenCaught, uncertainEnd } from './support/uncertain-end.ts';
import { wentOnTraining } from './support/went-on.ts';

const MEANING: Partial<Record<ExceptionClass, { stage: Stage; cause: Cause; words: string }>> = {
  'cuda-out-of-memory': { stage: 'exited-rank', cause: 'cuda-out-of-memory', words: 'ran out of GPU memory' },
  'cuda-error': { stage: 'exited-rank', cause: 'cuda-error', words: 'failed with a CUDA error' },
  'gpu-hardware': { stage: 'host', cause: 'gpu-hardware', words: 'reported a GPU fault' },
  numerics: { stage: 'exited-rank', cause: 'numerics', words: 'stopped on an invalid number' },
  'data-input': { stage: 'exited-rank', cause: 'data-input', words: 'failed on its input data' },
  'data-loader': { stage: 'exited-rank', cause: 'data-loader', words: 'lost a data loader worker' },
  storage: { stage: 'exited-rank', cause: 'storage', words: 'failed on storage' },
  'host-memory': { stage: 'host', cause: 'host-out-of-memory', words: 'could not get host memory' },
  configuration: { stage: 'exited-rank', cause: 'configuration', words: 'failed on its configuration' },
  python: { stage: 'exited-rank', cause: 'python-exception', words: 'raised an exception' },
};

const OTHERWISE = {
  stage: 'exited-rank' as const,
  cause: 'python-exception' as const,
  words: 'raised an exception',
};

/** What torch's Join context raises on whoever comes to its end first, if it was told to throw. */
const EXHAUSTED = /^Rank \d{1,6} exhausted all inputs\.?\s*$/;
const UNEVEN = {
  stage: 'mismatched-collective' as const,
  cause: 'uneven-inputs' as const,
  words: 'ran out of inputs before its peers',
};

const meaningOf = (body: { readonly class: ExceptionClass; readonly message: string } | undefined) =>
  body === undefined ? OTHERWISE : EXHAUSTED.test(body.message) ? UNEVEN : (MEANING[body.class] ?? OTHERWISE);

export default defineRule({
  id: 'rank-raised',
  title: 'A rank raised an exception of its own',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
A Python exception whose text is about the program (memory, data, files, numbers, keys, arguments) is an act of the rank that prints it: nothing another
rank does through a collective can raise a \`KeyError\` or \`CUDA out of memory\` here. The peers then wait in the next collective or see the connection close; what they print is a
consequence, however loud. That is why this is direct evidence.

It is **not** taken as a cause when the exception is about time-outs, sockets, stores or process groups; when it was caught ("handled", "retrying", \`Exception ignored in … __del__\`,
or shown by what followed: the same process went on past it); when the rank is seen to go on training afterwards; when it lacks torch's mark of an uncaught exception, no launcher tells that the rank ended by itself, and the rank's own dump shows it waiting in a collective; or when
the printing process had been told to stop before.

Several ranks with the same exception cannot be told apart by who was quicker: all of them are named as a group. It can be wrong when an exception is itself the echo of an
earlier failure that left no trace (a half-written file from a rank that died without a word), or when the log of a rank that failed earlier is missing: then the verdict is at most *supported*. So is the finding itself for a traceback without torch's own \`[rankN]:\` where neither a launcher nor an error file tells that the worker ended of it.

A program may also turn a time-out into an error of its own (\`except RuntimeError: raise StepFailed from None\`), or compare itself with its peers and give up. Then the printer is a victim whose words do not show it. So an exception whose class says nothing of its origin is only *supported* if its rank had waited before: it had told of no step for far
longer than ever before, its own dump shows it in a collective, or a peer's wait that ran out had begun earlier; and if, beyond that, other ranks are left that neither failed nor waited by their own word, or if most ranks of the job raised the same and a neighbour came past it, both are told: as a group where they are few, else as leads. An exception of that class which all ranks of a job raise alike is at most *supported*. A last line that the log cuts off inside torch's own location tells nothing and is not counted.

A traceback without a rank prefix in a Pod's shared log belongs to one of that Pod's ranks. It is given to a rank only if the launcher reports exactly one worker of that Pod that failed
by itself and said nothing else; otherwise the Pod's ranks are the answer.

Where an exception lacks torch's mark, its container was still running and never restarted, no Pod of the job has ended, and no launcher, peer or exit code tells that anybody ended or waited, it may as well have been caught, whatever stands around it: then it is only a lead.

Beside an error about space, the file systems are shown that were full when df was asked on that Pod or node; the error alone is what proves it.

How sure: *established* where nothing of all this speaks against it, else *supported*, as told.`,
  remedy:
    'Read the traceback at the cited line and fix what it says on that rank: the record, the file, the argument, the batch. Check whether other ranks read the same input or have the same configuration. The time-outs of other ranks need no attention of their own.',
  run: ({ events, rankMap, lifeLines, collectives }) =>
    attemptsOf(eventsOf(events, 'exception')).flatMap((attempt) =>
      raisedIn(attempt, events, rankMap, lifeLines, collectives),
    ),
});

function raisedIn(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  collectives: CollectivesFact,
): Draft[] {
  const stops = stopsOf(events, rankMap);
  const open = mayHaveBeenCaught(attempt, events, rankMap, lifeLines);
  const all = inAttempt(eventsOf(events, 'exception'), attempt).filter(
    (placed) =>
      !placed.event.body.handled &&
      isPrimaryClass(placed.event.body.class) &&
      placed.event.body.class !== 'shared-memory' &&
      !isLaunchersOwn(placed) &&
      !isCut(placed) &&
      !stops.afterStop(placed) &&
      !wentOnTraining(placed, events) &&
      !waitsInDump(placed, lifeLines, collectives),
  );
  const primary = all.filter((placed) => !open(placed));
  const [uncertain] = all.filter((placed) => open(placed));
  const reports = consequenceReports(events, attempt);
  const symptoms = rankSet(reports.keys());
  const ranked = primary.filter((placed) => placed.rank !== undefined);
  const drafts = clusters(firstPerRank(ranked)).map((cluster) =>
    rankedDraft(cluster, { attempt, events, rankMap, symptoms, lifeLines, reports, collectives }),
  );
  const told = new Set(ranked.map((placed) => signature(placed)));
  const unranked = primary.filter((placed) => placed.rank === undefined && !told.has(signature(placed)));
  return [
    ...drafts,
    ...firstPerPod(unranked).map((placed) => unrankedDraft(placed, attempt, rankMap, lifeLines, reports, symptoms)),
    ...(uncertain === undefined ? [] : [uncertainEnd(uncertain, attempt, rankMap)]),
  ];
}

/**
 * Its recorder shows the rank waiting in a call for others: it came out of what it printed and went on to that call. Only of what does not
 * bear torch's mark of an uncaught exception, and only where no launcher says that the rank ended by itself.
 */
function waitsInDump(
  { rank, attempt, event }: Raised,
  lifeLines: readonly LifeLine[],
  { groups }: CollectivesFact,
): boolean {
  if (rank === undefined || event.rankBasis === 'rank-prefix') return false;
  const exit = lifeOf(lifeLines, rank, attempt)?.exit;
  const ended = exit?.by === 'agent' && !exit.terminatedByAgent && (exit.code ?? 0) > 0;
  return (
    !ended &&
    groups.some(({ members }) =>
      members.some((member) => member.rank === rank && member.basis !== 'log' && member.waitsIn !== undefined),
    )
  );
}

/** The beginning of `[/…/gloo/transport/tcp/pair.cc:553] Connection closed …` where the log was cut off inside the location. */
const CUT_LOCATION = /^\[\/?[^\]]{0,300}$/;

/** What torch's own code raises out of C++ always has a message. */
const TORCH_FILE = /\/torch\//;

/** A log that was cut off inside a location, or behind `RuntimeError:`, tells nothing of the reason. */
const isCut = ({ event: { body } }: Raised): boolean =>
  CUT_LOCATION.test(body.message) ||
  (body.message === '' && body.type === 'RuntimeError' && TORCH_FILE.test(body.frames[0]?.file ?? ''));

/** Files of torchrun's agent: a traceback of nothing but these is the launcher passing on that a worker failed. */
const LAUNCHER_FILE = /torch\/distributed\/(?:run\.py|launcher\/|elastic\/)|<frozen runpy>/;

function isLaunchersOwn({ event }: Raised): boolean {
  const { frames } = event.body;
  return frames.length > 0 && frames.every((frame) => LAUNCHER_FILE.test(frame.file));
}

/** A rank's first exception is the one that ended it; later ones come out of the clean-up. */
function firstPerRank(raised: readonly Raised[]): Raised[] {
  const first = new Map<number, Raised>();
  for (const placed of raised) {
    if (placed.rank === undefined) continue;
    const known = first.get(placed.rank);
    if (known === undefined || precedes(placed, known)) first.set(placed.rank, placed);
  }
  return [...first.values()];
}

function firstPerPod(raised: readonly Raised[]): Raised[] {
  const first = new Map<string, Raised>();
  for (const placed of raised) {
    const key = placed.pod ?? `entry ${placed.event.source.entry}`;
    const known = first.get(key);
    if (known === undefined || precedes(placed, known)) first.set(key, placed);
  }
  return [...first.values()];
}

/** Type and message with numbers taken out: ranks that fail alike differ in addresses, sizes and counters. */
function signature(placed: Raised): string {
  const { type, message } = placed.event.body;
  return `${type}: ${message.slice(0, 200).replace(/\d+/g, '#')}`;
}

function clusters(raised: readonly Raised[]): Raised[][] {
  const bySignature = new Map<string, Raised[]>();
  for (const placed of [...raised].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))) {
    const key = signature(placed);
    bySignature.set(key, [...(bySignature.get(key) ?? []), placed]);
  }
  return [...bySignature.values()];
}

interface Context extends ReactionContext {
  readonly lifeLines: readonly LifeLine[];
}

function rankedDraft(cluster: readonly Raised[], context: Context): Draft {
  const { attempt, rankMap, symptoms, lifeLines } = context;
  const ranks = rankSet(cluster.flatMap((placed) => placed.rank ?? []));
  const [first] = cluster;
  const body = first?.event.body;
  const meaning = meaningOf(body);
  const text = body ? quote(tellingWords(body)) : '';
  const { pod, node } = commonPlace(rankMap, ranks, attempt);
  const wait = waitBefore(cluster, context);
  const behind = behindTheRaised(cluster, ranks, wait, context);
  if (behind.length > 0) return reactionDraft(cluster, ranks, behind, wait, context);
  // What every rank raises alike may be what one of them brought about: a value that all compare, a batch that all share.
  const alike = body?.class === 'python' && ranks.length > 1 && ranks.length === jobRanks(rankMap).length;
  const proven = wait === undefined && !alike && cluster.every((placed) => isProvenEnd(placed, lifeLines));
  return draft({
    outcome: ranks.length === 1 ? 'named' : 'group',
    status: proven ? 'established' : 'supported',
    stage: meaning.stage,
    cause: meaning.cause,
    strength: 'direct',
    firstRanks: ranks,
    symptomRanks: without(symptoms, ranks),
    pod,
    node,
    attempt,
    at: momentOf(first),
    summary: `${nameRanksAtStart(ranks)} ${meaning.words}: ${text}`,
    because: cluster
      .slice(0, 4)
      .map((placed) =>
        cite(
          placed,
          `${nameRanksAtStart(placed.rank === undefined ? [] : [placed.rank])} printed ${quote(`${placed.event.body.type}: ${placed.event.body.message}`, 240)}`,
        ),
      )
      .concat(fullDisksOf(cluster, context)),
    against: wait?.evidence ?? [],
    wouldChange: ['an earlier error of another rank, in a log that is not in the bundle'],
    nextChecks: nextChecks(meaning.cause, ranks),
  });
}

const NO_SPACE = /No space left on device|Errno (?:28|122)\b|Disk quota exceeded/;

/** Beside an error about space: the file systems that were full when these Pods or nodes were asked. */
function fullDisksOf(cluster: readonly Raised[], { events }: Context): Evidence[] {
  const short = cluster.filter((placed) => NO_SPACE.test(placed.event.body.message));
  return fullDisks(events, short)
    .slice(0, 2)
    .map((reading) => citeReading(reading, events));
}

/**
 * That the exception ended its process is told by torch's hook (it prefixes only what nobody caught), by the launcher (the worker ended by
 * itself), or by an error file, whose rank is known by its path. A bare traceback alone may have been caught.
 */
function isProvenEnd(placed: Raised, lifeLines: readonly LifeLine[]): boolean {
  if (placed.event.rankBasis === 'rank-prefix') return true;
  const exit = placed.rank === undefined ? undefined : lifeOf(lifeLines, placed.rank, placed.attempt)?.exit;
  return exit !== undefined && (exit.code ?? 0) > 0 && !exit.terminatedByAgent;
}

const LAST_ERROR = /Last error:\s{0,4}(\S.{0,400})/;

/** Of what NCCL wraps, only the line behind `Last error:` says what failed. */
function tellingWords({ type, message }: Raised['event']['body']): string {
  const last = LAST_ERROR.exec(message)?.[1];
  return last === undefined ? `${type}: ${message}` : `${type.split('.').at(-1)}: ${last}`;
}

/** A local rank is the rank itself on the first node. */
function unrankedCandidate(
  { event: { localRank } }: Raised,
  { nnodes }: RankMapFact,
  text: string,
): Finding['candidates'][number] {
  if (localRank === undefined || (nnodes ?? 1) > 1)
    return { ranks: [], why: `a process whose rank is not known printed ${text}` };
  return {
    ranks: [localRank],
    why: `local rank ${localRank}, which is rank ${localRank} only if its node is the first one, printed ${text}`,
  };
}

function unrankedDraft(
  placed: Raised,
  attempt: number,
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  reports: ReadonlyMap<number, unknown>,
  symptoms: readonly number[],
): Draft {
  const { pod } = placed;
  const body = placed.event.body;
  const meaning = meaningOf(body);
  const podRanks = pod === undefined ? [] : ranksOfPod(rankMap, pod);
  const ownEnd = lifeLines.filter(
    (life) =>
      life.attempt === attempt &&
      podRanks.includes(life.rank) &&
      (life.exit?.code ?? 0) > 0 &&
      life.exit?.terminatedByAgent !== true &&
      !reports.has(life.rank),
  );
  const ranks = ownEnd.length === 1 ? ownEnd.map((life) => life.rank) : podRanks;
  const text = quote(tellingWords(body));
  const known = ranks.length > 0;
  return draft({
    outcome: ranks.length === 1 ? 'named' : known || pod !== undefined ? 'group' : 'cannot-tell',
    status: known ? 'supported' : 'hypothesis',
    stage: meaning.stage,
    cause: meaning.cause,
    strength: 'direct',
    firstRanks: ranks,
    symptomRanks: without(symptoms, ranks),
    candidates: known ? [] : [unrankedCandidate(placed, rankMap, text)],
    pod,
    node: placed.node,
    attempt,
    at: momentOf(placed),
    summary: `${known ? nameRanksAtStart(ranks) : 'A process of unknown rank'} ${meaning.words}: ${text}`,
    because: [
      cite(
        placed,
        `Printed without a rank${pod === undefined ? '' : ` in the log of Pod ${pod}`}: ${quote(`${body.type}: ${body.message}`, 240)}`,
      ),
      ...ownEnd.slice(0, 3).flatMap((life) =>
        life.exit
          ? [
              {
                text: `${tellerOf(life.exit)} that rank ${life.rank} ended by itself with code ${life.exit.code}`,
                source: life.exit.source,
                rank: life.rank,
                rawNs: undefined,
                clock: undefined,
              },
            ]
          : [],
      ),
    ],
    wouldChange: ['logs per rank (torchrun --log-dir with --redirects 3), which tell who printed the traceback'],
    nextChecks: nextChecks(meaning.cause, ranks),
  });
}

function nextChecks(cause: Cause, ranks: readonly number[]): string[] {
  const who = nameRanks(ranks);
  switch (cause) {
    case 'cuda-out-of-memory':
      return [
        `Compare batch shape and allocated memory of ${who} with its peers at that step`,
        'Look for code that runs on this rank only (sampling, logging, evaluation)',
      ];
    case 'cuda-error':
      return [
        `Repeat with CUDA_LAUNCH_BLOCKING=1: the line that raised is rarely the call that failed`,
        `Index ranges and labels of the last batch of ${who}`,
        `Kernel log of the node of ${who} for Xid lines`,
      ];
    case 'gpu-hardware':
      return [
        `Kernel log of the node of ${who} for Xid lines: which GPU, which code, and whether it had one before`,
        `nvidia-smi -q (ECC, remapped rows, recovery action) and dcgmi diag -r 3 on that node, once it is drained`,
      ];
    case 'host-out-of-memory':
      return [
        `Memory limit and peak of the container of ${who} (memory.max, memory.peak), and free memory of its node`,
        `Data loader workers, pinned memory and what is kept of the data set on ${who}`,
      ];
    case 'data-loader':
      return [
        `What ended the worker: kernel log of the node (killed process, segfault), df -h /dev/shm in the Pod`,
        `Repeat on ${who} with num_workers=0, which raises in the main process`,
      ];
    case 'data-input':
      return [
        'Open the record or file that the message names and check it against its source',
        `Check which shards ${who} reads that others do not`,
      ];
    case 'storage':
      return [
        'Check free space, inodes, quota (df -h, df -i) and errors of the file system that the message names',
        'Look at the kernel log of the node for I/O or NFS errors',
      ];
    case 'numerics':
      return [
        `Replay the last batch of ${who} with anomaly detection`,
        'Compare loss scale and gradient norm of the steps before',
      ];
    case 'configuration':
      return [`Compare arguments, environment and files of ${who} with its peers`];
    default:
      return [
        'Read the traceback at the cited line',
        `Check what is different on ${who}: input, configuration, code path`,
      ];
  }
}
