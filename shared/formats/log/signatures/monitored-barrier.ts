import type { EventBody } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';
import { rankList } from './desync.ts';

const PRINTER = /^\[Rank (\d{1,7})\]: /;
const FAILED = /Rank(s?) ([\d, ]{1,4000}?) failed to pass monitoredBarrier in (\d{1,12}) ?ms/;
const TIMED_OUT = /Rank (\d{1,7}) timed out in monitoredBarrier after (\d{1,12}) ?ms/;
const REACHED = /Rank (\d{1,7}) successfully reached monitoredBarrier, but received errors/;

/**
 * monitored_barrier: rank 0 names the ranks that did not come. The single form stops at the first one in rank order;
 * only `wait_all_ranks` names all. Other ranks say that they came. Ranks are those of the barrier's group.
 */
export default defineSignature({
  id: 'monitored-barrier',
  literals: [
    'failed to pass monitoredBarrier in',
    'timed out in monitoredBarrier',
    'successfully reached monitoredBarrier',
  ],
  match({ text }) {
    const reached = REACHED.exec(text);
    if (reached !== null) {
      const rank = Number(reached[1]);
      return { body: { kind: 'monitored-barrier-reached', rank }, printer: { rank, basis: 'work-prefix' } };
    }
    const failed = FAILED.exec(text);
    const late = TIMED_OUT.exec(text);
    const ranks = failed !== null ? rankList(failed[2] ?? '') : late !== null ? [Number(late[1])] : [];
    if (ranks.length === 0) return undefined;
    const body: EventBody = {
      kind: 'monitored-barrier-failed',
      ranks,
      ms: num(failed?.[3] ?? late?.[2]),
      allNamed: failed?.[1] === 's',
    };
    const printer = num(PRINTER.exec(text)?.[1]);
    return { body, printer: printer === undefined ? {} : { rank: printer, basis: 'work-prefix' } };
  },
  samples: [
    {
      text: '[Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms',
      expect: { kind: 'monitored-barrier-failed', ranks: [5], ms: 15_000, allNamed: false },
      printer: { rank: 0, basis: 'work-prefix' },
    },
    {
      text: '[Rank 0]: Ranks 2, 5, 7 failed to pass monitoredBarrier in 15000 ms',
      expect: { kind: 'monitored-barrier-failed', ranks: [2, 5, 7], ms: 15_000, allNamed: true },
      printer: { rank: 0, basis: 'work-prefix' },
    },
    {
      text: 'Rank 2 timed out in monitoredBarrier after 3000 ms.',
      expect: { kind: 'monitored-barrier-failed', ranks: [2], ms: 3000, allNamed: false },
      printer: {},
    },
    {
      text: 'Rank 4 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0. Please check rank 0 logs for faulty rank.',
      expect: { kind: 'monitored-barrier-reached', rank: 4 },
      printer: { rank: 4, basis: 'work-prefix' },
    },
  ],
  nearMisses: ['if a rank timed out in monitoredBarrier, look at it'],
});
