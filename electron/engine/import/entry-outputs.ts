import { assertNever } from '#shared/lib/assert.ts';
import type { LogEvent, LogStream } from '#shared/model/events.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import type { IssueCode, IssueSeverity } from '#shared/model/issue.ts';
import type { KubeEvent, LeaseObject, NodeObject, PodObject, WorkloadObject } from '#shared/model/kubernetes.ts';
import type { SourceRef } from '#shared/model/source-ref.ts';
import type { TimeReport } from '#shared/model/time-service.ts';

/** An issue of one entry; equal codes are counted, the first place and detail are kept. */
export interface EntryIssue {
  readonly code: IssueCode;
  readonly severity: IssueSeverity;
  readonly source: SourceRef | undefined;
  readonly detail: string;
  count: number;
}

/** All but the dumps, which are stored by themselves, as plain data. */
export type KeptOutputs = Pick<
  EntryOutputs,
  | 'events'
  | 'streams'
  | 'pods'
  | 'kubeEvents'
  | 'leases'
  | 'nodes'
  | 'workloads'
  | 'timeReports'
  | 'issues'
  | 'summary'
  | 'status'
>;

/** Everything that one entry's format said. Source refs carry the entry's slot until the ids are settled. */
export class EntryOutputs {
  readonly events: LogEvent[] = [];
  readonly streams: LogStream[] = [];
  readonly pods: PodObject[] = [];
  readonly kubeEvents: KubeEvent[] = [];
  readonly leases: LeaseObject[] = [];
  readonly nodes: NodeObject[] = [];
  readonly workloads: WorkloadObject[] = [];
  readonly dumps: FlightRecorderDump[] = [];
  readonly timeReports: TimeReport[] = [];
  readonly issues: EntryIssue[] = [];
  summary = '';
  /** Told of each event after it was added. */
  onEvent: (() => void) | undefined;
  status:
    | { readonly status: 'refused' | 'failed' | 'truncated' | 'empty' | 'skipped'; readonly detail: string }
    | undefined;

  add(output: FormatOutput): void {
    switch (output.kind) {
      case 'event':
        this.events.push(output.event);
        this.onEvent?.();
        return;
      case 'stream':
        this.streams.push(output.stream);
        return;
      case 'pod':
        this.pods.push(output.pod);
        return;
      case 'kube-event':
        this.kubeEvents.push(output.kubeEvent);
        return;
      case 'lease':
        this.leases.push(output.lease);
        return;
      case 'node':
        this.nodes.push(output.node);
        return;
      case 'workload':
        this.workloads.push(output.workload);
        return;
      case 'dump':
        this.dumps.push(output.dump);
        return;
      case 'time-report':
        this.timeReports.push(output.report);
        return;
      case 'issue':
        this.issue(output);
        return;
      case 'summary':
        this.summary = output.text;
        return;
      case 'status':
        this.status = { status: output.status, detail: output.detail };
        return;
      default:
        assertNever(output);
    }
  }

  issue(
    issue: {
      readonly code: IssueCode;
      readonly severity: IssueSeverity;
      readonly source?: SourceRef | undefined;
      readonly detail: string;
    },
    count = 1,
  ): void {
    // A handful at most: a Map in each of 100,000 tiny files would be 17 MB.
    const known = this.issues.find(({ code }) => code === issue.code);
    if (known !== undefined) {
      known.count += count;
      return;
    }
    const added: EntryIssue = {
      code: issue.code,
      severity: issue.severity,
      source: issue.source,
      detail: issue.detail,
      count,
    };
    this.issues.push(added);
  }

  kept(): KeptOutputs {
    const { events, streams, pods, kubeEvents, leases, nodes, workloads, timeReports, issues, summary, status } = this;
    return { events, streams, pods, kubeEvents, leases, nodes, workloads, timeReports, issues, summary, status };
  }

  /** As they were when `kept` was called. */
  static restore(kept: KeptOutputs, dumps: readonly FlightRecorderDump[]): EntryOutputs {
    const outputs = new EntryOutputs();
    const { events, streams, pods, kubeEvents, leases, nodes, workloads, timeReports, issues } = kept;
    outputs.events.push(...events);
    outputs.streams.push(...streams);
    outputs.pods.push(...pods);
    outputs.kubeEvents.push(...kubeEvents);
    outputs.leases.push(...leases);
    outputs.nodes.push(...nodes);
    outputs.workloads.push(...workloads);
    outputs.timeReports.push(...timeReports);
    outputs.dumps.push(...dumps);
    for (const issue of issues) outputs.issue(issue, issue.count);
    outputs.summary = kept.summary;
    outputs.status = kept.status;
    return outputs;
  }

  /** True if an issue of severity warning or worse was found. */
  get warned(): boolean {
    return this.issues.some((issue) => issue.severity !== 'info');
  }

  /** Puts other objects that say the same in the place of the dumps. */
  replaceDumps(by: (dump: FlightRecorderDump) => FlightRecorderDump): void {
    this.dumps.splice(0, this.dumps.length, ...this.dumps.map(by));
  }

  /** Forgets what was read (a refusal half-way, a duplicate), keeps issues. */
  forgetContent(): void {
    for (const list of [
      this.events,
      this.streams,
      this.pods,
      this.kubeEvents,
      this.leases,
      this.nodes,
      this.workloads,
      this.dumps,
      this.timeReports,
    ])
      list.length = 0;
  }
}
