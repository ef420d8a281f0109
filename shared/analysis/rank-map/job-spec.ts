/**
 * The job as its Pods and owners define it: which Pods belong to it, which node rank each has, how many processes.
 *
 * Node ranks out of labels need the whole job: a worker counts behind a master, an Indexed Job behind the Jobs before
 * it. With a dynamic rendezvous no node rank is claimed at all.
 */
import type { PlacementBasis } from '../../model/facts.ts';
import type { WorkloadObject } from '../../model/kubernetes.ts';
import { envValue, integerOf } from './launcher-options.ts';
import { addTo, byText, maxOf, mostFrequent } from './order.ts';
import { nameSlot, type PodSpec, podSpec, type Slot } from './pod-spec.ts';
import type { PodRecord } from './pod-table.ts';

export interface JobPod {
  readonly record: PodRecord | undefined;
  readonly spec: PodSpec | undefined;
  readonly nodeRank: number | undefined;
  readonly nodeRankBasis: PlacementBasis | undefined;
}

export interface JobSpec {
  /** Pods of the job by name, in name order; also those that only logs know (without record). */
  readonly pods: ReadonlyMap<string, JobPod>;
  readonly nproc: number | undefined;
  readonly nnodes: number | undefined;
  readonly worldSize: number | undefined;
  readonly dynamic: boolean;
}

/** A Pod that only starts others holds everybody's lines: they say nothing about the rank's own Pod. */
export const isLauncherPod = (job: JobSpec, pod: string | undefined): boolean =>
  pod !== undefined && job.pods.get(pod)?.spec?.isLauncher === true;

/**
 * `logged` = Pods that have logs in the bundle, with the number of their lines or events; they choose the job where the
 * bundle holds several. Pods without any sign of a job are left out when another Pod has one.
 */
export function jobSpec(
  table: ReadonlyMap<string, readonly PodRecord[]>,
  logged: ReadonlyMap<string, number>,
  workloads: readonly WorkloadObject[],
): JobSpec {
  const current = new Map<string, { record: PodRecord; spec: PodSpec }>();
  for (const [name, generations] of table) {
    const record = generations.at(-1);
    if (record !== undefined) current.set(name, { record, spec: podSpec(record.object) });
  }
  const names = memberNames(current, logged);
  const members = names.map((name) => ({ name, ...current.get(name) }));
  const specs = members.flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  const workers = specs.filter((spec) => !spec.isLauncher);
  const dynamic = workers.some((spec) => spec.dynamic);
  const owner = ownerOf(workloads, members[0]?.record);
  const slots = new Map(
    members
      .filter((member) => member.spec?.isLauncher !== true)
      .map(({ name, spec }) => [name, spec?.slot ?? nameSlot(name)]),
  );
  const ranks = dynamic
    ? new Map<string, NodeRank>()
    : nodeRanks(
        slots,
        owner,
        members.some(({ record }) => (record === undefined ? false : masterInEnv(record))),
        workers.some((spec) => spec.unnumbered),
      );
  const pods = new Map<string, JobPod>();
  for (const { name, record, spec } of members) {
    const place = ranks.get(name);
    pods.set(name, { record, spec, nodeRank: place?.rank, nodeRankBasis: place?.basis });
  }
  return { pods, dynamic, ...sizes(workers, askedPods(owner, slots), owner, slots.size) };
}

const masterInEnv = (record: PodRecord): boolean =>
  /-master-\d+(?:\.|$)/.test(
    envValue(record.object.env, 'MASTER_ADDR') ?? envValue(record.object.env, 'PET_MASTER_ADDR') ?? '',
  );

/** The job that most logged Pods belong to, else the one with most Pods. */
function memberNames(
  current: ReadonlyMap<string, { readonly spec: PodSpec }>,
  logged: ReadonlyMap<string, number>,
): readonly string[] {
  const keyOf = (name: string): string => current.get(name)?.spec.job ?? stemKey(name);
  const byLogs = new Map<string, number>();
  for (const [name, weight] of logged) addTo(byLogs, keyOf(name), 1_000_000 + Math.min(weight, 900_000));
  const byPods = new Map<string, number>();
  for (const name of current.keys()) addTo(byPods, keyOf(name));
  const job = (mostFrequent(byLogs, byText) ?? mostFrequent(byPods, byText))?.key;
  const names = new Set([...current.keys(), ...logged.keys()]);
  return [...names].filter((name) => keyOf(name) === job || belongsByName(name, job, current)).sort(byText);
}

