import { defineSignature, num } from './define.ts';
import { printerOf, readGroup } from './group-mention.ts';

const SOCKET_FAILED =
  /\[c10d\] (?:sendBytes|recvValue|recvValueWithTimeout|recvVector|sendVector|recvBytes|sendValue) failed on SocketImpl\([^)]{0,300}\): (.{1,300})/;
const POLL_TIMED_OUT =
  /\[c10d\] waitForInput: (?:poll for )?socket SocketImpl\([^)]{0,300}\) (timed out after \d{1,12} ?ms)/;
const SHOULD_DUMP = /Failed to check the "should dump" flag on TCPStore,.{0,120}with error: (.{1,300})/;

/** The store's owner does not answer or is gone (rank 0's process, or the agent). Everyone complains then: noise. */
export const storeLost = defineSignature({
  id: 'store-lost',
  literals: ['"should dump" flag on TCPStore', 'failed on SocketImpl(', 'waitForInput: '],
  match({ text }) {
    const error = (SHOULD_DUMP.exec(text) ?? SOCKET_FAILED.exec(text) ?? POLL_TIMED_OUT.exec(text))?.[1];
    if (error === undefined) return undefined;
    return { body: { kind: 'store-lost', error }, printer: printerOf(text, readGroup(text)) };
  },
  samples: [
    {
      text: '[PG ID 0 PG GUID 0 Rank 3] Failed to check the "should dump" flag on TCPStore, (maybe TCPStore server has shut down too early), with error: Broken pipe',
      expect: { kind: 'store-lost', error: 'Broken pipe' },
      printer: { rank: 3, basis: 'default-pg' },
    },
    {
      text: '[c10d] sendBytes failed on SocketImpl(fd=3, addr=[18d5::1]:3674, remote=[fdff::2]:48520): Broken pipe',
      expect: { kind: 'store-lost', error: 'Broken pipe' },
      printer: {},
    },
    {
      text: '[c10d] waitForInput: socket SocketImpl(fd=3, addr=[::1]:1, remote=[::2]:2) timed out after 60000ms',
      expect: { kind: 'store-lost', error: 'timed out after 60000ms' },
      printer: {},
    },
  ],
  nearMisses: [
    '[c10d] waitForInput: poll for socket SocketImpl(fd=3, addr=[::1]:1, remote=[::2]:2) returned 0, likely a timeout',
  ],
});

const UNIQUE_ID =
  /\[(\d{1,7})\] is setting up NCCL communicator and ret(?:ri|re)e?i?ving ncclUniqueId from \[(\d{1,7})\].{0,300}?got error: (.{1,400}?)(?:\. This may indicate|$)/;

/** A rank waited for rank 0's NCCL id: `Socket Timeout` = 0 late or never there; `Connection reset` = 0 or its host died. */
export const uniqueIdFailed = defineSignature({
  id: 'unique-id-failed',
  literals: ['is setting up NCCL communicator and ret'],
  match({ text }) {
    const match = UNIQUE_ID.exec(text);
    if (match === null) return undefined;
    return {
      body: { kind: 'unique-id-failed', error: match[3] ?? '', waitedFor: Number(match[2]) },
      printer: { rank: Number(match[1]), basis: 'work-prefix' },
    };
  },
  samples: [
    {
      text: "[3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Socket Timeout. This may indicate a possible application crash on rank 0 or a network set up issue.",
      expect: { kind: 'unique-id-failed', error: 'Socket Timeout', waitedFor: 0 },
      printer: { rank: 3, basis: 'work-prefix' },
    },
    {
      text: "[1] is setting up NCCL communicator and retreiving ncclUniqueId from [0] via c10d key-value store by key '0:1', but store->get('0:1') got error: Connection reset by peer. This may indicate a possible application crash on rank 0 or a network set up issue.",
      expect: { kind: 'unique-id-failed', error: 'Connection reset by peer', waitedFor: 0 },
      printer: { rank: 1, basis: 'work-prefix' },
    },
  ],
  nearMisses: ['[1] is setting up NCCL communicator and returned'],
});

