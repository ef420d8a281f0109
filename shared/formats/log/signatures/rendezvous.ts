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
        const [address, port, size] = [/^\S{1,255}$/, /^\d{1,5}$/, /^\d{1,6}$/].map(
          (shape, i) => shape.exec(fields.get(['master_addr', 'master_port', 'group_world_size'][i] ?? '') ?? '')?.[0],
        );
        const round =
          address === undefined || port === undefined || size === undefined ? '' : `${address}:${port} of ${size}`;
        const body: EventBody = {
          kind: 'rendezvous-result',
          restartCount: num(/^\d{1,6}$/.exec(fields.get('restart_count') ?? '')?.[0]),
          groupRank: num(/^\d{1,6}$/.exec(fields.get('group_rank') ?? '')?.[0]),
          globalRanks: rankList((fields.get('global_ranks') ?? '').replace(/[[\]]/g, '')),
          ...(round === '' ? {} : { round }),
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
    {
      // torch 2.13
      lines: [
        '[default] Rendezvous complete for workers. Result:',
        '  restart_count=0',
        '  master_addr=localhost',
        '  master_port=35963',
        '  group_rank=0',
        '  group_world_size=2',
        '  local_ranks=[0]',
        '  role_ranks=[0]',
        '  global_ranks=[0]',
        '  role_world_sizes=[2]',
        '  global_world_sizes=[2]',
      ],
      expect: [
        { kind: 'rendezvous-result', restartCount: 0, groupRank: 0, globalRanks: [0], round: 'localhost:35963 of 2' },
      ],
    },
  ],
  nearMisses: [],
});

const BEGUN = /^(?:[A-Z]{4,8}:[\w.]{1,80}:)?\[[^\]]{1,120}\] Rendezvous'ing worker group$/;
const STORE_ADDED =
  /^(?:[A-Z]{4,8}:[\w.]{1,80}:)?Added key: (store_based_barrier_key:\S{1,80}) to store for rank: (\d{1,7})/;
const STORE_OVER =
  /^(?:[A-Z]{4,8}:[\w.]{1,80}:)?Rank (\d{1,7}): Completed store-based barrier for key:(\S{1,80}) with (\d{1,7}) nodes/;

/** Where a member of a set-up stands: an agent before its rendezvous, a rank at torch's barrier over the store. */
export const setUp = defineSignature({
  id: 'set-up',
  literals: ["Rendezvous'ing worker group", 'store_based_barrier_key:', 'Completed store-based barrier'],
  match({ text }) {
    if (BEGUN.test(text)) return { body: { kind: 'set-up-begun', what: 'rendezvous', key: undefined } };
    const [, added, of] = STORE_ADDED.exec(text) ?? [];
    const [, by, over, size] = STORE_OVER.exec(text) ?? [];
    const rank = num(of ?? by);
    if (rank === undefined) return undefined;
    return {
      body: { kind: 'rank-announced', rank, worldSize: num(size), localRank: undefined, pid: undefined },
      also: [
        added === undefined
          ? { kind: 'set-up-over', what: 'store-barrier', key: over ?? '' }
          : { kind: 'set-up-begun', what: 'store-barrier', key: added },
      ],
      printer: { rank, basis: 'announced', localRank: undefined, pid: undefined },
    };
  },
  samples: [
    {
      text: "[default] Rendezvous'ing worker group",
      expect: { kind: 'set-up-begun', what: 'rendezvous', key: undefined },
    },
    {
      text: 'Added key: store_based_barrier_key:1 to store for rank: 3',
      expect: [
        { kind: 'rank-announced', rank: 3, worldSize: undefined, localRank: undefined, pid: undefined },
        { kind: 'set-up-begun', what: 'store-barrier', key: 'store_based_barrier_key:1' },
      ],
      printer: { rank: 3, basis: 'announced', localRank: undefined, pid: undefined },
    },
    {
      text: 'Rank 3: Completed store-based barrier for key:store_based_barrier_key:1 with 8 nodes.',
      expect: [
        { kind: 'rank-announced', rank: 3, worldSize: 8, localRank: undefined, pid: undefined },
        { kind: 'set-up-over', what: 'store-barrier', key: 'store_based_barrier_key:1' },
      ],
      printer: { rank: 3, basis: 'announced', localRank: undefined, pid: undefined },
    },
    {
      text: 'INFO:torch.distributed.distributed_c10d:Rank 0: Completed store-based barrier for key:store_based_barrier_key:1 with 8 nodes.',
      expect: [
        { kind: 'rank-announced', rank: 0, worldSize: 8, localRank: undefined, pid: undefined },
        { kind: 'set-up-over', what: 'store-barrier', key: 'store_based_barrier_key:1' },
      ],
      printer: { rank: 0, basis: 'announced', localRank: undefined, pid: undefined },
    },
  ],
  nearMisses: [
    'logger.info("[%s] Rendezvous\'ing worker group", role)',
    'Rank 3: Waiting for store-based barrier to complete for key: store_based_barrier_key:1',
  ],
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
