import { describe, expect, it } from 'vitest';
import { completeYears } from '#shared/formats/log/complete-years.ts';
import podLog from '#shared/formats/log/pod-log.ts';
import type { EventBody, LogEvent } from '#shared/model/events.ts';
import { epochNs, formatEpochNs, isYearUnknown } from '#shared/model/time.ts';
import { eventsOf, readEntry, streamsOf, toBytes } from '../read-entry.ts';

const read = (lines: readonly string[] | string, path = 'logs/w-0.log') =>
  readEntry(podLog, toBytes(typeof lines === 'string' ? lines : `${lines.join('\n')}\n`), path);
const ofKind = <K extends EventBody['kind']>(events: readonly LogEvent[], kind: K) =>
  events.flatMap((event) =>
    event.body.kind === kind ? [{ ...event, body: event.body as Extract<EventBody, { kind: K }> }] : [],
  );
const issuesOf = (outputs: ReturnType<typeof read>): string[] =>
  outputs.flatMap((output) => (output.kind === 'issue' ? [output.code] : []));

const frame = '  File "/w/train.py", line 4, in main';

describe('tracebacks', () => {
  it('of two ranks interleaved line by line come apart, with the program in between', () => {
    const events = eventsOf(
      read([
        '[rank0]: Traceback (most recent call last):',
        '[rank1]: Traceback (most recent call last):',
        `[rank1]: ${frame}`,
        `[rank0]: ${frame}`,
        'step 14 loss 2.5',
        '[rank1]: ValueError: one',
        '[rank0]: KeyError: 0',
      ]),
    );
    expect(ofKind(events, 'exception').map(({ rank, body }) => [rank, body.type])).toEqual([
      [0, 'KeyError'],
      [1, 'ValueError'],
    ]);
    expect(ofKind(events, 'progress').map(({ body }) => body.step)).toEqual([14]);
  });

  it('go on over lines of the program that another process printed', () => {
    const [exception] = ofKind(
      eventsOf(
        read([
          'Traceback (most recent call last):',
          frame,
          '2026-11-29 18:54:47,842 INFO train: step 9 loss 1',
          '    main()',
          'RuntimeError: no',
        ]),
      ),
      'exception',
    );
    expect(exception?.body).toMatchObject({ type: 'RuntimeError', message: 'no' });
    expect([exception?.source.kind === 'line' && exception.source.line, exception?.lastLine]).toEqual([1, 5]);
  });

  it('keep the lines of a long message of a marked printer, and leave those of others', () => {
    const [marked] = ofKind(
      eventsOf(
        read([
          '[rank0]: Traceback (most recent call last):',
          `[rank0]: ${frame}`,
          '[rank0]: RuntimeError: [Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms',
          '[rank0]:  Original exception: ',
          '[rank0]: [/x/gloo/transport/tcp/a.cc:1] Timed out waiting 14997ms for recv operation to complete',
        ]),
      ),
      'exception',
    );
    expect(marked?.body.message.split('\n')).toHaveLength(3);
    const [plain] = ofKind(
      eventsOf(read(['Traceback (most recent call last):', frame, 'RuntimeError: no', 'another line of the log'])),
      'exception',
    );
    expect(plain?.body.message).toBe('no');
  });

  it('yield the special shape beside the exception, from the same lines', () => {
    const events = eventsOf(
      read([
        '[rank0]: Traceback (most recent call last):',
        `[rank0]: ${frame}`,
        '[rank0]: RuntimeError: [Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms',
      ]),
    );
    const [exception] = ofKind(events, 'exception');
    const [barrier] = ofKind(events, 'monitored-barrier-failed');
    expect(exception?.body.class).toBe('distributed');
    expect(barrier?.body.ranks).toEqual([5]);
    expect(barrier?.source).toEqual(exception?.source);
  });

  it('are handled where the text says so, and only there', () => {
    const body = ['Traceback (most recent call last):', frame, 'ConnectionError: no'];
    const handled = (before: readonly string[], after: readonly string[] = []): boolean | undefined =>
      ofKind(eventsOf(read([...before, ...body, ...after])), 'exception')[0]?.body.handled;
    expect(handled([])).toBe(false);
    expect(handled(['ERROR data: could not read shard 4'])).toBe(false);
    expect(handled(['INFO train: skipping the warm-up'])).toBe(false);
    expect(handled(['WARNING data: could not read shard 4, retrying (1/3)'])).toBe(true);
    expect(handled(['Exception ignored in: <function X.__del__ at 0x7f>'])).toBe(true);
    expect(handled([], ['WARNING data: retrying in 5 s'])).toBe(true);
  });

  it('raised from another one take class and shape of their first cause where they have none', () => {
    const link = [
      '',
      'The above exception was the direct cause of the following exception:',
      '',
      'Traceback (most recent call last):',
      frame,
    ];
    const chain = (first: string, last: string) =>
      eventsOf(read(['Traceback (most recent call last):', frame, first, ...link, last]));
    expect(
      ofKind(chain('torch.OutOfMemoryError: CUDA out of memory.', 'RuntimeError: step failed'), 'exception')[0]?.body,
    ).toMatchObject({
      type: 'RuntimeError',
      class: 'cuda-out-of-memory',
    });
    const events = chain(
      'RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. ',
      'RuntimeError: DataLoader worker (pid(s) 7) exited unexpectedly',
    );
    expect(ofKind(events, 'exception')[0]?.body.class).toBe('shared-memory');
    expect(ofKind(events, 'data-loader-killed').map(({ body }) => body.signal)).toEqual(['Bus error']);
  });

  it('do not swallow the failure block that follows, whatever stands before each line', () => {
    const block = [
      'Traceback (most recent call last):',
      frame,
      'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
      '============================================================',
      '/w/train.py FAILED',
      '------------------------------------------------------------',
      'Failures:',
      '  <NO_OTHER_FAILURES>',
      '------------------------------------------------------------',
      'Root Cause (first observed failure):',
      '[0]:',
      '  time      : 2026-11-29_18:33:16',
      '  host      : w-0',
      '  rank      : 2 (local_rank: 0)',
      '  exitcode  : 1 (pid: 3172) ',
      '  error_file: <N/A>',
      '  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html',
      '============================================================',
    ];
    for (const prefix of ['', '[default0]:', '(Trainer pid=5, ip=10.0.0.4) ', '[1,0]<stderr>:']) {
      const events = eventsOf(read(block.map((line) => prefix + line)));
      const summaries = ofKind(events, 'failure-summary');
      expect(ofKind(events, 'exception').map(({ body }) => body.class)).toEqual(['wrapper']);
      expect(summaries.map(({ body }) => body.failures.map(({ rank, root }) => [rank, root]))).toEqual([[[2, true]]]);
    }
  });

  it('of which only the last line was logged are told from lines of grave levels alone', () => {
    const told = (line: string) =>
      ofKind(eventsOf(read([line])), 'exception').map(({ body }) => [body.type, body.class]);
    const oom = 'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.';
    expect(told(oom)).toEqual([['RuntimeError', 'cuda-out-of-memory']]);
    expect(told(`2026-11-29 18:54:47,842 ERROR train: ${oom}`)).toEqual([['RuntimeError', 'cuda-out-of-memory']]);
    expect(told(`ERROR:train:${oom}`)).toEqual([['RuntimeError', 'cuda-out-of-memory']]);
    expect(told(`2026-11-29 18:54:47,842 WARNING train: ${oom}`)).toEqual([]);
  });

  it('cut before their last line say nothing', () => {
    expect(eventsOf(read(['[rank9]: Traceback (most recent call last):', `[rank9]: ${frame}`]))).toEqual([]);
  });

  it('tell of another rank as a wrapper, of their own as it is', () => {
    const lines = (rank: number): string[] =>
      [
        'Traceback (most recent call last):',
        frame,
        'torch.distributed.checkpoint.api.CheckpointException: CheckpointException ranks:dict_keys([3])',
        'Traceback (most recent call last): (RANK 3)',
        '  File "/x/fs.py", line 4, in write',
        'OSError: [Errno 28] No space left on device',
      ].map((line) => `[rank${rank}]: ${line}`);
    const exceptions = ofKind(eventsOf(read([...lines(0), ...lines(3)])), 'exception');
    expect(exceptions.map(({ rank, body }) => [rank, body.class])).toEqual([
      [0, 'wrapper'],
      [3, 'storage'],
    ]);
  });
});

