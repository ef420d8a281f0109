/**
 * What a complete bundle would hold, what of it is here, why the rest matters for this verdict, and the command that collects it.
 * "Absent" means that the bundle shows it was looked for; "not collected" that nobody gathered it.
 */
import { formatRanks, nameRanks, without } from '../../lib/rank-set.ts';
import type { Facts, Finding, Gap } from '../../model/finding.ts';
import { type CollectedItem, type CollectionNote, collectionNotes } from '../collection/index.ts';
import { blankDumps, WHY_BLANK } from '../rules/support/blank-dumps.ts';
import { eventsOf, isPrimaryClass } from '../rules/support/events.ts';

export interface GapContext {
  readonly facts: Facts;
  readonly verdict: Finding;
}

export function findGaps(facts: Facts, verdict: Finding): Gap[] {
  const context = { facts, verdict };
  const notes = collectionNotes(facts.input, facts.events);
  return [
    logs(context),
    previousLogs(context),
    dumps(context),
    podObjects(context),
    events(context),
    stacks(context),
    kernelLogs(context),
    ncclOutput(context),
    clockAnchors(context),
    rankMap(context),
  ].flatMap((gap) => (gap === undefined ? [] : [withCollectorsWord(gap, notes)]));
}

const ITEM_OF_GAP: ReadonlyMap<string, CollectedItem> = new Map([
  ['Logs of all ranks', 'logs'],
  ['Logs of earlier attempts', 'previous-logs'],
  ['Pod specs and status', 'pods'],
  ['Kubernetes events', 'events'],
]);

/** What nobody seems to have gathered may have been asked for: then the collector's own word says whether there was none, or why it got none. */
function withCollectorsWord(gap: Gap, notes: readonly CollectionNote[]): Gap {
  if (gap.state !== 'not-collected') return gap;
  const item = ITEM_OF_GAP.get(gap.item);
  const note = notes.find((one) => one.item === item);
  if (note === undefined) return gap;
  return note.state === 'absent'
    ? { ...gap, state: 'absent', where: `asked for, and there was none: ${note.text}` }
    : { ...gap, where: `the collector asked and got none: ${note.text}` };
}

const NAMESPACE_FALLBACK = 'NAMESPACE';

function namespaceOf({ facts }: GapContext): string {
  const known = facts.rankMap.pods.find((pod) => pod.namespace !== undefined)?.namespace;
  return inCommand(known, NAMESPACE_FALLBACK);
}

/** What the API server accepts as the name of a Pod, node or namespace (RFC 1123 subdomain); no character of it means anything to a shell. */
const OBJECT_NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * A name of the bundle as it may stand in a command that somebody copies into a shell; the placeholder if a shell could
 * read more than a name in it.
 */
function inCommand(name: string | undefined, placeholder: string): string {
  return name !== undefined && OBJECT_NAME.test(name) ? name : placeholder;
}

function isUndecided({ verdict }: GapContext): boolean {
  return verdict.outcome === 'cannot-tell' || verdict.status === 'hypothesis';
}

