/** Process groups and their divergences as the report shows them. */
import type { CollectivesFact, Divergence, GroupFact } from '../model/facts.ts';
import type { Report, ReportDivergence } from './schema.ts';

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