describe('ranks', () => {
  it('come from a column that agrees with what ranks announce', () => {
    const at = '2026-11-29 19:11:07,741';
    const events = eventsOf(
      read([
        `${at} | 4 | a.py:1 | rank 4 of 6 (local 0)`,
        `${at} | 5 | a.py:1 | rank 5 of 6 (local 1)`,
        `${at} | 5 | a.py:9 | step 3 loss 1`,
        `${at} | 7 | a.py:9 | step 4 loss 1`,
      ]),
    );
    expect(ofKind(events, 'progress').map(({ rank, rankBasis }) => [rank, rankBasis])).toEqual([
      [5, 'app-prefix'],
      [undefined, undefined],
    ]);
  });

  it('do not come from a column that is the local rank', () => {
    const at = '2026-11-29 19:11:07,741';
    const events = eventsOf(read([`${at} | 0 | a.py:1 | rank 4 of 6 (local 0)`, `${at} | 0 | a.py:9 | step 3 loss 1`]));
    expect(ofKind(events, 'progress').map(({ rank }) => rank)).toEqual([undefined]);
  });

  it('of launcher labels are dropped once a task prints another rank', () => {
    const events = eventsOf(read([' 0: [rank0] step 1', ' 1: [rank8] step 1', ' 1: step 2', '12: step 3']));
    expect(ofKind(events, 'progress').map(({ rank }) => rank)).toEqual([0, 8, undefined, undefined]);
  });

  it('prefer the mark of torch over the file name, and the file name over a rank in some group', () => {
    const timeout =
      '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE, Timeout(ms)=1) ran for 2 milliseconds before timing out.';
    const rankIn = (line: string, path: string) =>
      ofKind(eventsOf(read([line], path)), 'collective-timeout').map(({ rank, rankBasis }) => [rank, rankBasis])[0];
    expect(rankIn(`[rank15]:[E218 04:54:22.883327702 a.cpp:616] ${timeout}`, 'rank-3.log')).toEqual([
      15,
      'rank-prefix',
    ]);
    expect(rankIn(`[E a.cpp:616] ${timeout}`, 'rank-3.log')).toEqual([3, 'file-name']);
    expect(rankIn(`[E a.cpp:616] ${timeout}`, 'node0.log')).toEqual([1, 'work-prefix']);
  });

  it('behind the mark of a role called rank are the inner ones; from then on the mark alone is the local rank', () => {
    const events = eventsOf(
      read([
        '[rank1]:[rank9]: Traceback (most recent call last):',
        `[rank1]:[rank9]: ${frame}`,
        '[rank1]:[rank9]: ValueError: one',
        '[rank0]:step 4 loss 2.5',
      ]),
    );
    expect(ofKind(events, 'exception').map(({ rank, localRank }) => [rank, localRank])).toEqual([[9, 1]]);
    expect(ofKind(events, 'progress').map(({ rank, localRank }) => [rank, localRank])).toEqual([[undefined, 0]]);
  });

  it('of a file are its own only where its place says that one process wrote it', () => {
    const lines = ['[rank9]: ValueError: no', 'unmarked'];
    expect(streamsOf(read(lines, 'w/run_x/attempt_0/1/stderr.log'))[0]).toMatchObject({
      fileRank: 9,
      localRank: 1,
      attempt: 0,
    });
    expect(streamsOf(read(lines, 'logs/w-0.log'))[0]?.fileRank).toBeUndefined();
  });
});

