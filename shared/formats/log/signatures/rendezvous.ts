import type { EventBody } from '../../../model/events.ts';
import { defineRecord, defineSignature, num } from './define.ts';
import { rankList } from './desync.ts';

const FIELD = /^\s{1,8}([a-z_]{3,40})\s?=\s?(.{0,4000})$/;

/** `Rendezvous complete for workers. Result:` and its `key=value` lines: the best source for host → global ranks. */
export const rendezvousResult = defineRecord({
  id: 'rendezvous-result',
  literals: ['Rendezvous complete for workers. Result:'],
  open() {
    const fields = new Map<string, string>();
    return {
      take({ text }) {
        const match = FIELD.exec(text);
        if (match === null) return 'over';
        fields.set(match[1] ?? '', match[2] ?? '');
        return match[1] === 'global_world_sizes' || fields.size > 20 ? 'last' : 'more';
      },
      close: () => {
        const body: EventBody = {
          kind: 'rendezvous-result',
          restartCount: num(/^\d{1,6}$/.exec(fields.get('restart_count') ?? '')?.[0]),
          groupRank: num(/^\d{1,6}$/.exec(fields.get('group_rank') ?? '')?.[0]),
          globalRanks: rankList((fields.get('global_ranks') ?? '').replace(/[[\]]/g, '')),
        };
        return { hits: [{ body }] };
      },
    };
  },
  samples: [
    {
      lines: [
        '[default] Rendezvous complete for workers. Result:',
        '  restart_count=0',
        '  master_addr=trainer-0',
        '  group_rank=1',
        '  local_ranks=[0, 1]',
        '  global_ranks=[8, 9]',
        '  global_world_sizes=[16, 16]',
      ],
      expect: [{ kind: 'rendezvous-result', restartCount: 0, groupRank: 1, globalRanks: [8, 9] }],
    },
  ],
  nearMisses: [],
});

type How = 'timeout' | 'closed' | 'connection' | 'heartbeat' | 'other';

function howOf(text: string): How {
  if (text.includes('keep-alive heartbeat')) return 'heartbeat';
  if (text.includes('Timeout')) return 'timeout';
  if (text.includes('Closed')) return 'closed';
  return text.includes('Connection') ? 'connection' : 'other';
}

const EXCEPTION = /^(?:[a-z_][\w.]{0,120}\.)?Rendezvous(?:Timeout|Closed|Connection|GracefulExit|State|)Error(?::|$)/;
const NODE =
  /The node '[^']{1,300}' has failed to (?:send a keep-alive heartbeat to|shutdown|close|join) the rendezvous/;

/** The rendezvous failed. Also printed late, when the store's host is already gone: then secondary. */
export const rendezvousFailed = defineSignature({
  id: 'rendezvous-failed',
  literals: [
    'RendezvousTimeoutError',
    'RendezvousClosedError',
    'RendezvousConnectionError',
    'RendezvousStateError',
    'RendezvousError',
    'RendezvousGracefulExitError',
    'has failed to send a keep-alive heartbeat',
    'has failed to shutdown the rendezvous',
  ],
  match({ text }) {
    if (!EXCEPTION.test(text) && !NODE.test(text)) return undefined;
    return { body: { kind: 'rendezvous-failed', how: howOf(text), error: text.slice(0, 400) } };
  },
  samples: [
    {
      text: 'torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError',
      expect: {
        kind: 'rendezvous-failed',
        how: 'timeout',
        error: 'torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError',
      },
    },
    {
      text: "The node 'w-1_3633_0' has failed to send a keep-alive heartbeat to the rendezvous 'ranker' due to an error of type RendezvousConnectionError.",
      expect: {
        kind: 'rendezvous-failed',
        how: 'heartbeat',
        error:
          "The node 'w-1_3633_0' has failed to send a keep-alive heartbeat to the rendezvous 'ranker' due to an error of type RendezvousConnectionError.",
      },
    },
  ],
  nearMisses: ['    raise RendezvousConnectionError('],
});
