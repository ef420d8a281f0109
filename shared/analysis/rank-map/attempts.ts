/**
 * One attempt counter for the whole job, from 0, out of three: containers started again (`--previous`, `2.log`,
 * restartCount), Pods created again (another uid, JobSet's restart-attempt), and workers that the agent starts again
 * inside a container (`attempt_1/`, a rank that announces itself a second time).
 *
 * Per Pod the parts are put in a row: all agent attempts of container 0, then those of container 1, … A part that left
 * no trace counts as one. Under torchrun all Pods restart together, so the k-th of one Pod is the k-th of every other.
 * Where Pods count differently, they are aligned at their ends: what ran when the bundle was taken, or when the whole
 * job was over, ran together. A Pod that ended for good while others go on keeps its own count.
 */
import type { ContainerTermination, PodObject } from '../../model/kubernetes.ts';
import { isLauncherPod, type JobPod, type JobSpec } from './job-spec.ts';
import { byText, listIn, maxOf } from './order.ts';
import type { Site } from './sites.ts';
import { type PodNames, recordOf } from './sites.ts';
import { findUnits, type Units, unitAt, unitCount } from './units.ts';

export interface Attempts {
  /** Attempts that can be told apart: the highest number plus one; 1 for an empty bundle. */
  readonly count: number;
  /** Attempt of a position inside a site. */
  readonly at: (site: Site, position: number) => number;
  /** First position of an attempt's part inside a site. */
  readonly lastOf: (site: Site) => number;
  /** Attempt in which a Pod's container ended: the state's end, or the last state's. */
  readonly ofContainer: (pod: string, which: 'current' | 'previous') => number;
}

interface Part {
  readonly site: Site;
  /** Container number inside its Pod, Pod generations counted through. */
  readonly container: number;
  readonly units: Units;
  /** Agent attempt out of the path; then the whole site is of that one. */
  readonly fixed: number | undefined;
}

interface PodCounts {
  readonly name: string;
  /** Number of the container that the Pod shows as its state. */
  readonly last: number;
  /** Agent attempts per container. */
  readonly units: ReadonlyMap<number, number>;
  readonly endedForGood: boolean;
}

export function findAttempts(sites: readonly Site[], names: PodNames, job: JobSpec): Attempts {
  const parts = partsOf(sites, names, job);
  const pods = podCounts(parts, names, job);
  const shifts = alignPods(pods);
  const bases = basesOf(pods, shifts);
  const containerOf = (pod: string | undefined, container: number): number =>
    container + (pod === undefined ? 0 : (shifts.get(pod) ?? 0));
  const baseOf = (pod: string | undefined, container: number): number => bases.of(pod, containerOf(pod, container));
  const at = (site: Site, position: number): number => {
    const part = parts.get(site);
    if (part === undefined) return 0;
    return baseOf(site.pod, part.container) + (part.fixed ?? unitAt(part.units, position));
  };
  const lastOf = (site: Site): number => at(site, Number.POSITIVE_INFINITY);
  const ofContainer = (pod: string, which: 'current' | 'previous'): number => {
    const counts = pods.get(pod);
    const container = (counts?.last ?? 0) - (which === 'previous' ? 1 : 0);
    if (container < 0) return 0;
    return baseOf(pod, container) + Math.max(1, counts?.units.get(container) ?? 1) - 1;
  };
  const last = [...[...parts.keys()].map(lastOf), ...[...pods.keys()].map((pod) => ofContainer(pod, 'current'))];
  return { count: 1 + maxOf(last, 0), at, lastOf, ofContainer };
}

/** More restarts than this are counted as this many. */
const MAX_RESTARTS = 10_000;

/** The training container's restarts; a table counts all containers together under an empty name. */
function restartsOf(pod: PodObject | undefined, container: string | undefined): number | undefined {
  if (pod === undefined) return undefined;
  const name = container ?? pod.trainingContainer;
  const state = pod.containers.find((item) => item.name === name) ?? pod.containers.find((item) => !item.init);
  if (state?.restartCount === undefined) return undefined;
  // When the kubelet has lost sight of a container it counts a restart that never was.
  const lost = state.terminated?.reason === 'ContainerStatusUnknown' ? 1 : 0;
  return Math.min(Math.max(0, state.restartCount - lost), MAX_RESTARTS);
}

/** Containers of the Pod's generations before the one with this uid. */
function containersBefore(names: PodNames, pod: string, uid: string | undefined, jobPod: JobPod | undefined): number {
  const generations = names.table.get(pod) ?? [];
  const index = generations.findIndex((record) => uid !== undefined && record.object.uid === uid);
  const before = generations.slice(0, index < 0 ? Math.max(0, generations.length - 1) : index);
  const counted = before.reduce((sum, record) => sum + 1 + (restartsOf(record.object, undefined) ?? 0), 0);
  return Math.min(MAX_RESTARTS, Math.max(counted, jobPod?.spec?.jobRestart ?? 0));
}