describe('records of the runtime', () => {
  it('are joined per stream, with the place and the stamp of the first part', () => {
    const events = eventsOf(
      read([
        '2026-03-14T10:01:03Z stderr P [rank3]: RuntimeError: DataLoader wor',
        '2026-03-14T10:01:04Z stdout F step 4 loss 1',
        '2026-03-14T10:01:05Z stderr F ker (pid 7) is killed by signal: Killed. ',
      ]),
    );
    const [killed] = ofKind(events, 'data-loader-killed');
    expect(killed).toMatchObject({ rank: 3, body: { pid: 7 }, source: { line: 1 } });
    expect(killed?.stamp && formatEpochNs(killed.stamp.ns, 0)).toBe('2026-03-14T10:01:03Z');
  });

  it('keep a last part whose rest never came', () => {
    expect(ofKind(eventsOf(read(['2026-03-14T10:01:03Z stderr P step 4 loss 1'])), 'progress')).toHaveLength(1);
  });

  it('tell progress of every rewriting of a bar, and only the last state as the line', () => {
    const bar = (n: number): string => `train:  ${n}%|#   | ${n}/100 [00:0${n}<00:10, 1.0it/s]`;
    const outputs = read([`2026-03-14T10:01:03.000000000Z \r${bar(1)}\r${bar(2)}\r${bar(3)}`]);
    expect(ofKind(eventsOf(outputs), 'progress').map(({ body }) => body.step)).toEqual([1, 2, 3]);
    expect(streamsOf(outputs)[0]?.lastLine?.text).toBe(bar(3));
  });

  it('and CR LF line ends change nothing', () => {
    const lines = [
      '2026-03-14T10:01:03.000000000Z [rank1] INFO step 4 loss 1',
      '2026-03-14T10:01:04.000000000Z [rank1]: ValueError: no',
    ];
    const bodies = (text: string) => eventsOf(read(text)).map(({ body, rank }) => [body, rank]);
    expect(bodies(lines.join('\r\n'))).toEqual(bodies(lines.join('\n')));
  });
});

