/** Which lanes there are and in which order: sections by node, else by Pod; inside one the node's own lane, then its ranks. */
import type { LifeLine } from '../../model/facts.ts';
import type { AnalysisResult } from '../../model/finding.ts';
import type { Report, ReportRank } from '../../report/schema.ts';

export interface RankPlaceOfLane {
  readonly row: ReportRank;
  readonly life: LifeLine | undefined;
}

export interface SectionDraft {
  readonly id: string;
  readonly title: string;
  readonly by: 'node' | 'pod' | 'none';
  readonly ranks: RankPlaceOfLane[];
}

/** One row a rank: of the attempt that the verdict is about, else of its last one. Sorted by rank. */
export function rowsOfRanks(report: Report, result: AnalysisResult): RankPlaceOfLane[] {
  const wanted = report.verdict.attempt;
  const chosen = new Map<number, ReportRank>();
  for (const row of report.ranks) {
    const known = chosen.get(row.rank);
    if (known === undefined || (known.attempt !== wanted && (row.attempt === wanted || row.attempt > known.attempt)))
      chosen.set(row.rank, row);
  }
  const lives = new Map(result.facts.lifeLines.map((life) => [`${life.rank}/${life.attempt}`, life]));
  return [...chosen.values()]
    .sort((a, b) => a.rank - b.rank)
    .map((row) => ({ row, life: lives.get(`${row.rank}/${row.attempt}`) }));
}

/** By the lowest rank of each; nodes without a rank come last, by name. */
export function sectionsOf(rows: readonly RankPlaceOfLane[], otherNodes: readonly string[]): SectionDraft[] {
  const sections = new Map<string, SectionDraft>();
  for (const place of rows) {
    const { node, pod } = place.row;
    const by = node !== null ? 'node' : pod !== null ? 'pod' : 'none';
    const title = node ?? pod ?? '';
    const id = `${by}-${title}`;
    const section = sections.get(id) ?? { id, title, by, ranks: [] };
    sections.set(id, section);
    section.ranks.push(place);
  }
  for (const node of [...otherNodes].sort())
    if (!sections.has(`node-${node}`))
      sections.set(`node-${node}`, { id: `node-${node}`, title: node, by: 'node', ranks: [] });
  return [...sections.values()];
}
