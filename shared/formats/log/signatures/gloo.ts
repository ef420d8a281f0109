import { defineSignature, num } from './define.ts';

const TIMED_OUT = /Timed out waiting (\d{1,12}) ?ms for (send|recv) operation/;
const CLOSED = /Connection closed by peer \[([0-9a-fA-F.:%\w]{1,60})\]:(\d{1,5})/;
const RESET =
  /\[([0-9a-fA-F.:]{2,60})\]:(\d{1,5}): (?:Connection reset by peer|Broken pipe|Connection timed out|No route to host)/;
const PAIR_CLOSED = /Application timeout caused pair closure/;

/** gloo waited for a peer: it is silent. `direction` is what this side waited for. */
export const glooTimeout = defineSignature({
  id: 'gloo-timeout',
  literals: ['Timed out waiting '],
  match({ text }) {
    const match = TIMED_OUT.exec(text);
    if (match === null) return undefined;
    return { body: { kind: 'gloo-timeout', ms: num(match[1]), direction: match[2] === 'send' ? 'send' : 'recv' } };
  },
  samples: [
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 15000ms for recv operation to complete',
      expect: { kind: 'gloo-timeout', ms: 15_000, direction: 'recv' },
    },
  ],
  nearMisses: ['Timed out waiting 30 s for the scheduler'],
});

/** gloo's connection to a peer ended: the peer's process is gone. Secondary; the peer is the lead. */
export const glooClosed = defineSignature({
  id: 'gloo-closed',
  literals: [
    'Connection closed by peer [',
    'Connection reset by peer',
    'pair closure',
    ': Broken pipe',
    'gloo/transport',
  ],
  match({ text }) {
    if (PAIR_CLOSED.test(text)) return { body: { kind: 'gloo-closed', peer: undefined, how: 'timeout-closure' } };
    const closed = CLOSED.exec(text);
    if (closed !== null) return { body: { kind: 'gloo-closed', peer: `${closed[1]}:${closed[2]}`, how: 'closed' } };
    const reset = text.includes('gloo') ? RESET.exec(text) : null;
    if (reset === null) return undefined;
    return { body: { kind: 'gloo-closed', peer: `${reset[1]}:${reset[2]}`, how: 'reset' } };
  },
  samples: [
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.244.0.17]:29083. This is typically caused by a remote worker crashing.',
      expect: { kind: 'gloo-closed', peer: '10.244.0.17:29083', how: 'closed' },
    },
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:550] Read error [10.244.0.17]:29083: Connection reset by peer. This is typically caused by a remote worker hanging',
      expect: { kind: 'gloo-closed', peer: '10.244.0.17:29083', how: 'reset' },
    },
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:598] Application timeout caused pair closure',
      expect: { kind: 'gloo-closed', peer: undefined, how: 'timeout-closure' },
    },
  ],
  nearMisses: ['ssh: [10.0.0.1]:22: Connection reset by peer', 'requests: Connection closed by peer [try again]'],
});

const SIZES = /op\.preamble\.length <= op\.nbytes\. (\d{1,18}) vs (\d{1,18})/;

/**
 * This process got `got` bytes from a neighbour where it expected `expected`: two processes disagree. In real runs the
 * one that aborts is often the innocent neighbour.
 */
export const glooSizeMismatch = defineSignature({
  id: 'gloo-size-mismatch',
  literals: ['op.preamble.length <= op.nbytes'],
  match({ text }) {
    const match = SIZES.exec(text);
    if (match === null) return undefined;
    return { body: { kind: 'gloo-size-mismatch', got: Number(match[1]), expected: Number(match[2]) } };
  },
  samples: [
    {
      text: "what():  [enforce fail at /pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:456] op.preamble.length <= op.nbytes. 28336 vs 4. Received data size doesn't match expected size.",
      expect: { kind: 'gloo-size-mismatch', got: 28_336, expected: 4 },
    },
  ],
  nearMisses: ['assert op.preamble.length <= op.nbytes'],
});

const FULL_MESH =
  /Gloo connectFullMesh failed with (?:\[[^\]]{1,200}\] )?(?:timed out connecting: |connect: )?(.{1,200}?)(?:, remote=\[?([0-9a-fA-F.:]{2,60})\]?:(\d{1,5})\S{0,12})?$/;
const RETRY =
  /failed to connect, willRetry=\d, retry=\d{1,4}, .{0,60}?rank=(\d{1,7}), size=(\d{1,7}), .{0,200}?remote=\[([0-9a-fA-F.:]{2,60})\]:(\d{1,5})\S{0,12}, error=(.{1,200}?)(?:, remote=\S{1,80})?$/;

/** Until 1.12. */
const CONNECT = /gloo\/transport\/tcp\/\w{1,20}\.cc:\d{1,5}\] connect \[([0-9a-fA-F.:]{2,60})\]:(\d{1,5}): (.{1,120})$/;

/**
 * A gloo connection could not be made: at start-up, the peer is not there yet or no more. Each retry prints a line;
 * `connectFullMesh failed` ends it.
 */
export const glooConnectFailed = defineSignature({
  id: 'gloo-connect-failed',
  literals: ['Gloo connectFullMesh failed', 'failed to connect, willRetry=', '] connect ['],
  match({ text }) {
    const retry = RETRY.exec(text);
    if (retry !== null) {
      const [, rank, , host, port, error = ''] = retry;
      return {
        body: { kind: 'gloo-connect-failed', peer: `${host}:${port}`, error },
        printer: { rank: Number(rank), basis: 'work-prefix' },
      };
    }
    const old = CONNECT.exec(text);
    if (old !== null) {
      return { body: { kind: 'gloo-connect-failed', peer: `${old[1]}:${old[2]}`, error: old[3] ?? '' } };
    }
    const mesh = FULL_MESH.exec(text);
    if (mesh === null) return undefined;
    const [, error = '', host, port] = mesh;
    return { body: { kind: 'gloo-connect-failed', peer: host === undefined ? undefined : `${host}:${port}`, error } };
  },
  samples: [
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/debug_logger.cc:9] ERROR failed to connect, willRetry=1, retry=1, retryLimit=3, rank=2, size=6, local=[10.244.1.17]:11493, remote=[10.244.0.17]:33187$2, error=SO_ERROR: Connection refused, remote=[10.244.0.17]:33187$2',
      expect: { kind: 'gloo-connect-failed', peer: '10.244.0.17:33187', error: 'SO_ERROR: Connection refused' },
      printer: { rank: 2, basis: 'work-prefix' },
    },
    {
      text: '[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [127.0.1.1]:3210: Connection refused',
      expect: { kind: 'gloo-connect-failed', peer: '127.0.1.1:3210', error: 'Connection refused' },
    },
    {
      text: 'Gloo connectFullMesh failed with [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:152] timed out connecting: SO_ERROR: Connection refused, remote=[10.244.0.17]:33187$2',
      expect: { kind: 'gloo-connect-failed', peer: '10.244.0.17:33187', error: 'SO_ERROR: Connection refused' },
    },
  ],
  nearMisses: ['client failed to connect, willRetry=later', '[proxy.cc:7] connect [::1]:80: Connection refused'],
});