describe('time', () => {
  const agent = 'W1129 18:36:35.510000 5208 torch/x/api.py:1028] Sending process 5229 closing signal SIGTERM';
  const stampsOf = (outputs: ReturnType<typeof read>) =>
    eventsOf(outputs).map((event) => event.stamp && formatEpochNs(event.stamp.ns, 3));

  it('without a year takes it from a dated line further down, order kept', () => {
    const outputs = read([agent, '2026-11-29 18:37:00,000 INFO train: step 4 loss 1']);
    expect(stampsOf(outputs)).toEqual(['2026-11-29T18:36:35.510Z', '2026-11-29T18:37:00.000Z']);
    expect(issuesOf(outputs)).toContain('time-year-assumed');
  });

  it('on both sides of New Year stays in order', () => {
    const outputs = read([
      '2026-12-31 23:59:00,000 INFO train: step 3 loss 1',
      agent.replace('1129 18:36', '0101 00:01'),
    ]);
    expect(stampsOf(outputs)).toEqual(['2026-12-31T23:59:00.000Z', '2027-01-01T00:01:35.510Z']);
  });

  it('without any year is marked, and completed once the bundle is known', () => {
    const outputs = read([agent]);
    const events = eventsOf(outputs);
    expect(events.map((event) => event.stamp && isYearUnknown(event.stamp))).toEqual([true]);
    const whole = completeYears({ events, streams: streamsOf(outputs) }, [epochNs(1_795_977_000_000_000_000n)]);
    expect(whole.events.map((event) => event.stamp && formatEpochNs(event.stamp.ns, 3))).toEqual([
      '2026-11-29T18:36:35.510Z',
    ]);
    expect(whole.streams.map((stream) => stream.last && formatEpochNs(stream.last.stamp.ns, 3))).toEqual([
      '2026-11-29T18:36:35.510Z',
    ]);
    expect(completeYears({ events, streams: [] }, []).events).toEqual(events);
  });

  it('is given per line for histograms, NaN where there is none', () => {
    const reader = podLog.open({ entry: 0 as never, path: 'w-0.log' }, () => {});
    expect(reader.line('2026-11-29T18:33:01.779332979Z x', 1, 0, 32)).toBe(Date.UTC(2026, 10, 29, 18, 33, 1, 779));
    expect(reader.line('no stamp', 2, 33, 8)).toBeNaN();
    expect(reader.line('2026-11-29 18:33:02,500 x', 3, 42, 25)).toBe(Date.UTC(2026, 10, 29, 18, 33, 2, 500));
  });
});