function partsOf(sites: readonly Site[], names: PodNames, job: JobSpec): ReadonlyMap<Site, Part> {
  const withPrevious = new Set(sites.flatMap((site) => (site.stream?.previous === true ? [containerKey(site)] : [])));
  const parts = new Map<Site, Part>();
  for (const site of sites) {
    const fixed = site.stream?.attempt;
    parts.set(site, {
      site,
      container: containerNumber(site, names, job, withPrevious),
      units: findUnits(
        fixed === undefined ? site.events : [],
        site.pod !== undefined && !isLauncherPod(job, site.pod),
        site.stream?.newestFirst === true,
      ),
      fixed,
    });
  }
  return parts;
}

/** What `--previous` and the current log of one container share. */
const containerKey = (site: Site): string => `${site.pod ?? site.stream?.pod ?? site.path}/${site.container ?? ''}`;

function containerNumber(site: Site, names: PodNames, job: JobSpec, withPrevious: ReadonlySet<string>): number {
  const { pod, stream } = site;
  const hasPrevious = withPrevious.has(containerKey(site));
  if (pod === undefined)
    return Math.min(stream?.restart ?? (hasPrevious && stream?.previous !== true ? 1 : 0), MAX_RESTARTS);
  const before = containersBefore(names, pod, site.podUid, job.pods.get(pod));
  if (stream?.restart !== undefined) return before + Math.min(stream.restart, MAX_RESTARTS);
  const object = recordOf(names, pod, site.podUid)?.object;
  const restarts = Math.max(restartsOf(object, site.container) ?? 0, hasPrevious ? 1 : 0);
  return before + restarts - (stream?.previous === true ? 1 : 0);
}

function podCounts(parts: ReadonlyMap<Site, Part>, names: PodNames, job: JobSpec): ReadonlyMap<string, PodCounts> {
  const byPod = new Map<string, Part[]>();
  for (const part of parts.values()) if (part.site.pod !== undefined) listIn(byPod, part.site.pod).push(part);
  const all = [...new Set([...byPod.keys(), ...job.pods.keys()])].sort(byText);
  const out = new Map<string, PodCounts>();
  for (const name of all) {
    // A Pod of another job has restarts of its own.
    if (!job.pods.has(name)) continue;
    const units = new Map<number, number>();
    for (const part of byPod.get(name) ?? []) {
      const count = part.fixed === undefined ? unitCount(part.units) : part.fixed + 1;
      units.set(part.container, Math.max(units.get(part.container) ?? 1, count));
    }
    const object = names.table.get(name)?.at(-1)?.object;
    const stated =
      object === undefined
        ? 0
        : containersBefore(names, name, object.uid, job.pods.get(name)) + (restartsOf(object, undefined) ?? 0);
    out.set(name, { name, units, last: Math.max(stated, maxOf(units.keys(), 0)), endedForGood: endedForGood(object) });
  }
  return out;
}

const training = (pod: PodObject | undefined) => pod?.containers.find((item) => item.name === pod.trainingContainer);

function endedForGood(pod: PodObject | undefined): boolean {
  if (pod === undefined) return false;
  return (
    pod.phase === 'Failed' ||
    pod.phase === 'Succeeded' ||
    (training(pod)?.terminated !== undefined && pod.phase !== 'Running')
  );
}

const totalUnits = (pod: PodCounts): number => {
  let sum = 0;
  for (let container = 0; container <= pod.last; container += 1) sum += Math.max(1, pod.units.get(container) ?? 1);
  return sum;
};

/** How many containers a Pod's count is moved; empty if all Pods count alike anyway. */
function alignPods(pods: ReadonlyMap<string, PodCounts>): ReadonlyMap<string, number> {
  const totals = new Set([...pods.values()].map(totalUnits));
  if (totals.size <= 1) return new Map();
  const all = [...pods.values()];
  const last = maxOf(
    all.map((pod) => pod.last),
    0,
  );
  const goesOn = all.some((pod) => !pod.endedForGood);
  return new Map(all.map((pod) => [pod.name, pod.endedForGood && goesOn ? 0 : last - pod.last]));
}

/** Attempts before a container: the longest that any Pod shows for each container before it, or the Pod's own when Pods count alike. */
function basesOf(
  pods: ReadonlyMap<string, PodCounts>,
  shifts: ReadonlyMap<string, number>,
): { readonly of: (pod: string | undefined, container: number) => number } {
  const longest = new Map<number, number>();
  for (const pod of pods.values()) {
    for (const [container, count] of pod.units) {
      const moved = container + (shifts.get(pod.name) ?? 0);
      longest.set(moved, Math.max(longest.get(moved) ?? 1, count));
    }
  }
  const sum = (counts: ReadonlyMap<number, number>, container: number): number => {
    let total = 0;
    for (let i = 0; i < container; i += 1) total += Math.max(1, counts.get(i) ?? 1);
    return total;
  };
  return {
    of: (pod, container) => {
      const own = pod === undefined ? undefined : pods.get(pod);
      return sum(shifts.size === 0 && own !== undefined ? own.units : longest, container);
    },
  };
}

/** The end that a Pod shows for its training container, current or previous. */
export function terminationOf(
  pod: PodObject | undefined,
  which: 'current' | 'previous',
): ContainerTermination | undefined {
  const state = training(pod) ?? pod?.containers.find((item) => !item.init && item.name !== '');
  return which === 'current' ? state?.terminated : state?.lastTerminated;
}
