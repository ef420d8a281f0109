import { defineRecord } from './define.ts';
import { programText } from './program-text.ts';
import { HEADER, LOG_START, TracebackReader } from './traceback-reader.ts';

/**
 * A Python traceback: header, frames, exception line and what follows it, per printer; tracebacks of several ranks may
 * be interleaved line by line. The LAST exception told is the event; those chained before it stay in its text. An inner
 * one (`Original Traceback` of a loader worker, a spawned process, Ray) decides. Sections marked `(RANK k)` tell of
 * another rank. `Exception ignored in` and retry wording make it handled.
 *
 *   [rank1]: Traceback (most recent call last):
 *   [rank1]:   File "/workspace/train.py", line 40, in __getitem__
 *   [rank1]:     return self.decode(raw)
 *   [rank1]: ValueError: shard-0001.bin record 83: expected 260 bytes, got 131
 *
 * A traceback that is cut before its exception line yields nothing: its type is not known.
 */
export const traceback = defineRecord({
  id: 'traceback',
  literals: [HEADER],
  open: (message, before) => new TracebackReader(message, before, undefined),
  samples: [
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/train.py", line 9, in <module>',
        '    main()',
        '  File "/w/train.py", line 4, in main',
        '    raise ValueError("no")',
        'ValueError: no',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'ValueError',
          message: 'no',
          class: 'python',
          handled: false,
          frames: [
            { file: '/w/train.py', line: 4, name: 'main' },
            { file: '/w/train.py', line: 9, name: '<module>' },
          ],
        },
      ],
    },
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/a.py", line 1, in f',
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        'Traceback (most recent call last):',
        '  File "/w/b.py", line 2, in g',
        'RuntimeError: step failed',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'RuntimeError',
          message: 'step failed',
          class: 'cuda-out-of-memory',
          handled: false,
          frames: [{ file: '/w/b.py', line: 2, name: 'g' }],
          chain: [
            {
              type: 'torch.OutOfMemoryError',
              message: 'CUDA out of memory. Tried to allocate 2.00 GiB.',
              relation: 'first',
            },
          ],
        },
      ],
    },
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/train.py", line 9, in train',
        'KeyError: Caught KeyError in DataLoader worker process 0.',
        'Original Traceback (most recent call last):',
        '  File "/w/data.py", line 3, in lookup',
        "KeyError: 'class_7'",
      ],
      expect: [
        {
          kind: 'exception',
          type: 'KeyError',
          message: "'class_7'",
          class: 'data-input',
          handled: false,
          frames: [
            { file: '/w/data.py', line: 3, name: 'lookup' },
            { file: '/w/train.py', line: 9, name: 'train' },
          ],
          chain: [{ type: 'KeyError', message: 'Caught KeyError in DataLoader worker process 0.', relation: 'first' }],
        },
      ],
    },
  ],
  nearMisses: ['Traceback follows'],
});

const BARE =
  /^((?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,80}(?:Error|Exception|Interrupt))(\([\w.]{1,120}\))?: (\S.{0,8000})/s;
const ERROR_LEVEL = /^.{0,80}?\b(?:ERROR|CRITICAL|FATAL)\b/;

/** An exception's line alone: cut logs, tails and collections often keep no more of a traceback. */
export const bareException = defineRecord({
  id: 'bare-exception',
  literals: ['Error: ', 'Exception: ', 'Error(', 'Exception('],
  open(message) {
    const logged = message.stamped || LOG_START.test(message.text);
    if (logged && !ERROR_LEVEL.test(message.text)) return undefined;
    const match = BARE.exec(logged ? programText(message.text) : message.text);
    if (match === null) return undefined;
    const type = `${match[1]}${match[2] ?? ''}`;
    return new TracebackReader(message, logged ? message.text : '', { type, message: match[3] ?? '' });
  },
  samples: [
    {
      lines: [
        'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94, remote process exited or there was a network error',
        'ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
        'Last error:',
        'NET/IB: Got completion from peer 10.20.232.172<39936> with status=12',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'torch.distributed.DistBackendError',
          class: 'distributed',
          frames: [],
          handled: false,
          message:
            'NCCL error in: NCCLUtils.cpp:94, remote process exited or there was a network error\nncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\nLast error:\nNET/IB: Got completion from peer 10.20.232.172<39936> with status=12',
        },
      ],
    },
  ],
  nearMisses: ['Error: something', 'INFO train: ValueError: caught and skipped', 'see MyError: it is documented'],
});
