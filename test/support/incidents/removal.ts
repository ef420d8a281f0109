/**
 * An incident without what decides it.
 *
 * - `withoutProof`: all that its kind of fault names as proof is left out of the bundle, so that nobody can be named
 * - `weakened`: one proof is left out; how much the rest proves says `Truth.provable` of the incident that is built from it
 */
import { createRandom } from './random.ts';
import type { Fault, IncidentSpec, Missing } from './spec.ts';
import { buildTopology, placeOf, range, type Topology } from './topology.ts';

export function withoutProof(spec: IncidentSpec): IncidentSpec {
  return reduced(spec, (fault, topology, otherSide) => {
    switch (fault.kind) {
      case 'host-oom':
        return { ...allOf(fault.rank, topology), podYaml: true, events: true, kernelLog: true };
      case 'op-mismatch':
      case 'size-mismatch':
      case 'skipped-call':
        return otherSide
          ? { ...onlyOf(fault.rank, topology), logsOfNodes: range(topology.nodes.length) }
          : allOf(fault.rank, topology);
      default:
        return lost(fault, topology, otherSide);
    }
  });
}

export function weakened(spec: IncidentSpec): IncidentSpec {
  return reduced(spec, lost);
}

function reduced(
  spec: IncidentSpec,
  take: (fault: Fault, topology: Topology, otherSide: boolean) => Missing,
): IncidentSpec {
  const random = createRandom(spec.seed);
  const topology = buildTopology(spec, random.fork('topology'));
  const missing = { ...spec.missing, ...take(spec.fault, topology, random.fork('removal').chance(0.5)) };
  // The table of Pods is a proof of its own, and only that way of collecting has it.
  const layout = spec.layout === 'capture' ? 'kubectl' : spec.layout;
  return { ...spec, layout, missing };
}

function lost(fault: Fault, topology: Topology, otherSide: boolean): Missing {
  switch (fault.kind) {
    case 'healthy':
      return { podYaml: true, logsOfNodes: [topology.nodes.length - 1] };
    case 'still-running':
      return { leases: true };
    case 'missing-worker':
      return { podYaml: true, events: true };
    case 'evicted':
      return { podYaml: true, events: true, logsOfNodes: [fault.node] };
    case 'op-mismatch':
    case 'size-mismatch':
    case 'skipped-call':
      return otherSide ? onlyOf(fault.rank, topology) : allOf(fault.rank, topology);
    default:
      return allOf(fault.rank, topology);
  }
}

/** The log of the rank's Pod, and the dumps of its ranks. */
function allOf(rank: number, topology: Topology): Missing {
  const { place } = placeOf(topology, rank);
  return { logsOfNodes: [place.index], dumpsOfRanks: place.ranks };
}

/** Of a disagreement one side only. */
function onlyOf(rank: number, topology: Topology): Missing {
  const { place } = placeOf(topology, rank);
  return {
    logsOfNodes: range(topology.nodes.length).filter((node) => node !== place.index),
    dumpsOfRanks: range(topology.worldSize).filter((other) => other !== rank),
  };
}
