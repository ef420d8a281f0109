/**
 * The stored view `incident`: what the analysis was given, so that it can be run again when the analyst sets something, without the bundle.
 * Columns of dumps are stored with their entries already and are left out here.
 */
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { IncidentInput } from '../../model/incident.ts';
import type { ViewSource } from '../index.ts';

export const INCIDENT_VIEW = 'incident';

export interface StoredIncident {
  readonly input: Omit<IncidentInput, 'dumps'>;
  /** Where each dump came from, in the order that the analysis had them. */
  readonly dumps: readonly FlightRecorderDump['source'][];
}

export function buildIncident({ input }: ViewSource): StoredIncident {
  const { dumps, ...rest } = input;
  return { input: rest, dumps: dumps.map(({ source }) => source) };
}

/** Whether a stored value has the form of an incident: its lists are lists. What they hold was written by this program's own import. */
export function isStoredIncident(value: unknown): value is StoredIncident {
  if (typeof value !== 'object' || value === null || !('input' in value) || !('dumps' in value)) return false;
  const { input, dumps } = value;
  if (typeof input !== 'object' || input === null || !Array.isArray(dumps)) return false;
  const lists = new Map<string, unknown>(Object.entries(input));
  return ['entries', 'issues', 'events', 'streams', 'pods', 'kubeEvents', 'leases', 'nodes', 'workloads'].every(
    (name) => Array.isArray(lists.get(name)),
  );
}
