/** Runs one format over a text or a fixture, as the import does. */
import { readFileSync } from 'node:fs';
import describePod from '#shared/formats/describe-pod.ts';
import eventsTable from '#shared/formats/events-table.ts';
import nodesTable from '#shared/formats/nodes-table.ts';
import objectsJson from '#shared/formats/objects-json.ts';
import objectsYaml from '#shared/formats/objects-yaml.ts';
import podsTable from '#shared/formats/pods-table.ts';
import { type Format, type FormatOutput, HEAD_BYTES } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import type { KubeEvent, LeaseObject, NodeObject, PodObject, WorkloadObject } from '#shared/model/kubernetes.ts';
import type { SourceRef } from '#shared/model/source-ref.ts';

export const KUBERNETES_FORMATS: readonly Format[] = [
  objectsYaml,
  objectsJson,
  podsTable,
  nodesTable,
  eventsTable,
  describePod,
];

const FIXTURES = new URL('../../../../fixtures/formats/', import.meta.url);
export const fixture = (name: string): Uint8Array => readFileSync(new URL(name, FIXTURES));

export interface ReadResult {
  readonly format: string | undefined;
  readonly outputs: readonly FormatOutput[];
  readonly pods: readonly PodObject[];
  readonly events: readonly KubeEvent[];
  readonly leases: readonly LeaseObject[];
  readonly nodes: readonly NodeObject[];
  readonly workloads: readonly WorkloadObject[];
  /** `code: detail` */
  readonly issues: readonly string[];
  readonly summary: string | undefined;
  /** The text that a source ref covers. */
  readonly textOf: (source: SourceRef) => string;
}

const utf8 = new TextDecoder();

/** Read by the only format that claims it; no outputs if none or several do. */
export function readBytes(bytes: Uint8Array, truncated = false): ReadResult {
  const head = {
    bytes: bytes.subarray(0, HEAD_BYTES),
    text: utf8.decode(bytes.subarray(0, HEAD_BYTES)),
    path: 'unknown',
    whole: bytes.length <= HEAD_BYTES,
  };
  const claimed = KUBERNETES_FORMATS.filter((format) => format.claim(head) !== undefined);
  const format = claimed.length === 1 ? claimed[0] : undefined;
  const outputs: FormatOutput[] = [];
  if (format?.shape === 'document')
    outputs.push(...format.parse(bytes, { entry: entryId(0), path: 'unknown' }, truncated));
  if (format?.shape === 'lines') {
    const reader = format.open({ entry: entryId(0), path: 'unknown' }, (output) => outputs.push(output));
    forEachLine(bytes, (text, line, byte, length) => reader.line(text, line, byte, length));
    reader.end();
  }
  return {
    format: claimed.map(({ id }) => id).join('+') || undefined,
    outputs,
    pods: outputs.flatMap((output) => (output.kind === 'pod' ? [output.pod] : [])),
    events: outputs.flatMap((output) => (output.kind === 'kube-event' ? [output.kubeEvent] : [])),
    leases: outputs.flatMap((output) => (output.kind === 'lease' ? [output.lease] : [])),
    nodes: outputs.flatMap((output) => (output.kind === 'node' ? [output.node] : [])),
    workloads: outputs.flatMap((output) => (output.kind === 'workload' ? [output.workload] : [])),
    issues: outputs.flatMap((output) => (output.kind === 'issue' ? [`${output.code}: ${output.detail}`] : [])),
    summary: outputs.findLast((output) => output.kind === 'summary')?.text,
    textOf: (source) =>
      source.kind === 'line' || source.kind === 'byte'
        ? utf8.decode(bytes.subarray(source.byte, source.byte + source.length))
        : `(${source.kind})`,
  };
}

export const readText = (text: string, truncated = false): ReadResult =>
  readBytes(new TextEncoder().encode(text), truncated);
export const readFixture = (name: string): ReadResult => readBytes(fixture(name));

function forEachLine(bytes: Uint8Array, see: (text: string, line: number, byte: number, length: number) => void): void {
  let line = 1;
  for (let at = 0; at < bytes.length; line += 1) {
    const feed = bytes.indexOf(10, at);
    const end = feed < 0 ? bytes.length : feed;
    see(utf8.decode(bytes.subarray(at, end)), line, at, end - at);
    at = end + 1;
  }
}

/** `2026-03-14T09:41:22Z` of a stamp in ns; fractions only where there are any. */
export function iso(ns: bigint | undefined): string | undefined {
  if (ns === undefined) return undefined;
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const fraction = ns % 1_000_000_000n;
  return fraction === 0n ? `${seconds}Z` : `${seconds}.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}Z`;
}
