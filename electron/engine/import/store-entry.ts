import type { Issue } from '#shared/model/issue.ts';
import type { CaseWriter, EntrySettlement } from '../store/case-writer.ts';
import type { EntryRecord } from './entry-record.ts';

/** Writes the row and the dump of one finished entry; its bytes are stored already. */
export function storeEntry(writer: CaseWriter, record: EntryRecord): void {
  const { slot, outputs } = record;
  writer.addEntry(slot, {
    path: record.path,
    bytes: record.bytes,
    sha256: record.sha256,
    format: record.format,
    kind: record.kind,
    why: record.why,
    status: record.status,
    detail: record.detail,
    lines: record.lines,
    firstNs: record.firstNs,
    lastNs: record.lastNs,
  });
  for (const dump of outputs.dumps) writer.addDump(slot, dump);
  writer.endEntry();
}

/**
 * Writes what an entry said. Done when all entries are read, in one order of entries, so that the order of reading leaves no trace; and only
 * then is it known how many events are kept.
 */
export function storeOutputs(writer: CaseWriter, { slot, outputs }: EntryRecord): void {
  for (const event of outputs.events) writer.addEvent(slot, event);
  for (const stream of outputs.streams) writer.addStream(slot, stream);
  for (const pod of outputs.pods) writer.addKubeObject(slot, { kind: 'pod', name: pod.name, object: pod });
  for (const event of outputs.kubeEvents)
    writer.addKubeObject(slot, { kind: 'event', name: event.object.name, object: event });
  for (const lease of outputs.leases) writer.addKubeObject(slot, { kind: 'lease', name: lease.node, object: lease });
  for (const node of outputs.nodes) writer.addKubeObject(slot, { kind: 'node', name: node.name, object: node });
  for (const workload of outputs.workloads)
    writer.addKubeObject(slot, { kind: workload.kind, name: workload.name, object: workload });
}

/** Issues are written last: they refer to settled entries, or to no entry at all. */
export function storeIssues(
  writer: CaseWriter,
  issues: readonly Issue[],
  settlements: readonly EntrySettlement[],
): void {
  const slotOfId = new Map(settlements.map((settlement) => [settlement.id, settlement.slot]));
  for (const issue of issues)
    writer.addIssue(issue.entry === undefined ? null : (slotOfId.get(issue.entry) ?? null), issue);
}
