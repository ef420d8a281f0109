import type { EventBody } from '../../../model/events.ts';
import { classifyError } from '../exception-class.ts';
import { defineRecord, defineSignature, type Hit, num } from './define.ts';
import { printerOf, readGroup } from './group-mention.ts';
import { createErrorTail } from './nccl-error-tail.ts';
import { softwareFromError } from './software-version.ts';

const ENDED = /watchdog thread terminated with exception: (.{0,2000})/i;

/**
 * `[PG …] Process group watchdog thread terminated with exception: <E>` (up to 2.3 `NCCL watchdog thread …`). Look at
 * E only: `CUDA error` means that this rank's GPU failed, `Watchdog caught` and `NCCL error: remote` are consequences.
 */
export const watchdogTerminated = defineRecord({
  id: 'watchdog-terminated',
  literals: ['watchdog thread terminated with exception'],
  open(message) {
    const error = ENDED.exec(message.text)?.[1];
    if (error === undefined) return undefined;
    const tail = createErrorTail();
    const group = readGroup(message.text);
    return {
      take: (next) => (next.header === undefined && tail.take(next.text) ? 'more' : 'over'),
      close: () => {
        const whole = [error.trim(), ...tail.lines()].join('\n');
        const body: EventBody = { kind: 'watchdog-terminated', error: error.trim(), errorClass: classifyError(whole) };
        return { hits: [{ body, also: softwareFromError(error), printer: printerOf(message.text, group) }] };
      },
    };
  },
  samples: [
    {
      lines: [
        '[PG ID 4 PG GUID 10 Rank 1] Process group watchdog thread terminated with exception: CUDA error: device-side assert triggered',
        'CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
      ],
      expect: [
        { kind: 'watchdog-terminated', error: 'CUDA error: device-side assert triggered', errorClass: 'cuda-error' },
      ],
    },
    {
      lines: [
        '[Rank 0] NCCL watchdog thread terminated with exception: [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(x)',
      ],
      expect: [
        {
          kind: 'watchdog-terminated',
          error: '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(x)',
          errorClass: 'distributed',
        },
      ],
    },
  ],
  nearMisses: ['the watchdog thread terminated with exception handling enabled'],
});

/** `Aborting process due to error on rank 2`: the rank in that communicator, which is the printer's own. */
export const ABORTING = /^[Aa]borting (?:process|the communicator) due to (?:timeout|error) on rank (\d{1,7})\b/;

const RAISED = /raised the following async exception: (.{0,2000})/;

/** `[Rank r] Collective WorkNCCL(…) raised the following async exception: NCCL error: …` with NCCL's last warning below. */
export const asyncError = defineRecord({
  id: 'async-error',
  literals: ['raised the following async exception', 'watchdog detected operation error', 'nccl hit async error'],
  open(message) {
    const match = RAISED.exec(message.text);
    const other = /(?:watchdog detected operation error|nccl hit async error)[.:]? ?(.{0,2000})/.exec(message.text);
    const error = (match ?? other)?.[1]?.trim();
    if (error === undefined) return undefined;
    const ownRank = other === null ? undefined : num(ABORTING.exec(message.text)?.[1]);
    const tail = createErrorTail();
    return {
      take: (next) => (next.header === undefined && tail.take(next.text) ? 'more' : 'over'),
      close: () => {
        const body: EventBody = { kind: 'async-error', error, lastError: tail.lastError() };
        const hit: Hit = {
          body,
          also: softwareFromError(error),
          printer:
            ownRank === undefined
              ? printerOf(message.text, readGroup(message.text))
              : { rank: ownRank, basis: 'work-prefix' },
        };
        return { hits: [hit] };
      },
    };
  },
  samples: [
    {
      lines: [
        '[Rank 0] Collective WorkNCCL(SeqNum=89, OpType=ALLREDUCE) raised the following async exception: NCCL error: remote process exited or there was a network error',
        'ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
        'Last error:',
        'socketProgress: Connection closed by remote peer node-c.internal<55912>',
      ],
      expect: [
        {
          kind: 'async-error',
          error: 'NCCL error: remote process exited or there was a network error',
          lastError: 'socketProgress: Connection closed by remote peer node-c.internal<55912>',
        },
      ],
    },
    {
      lines: ['error - nccl hit async error: unhandled system error'],
      expect: [{ kind: 'async-error', error: 'unhandled system error', lastError: undefined }],
    },
    {
      lines: ['Aborting process due to error on rank 2 - timeout watchdog detected operation error. '],
      expect: [{ kind: 'async-error', error: '', lastError: undefined }],
    },
  ],
  nearMisses: ['the handler raised the following async exception once'],
});

/** `NCCL communicator was aborted on rank 3. Original reason for failure was: …`: a later call on a dead communicator. */
export const communicatorAborted = defineSignature({
  id: 'communicator-aborted',
  literals: ['NCCL communicator was aborted'],
  match({ text }) {
    const match = /NCCL communicator was aborted (?:on rank (\d{1,7})|after a previous error)\.?\s*(.{0,2000})/.exec(
      text,
    );
    if (match === null) return undefined;
    const reason = (match[2] ?? '').replace(/^Original reason for failure was:\s*/, '').trim();
    const group = readGroup(text);
    return { body: { kind: 'communicator-aborted', error: reason }, printer: printerOf(text, group) };
  },
  samples: [
    {
      text: '[Rank 3] NCCL communicator was aborted on rank 3.  Original reason for failure was: NCCL error: unhandled system error',
      expect: { kind: 'communicator-aborted', error: 'NCCL error: unhandled system error' },
      printer: { rank: 3, basis: 'work-prefix' },
    },
    {
      text: 'NCCL communicator was aborted after a previous error',
      expect: { kind: 'communicator-aborted', error: '' },
      printer: {},
    },
  ],
  nearMisses: ['if the NCCL communicator was aborted, restart'],
});

/** The sentences with which the watchdog takes the process down. Always secondary. */
export const teardown = defineSignature({
  id: 'teardown',
  literals: ['Some NCCL operations have failed or timed out', 'we are taking the entire process down'],
  match: ({ text }) =>
    /^(?:\[[^\]]{1,300}\] )?(?:Some NCCL operations have failed or timed out|To avoid (?:data|this) inconsistency, we are taking)/.test(
      text,
    )
      ? { body: { kind: 'teardown' }, printer: printerOf(text, readGroup(text)) }
      : undefined,
  samples: [
    {
      text: '[Rank 2] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data. To avoid this inconsistency, we are taking the entire process down.',
      expect: { kind: 'teardown' },
      printer: { rank: 2, basis: 'work-prefix' },
    },
    {
      text: 'To avoid data inconsistency, we are taking the entire process down.',
      expect: { kind: 'teardown' },
      printer: {},
    },
  ],
  nearMisses: ['see why we are taking the entire process down in the docs'],
});
