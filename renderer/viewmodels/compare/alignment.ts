/** What stands at 0 on the common axis of two runs. */
import type { CompareAnswer, CompareSide } from '#shared/rpc/areas/compare.ts';
import { escapeText } from '../escape-text.ts';
import { formatBound } from '../times.ts';

export const ALIGNMENTS = ['onset', 'call', 'step', 'start'] as const;
/** `onset`: the first fault; `call`, `step`: one that both went through; `start`: the first stamp. */
export type AlignBy = (typeof ALIGNMENTS)[number];

export interface Alignment {
  /** Zero of each side, ns relative to its origin; null = the side has no such moment. */
  readonly a: number | null;
  readonly b: number | null;
  /** What stands at 0, and why it is not what was asked for. */
  readonly words: string;
  /** What it is in the end. */
  readonly by: AlignBy;
}

type Basis = 'raw' | 'corrected';

/** Those that both cases have a moment for; the first stamp always. */
export function alignOptions(answer: CompareAnswer): readonly { readonly value: AlignBy; readonly label: string }[] {
  const { a, b, call, step } = answer;
  return [
    ...(a.onset !== null && b.onset !== null ? [{ value: 'onset' as const, label: 'first fault' }] : []),
    ...(call === null ? [] : [{ value: 'call' as const, label: `call ${escapeText(call.name.slice(0, 60))}` }]),
    ...(step === null ? [] : [{ value: 'step' as const, label: escapeText(step.name) }]),
    { value: 'start', label: 'first stamp' },
  ];
}

/** Two failures meet where they failed; a failure and a run that went well at the last thing that both did. */
export const defaultAlign = (answer: CompareAnswer): AlignBy => alignOptions(answer)[0]?.value ?? 'start';

export function alignment(answer: CompareAnswer, by: AlignBy, basis: Basis): Alignment {
  const { a, b, call, step } = answer;
  const start = { a: a.spans?.[basis].from ?? null, b: b.spans?.[basis].from ?? null, by: 'start' } as const;
  if (by === 'start') return { ...start, words: '0 = first stamp of each case' };
  if (by !== 'onset') {
    const meeting = by === 'call' ? call : step;
    if (meeting === null) return { ...start, words: `0 = first stamp: no ${by} is told by both` };
    return {
      ...{ a: meeting.a[basis], b: meeting.b[basis], by },
      words: `0 = ${escapeText(meeting.name.slice(0, 120))} of each case`,
    };
  }
  const missing = [a.onset === null ? 'A' : '', b.onset === null ? 'B' : ''].filter((name) => name !== '');
  if (missing.length > 0)
    return { ...start, words: `0 = first stamp: no moment of the first fault in ${missing.join(' and ')}` };
  return { a: a.onset?.at[basis] ?? null, b: b.onset?.at[basis] ?? null, words: '0 = first fault of each case', by };
}

/** `±38 ms`, `bound unknown`, `raw`: of what stands at 0 on a side. */
export function zeroNote(side: CompareSide, by: AlignBy, basis: Basis): string {
  if (basis === 'raw') return 'raw';
  if (by !== 'onset' || side.onset === null) return '';
  const { boundNs, kind } = side.onset;
  const bound = boundNs === null ? 'bound unknown' : boundNs === 0 ? 'reference clock' : formatBound(boundNs / 1e6);
  return [bound, kind === 'call' ? 'call missed' : ''].filter((part) => part !== '').join(', ');
}
