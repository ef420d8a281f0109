/** Process groups and their divergences as the report shows them. */
import type { DivergenceTable } from '../model/divergence-table.ts';
import type { CollectivesFact, Divergence, GroupFact } from '../model/facts.ts';
import { explainCollectives } from './collective-explanation.ts';
import type { Report, ReportDivergence, ReportTable } from './schema.ts';

const MOST_FRAMES = 40;

export function buildCollectives(fact: CollectivesFact): Report['collectives'] {
  return {
    groups: fact.groups.map((group) => ({
      group: group.id,
      desc: group.desc,
      ranks: [...group.ranks],
      dumps: dumpsIn(group),
      window: group.window ? { from: group.window.from, to: group.window.to } : null,
      firstDivergence: group.divergence ? divergence(group.divergence) : null,
    })),
    firstDivergence: fact.first ? divergence(fact.first) : null,
    table: fact.table === undefined ? null : tableRows(fact.table),
    explanation: explainCollectives(fact),
  };
}

function tableRows(table: DivergenceTable): ReportTable {
  return {
    group: table.group,
    seq: table.seq,
    rows: [...table.rows],
    columns: table.columns.map((column) => ({
      ranks: [...column.ranks],
      deviates: column.deviates,
      held: column.held === undefined ? null : { from: column.held.from, to: column.held.to },
      cells: column.cells.map((cell) => ({ state: cell.state, call: cell.call ?? null, deviates: cell.deviates })),
    })),
    moreRanks: table.moreRanks,
    calls: [...table.calls],
  };
}

function dumpsIn(group: GroupFact): number {
  return group.members.filter((member) => member.basis !== 'log').length;
}

function divergence(found: Divergence): ReportDivergence {
  return {
    group: found.group,
    seq: found.seq,
    kind: found.kind,
    ranks: [...found.ranks],
    ...(found.sides.length > 0 ? { sides: found.sides.map((side) => [...side]) } : {}),
    expected: found.expected,
    actual: found.actual,
    frames: found.calls
      .filter((call) => call.frames.length > 0)
      .map((call) => ({
        ranks: [call.rank],
        frames: call.frames.slice(0, MOST_FRAMES).map((frame) => `${frame.file}:${frame.line} ${frame.name}`),
      })),
    basis: found.basis,
    why: found.why,
  };
}
