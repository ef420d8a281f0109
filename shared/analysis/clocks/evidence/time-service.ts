/**
 * Time services as evidence: the node's clock against true time, which relates any two nodes that have one.
 *
 * The state is that of the moment it was read, hours after the incident perhaps: drift widens it from there. Output that
 * does not tell its moment is likely only.
 */
import type { EntryInfo } from '../../../model/entry.ts';
import type { TimeReport } from '../../../model/time-service.ts';
import { type EvidenceTable, UTC } from './evidence-table.ts';

interface TimeServiceInput {
  readonly entries: readonly EntryInfo[];
  readonly nodes: readonly string[];
  /** Moment of interest on each clock of the table, NaN = none. */
  readonly moments: Float64Array;
}

/** Output of a node that the path of its file does not name is not used. */
export function addTimeServices(
  table: EvidenceTable,
  reports: readonly TimeReport[],
  { entries, nodes, moments }: TimeServiceInput,
): void {
  const paths = new Map(entries.map(({ id, path }) => [id, path]));
  for (const report of reports) {
    const node = nodeOfPath(paths.get(report.source.entry) ?? '', nodes);
    const [own, utc] = [table.indexOf(node), table.indexOf(UTC)];
    const { offset } = report;
    if (node === undefined || own === undefined || utc === undefined || offset === undefined) continue;
    const [low, high] = [offset.lowMs * 1e6, offset.highMs * 1e6];
    const shown = moments[own] ?? Number.NaN;
    const told = report.at === undefined ? undefined : table.relative(report.at);
    const at = told ?? (Number.isFinite(shown) ? shown - (low + high) / 2 : undefined);
    if (at === undefined) continue;
    const why = `${report.tool} on ${node}: its clock against true time`;
    table.builder.begin(table.label({ kind: 'time-service', why, source: report.source }));
    table.builder.row(utc, at, at);
    if (offset.certainty === 'guaranteed' && told !== undefined) table.builder.row(own, at + low, at + high);
    else table.builder.row(own, -Infinity, Infinity, at + low, at + high);
  }
}

/** The node whose name stands in a path as a whole word; the longest one. */
export function nodeOfPath(path: string, nodes: readonly string[]): string | undefined {
  const isEdge = (char: string | undefined): boolean => char === undefined || !/[A-Za-z0-9-]/.test(char);
  let best: string | undefined;
  for (const node of nodes) {
    for (let at = path.indexOf(node); at >= 0 && node !== ''; at = path.indexOf(node, at + 1)) {
      const before = path[at - 1];
      const after = path[at + node.length];
      if (isEdge(before) && isEdge(after) && (best === undefined || node.length > best.length)) best = node;
    }
  }
  return best;
}
