/** What the status bar says of the clocks, in words: how many can be compared, how far that may be wrong, and what cannot. */
import type { Report } from '#shared/report/schema.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { formatBound } from '../times.ts';
import { atLeastMs } from './table.ts';

export interface ClockStatus {
  readonly text: string;
  /** The same at length. */
  readonly title: string;
}

export function clockStatus({ clock: { reference, domains } }: Report): ClockStatus {
  const count = domains.length;
  if (count === 0) return { text: 'No clocks', title: 'No file of this bundle carries a time.' };
  if (count === 1) return { text: 'One clock', title: 'All times are of one clock: nothing needs to be compared.' };
  const main = domains.find(({ id }) => id === reference);
  if (main === undefined)
    return {
      text: `${formatCount(count)} clocks, differences unknown`,
      title: 'Nothing in the bundle relates two clocks. Times are shown as written and are not compared between them.',
    };
  const related = domains.filter((one) => one !== main && one.offsetMs !== null && one.component === main.component);
  const rest = count - 1 - related.length;
  const halves = related.map(({ offsetMs }) =>
    offsetMs?.low == null || offsetMs.high === null
      ? null
      : Math.max(offsetMs.high - offsetMs.estimate, offsetMs.estimate - offsetMs.low),
  );
  const closed = halves.filter((half) => half !== null);
  const open = halves.length - closed.length;
  const widest = closed.length === 0 ? null : Math.max(...closed);
  const parts = [
    ...(widest === null ? [] : [`${formatCount(closed.length + 1)} compared to ${formatBound(widest)}`]),
    ...(open === 0 ? [] : [`${formatCount(open)} bounded on one side`]),
    ...(rest === 0 ? [] : [`${formatCount(rest)} unknown`]),
  ];
  const sentences = [
    ...(widest === null
      ? []
      : [
          `A corrected time of ${plural(closed.length + 1, 'clock')} can still be wrong by ${atLeastMs(widest)} either way.`,
        ]),
    ...(open === 0 ? [] : [`For ${plural(open, 'clock')} the evidence bounds one side only.`]),
    ...(rest === 0
      ? []
      : [
          `${plural(rest, 'clock')} cannot be compared with the reference; ${rest === 1 ? 'its' : 'their'} times are shown as written.`,
        ]),
  ];
  return { text: `Clocks: ${parts.join(', ')}`, title: sentences.join(' ') };
}
