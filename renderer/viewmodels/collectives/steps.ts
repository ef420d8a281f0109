/** The strip at the foot: from the first call to the end of the job. */
import { formatCount, plural } from '#shared/text/format.ts';
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import type { ConsequenceStep, StepOrder } from '#shared/views/collectives/types.ts';
import { escapeText } from '../escape-text.ts';
import { rankLabel } from '../ranks-text.ts';
import { type Basis, stepTimeText } from './call-times.ts';
import { groupName, kindName } from './groups.ts';

export interface StepModel {
  readonly key: string;
  readonly title: string;
  /** Solid red for the ranks that the verdict names. */
  readonly first: boolean;
  readonly what: string;
  readonly where: string;
  readonly time: string;
  readonly quality: string;
  readonly order: StepOrder;
  readonly orderWord: string;
  /** Share of all ranks, 0 to 1; undefined = none is meant. */
  readonly share: number | undefined;
  /** ISO 8601 UTC; null = not recorded. */
  readonly iso: string | null;
  readonly source: ConsequenceStep['source'];
}

export interface StepsModel {
  readonly note: string;
  readonly steps: readonly StepModel[];
}

const ORDER_WORDS: Readonly<Record<StepOrder, string>> = {
  first: '',
  certain: 'after it, certain',
  likely: 'after it, likely',
  undecided: 'order not determined',
  earlier: 'begins earlier than its cause is seen',
};
const END_WORDS: ReadonlyMap<string, readonly [who: string, what: string]> = new Map([
  ['failure-summary', ['torchrun', 'ends the attempt']],
  ['worker-failed', ['launcher', 'sees a worker fail']],
  ['agent-signal', ['launcher', 'is told to stop']],
  ['scheduler-cancelled', ['scheduler', 'cancels the job']],
  ['task-exit', ['launcher', 'sees a task end']],
]);
const KIND_WORDS: Readonly<Record<NonNullable<ConsequenceStep['divergence']>, string>> = {
  missing: 'never enqueues',
  op: 'calls something else at',
  size: 'passes other sizes at',
  dtype: 'passes another type at',
  state: 'does not finish',
  order: 'goes another way before',
};

export function stepsModel(answer: JobAnswer, basis: Basis): StepsModel {
  const { steps } = answer.story;
  return { note: noteOf(steps), steps: steps.map((step, i) => stepModel(answer, step, i, basis)) };
}

function noteOf(steps: readonly ConsequenceStep[]): string {
  const later = steps.slice(1);
  if (later.length === 0) return '';
  if (later.every((step) => step.order === 'certain'))
    return 'order certain for every step: same clock, or a gap wider than the bound';
  const open = later.filter((step) => step.order === 'undecided' || step.order === 'earlier').length;
  return open === 0
    ? 'order certain or likely for every step'
    : `by cause; the clocks leave the order of ${open === 1 ? 'one step' : `${open} steps`} open`;
}

function stepModel(answer: JobAnswer, step: ConsequenceStep, index: number, basis: Basis): StepModel {
  const { time, quality, iso } = stepTimeText(step.at, basis);
  const first =
    step.kind === 'first' &&
    step.ranks.length > 0 &&
    step.ranks.every((rank) => answer.story.firstRanks.includes(rank));
  return {
    key: `step ${index}`,
    title: titleOf(step),
    first,
    what: whatOf(answer, step),
    where: whereOf(step),
    time,
    quality,
    order: step.order,
    orderWord: ORDER_WORDS[step.order],
    share: step.kind === 'end' || answer.ranks === 0 ? undefined : step.ranks.length / answer.ranks,
    iso,
    source: step.source,
  };
}

function titleOf(step: ConsequenceStep): string {
  switch (step.kind) {
    case 'first':
      return step.ranks.length > 4 ? plural(step.ranks.length, 'rank') : rankLabel(step.ranks);
    case 'wait':
      return step.ranks.length === 1 ? rankLabel(step.ranks) : plural(step.ranks.length, 'rank');
    case 'watchdog':
      return step.ranks.length === 0 ? 'watchdogs' : plural(step.ranks.length, 'watchdog');
    case 'end':
      return END_WORDS.get(step.detail)?.[0] ?? 'end';
  }
}

function whatOf(answer: JobAnswer, step: ConsequenceStep): string {
  const kind = kindOfGroup(answer, step.groups[0]);
  const [group] = step.groups;
  const place =
    group === undefined ? '' : groupName(group, kind, answer.groups.find((one) => one.id === group)?.desc ?? '');
  switch (step.kind) {
    case 'first':
      return `${step.divergence === undefined ? 'parts at' : KIND_WORDS[step.divergence]} ${place} #${step.seq ?? '?'}`;
    case 'wait': {
      const op = step.op === undefined ? '' : ` ${escapeText(step.op)}`;
      const kinds = [...new Set(step.groups.map((id) => kindName(kindOfGroup(answer, id))))];
      return step.groups.length === 1
        ? `${step.ranks.length === 1 ? 'waits' : 'wait'} in ${place}${op}${step.seq === undefined ? '' : ` #${step.seq}`}`
        : `${step.ranks.length === 1 ? 'waits' : 'wait'} in ${kinds.slice(0, 3).join(', ')}${kinds.length > 3 ? ', …' : ''}`;
    }
    case 'watchdog':
      return 'report a time-out';
    case 'end':
      return END_WORDS.get(step.detail)?.[1] ?? escapeText(step.detail);
  }
}

function whereOf(step: ConsequenceStep): string {
  if (step.kind === 'end') return '';
  if (step.kind === 'wait')
    return step.groups.length > 1 ? `${formatCount(step.groups.length)} groups` : rankLabel(step.ranks);
  return escapeText(step.detail);
}

const kindOfGroup = (answer: JobAnswer, id: string | undefined) =>
  answer.kinds[answer.groups.find((group) => group.id === id)?.kind ?? -1];
