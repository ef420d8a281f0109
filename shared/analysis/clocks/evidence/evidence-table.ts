/**
 * Collects what all kinds of evidence say about clocks into one table of operations, with what is needed to explain it:
 * a label names the kind and the sentence, and where it can be read.
 */
import type { SourceRef } from '../../../model/source-ref.ts';
import { OperationBuilder, type Operations } from '../solver/operations.ts';

/** Clock of true time as time services tell it; never shown as a clock of the bundle. */
export const UTC = '\u0000utc';

export type EvidenceKind =
  | 'collective'
  | 'transfer'
  | 'lockstep'
  | 'progress'
  | 'communicator-init'
  | 'set-up'
  | 'dump-signal'
  | 'kubernetes'
  | 'usual-delay'
  | 'time-service'
  /** A line of a time service, whose bound is only usual. */
  | 'clock-note'
  | 'override';

export interface Label {
  readonly kind: EvidenceKind;
  readonly why: string;
  readonly source: SourceRef | undefined;
}

/** Exact as doubles: 104 days either side of the base. */
const REACH_NS = 9e15;

export class EvidenceTable {
  readonly baseNs: bigint;
  readonly labels: Label[] = [];
  readonly builder: OperationBuilder;
  private readonly indices: ReadonlyMap<string, number>;

  constructor(clocks: readonly string[], baseNs: bigint) {
    this.baseNs = baseNs;
    this.indices = new Map(clocks.map((id, index) => [id, index]));
    this.builder = new OperationBuilder(clocks.length);
  }

  /** Undefined for a clock that is not in the table. */
  indexOf(clock: string | undefined): number | undefined {
    return clock === undefined ? undefined : this.indices.get(clock);
  }

  /** Nanoseconds since the base; undefined beyond the reach of exact doubles. */
  relative(ns: bigint): number | undefined {
    const value = Number(ns - this.baseNs);
    return Math.abs(value) < REACH_NS ? value : undefined;
  }

  label(label: Label): number {
    this.labels.push(label);
    return this.labels.length - 1;
  }

  /** What happened at `before.ns` on one clock came before what happened at `after.ns` on the other. */
  pair(before: Side, after: Side, certainty: 'guaranteed' | 'likely', label: Label): boolean {
    const [a, b] = [this.indexOf(before.clock), this.indexOf(after.clock)];
    const [from, to] = [this.relative(before.ns), this.relative(after.ns)];
    if (a === undefined || b === undefined || a === b || from === undefined || to === undefined) return false;
    this.builder.begin(this.label(label));
    if (certainty === 'guaranteed') {
      this.builder.row(a, from, Infinity);
      this.builder.row(b, -Infinity, to);
    } else {
      this.builder.row(a, -Infinity, Infinity, from, Infinity);
      this.builder.row(b, -Infinity, Infinity, -Infinity, to);
    }
    return true;
  }

  finish(): Operations {
    return this.builder.finish();
  }
}

export interface Side {
  readonly clock: string;
  readonly ns: bigint;
}
