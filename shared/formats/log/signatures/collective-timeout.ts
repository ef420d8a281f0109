import type { EventBody } from '../../../model/events.ts';
import { defineRecord, defineSignature, type Hit, num } from './define.ts';
import { printerOf, readGroup } from './group-mention.ts';
import { ABORTING } from './watchdog.ts';

const WHOLE = /milliseconds before timing out|timed out in blocking wait/;
/** A terminal may have wrapped the line; more pieces than this are not joined. */
const MAX_PIECES = 4;

const field = (text: string, name: RegExp): string | undefined => name.exec(text)?.[1];

function readTimeout(text: string): Hit {
  const group = readGroup(text);
  const body: EventBody = {
    kind: 'collective-timeout',
    seq: num(field(text, /SeqNum=(\d{1,15})/)),
    op: field(text, /OpType=(\w{1,60})/) ?? 'UNKNOWN',
    numelIn: num(field(text, /NumelIn=(\d{1,18})/)),
    numelOut: num(field(text, /NumelOut=(\d{1,18})/)),
    timeoutMs: num(field(text, /Timeout\(ms\)=(\d{1,15})/)),
    ranMs: num(field(text, /ran for (\d{1,15}) milliseconds/)),
    group,
    blockingWait: text.includes('in blocking wait'),
  };
  return { body, printer: printerOf(text, group) };
}

/**
 * The watchdog's timeout, 1.9 to 2.14, one shape with more fields over time:
 *
 *   [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=216, OpType=ALLREDUCE, NumelIn=32,
 *   NumelOut=32, Timeout(ms)=600000) ran for 600045 milliseconds before timing out.
 *
 * An observation: every healthy rank prints it when one is missing. A line that a terminal has wrapped is joined.
 */
export const collectiveTimeout = defineRecord({
  id: 'collective-timeout',
  literals: ['Watchdog caught collective operation timeout', 'timed out in blocking wait'],
  open(message) {
    let text = message.text;
    let pieces = 1;
    if (!text.includes('WorkNCCL(')) return undefined;
    return {
      take(next) {
        if (WHOLE.test(text) || next.header !== undefined || pieces >= MAX_PIECES) return 'over';
        text += next.text;
        pieces += 1;
        return WHOLE.test(text) ? 'last' : 'more';
      },
      close: () => ({ hits: [readTimeout(text)], text }),
    };
  },
  samples: [
    {
      lines: [
        '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1803170 milliseconds before timing out.',
      ],
      expect: [
        {
          kind: 'collective-timeout',
          seq: undefined,
          op: 'ALLREDUCE',
          numelIn: undefined,
          numelOut: undefined,
          timeoutMs: 1_800_000,
          ranMs: 1_803_170,
          group: undefined,
          blockingWait: false,
        },
      ],
    },
    {
      lines: [
        '[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5512, OpType=_ALLGATHER_BASE, TensorShape=[12, 4], Timeout(ms)=1800000) ran for 1800351 milliseconds before timing out.',
      ],
      expect: [
        {
          kind: 'collective-timeout',
          seq: 5512,
          op: '_ALLGATHER_BASE',
          numelIn: undefined,
          numelOut: undefined,
          timeoutMs: 1_800_000,
          ranMs: 1_800_351,
          group: undefined,
          blockingWait: false,
        },
      ],
    },
    {
      lines: [
        '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=288710, OpType=ALLREDUCE, Numel',
        'In=1163520, NumelOut=2327040, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.',
      ],
      expect: [
        {
          kind: 'collective-timeout',
          seq: 288_710,
          op: 'ALLREDUCE',
          numelIn: 1_163_520,
          numelOut: 2_327_040,
          timeoutMs: 600_000,
          ranMs: 600_021,
          group: undefined,
          blockingWait: false,
        },
      ],
    },
    {
      lines: [
        '[PG ID 1 PG GUID 4(tp) Rank 2] Work WorkNCCL(SeqNum=7, OpType=BROADCAST, NumelIn=1, NumelOut=1, Timeout(ms)=60000) timed out in blocking wait.',
      ],
      expect: [
        {
          kind: 'collective-timeout',
          seq: 7,
          op: 'BROADCAST',
          numelIn: 1,
          numelOut: 1,
          timeoutMs: 60_000,
          ranMs: undefined,
          group: { id: '1', guid: '4', desc: 'tp', rank: 2 },
          blockingWait: true,
        },
      ],
    },
  ],
  nearMisses: [
    'Watchdog caught collective operation timeout twice last week, see the wiki',
    'request timed out in blocking wait mode',
  ],
});

/**
 * The separate `nccl2` backend of 2.14 prints none of the classic lines:
 * `Aborting process due to timeout on rank 2 - timeout watchdog detected operation timeout`,
 * `Operation timed out after 600000ms`.
 */
export const nccl2Timeout = defineSignature({
  id: 'nccl2-timeout',
  literals: ['timeout watchdog detected operation timeout', 'NCCL operation timed out', 'Operation timed out after '],
  match({ text, header }) {
    const watchdog = text.includes('timeout watchdog detected operation timeout');
    const other =
      text.includes('NCCL operation timed out') ||
      (header !== undefined && text.includes('Operation timed out after '));
    if (!watchdog && !other) return undefined;
    const ran = /Operation timed out after (\d{1,12}) ?(ms|s)?/.exec(text);
    const ranMs = ran === null ? undefined : Number(ran[1]) * (ran[2] === 's' ? 1000 : 1);
    const body: EventBody = {
      kind: 'collective-timeout',
      seq: undefined,
      op: 'UNKNOWN',
      numelIn: undefined,
      numelOut: undefined,
      timeoutMs: undefined,
      ranMs,
      group: undefined,
      blockingWait: false,
    };
    const rank = num(ABORTING.exec(text.replace(/^\[TC\] /, ''))?.[1]);
    return rank === undefined ? { body } : { body, printer: { rank, basis: 'work-prefix' } };
  },
  samples: [
    {
      text: 'timeout - timeout watchdog detected operation timeout',
      expect: {
        kind: 'collective-timeout',
        seq: undefined,
        op: 'UNKNOWN',
        numelIn: undefined,
        numelOut: undefined,
        timeoutMs: undefined,
        ranMs: undefined,
        group: undefined,
        blockingWait: false,
      },
    },
  ],
  nearMisses: ['curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received'],
});