describe('streams', () => {
  it('are one per Pod and container, with first, last and per-rank figures', () => {
    const streams = streamsOf(
      read([
        '[pod/a-0/t] 2026-03-14T10:01:03.000000000Z [rank0] INFO up',
        '[pod/b-1/t] 2026-03-14T10:01:04.000000000Z [rank1] INFO up',
        '[pod/a-0/t] 2026-03-14T10:01:05.000000000Z [rank0] INFO down',
      ]),
    );
    expect(streams.map(({ pod, lines }) => [pod, lines])).toEqual([
      ['a-0', 2],
      ['b-1', 1],
    ]);
    expect(streams[0]?.ranks).toMatchObject([{ rank: 0, lines: 2, lastText: 'INFO down', lastSource: { line: 3 } }]);
  });

  it('of a file that only holds a collector message end it as skipped', () => {
    const outputs = read(['Error from server (NotFound): pods "w-0" not found']);
    expect(outputs).toContainEqual({
      kind: 'status',
      status: 'skipped',
      detail: 'holds only a message of the collector',
    });
    expect(issuesOf(outputs)).toContain('collector-message');
  });
});

describe('a log that repeats itself', () => {
  it('keeps the first and the last of each kind', () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `h:1:2 [0] NCCL WARN Cuda failure ${i} 'x'`);
    const warnings = ofKind(eventsOf(read(lines)), 'nccl-warning');
    expect(warnings).toHaveLength(1001);
    expect(warnings.at(-1)?.body.text).toContain('2999');
  });

  it('thins progress by time, and never loses the last before a failure', () => {
    const second = (i: number): string =>
      new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString().replace('.000Z', '.000000000Z');
    const lines = Array.from({ length: 5000 }, (_, i) => `${second(i)} [rank0] INFO step ${i} loss 1`);
    const events = eventsOf(read([...lines, `${second(5001)} [rank0]: ValueError: no`]));
    const steps = ofKind(events, 'progress').map(({ body }) => body.step);
    expect(steps.length).toBeLessThan(2400);
    expect(steps.at(-1)).toBe(4999);
  });

  it('tells once how the channels of a process copy, not once for each pair of GPUs', () => {
    const line = (pid: number, channel: string): string => `node-a:${pid}:697 [0] NCCL INFO Channel 00/0 : ${channel}`;
    const lines = Array.from({ length: 40 }, (_, i) => [
      line(7, `0[0] -> ${i}[${i}] via P2P/CUMEM`),
      line(7, `${i}[${i}] -> 0[0] via SHM/direct/direct`),
      line(8, `1[1] -> ${i}[${i}] via P2P/CUMEM`),
    ]).flat();
    const told = ofKind(eventsOf(read(lines)), 'nccl-network').map(({ body }) => `${body.pid} ${body.text}`);
    expect(told).toEqual([
      '7 Channel 00/0 : 0[0] -> 0[0] via P2P/CUMEM',
      '7 Channel 00/0 : 0[0] -> 0[0] via SHM/direct/direct',
      '8 Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM',
    ]);
  });

  it('keeps the newest sixteen calls of each communicator, in order', () => {
    const call = (n: number, comm: string) =>
      `gpu-3:71:90 [0] NCCL INFO AllReduce: opCount ${n.toString(16)} sendbuff 0x7f0 recvbuff 0x7f0 count ${n} datatype 7 op 0 root 0 comm ${comm} [nranks=2] stream 0x55d`;
    const lines = Array.from({ length: 40 }, (_, n) => [call(n, '0xa1'), ...(n < 2 ? [call(n, '0xb2')] : [])]).flat();
    const calls = ofKind(eventsOf(read(lines)), 'nccl-collective');
    const countsOf = (comm: string) => calls.filter(({ body }) => body.comm === comm).map(({ body }) => body.opCount);
    expect(countsOf('0xa1')).toEqual(Array.from({ length: 16 }, (_, n) => 24 + n));
    expect(countsOf('0xb2')).toEqual([0, 1]);
  });

  it('tells an assertion of a kernel once, not once per thread', () => {
    const line = (i: number): string =>
      `/x.cu:93: operator(): block: [1,0,0], thread: [${i},0,0] Assertion \`a < b\` failed.`;
    expect(ofKind(eventsOf(read(Array.from({ length: 500 }, (_, i) => line(i)))), 'device-assert')).toHaveLength(1);
  });
});