function list(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

function logs(context: GapContext): Gap {
  const { facts } = context;
  const ns = namespaceOf(context);
  const withLog = new Set(
    facts.input.streams.filter((stream) => stream.lines > 0).flatMap((stream) => stream.pod ?? []),
  );
  const podsWithout = facts.rankMap.pods.filter((pod) => !withLog.has(pod.pod)).map((pod) => pod.pod);
  const pod = inCommand(podsWithout[0], 'POD');
  const heard = new Set(facts.lifeLines.filter((life) => life.log !== 'none').map((life) => life.rank));
  const size = facts.rankMap.worldSize ?? 0;
  const silent =
    size > 65_536
      ? []
      : without(
          Array.from({ length: size }, (_, rank) => rank),
          heard,
        );
  const none = facts.input.streams.every((stream) => stream.lines === 0);
  const state = none ? 'not-collected' : podsWithout.length > 0 || silent.length > 0 ? 'partial' : 'present';
  const missing = [
    podsWithout.length > 0 ? `no log of Pod ${list(podsWithout)}` : '',
    silent.length > 0 ? `no line of ${nameRanks(silent)}` : '',
  ].filter((text) => text !== '');
  return {
    item: 'Logs of all ranks',
    state,
    where:
      state === 'present' ? `${facts.input.streams.length} log streams` : missing.join('; ') || 'no log in the bundle',
    matters:
      state === 'present'
        ? 'An error of any rank would be seen.'
        : `${silent.length > 0 ? `An error of ${nameRanks(silent)}` : 'An earlier error'} would overturn what is said here; silence counts only where the log is there.`,
    collect:
      podsWithout.length > 0
        ? `kubectl logs -n ${ns} ${pod} --all-containers --timestamps > ${pod}.log`
        : `for p in $(kubectl get pods -n ${ns} -o name); do kubectl logs -n ${ns} $p --all-containers --timestamps > \${p##*/}.log; done`,
  };
}

function previousLogs(context: GapContext): Gap | undefined {
  const { facts } = context;
  const ns = namespaceOf(context);
  const ofJob = new Set(facts.rankMap.pods.map((place) => place.pod));
  const restarted = [
    ...new Set(
      facts.input.pods
        .filter((pod) => ofJob.has(pod.name))
        .filter((pod) => pod.containers.some((container) => !container.init && (container.restartCount ?? 0) > 0))
        .map((pod) => pod.name),
    ),
  ];
  const here = new Set(
    facts.input.streams
      .filter((stream) => stream.previous || (stream.restart ?? 0) > 0)
      .flatMap((stream) => stream.pod ?? []),
  );
  const missing = restarted.filter((name) => !here.has(name)).sort();
  const pod = inCommand(missing[0], 'POD');
  if (restarted.length === 0) return undefined;
  const refused = facts.events.find(
    (placed) =>
      placed.event.body.kind === 'collector-note' && /previous terminated container/i.test(placed.event.body.text),
  );
  return {
    item: 'Logs of earlier attempts',
    state: missing.length === 0 ? 'present' : refused ? 'absent' : here.size > 0 ? 'partial' : 'not-collected',
    where: missing.length === 0 ? `previous logs of ${list(restarted)}` : `no previous log of ${list(missing)}`,
    matters: 'The first failure is in the first attempt; what a later attempt prints is often only an echo.',
    collect: `kubectl logs -n ${ns} ${pod} --all-containers --timestamps --previous > ${pod}.previous.log`,
  };
}

function dumps(context: GapContext): Gap {
  const { facts, verdict } = context;
  const { dumpsPresent, dumpsExpected } = facts.collectives;
  const missing = dumpsExpected === undefined ? [] : without(dumpsExpected, dumpsPresent);
  const damaged = facts.input.entries
    .filter(
      (entry) =>
        /(?:trace|dump|rank)[^/]*\d+(?:\.\w+)?$/i.test(entry.path) &&
        (entry.status === 'empty' || entry.status === 'failed' || entry.status === 'refused'),
    )
    .map((entry) => entry.path);
  const blank = blankDumps(facts.input);
  const state =
    dumpsPresent.length === 0
      ? damaged.length > 0
        ? 'unreadable'
        : blank > 0
          ? 'absent'
          : 'not-collected'
      : missing.length > 0
        ? 'partial'
        : 'present';
  const stuck =
    verdict.stage === 'straggler' || verdict.stage === 'mismatched-collective' || verdict.outcome === 'cannot-tell';
  return {
    item: 'Flight Recorder dumps',
    state,
    where:
      dumpsPresent.length === 0
        ? damaged.length > 0
          ? `not readable: ${list(damaged)}`
          : blank > 0
            ? `${blank === 1 ? 'one dump is there and holds' : `${blank} dumps are there and hold`} no call: ${WHY_BLANK}`
            : 'no dump in the bundle'
        : `${dumpsPresent.length} of ${dumpsExpected?.length ?? '?'} dumps${missing.length > 0 ? `; none ${blank > 0 ? 'that holds a call ' : ''}of ${nameRanks(missing)}` : ''}`,
    matters: stuck
      ? 'They show which rank did not enqueue a collective, or enqueued another one: the deciding evidence for a hang.'
      : 'They would show whether the ranks also disagreed on their collectives.',
    collect:
      'Set TORCH_FR_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1 (before 2.14: TORCH_NCCL_TRACE_BUFFER_SIZE) and TORCH_FR_DUMP_TEMP_FILE on a volume that outlives the Pod; collect that folder',
  };
}

function podObjects(context: GapContext): Gap {
  const { facts } = context;
  const full = facts.input.pods.filter((pod) => pod.from === 'object').length;
  const state = full > 0 ? 'present' : facts.input.pods.length > 0 ? 'partial' : 'not-collected';
  return {
    item: 'Pod specs and status',
    state,
    where:
      full > 0
        ? `${full} Pods`
        : facts.input.pods.length > 0
          ? 'only as text of describe or get'
          : 'no Pod in the bundle',
    matters: 'Expected ranks, node names, limits, exit reasons and evictions stand only there.',
    collect: `kubectl get pods -n ${namespaceOf(context)} -o yaml --show-managed-fields > pods.yaml`,
  };
}

function events(context: GapContext): Gap {
  const { facts } = context;
  const here = facts.input.kubeEvents.length;
  return {
    item: 'Kubernetes events',
    state: here > 0 ? 'present' : 'not-collected',
    where: here > 0 ? `${here} events` : 'no event in the bundle (they expire after an hour)',
    matters: 'Evictions, preemptions, failed scheduling and out-of-memory kills are told there first.',
    collect: 'kubectl get events -A -o json > events.json',
  };
}

/** Nobody can add them afterwards, so they are asked for only where they would have decided. */
function stacks({ verdict }: GapContext): Gap | undefined {
  const hang = verdict.stage === 'straggler' || (verdict.outcome === 'cannot-tell' && verdict.symptomRanks.length > 0);
  if (!hang) return undefined;
  const who = verdict.firstRanks.length > 0 ? nameRanks(verdict.firstRanks) : 'all ranks';
  return {
    item: 'Stacks at the time of the hang',
    state: 'not-collected',
    where: 'no stack in the bundle',
    matters: 'They show in which line of the program, or in which driver call, a rank stood.',
    collect: `While it hangs, for ${who}: py-spy dump --native --pid PID > stack.RANK.txt`,
  };
}

function kernelLogs(context: GapContext): Gap {
  const { facts, verdict } = context;
  const kernelEntries = new Set(
    facts.events
      .filter((placed) => ['oom-kill', 'xid', 'kernel-note', 'link-event'].includes(placed.event.body.kind))
      .map((placed) => placed.event.source.entry),
  );
  for (const entry of facts.input.entries)
    if (/kernel|dmesg/i.test(`${entry.format ?? ''} ${entry.path}`) && entry.status !== 'empty')
      kernelEntries.add(entry.id);
  const state = kernelEntries.size > 0 ? 'present' : 'not-collected';
  const node = verdict.node;
  const killed = verdict.cause === 'killed';
  return {
    item: node === undefined ? 'Kernel logs of the nodes' : `Kernel log of node ${node}`,
    state,
    where: state === 'present' ? `${kernelEntries.size} files` : 'no kernel log in the bundle',
    matters: killed
      ? 'It would tell whether the kernel killed the process for lack of memory.'
      : 'Out-of-memory kills, GPU faults (Xid), link and disk errors are only told there.',
    collect:
      node === undefined || inCommand(node, '') === ''
        ? 'On each node: dmesg --time-format iso > NODE.dmesg.txt'
        : `On ${node}: dmesg --time-format iso > ${node}.dmesg.txt`,
  };
}

function ncclOutput(context: GapContext): Gap | undefined {
  const { facts } = context;
  const gloo =
    facts.collectives.groups.some((group) => group.backend === 'gloo') ||
    facts.events.some((placed) => placed.event.body.kind.startsWith('gloo-'));
  const nccl = facts.events.some((placed) => placed.event.body.kind.startsWith('nccl-'));
  const watchdog = facts.events.some(
    (placed) => placed.event.body.kind === 'collective-timeout' || placed.event.body.kind === 'async-error',
  );
  if (!nccl && (gloo || !watchdog)) return undefined;
  return {
    item: 'NCCL output',
    state: nccl ? 'present' : 'not-collected',
    where: nccl ? 'NCCL lines in the logs' : 'no NCCL line in the logs',
    matters: isUndecided(context)
      ? 'The first NCCL warning names the device, the peer or the size that failed.'
      : 'It would confirm or contradict a network or GPU cause.',
    collect: 'NCCL_DEBUG=WARN, and NCCL_DEBUG_FILE=/path/nccl.%h.%p.log on a volume',
  };
}

function clockAnchors(context: GapContext): Gap | undefined {
  const { facts } = context;
  const nodes = new Set(facts.rankMap.places.flatMap((place) => place.node ?? place.pod ?? []));
  if (nodes.size < 2) return undefined;
  const known = facts.clocks.domains.filter((domain) => domain.offset !== undefined).length;
  const leases = facts.input.leases.length;
  return {
    item: 'Clock offsets between nodes',
    state: known > 1 ? 'present' : leases > 0 ? 'partial' : 'not-collected',
    where: known > 1 ? `${known} clocks related` : leases > 0 ? `${leases} leases` : 'nothing relates the clocks',
    matters: 'Without them failures on different nodes cannot be put in order.',
    collect: 'kubectl get leases -n kube-node-lease -o yaml --show-managed-fields > leases.yaml',
  };
}

function rankMap(context: GapContext): Gap | undefined {
  const { facts } = context;
  const size = facts.rankMap.worldSize;
  const unplaced = eventsOf(facts.events, 'exception').filter(
    (placed) => placed.rank === undefined && !placed.event.body.handled && isPrimaryClass(placed.event.body.class),
  ).length;
  const conflicts = facts.rankMap.places.filter((place) => place.conflicts.length > 0).map((place) => place.rank);
  if (size !== undefined && unplaced === 0 && conflicts.length === 0) return undefined;
  return {
    item: 'Which process is which rank',
    state: size === undefined ? 'absent' : 'partial',
    where: [
      size === undefined ? 'nothing says how many ranks there were' : '',
      unplaced > 0 ? `${unplaced} tracebacks without a rank` : '',
      conflicts.length > 0 ? `sources disagree about ranks ${formatRanks(conflicts)}` : '',
    ]
      .filter((text) => text !== '')
      .join('; '),
    matters: 'An error that cannot be given to a rank names nobody.',
    collect:
      'torchrun --log-dir DIR --redirects 3 --tee 3 writes one file per rank; keep RANK, WORLD_SIZE and PET_* of the Pod spec',
  };
}