const UNRESOLVED =
  /^\[c10d\] The (?:IPv[46] )?network addresses of \(([^\s,()]{1,253}), (\d{1,5})\) cannot be retrieved \(gai error: (-?\d{1,6} - [^()]{1,200})\)/;

/** The name of the store could not be looked up: torch says so on every try, from 2.0 on, while it goes on trying. */
export const nameUnresolved = defineSignature({
  id: 'name-unresolved',
  literals: ['cannot be retrieved (gai error: '],
  match({ text }) {
    const [, host, port, error] = UNRESOLVED.exec(text) ?? [];
    if (host === undefined || error === undefined) return undefined;
    return { body: { kind: 'name-unresolved', name: host, port: num(port), error } };
  },
  samples: [
    {
      // torch 2.13
      text: '[c10d] The IPv6 network addresses of (vit-master.train, 44469) cannot be retrieved (gai error: -3 - Temporary failure in name resolution).',
      expect: {
        kind: 'name-unresolved',
        name: 'vit-master.train',
        port: 44_469,
        error: '-3 - Temporary failure in name resolution',
      },
    },
    {
      text: '[c10d] The IPv4 network addresses of (trainer-0.trainer, 29500) cannot be retrieved (gai error: -2 - Name or service not known).',
      expect: {
        kind: 'name-unresolved',
        name: 'trainer-0.trainer',
        port: 29_500,
        error: '-2 - Name or service not known',
      },
    },
  ],
  nearMisses: ['the addresses of a host cannot be retrieved (gai error: -2 - Name or service not known)'],
});

const CLIENT_TIMEOUT =
  /The client socket has (?:timed out after (\d{1,9})(ms|s)? while trying to connect to|failed to connect to any network address of) \(?([^\s,()]{1,253}?)(?:, |:)(\d{1,5})\)?/;
const CLIENTS_JOINED = /Timed out after (\d{1,7}) seconds waiting for clients\. (\d{1,6})\/(\d{1,6}) clients joined/;

