/** Everything that the importer read, as analysis takes it: plain data, no database. */
import type { EntryInfo } from './entry.ts';
import type { LogEvent, LogStream } from './events.ts';
import type { FlightRecorderDump } from './flight-recorder.ts';
import type { Issue } from './issue.ts';
import type { KubeEvent, LeaseObject, NodeObject, PodObject, WorkloadObject } from './kubernetes.ts';
import type { TimeReport } from './time-service.ts';
import type { StreamZone } from './zone.ts';

export interface IncidentInput {
  /** Sorted by path; ids are positions in no particular order. Results must not depend on the order of files. */
  readonly entries: readonly EntryInfo[];
  readonly issues: readonly Issue[];
  readonly events: readonly LogEvent[];
  readonly streams: readonly LogStream[];
  readonly pods: readonly PodObject[];
  readonly kubeEvents: readonly KubeEvent[];
  readonly leases: readonly LeaseObject[];
  readonly nodes: readonly NodeObject[];
  readonly workloads: readonly WorkloadObject[];
  readonly dumps: readonly FlightRecorderDump[];
  /** What time services said of their nodes' clocks; absent = none was there. */
  readonly timeReports?: readonly TimeReport[];
  /** Logs whose stamps named no zone: those with a proven one carry it in `events` and `streams` already. */
  readonly zones?: readonly StreamZone[];
}
