import { defineSignature, num } from './define.ts';

/** `failed (exitcode: -6) local_rank: 1 (pid: 2305) of binary: /usr/bin/python`. Negative = ended by that signal. */
export const workerFailed = defineSignature({
  id: 'worker-failed',
  literals: ['failed (exitcode: '],
  match({ text }) {
    const match = /failed \(exitcode: (-?\d{1,6})\) local_rank: (\d{1,5})(?: \(pid: (\d{1,8})\))?/.exec(text);
    if (match === null) return undefined;
    return {
      body: { kind: 'worker-failed', exitCode: Number(match[1]), localRank: Number(match[2]), pid: num(match[3]) },
    };
  },
  samples: [
    {
      text: 'torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: 1) local_rank: 0 (pid: 170581) of binary: /usr/bin/python3.10',
      expect: { kind: 'worker-failed', exitCode: 1, localRank: 0, pid: 170_581 },
    },
    {
      text: 'failed (exitcode: -6) local_rank: 1 (pid: 2305) of binary: /opt/conda/bin/python',
      expect: { kind: 'worker-failed', exitCode: -6, localRank: 1, pid: 2305 },
    },
  ],
  nearMisses: ['build failed (exitcode: 2)'],
});

/** The agent ends healthy children because another failed (or it was told to): those processes are victims. */
export const closingSignal = defineSignature({
  id: 'closing-signal',
  literals: ['Sending process '],
  match({ text }) {
    const match = /Sending process (\d{1,8}) closing signal (SIG[A-Z]{1,8})/.exec(text);
    return match === null
      ? undefined
      : { body: { kind: 'closing-signal', pid: Number(match[1]), signal: match[2] ?? '' } };
  },
  samples: [
    {
      text: 'WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 2973583 closing signal SIGHUP',
      expect: { kind: 'closing-signal', pid: 2_973_583, signal: 'SIGHUP' },
    },
  ],
  nearMisses: ['Sending process list to the server'],
});

const STUBBORN = /Unable to shutdown process (\d{1,8}) via|Process (\d{1,8}) did not exit after \S{1,20} within/;
const D_STATE = /Worker pid=(\d{1,8}) stuck in uninterruptible sleep/;

/** A child that does not end when told. Uninterruptible sleep points at kernel, driver or storage of that host. */
export const shutdownStuck = defineSignature({
  id: 'shutdown-stuck',
  literals: ['Unable to shutdown process', 'did not exit after', 'stuck in uninterruptible sleep'],
  match({ text }) {
    const asleep = D_STATE.exec(text);
    if (asleep !== null) return { body: { kind: 'shutdown-stuck', pid: Number(asleep[1]), uninterruptible: true } };
    const match = STUBBORN.exec(text);
    if (match === null) return undefined;
    return { body: { kind: 'shutdown-stuck', pid: Number(match[1] ?? match[2]), uninterruptible: false } };
  },
  samples: [
    {
      text: 'Unable to shutdown process 5994 via 15, forcefully exiting via 9',
      expect: { kind: 'shutdown-stuck', pid: 5994, uninterruptible: false },
    },
    {
      text: 'Process 77 did not exit after SIGKILL within 30s; abandoning it',
      expect: { kind: 'shutdown-stuck', pid: 77, uninterruptible: false },
    },
    {
      text: 'Worker pid=77 stuck in uninterruptible sleep (D-state) for 30s',
      expect: { kind: 'shutdown-stuck', pid: 77, uninterruptible: true },
    },
  ],
  nearMisses: ['the server did not exit after the test'],
});

/** The agent itself was told to stop: scheduler, preemption (15), terminal gone (1), Ctrl-C (2). No rank failed first. */
export const agentSignal = defineSignature({
  id: 'agent-signal',
  literals: ['death signal, shutting down workers'],
  match({ text }) {
    const match =
      /Received (?:(\d{1,3})|Signals\.(SIG[A-Z]{1,8})|(SIG[A-Z]{1,8})) death signal, shutting down workers/.exec(text);
    if (match === null) return undefined;
    const named = SIGNALS.get(match[2] ?? match[3] ?? '');
    const signal = num(match[1]) ?? named;
    return signal === undefined ? undefined : { body: { kind: 'agent-signal', signal } };
  },
  samples: [
    {
      text: 'WARNING:torch.distributed.elastic.agent.server.api:Received 1 death signal, shutting down workers',
      expect: { kind: 'agent-signal', signal: 1 },
    },
    {
      text: 'Received Signals.SIGTERM death signal, shutting down workers',
      expect: { kind: 'agent-signal', signal: 15 },
    },
  ],
  nearMisses: ['on a death signal, shutting down workers takes long'],
});

const SIGNALS: ReadonlyMap<string, number> = new Map([
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGQUIT', 3],
  ['SIGTERM', 15],
]);

/** A new attempt starts: `[default] Worker group FAILED. 2/3 attempts left; will restart worker group`. */
export const workerRestart = defineSignature({
  id: 'worker-restart',
  literals: ['will restart worker group'],
  match({ text }) {
    const left = /Worker group \w{1,20}\. (\d{1,5})\/\d{1,5} attempts left; will restart worker group/.exec(text);
    if (left !== null) return { body: { kind: 'worker-restart', attemptsLeft: Number(left[1]) } };
    if (!/Detected \d{1,5} new nodes? from group_rank=/.test(text)) return undefined;
    return { body: { kind: 'worker-restart', attemptsLeft: undefined } };
  },
  samples: [
    {
      text: '[default] Worker group FAILED. 2/3 attempts left; will restart worker group',
      expect: { kind: 'worker-restart', attemptsLeft: 2 },
    },
    {
      text: '[default] Detected 1 new nodes from group_rank=0; will restart worker group',
      expect: { kind: 'worker-restart', attemptsLeft: undefined },
    },
  ],
  nearMisses: ['on failure the agent will restart worker group'],
});
