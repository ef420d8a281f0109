/** The first call on which ranks part, as rows of sets of ranks. */
import type { Report, ReportDivergence } from '#shared/report/schema.ts';
import { escapeText } from './escape-text.ts';
import { rankLabel } from './ranks-text.ts';

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
    /** Equal frames before the first shown one. */
    readonly folded: number;
    readonly frames: readonly { readonly text: string; readonly whole: string; readonly differs: boolean }[];
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
    call: `${group?.desc ? escapeText(group.desc) : `group ${escapeText(found.group)}`} #${found.seq}`,
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

/** Equal frames that stay in sight before the first difference. */
const SHOWN_EQUAL_FRAMES = 1;

/** From the outermost frame on, the equal beginning folded to its last frame. */
function stacksOf(found: ReportDivergence): DivergenceModel['stacks'] {
  const stacks = found.frames.map((stack) => outermostFirst(stack.frames));
  let common = 0;
  while (
    stacks.length > 1 &&
    stacks.every((frames) => frames[common] !== undefined && frames[common] === stacks[0]?.[common])
  )
    common++;
  const folded = Math.max(0, common - SHOWN_EQUAL_FRAMES);
  return found.frames.map((stack, index) => ({
    key: `stack-${index}`,
    ranks: rankLabel(stack.ranks),
    folded,
    frames: (stacks[index] ?? []).slice(folded).map((frame, at) => ({
      text: escapeText(shortFrame(frame)),
      whole: escapeText(frame),
      differs: stacks.length > 1 && folded + at >= common,
    })),
  }));
}

/** Recorders write the innermost frame first; the frame of the module tells which end is which. */
function outermostFirst(frames: readonly string[]): readonly string[] {
  return frames.at(-1)?.endsWith('<module>') && !frames[0]?.endsWith('<module>') ? [...frames].reverse() : frames;
}

/** Without the folders of the installation: what stands before `site-packages/` is the same everywhere. */
function shortFrame(frame: string): string {
  const at = frame.lastIndexOf('/site-packages/');
  return at === -1 ? frame : frame.slice(at + '/site-packages/'.length);
}
