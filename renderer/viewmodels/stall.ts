/** A stall has no moment: it lies between the last that its rank did and the first that its peers did without it. */
import type { Report, ReportBracketEnd } from '#shared/report/schema.ts';
import { formatDurationMs } from '#shared/text/format.ts';
import { qualityWords } from '#shared/text/moment-text.ts';
import { escapeText } from './escape-text.ts';
import type { Fact } from './overview.ts';
import { calendarDay, timeOfDay } from './times.ts';

type Basis = 'raw' | 'corrected';

/** Two facts that stand in place of the moment, each on its own clock; null where the verdict is about no stall, or nothing brackets it. */
export function stallFacts({ verdict: { between } }: Report, basis: Basis): readonly Fact[] | null {
  if (!between) return null;
  const { from, until, latenessMs } = between;
  const waits = until.rank === null ? until.text : `rank ${until.rank} waits in ${until.text}`;
  const late = `or up to ${formatDurationMs(latenessMs)} later`;
  const before = endFact('and before', until, basis, waits, late);
  return [
    from === null
      ? { label: 'Stalled after', value: 'unknown', note: '', detail: 'nothing that it did before has a time' }
      : endFact('Stalled after', from, basis, from.text, ''),
    // The second says only what is other.
    from !== null && headOf(from, basis) === headOf(until, basis) ? { ...before, label: 'and before' } : before,
  ];
}

const headOf = (end: ReportBracketEnd, wanted: Basis): string =>
  wanted === 'raw' ? `raw, ${calendarDay(end.rawTime)}` : `${end.timeBasis}, ${calendarDay(end.time)}`;

function endFact(label: string, end: ReportBracketEnd, wanted: Basis, what: string, rest: string): Fact {
  const timeBasis = wanted === 'raw' ? 'raw' : end.timeBasis;
  const iso = wanted === 'raw' ? end.rawTime : end.time;
  return {
    label: `${label}, ${headOf(end, wanted)}`,
    value: timeOfDay(iso),
    note: qualityWords({ boundMs: end.boundMs, timeBasis }),
    detail: escapeText(what),
    more: [`clock of ${escapeText(end.clock)}`, rest].filter((part) => part !== '').join('; '),
  };
}
