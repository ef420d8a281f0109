/** The source line of a call into torch.distributed is kept with its frame: its arguments tell whom a rank waits for. */
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../support/in-memory-import.ts';

const TRACEBACK = `[rank1]: Traceback (most recent call last):
[rank1]:   File "/workspace/train.py", line 312, in <module>
[rank1]:     main()
[rank1]:   File "/workspace/train.py", line 178, in collect
[rank1]:     if step % 3 == 2: dist.barrier()
[rank1]:                       ^^^^^^^^^^^^^^
[rank1]:   File "/opt/venv/lib/python3.11/site-packages/torch/distributed/c10d_logger.py", line 83, in wrapper
[rank1]:     return func(*args, **kwargs)
[rank1]:            ^^^^^^^^^^^^^^^^^^^^^
[rank1]:   File "/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 5200, in barrier
[rank1]:     work.wait()
[rank1]: RuntimeError: [/x/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.244.1.17]:62603.
`;

function framesOf(text: string): unknown[] {
  const { events } = importFiles(new Map([['pod-0.log', Buffer.from(text)]]));
  return events.flatMap(({ body }) => (body.kind === 'exception' ? [body.frames] : []));
}

test('of the caller only, neither of its callers nor inside the library', () => {
  expect(framesOf(TRACEBACK)).toEqual([
    [
      expect.objectContaining({ name: 'barrier', line: 5200 }),
      expect.objectContaining({ name: 'wrapper', line: 83 }),
      { file: '/workspace/train.py', line: 178, name: 'collect', text: 'if step % 3 == 2: dist.barrier()' },
      { file: '/workspace/train.py', line: 312, name: '<module>' },
    ],
  ]);
  expect(framesOf(TRACEBACK).flat().slice(0, 2)).toEqual([
    expect.not.objectContaining({ text: expect.anything() }),
    expect.not.objectContaining({ text: expect.anything() }),
  ]);
});

test('absent where the traceback has no source lines, and cut where a line is long', () => {
  const bare = TRACEBACK.split('\n').filter((line) => !/^\[rank1\]:\s{5}/.test(line));
  expect(framesOf(bare.join('\n')).flat()).toEqual(
    Array.from({ length: 4 }, () => expect.not.objectContaining({ text: expect.anything() })),
  );
  const long = framesOf(TRACEBACK.replace('dist.barrier()', `dist.barrier(${'x'.repeat(400)})`)).flat();
  expect(long).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^if step % 3 == 2: dist\.barrier\(x+$/) }),
  );
  expect(long.map((frame) => JSON.stringify(frame).length).every((length) => length < 400)).toBe(true);
});