const stemKey = (name: string): string => {
  const slot = nameSlot(name);
  return slot.kind === 'ordinal' ? slot.stem : name;
};

/** A Pod without labels (a table, a log only) belongs to the job that its name starts with. */
function belongsByName(
  name: string,
  job: string | undefined,
  current: ReadonlyMap<string, { readonly spec: PodSpec }>,
): boolean {
  if (job === undefined || current.get(name)?.spec.job !== undefined) return false;
  const slot = nameSlot(name);
  if (slot.kind !== 'ordinal') return false;
  const bare = job.slice(job.indexOf('/') + 1);
  return slot.stem === bare || slot.stem.startsWith(`${bare}-`);
}

function ownerOf(workloads: readonly WorkloadObject[], record: PodRecord | undefined): WorkloadObject | undefined {
  if (record === undefined) return workloads.length === 1 ? workloads[0] : undefined;
  const { labels, owner, name } = record.object;
  const values = new Set([...Object.values(labels), owner?.name ?? '']);
  return [...workloads]
    .sort((a, b) => byText(a.kind, b.kind) || byText(a.name, b.name))
    .filter((workload) => values.has(workload.name) || name.startsWith(`${workload.name}-`))
    .sort((a, b) => b.name.length - a.name.length)
    .find((workload) => workload.kind !== 'Workload');
}

interface NodeRank {
  readonly rank: number;
  readonly basis: PlacementBasis;
}

function nodeRanks(
  slots: ReadonlyMap<string, Slot>,
  owner: WorkloadObject | undefined,
  masterNamed: boolean,
  unnumbered: boolean,
): ReadonlyMap<string, NodeRank> {
  const all = [...slots.values()];
  const hasMaster =
    masterNamed ||
    owner?.replicas.some(({ role }) => role === 'master') === true ||
    all.some((slot) => slot.kind === 'replica' && slot.role === 'master');
  const completions = completionsByJob(all, owner);
  const ordinals = ordinalRanks(slots);
  const out = new Map<string, NodeRank>();
  for (const [name, slot] of slots) {
    const place = slot.kind === 'ordinal' ? ordinals.get(name) : slotRank(slot, hasMaster, completions);
    if (place !== undefined) out.set(name, place);
  }
  const known = withoutRepeats(out);
  return unnumbered ? whereOrdersAgree(known, slots, askedPods(owner, slots)) : known;
}

/**
 * Told no node rank, torchrun takes the order of a rendezvous, which sorts by host name: 0, 1, 10, 11, 2. An index of the Pod is its node rank
 * only where both orders give the same number; stated node ranks are not touched.
 */
function whereOrdersAgree(
  ranks: ReadonlyMap<string, NodeRank>,
  slots: ReadonlyMap<string, Slot>,
  asked: number | undefined,
): ReadonlyMap<string, NodeRank> {
  const byIndex = [...ranks].filter(([name]) => {
    const kind = slots.get(name)?.kind;
    return kind === 'indexed' || kind === 'ordinal';
  });
  const count = Math.max(
    asked ?? 0,
    maxOf(
      byIndex.map(([, { rank }]) => rank),
      -1,
    ) + 1,
  );
  const sorted = Array.from({ length: Math.min(count, MOST_PODS) }, (_, index) => index).sort((a, b) =>
    byText(String(a), String(b)),
  );
  const moved = new Set(byIndex.filter(([, { rank }]) => sorted[rank] !== rank).map(([name]) => name));
  return new Map([...ranks].filter(([name]) => !moved.has(name)));
}

/** A bundle may claim any number; a job has fewer Pods than this. */
const MOST_PODS = 100_000;

function slotRank(slot: Slot, hasMaster: boolean, completions: ReadonlyMap<string, number>): NodeRank | undefined {
  switch (slot.kind) {
    case 'node-rank':
      return { rank: slot.rank, basis: slot.basis };
    case 'replica':
      if (slot.role === 'master' || slot.role === 'chief') return { rank: slot.index, basis: 'pod-label' };
      if (!hasMaster && !slot.alone) return undefined;
      return { rank: slot.index + (hasMaster ? 1 : 0), basis: 'pod-label' };
    case 'indexed': {
      const each = completions.get(slot.job);
      if (slot.jobIndex === 0) return { rank: slot.index, basis: 'pod-label' };
      return each === undefined ? undefined : { rank: slot.jobIndex * each + slot.index, basis: 'pod-label' };
    }
    default:
      return undefined;
  }
}

