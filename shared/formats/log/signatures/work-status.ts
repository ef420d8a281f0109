import type { EventBody } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';
import { printerOf, readGroup } from './group-mention.ts';

const SHAPES: readonly RegExp[] = [
  // 2.6 and later: two spaces before "failure", no full stop
  /detected by watchdog at work sequence id: (-?\d{1,15}) PG status: last enqueued work: (-?\d{1,15}), last completed work: (-?\d{1,15})/,
  // 2.4 and 2.5
  /detected by watchdog at work: (-?\d{1,15}), last enqueued NCCL work: (-?\d{1,15}), last completed NCCL work: (-?\d{1,15})/,
  // 2.2 to 2.5
  /Timeout at NCCL work: (-?\d{1,15}), last enqueued NCCL work: (-?\d{1,15}), last completed NCCL work: (-?\d{1,15})/,
];

/** Where a rank stands in a group, as its watchdog says it. `last completed -1`: nothing on that group ever finished. */
export default defineSignature({
  id: 'work-status',
  literals: ['last enqueued NCCL work', 'last enqueued work'],
  match({ text }) {
    for (const shape of SHAPES) {
      const match = shape.exec(text);
      if (match === null) continue;
      const group = readGroup(text);
      const body: EventBody = {
        kind: 'work-status',
        work: num(match[1]),
        lastEnqueued: Number(match[2]),
        lastCompleted: Number(match[3]),
        group,
      };
      return { body, printer: printerOf(text, group) };
    }
    return undefined;
  },
  samples: [
    {
      text: '[PG ID 2 PG GUID 3 Rank 1]  failure detected by watchdog at work sequence id: 288710 PG status: last enqueued work: 288710, last completed work: 288709',
      expect: {
        kind: 'work-status',
        work: 288_710,
        lastEnqueued: 288_710,
        lastCompleted: 288_709,
        group: { id: '2', guid: '3', desc: undefined, rank: 1 },
      },
      printer: { rank: 1, basis: 'work-prefix' },
    },
    {
      text: '[PG ID 0 PG GUID 0(default_pg) Rank 9] Exception (either an error or timeout) detected by watchdog at work: 216, last enqueued NCCL work: 220, last completed NCCL work: -1.',
      expect: {
        kind: 'work-status',
        work: 216,
        lastEnqueued: 220,
        lastCompleted: -1,
        group: { id: '0', guid: '0', desc: 'default_pg', rank: 9 },
      },
      printer: { rank: 9, basis: 'default-pg' },
    },
    {
      text: '[PG 3 (dp) Rank 1] Timeout at NCCL work: 57, last enqueued NCCL work: 57, last completed NCCL work: 56.',
      expect: {
        kind: 'work-status',
        work: 57,
        lastEnqueued: 57,
        lastCompleted: 56,
        group: { id: undefined, guid: '3', desc: 'dp', rank: 1 },
      },
      printer: { rank: 1, basis: 'work-prefix' },
    },
    {
      text: '[Rank 5] Timeout at NCCL work: 57, last enqueued NCCL work: 57, last completed NCCL work: 56.',
      expect: { kind: 'work-status', work: 57, lastEnqueued: 57, lastCompleted: 56, group: undefined },
      printer: { rank: 5, basis: 'work-prefix' },
    },
  ],
  nearMisses: ['the last enqueued work: unknown'],
});
