/**
 * Generates incidents: a description in, a bundle as a customer would send it and the truth about it out.
 *
 *     spec ─► topology ─► programs ─► fault edits them ─► run (true time) ─► aftermath (who prints what, who ends how)
 *          ─► a second attempt ─► writers: each stamp through its node's clock ─► files ─► what was not collected is left out
 *
 * Same spec, same bytes. Shapes come from real logs and dumps and from the sources' documentation, never from what our
 * parsers accept. O(calls + bytes).
 */

import type { Scene } from './aftermath/index.ts';
import { type Attempts, playAttempts } from './attempts.ts';
import { offsetMsAt, SECOND } from './clock.ts';
import { collectedOf } from './collected.ts';
import { createRandom } from './random.ts';
import type { Incident, IncidentSpec, Truth } from './spec.ts';
import { planTaking, type Taking } from './taking.ts';
import { planStart, type Timeline } from './timeline.ts';
import { describePath, WIDE_PATH, writeCapture } from './writers/capture.ts';
import { dumpPath, writeDumps } from './writers/dump.ts';
import { eventsPath, writeEvents } from './writers/events.ts';
import { kernelLogPath, writeKernelLogs } from './writers/kernel-log.ts';
import { writeLeases } from './writers/leases.ts';
import { logDir, podLogPath, writePodLogs } from './writers/pod-log.ts';
import { podYamlPath, writePods } from './writers/pods.ts';

export type { Incident, IncidentSpec, Truth } from './spec.ts';

/** Saturday 2026-03-14 09:00:00 UTC: the true time at which every story begins. */
const ORIGIN = 1_773_478_800_000_000_000n;

export function buildIncident(spec: IncidentSpec): Incident {
  const attempts = playAttempts(spec, ORIGIN);
  const [{ scene, aftermath }, second] = attempts;
  const start = planStart(spec, createRandom(spec.seed).fork('start'));
  const timeline: Timeline = { ...start, snapshotNs: snapshotNs(attempts) };
  const taking = planTaking(attempts, timeline.snapshotNs);
  const all = new Map([
    ...writePodLogs(attempts, taking),
    ...writeDumps(scene, aftermath),
    ...(second === undefined ? [] : writeDumps(second.scene, second.aftermath)),
    ...writePods(attempts, timeline),
    ...writeEvents(attempts, timeline),
    ...(spec.layout === 'capture' ? [] : writeLeases(scene, timeline)),
    ...writeKernelLogs(scene, aftermath),
    ...writeCapture(attempts, timeline),
  ]);
  const files = withoutMissing(scene, all);
  return { name: nameOf(spec), spec, files, truth: truthOf(attempts, taking, files) };
}

const nameOf = (spec: IncidentSpec): string => `${spec.fault.kind}-${spec.backend}-${spec.layout}-${spec.seed}`;

/** Collected some minutes after the last process ended; a running job at two thirds of its run. */
function snapshotNs([first, second]: Attempts): number {
  const { scene, aftermath } = second ?? first;
  const ends = [...aftermath.containers.values()].map((end) => end.atNs).filter((ns) => Number.isFinite(ns));
  if (scene.spec.fault.kind === 'still-running') {
    const last = Math.min(...scene.runs.map((rankRun) => rankRun.endNs));
    const begin = Math.max(...scene.runs.map((rankRun) => rankRun.calls[0]?.enqueuedNs ?? 0));
    return Math.round(begin + (last - begin) * 0.66);
  }
  return Math.round(Math.max(0, ...ends) + scene.random.fork('snapshot').between(40, 300) * SECOND);
}

/** Logs that are missing were not written in the first place. */
function withoutMissing(scene: Scene, files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const { missing = {} } = scene.spec;
  const gone = new Set<string>((missing.dumpsOfRanks ?? []).map(dumpPath));
  if (missing.events === true) gone.add(eventsPath(scene));
  if (missing.leases === true) gone.add('leases.yaml');
  if (missing.podYaml === true)
    for (const place of scene.topology.nodes)
      for (const path of [podYamlPath(scene, place), describePath(place)]) gone.add(path);
  if (missing.kernelLog === true) for (const place of scene.topology.nodes) gone.add(kernelLogPath(place.node));
  return new Map([...files].filter(([path]) => !gone.has(path)));
}

function truthOf(attempts: Attempts, taking: Taking, files: ReadonlyMap<string, Uint8Array>): Truth {
  const [{ scene, aftermath }] = attempts;
  const { topology, plan, spec } = scene;
  const place = plan.truth.node === undefined ? undefined : topology.nodes[plan.truth.node];
  const atNs = aftermath.faultNs ?? 0;
  const deciding = decidingFiles(scene);
  const dumps = topology.ranks.map(({ rank }) => rank).filter((rank) => files.has(dumpPath(rank)));
  const { proof, ...truth } = plan.truth;
  // Only the first attempt's evidence counts: that a later one failed as well, even by the same fault, does not show how it began.
  const provable = proof(collectedOf(attempts, 0, taking, new Set(dumps)));
  return {
    ...truth,
    // A job that came through in the end did not fail; that it failed once is the better answer.
    ...(spec.restart?.second === 'well'
      ? { alsoRight: ['no-failure' as const], stages: [...truth.stages, 'unknown' as const] }
      : {}),
    pod: place?.pod,
    node: plan.missingNode === undefined ? place?.node : undefined,
    nodeOffsetsMs: Object.fromEntries(topology.nodes.map((p) => [p.node, offsetMsAt(p.clock, atNs)])),
    nodeClocks: Object.fromEntries(topology.nodes.map((p) => [p.node, p.clock])),
    originNs: ORIGIN,
    ranksOfPods: Object.fromEntries(topology.nodes.map((p) => [p.pod, p.ranks])),
    faultAtNs: plan.truth.outcome === 'no-failure' ? undefined : ORIGIN + BigInt(Math.round(atNs)),
    dumps,
    decidable: provable === 'answer',
    provable,
    deciding: deciding.filter((path) => files.has(path)),
  };
}

/** The log of the Pod at fault with all it says about its ranks, their dumps, and what Kubernetes says about the Pod. */
function decidingFiles(scene: Scene): string[] {
  const { topology, plan } = scene;
  const place = plan.truth.node === undefined ? undefined : topology.nodes[plan.truth.node];
  if (place === undefined) return [];
  const workers = place.ranks.map((_, local) => `${logDir(scene, place)}/attempt_0/${local}/stderr.log`);
  return [
    podLogPath(scene, place),
    ...workers,
    ...plan.truth.firstRanks.map(dumpPath),
    kernelLogPath(place.node),
    podYamlPath(scene, place),
    describePath(place),
    WIDE_PATH,
    eventsPath(scene),
  ];
}