/** Pods of one Indexed Job, per replicated job: by the owner, else by the highest index seen when several Jobs agree. */
function completionsByJob(slots: readonly Slot[], owner: WorkloadObject | undefined): ReadonlyMap<string, number> {
  const highest = new Map<string, Map<number, number>>();
  for (const slot of slots) {
    if (slot.kind !== 'indexed') continue;
    const jobs = highest.get(slot.job) ?? new Map<number, number>();
    jobs.set(slot.jobIndex, Math.max(jobs.get(slot.jobIndex) ?? -1, slot.index));
    highest.set(slot.job, jobs);
  }
  const out = new Map<string, number>();
  for (const [job, jobs] of highest) {
    const count = owner?.replicas.find(({ role }) => role === job)?.count;
    const sizes = new Set(jobs.values());
    const last = maxOf(jobs.keys(), 0);
    if (count !== undefined && count % (last + 1) === 0) out.set(job, count / (last + 1));
    else if (sizes.size === 1) out.set(job, maxOf(sizes, 0) + 1);
  }
  return out;
}

/**
 * Ordinals of names, the weakest sign: used only if all Pods without a better one share a stem and their numbers are
 * distinct. `JOB-master-0` is before `JOB-worker-0`.
 */
function ordinalRanks(slots: ReadonlyMap<string, Slot>): ReadonlyMap<string, NodeRank> {
  const ordinals = [...slots].flatMap(([name, slot]) => (slot.kind === 'ordinal' ? [{ name, slot }] : []));
  const stems = new Set(ordinals.map(({ slot }) => slot.stem));
  const roles = new Set(ordinals.map(({ slot }) => slot.role));
  const first = roles.has('master') || roles.has('chief');
  // Workers without a master: an elastic job, whose index is only a hint.
  if (stems.size !== 1 || (roles.has('worker') && !first) || roles.size > 2) return new Map();
  return new Map(
    ordinals.map(({ name, slot }) => [
      name,
      { rank: slot.index + (first && slot.role === 'worker' ? 1 : 0), basis: 'pod-ordinal' as const },
    ]),
  );
}

/** Two Pods with one node rank: neither is believed. */
function withoutRepeats(places: ReadonlyMap<string, NodeRank>): ReadonlyMap<string, NodeRank> {
  const counts = new Map<number, number>();
  for (const { rank } of places.values()) addTo(counts, rank);
  return new Map([...places].filter(([, { rank }]) => counts.get(rank) === 1));
}

/** Training Pods that the owner asks for; of a LeaderWorkerSet one group is one job. */
function askedPods(owner: WorkloadObject | undefined, slots: ReadonlyMap<string, Slot>): number | undefined {
  if (owner === undefined) return undefined;
  if (owner.kind === 'LeaderWorkerSet') return owner.replicas[0]?.count;
  const jobs = new Set([...slots.values()].flatMap((slot) => (slot.kind === 'indexed' ? [slot.job] : [])));
  const training = owner.replicas.filter(
    ({ role }) => role !== 'launcher' && role !== 'head' && (owner.kind !== 'JobSet' || jobs.has(role)),
  );
  return training.length === 0 ? undefined : training.reduce((sum, { count }) => sum + count, 0);
}

function sizes(
  workers: readonly PodSpec[],
  asked: number | undefined,
  owner: WorkloadObject | undefined,
  podCount: number,
): Pick<JobSpec, 'nproc' | 'nnodes' | 'worldSize'> {
  const nnodes = agreed(workers.map((spec) => spec.nnodes)) ?? asked;
  const envWorld = agreed(workers.map((spec) => spec.envWorldSize));
  const stated = agreed(workers.map((spec) => spec.nproc)) ?? integerOf(owner?.nprocPerNode);
  // Newer operators write Pods × processes, older ones Pods.
  const nproc =
    stated ??
    (envWorld !== undefined && nnodes !== undefined && nnodes > 0 && envWorld > nnodes && envWorld % nnodes === 0
      ? envWorld / nnodes
      : undefined);
  const pods = nnodes ?? (podCount > 0 && envWorld === podCount ? podCount : undefined);
  return { nproc, nnodes: pods, worldSize: nproc !== undefined && pods !== undefined ? nproc * pods : undefined };
}

/** The value that all give who give one. */
function agreed(values: readonly (number | undefined)[]): number | undefined {
  const given = new Set(values.filter((value) => value !== undefined));
  return given.size === 1 ? [...given][0] : undefined;
}