const STORE_BARRIER =
  /Timed out initializing process group in store based barrier on rank:? (\d{1,7}), for key: (\S{1,200}) \(world_size=(\d{1,7}), (?:worker_count|num_workers_joined)=(\d{1,7}), timeout=([\d:]{1,20})/;
/** The group of all ranks: its barrier counts the job. */
const WHOLE_JOB = /(?:^|[_:])(?:store_based_barrier_key:1|default_pg)$/;

/** `0:30:00` → 1800. */
const secondsOf = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The rendezvous store could not be reached, or not all clients came: `a/b clients joined` tells how many did. */
export const storeUnreachable = defineSignature({
  id: 'store-unreachable',
  literals: [
    'The client socket has timed out after',
    'The client socket has failed to connect to any network address of',
    'seconds waiting for clients. ',
    'in store based barrier on rank',
  ],
  match({ text }) {
    const barrier = STORE_BARRIER.exec(text);
    if (barrier !== null) {
      const [, rank = '', key = '', expected, came, timeout = ''] = barrier;
      return {
        body: {
          kind: 'store-unreachable',
          host: undefined,
          port: undefined,
          seconds: secondsOf(timeout),
          joined: num(came),
          expected: num(expected),
        },
        printer: { rank: Number(rank), basis: WHOLE_JOB.test(key) ? 'announced' : 'work-prefix' },
      };
    }
    const client = CLIENT_TIMEOUT.exec(text);
    if (client !== null) {
      const [, time, unit, host, port] = client;
      // c10d logs every try that failed and tries again; the last one is an exception.
      if (time === undefined && text.startsWith('[c10d]')) return undefined;
      const seconds = time === undefined ? undefined : unit === 'ms' ? Number(time) / 1000 : Number(time);
      return {
        body: {
          kind: 'store-unreachable',
          host,
          port: num(port),
          seconds,
          joined: undefined,
          expected: undefined,
        },
      };
    }
    const joined = CLIENTS_JOINED.exec(text);
    if (joined === null) return undefined;
    const [, seconds, came, expected] = joined;
    return {
      body: {
        kind: 'store-unreachable',
        host: undefined,
        port: undefined,
        seconds: num(seconds),
        joined: num(came),
        expected: num(expected),
      },
    };
  },
  samples: [
    {
      text: 'The client socket has timed out after 900s while trying to connect to (trainer-0.trainer, 29500).',
      expect: {
        kind: 'store-unreachable',
        host: 'trainer-0.trainer',
        port: 29_500,
        seconds: 900,
        joined: undefined,
        expected: undefined,
      },
    },
    {
      text: 'Timed out initializing process group in store based barrier on rank: 3, for key: store_based_barrier_key:1 (world_size=4, worker_count=2, timeout=0:30:00)',
      expect: {
        kind: 'store-unreachable',
        host: undefined,
        port: undefined,
        seconds: 1800,
        joined: 2,
        expected: 4,
      },
      printer: { rank: 3, basis: 'announced' },
    },
    {
      text: 'Timed out initializing process group in store based barrier on rank 1, for key: store_based_barrier_key:7 (world_size=4, num_workers_joined=3, timeout=0:10:00)',
      expect: {
        kind: 'store-unreachable',
        host: undefined,
        port: undefined,
        seconds: 600,
        joined: 3,
        expected: 4,
      },
      printer: { rank: 1, basis: 'work-prefix' },
    },
    {
      text: 'The client socket has timed out after 60000ms while trying to connect to (10.0.0.4, 29500).',
      expect: {
        kind: 'store-unreachable',
        host: '10.0.0.4',
        port: 29_500,
        seconds: 60,
        joined: undefined,
        expected: undefined,
      },
    },
    {
      text: 'The client socket has timed out after 300s while trying to connect to 10.0.0.4:29500.',
      expect: {
        kind: 'store-unreachable',
        host: '10.0.0.4',
        port: 29_500,
        seconds: 300,
        joined: undefined,
        expected: undefined,
      },
    },
    {
      text: 'The client socket has failed to connect to any network address of (trainer-0.trainer, 29500).',
      expect: {
        kind: 'store-unreachable',
        host: 'trainer-0.trainer',
        port: 29_500,
        seconds: undefined,
        joined: undefined,
        expected: undefined,
      },
    },
    {
      text: 'Timed out after 601 seconds waiting for clients. 3/4 clients joined.',
      expect: { kind: 'store-unreachable', host: undefined, port: undefined, seconds: 601, joined: 3, expected: 4 },
    },
  ],
  nearMisses: [
    'The client socket has timed out after a while',
    '[c10d] The client socket has failed to connect to any network address of (trainer-0.trainer, 29500).',
    '[c10d] TCP client failed to connect/validate to host 10.244.0.17:44847 - retrying (try=0, timeout=9000ms, delay=722ms): The client socket has failed to connect to any network address of (10.244.0.17, 44847).',
  ],
});

const BIND = /failed to (?:bind to|listen on)|EADDRINUSE|[Aa]ddress already in use/;
const PORT = /(?:\[[0-9a-fA-F:.]{0,45}\]|\bport|0\.0\.0\.0)\s?[:=]\s?(\d{1,5})\b/;

/** A listening port is taken: a second job, or a process left over. */
export const portInUse = defineSignature({
  id: 'port-in-use',
  literals: ['EADDRINUSE', 'ddress already in use'],
  match({ text }) {
    if (!BIND.test(text) || text.includes('NCCL WARN')) return undefined;
    return { body: { kind: 'port-in-use', port: num(PORT.exec(text)?.[1]) } };
  },
  samples: [
    {
      text: '[c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).',
      expect: { kind: 'port-in-use', port: 29_500 },
    },
    {
      text: 'The server socket has failed to listen on any local network address. port: 29400, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use',
      expect: { kind: 'port-in-use', port: 29_400 },
    },
    { text: '[Errno 98] Address already in use', expect: { kind: 'port-in-use', port: undefined } },
  ],
  nearMisses: ['misc/socket.cc:50 NCCL WARN Call to bind failed: Address already in use'],
});
