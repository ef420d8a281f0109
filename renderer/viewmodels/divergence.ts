/** The first call on which ranks part, as rows of sets of ranks. */
import type { Report, ReportDivergence } from '#shared/report/schema.ts';
import { escapeText } from './escape-text.ts';
import { formatRanksShort, rankLabel } from './ranks-text.ts';

export interface DivergenceModel {
  readonly call: string;
  readonly kind: string;
  readonly why: string;
  readonly basis: string;
  readonly sides: readonly {
    readonly key: string;
    readonly ranks: string;
    readonly does: string;
    readonly deviates: boolean;
  }[];
  readonly stacks: readonly {
    readonly key: string;
    readonly ranks: string;
    readonly frames: readonly { readonly text: string; readonly differs: boolean }[];
  }[];
}

const KIND_WORDS: Readonly<Record<ReportDivergence['kind'], string>> = {
  missing: 'never enqueued by some',
  op: 'different operations',
  size: 'different sizes',
  dtype: 'different data types',
  state: 'different states',
  order: 'different order',
};

/** Null if no call parts the ranks, or none was recorded. */
export function divergenceModel(report: Report): DivergenceModel | null {
  const found = report.collectives.firstDivergence;
  if (found === null) return null;
  const group = report.collectives.groups.find((item) => item.group === found.group);
  const others = (group?.ranks ?? []).filter((rank) => !found.ranks.includes(rank));
  return {
    call: `${escapeText(group?.desc || found.group)} #${found.seq}`,
    kind: KIND_WORDS[found.kind],
    why: escapeText(found.why),
    basis: found.basis === 'dump' ? 'from recorder dumps' : 'from log lines',
    sides: sidesOf(found, others),
    stacks: stacksOf(found),
  };
}

function sidesOf(found: ReportDivergence, others: readonly number[]): DivergenceModel['sides'] {
  if (found.ranks.length === 0) {
    return (found.sides ?? []).map((ranks, index) => ({
      key: `side-${index}`,
      ranks: rankLabel(ranks),
      does: escapeText(index === 0 ? found.expected : found.actual),
      deviates: false,
    }));
  }
  return [
    { key: 'deviating', ranks: rankLabel(found.ranks), does: escapeText(found.actual), deviates: true },
    {
      key: 'others',
      ranks: others.length === 0 ? 'the others' : rankLabel(others),
      does: escapeText(found.expected),
      deviates: false,
    },
  ];
}

/** Stacks from the outermost frame on; frames beyond the common beginning are marked. */
function stacksOf(found: ReportDivergence): DivergenceModel['stacks'] {
  const stacks = found.frames.map((stack) => stack.frames);
  let common = 0;
  while (
    stacks.length > 1 &&
    stacks.every((frames) => frames[common] !== undefined && frames[common] === stacks[0]?.[common])
  )
    common++;
  return found.frames.map((stack, index) => ({
    key: `stack-${index}`,
    ranks: formatRanksShort(stack.ranks, 40),
    frames: stack.frames.map((frame, at) => ({ text: escapeText(frame), differs: stacks.length > 1 && at >= common })),
  }));
}
