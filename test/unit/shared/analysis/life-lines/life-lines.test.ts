import { describe, expect, it } from 'vitest';
import { computeLifeLines } from '#shared/analysis/life-lines/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { LifeLine } from '#shared/model/facts.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { Line } from '../rank-map/build-incident.ts';
import {
  announced,
  closing,
  exception,
  failed,
  failure,
  file,
  finished,
  incident,
  jobSetLabels,
  pod,
  progress,
  ready,
  second,
  summary,
  torchrun,
} from '../rank-map/build-incident.ts';

function lines(input: IncidentInput): readonly LifeLine[] {
  const { rankMap, events } = computeRankMap(input);
  return computeLifeLines(input, rankMap, events);
}
const two = [pod('job-0', { labels: jobSetLabels(0), command: torchrun(1, 2) })];
const oneFile = (...content: (Line | undefined)[]) => incident([file('job-0.log', content)], { pods: two });
const start = (rank: number, text: string, label: string): Line => ({
  body: { kind: 'operation-start', what: 'checkpoint', label },
  text,
  rank,
  rankBasis: 'rank-prefix',
});
const end = (rank: number, label: string): Line => ({
  body: { kind: 'operation-end', what: 'checkpoint', label },
  rank,
  rankBasis: 'rank-prefix',
});

describe('life lines', () => {
  it('has one for each place, with what the rank itself said', () => {
    const found = lines(
      oneFile(
        announced(0, 2, 0, 5),
        announced(1, 2, 1, 6),
        progress(0),
        progress(0),
        exception('KeyError', 1),
        exception('unmarked'),
      ),
    );
    expect(
      found.map(({ rank, attempt, log, started, lastProgress, errors }) => [
        rank,
        attempt,
        log,
        started?.event.source,
        lastProgress?.event.source,
        errors.map(({ event }) => event.body.kind === 'exception' && event.body.type),
      ]),
    ).toMatchObject([
      [0, 0, 'mixed', { line: 1 }, { line: 4 }, []],
      [1, 0, 'mixed', { line: 2 }, undefined, ['KeyError']],
    ]);
  });

  it('knows a file of its own, and no log at all', () => {
    const own = incident([file('rank-0.log', [progress()], { fileRank: 0 })]);
    expect(lines(own)[0]).toMatchObject({ log: 'own', lastProgress: { rank: 0 } });
    const none = incident([file('job-0.log', [announced(0, 2, 0, 5)])], {
      pods: [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 1) })),
    });
    expect(lines(none).map(({ log }) => log)).toEqual(['mixed', 'none']);
  });

  it('sees that a file of its own ends inside a line', () => {
    const own = incident([file('rank-0.log', [progress()], { fileRank: 0 })]);
    const last = own.streams[0]?.lastLine?.source;
    const end = last?.kind === 'line' ? last.byte + last.length : 0;
    const sized = (bytes: number) => ({ ...own, entries: own.entries.map((entry) => ({ ...entry, bytes })) });
    expect(lines(sized(end))[0]?.endsInsideALine).toBe(true);
    expect(lines(sized(end + 1))[0]?.endsInsideALine).toBeUndefined();
  });

  it.each([
    ['as many unmarked lines as workers: each said it', [ready(), ready(), finished(), finished()], [2, 2], [4, 4]],
    ['fewer: nobody surely did', [ready(), finished()], [undefined, undefined], [undefined, undefined]],
    ['more: not one each', [ready(), ready(), ready()], [undefined, undefined], [undefined, undefined]],
  ])('%s', (_name, content, readyLines, finishedLines) => {
    const found = lines(oneFile(...content));
    const lineOf = (event: LifeLine['ready']) =>
      event?.event.source.kind === 'line' ? event.event.source.line : undefined;
    expect(found.map((life) => lineOf(life.ready))).toEqual(readyLines);
    expect(found.map((life) => lineOf(life.finished))).toEqual(finishedLines);
  });

  const failedAlone = [failed(1, 6, 1), summary(failure(1, 1, 'job-0', 1, 6))];
  const failedBoth = [failed(1, 6, 1), summary(failure(1, 1, 'job-0', 1, 6), failure(0, 0, 'job-0', 1, 5))];
  it.each([
    ['one said it, and one ended with success: that one', [finished()], failedAlone, [3, undefined]],
    ['more said it than ended with success', Array(3).fill(finished()), failedAlone, [undefined, undefined]],
    ['nobody ended with success', [finished()], failedBoth, [undefined, undefined]],
    ['nothing tells who ended with success', [finished()], [], [undefined, undefined]],
  ])('an unmarked end: %s', (_name, said, told, expected) => {
    const found = lines(oneFile(announced(0, 2, 0, 5), announced(1, 2, 1, 6), ...said, ...told));
    expect(
      found.map(({ finished: done }) => (done?.event.source.kind === 'line' ? done.event.source.line : undefined)),
    ).toEqual(expected);
  });

  it('keeps operations open until their own end', () => {
    const found = lines(
      oneFile(
        start(0, 'saving a', 'a'),
        end(0, 'a'),
        start(0, 'saving b', 'b'),
        start(1, 'saving c', 'c'),
        end(1, 'c'),
        { ...start(0, 'x', 'x'), rank: undefined, rankBasis: undefined },
      ),
    );
    expect(found.map(({ openOperations }) => openOperations.map(({ event }) => event.text))).toEqual([
      ['saving b'],
      [],
    ]);
  });

  it('sees the last line also where it made no event', () => {
    const stream = {
      ranks: [
        {
          rank: 1,
          lines: 3,
          first: undefined,
          last: second(9),
          lastText: 'step 7',
          lastSource: { kind: 'line' as const, entry: 0 as never, line: 9, byte: 900, length: 9 },
        },
      ],
    };
    const input = incident([file('job-0.log', [announced(0, 2, 0, 5), announced(1, 2, 1, 6), progress(0)], stream)], {
      pods: two,
    });
    expect(lines(input).map(({ lastSeen }) => [lastSeen?.text, lastSeen?.source])).toMatchObject([
      ['progress', { line: 3 }],
      ['step 7', { line: 9 }],
    ]);
    const own = incident([
      file('rank-0.log', [progress()], {
        fileRank: 0,
        lastLine: { text: 'bye', source: { kind: 'line', entry: 0 as never, line: 50, byte: 5000, length: 3 } },
      }),
    ]);
    expect(lines(own)[0]?.lastSeen).toMatchObject({ text: 'bye', source: { line: 50 } });
  });
});

describe('exits', () => {
  const exits = (input: IncidentInput) =>
    lines(input).map(({ rank, attempt, exit }) => [
      rank,
      attempt,
      exit && [exit.code, exit.signal, exit.by, exit.terminatedByAgent, exit.source],
    ]);

  it('by signal and by the agent', () => {
    const found = exits(
      oneFile(
        announced(0, 2, 0, 5),
        announced(1, 2, 1, 6),
        closing(6),
        failed(0, 5, -9),
        summary(failure(1, 1, 'job-0', -15, 6), failure(0, 0, 'job-0', -9, 5)),
      ),
    );
    expect(found).toMatchObject([
      [0, 0, [undefined, 9, 'agent', false, { line: 4 }]],
      [1, 0, [undefined, 15, 'agent', true, { line: 5 }]],
    ]);
  });

  it('a code of its own after the closing signal is its own failure', () => {
    expect(
      exits(
        oneFile(
          announced(0, 2, 0, 5),
          announced(1, 2, 1, 6),
          closing(6),
          failed(0, 5, 1),
          summary(failure(1, 1, 'job-0', 1, 6)),
        ),
      )[1],
    ).toMatchObject([1, 0, [1, undefined, 'agent', false, {}]]);
  });

  it('the same signal from elsewhere is not the agent’s', () => {
    expect(exits(oneFile(announced(1, 2, 1, 6), summary(failure(1, 1, 'job-0', -15, 6))))[1]).toMatchObject([
      1,
      0,
      [undefined, 15, 'agent', false, {}],
    ]);
  });

  it('an abort after the closing signal is its own', () => {
    expect(exits(oneFile(announced(1, 2, 1, 6), closing(6), summary(failure(1, 1, 'job-0', -6, 6))))[1]).toMatchObject([
      1,
      0,
      [undefined, 6, 'agent', false, {}],
    ]);
  });

  it('told to stop, and nothing else known', () => {
    expect(exits(oneFile(announced(1, 2, 1, 6), closing(6, 'SIGHUP')))[1]).toMatchObject([
      1,
      0,
      [undefined, 1, 'agent', true, { line: 2 }],
    ]);
  });

  it('killed because it did not stop', () => {
    const stuck: Line = { body: { kind: 'shutdown-stuck', pid: 6, uninterruptible: false } };
    expect(
      exits(oneFile(announced(1, 2, 1, 6), closing(6), stuck, summary(failure(1, 1, 'job-0', -9, 6))))[1],
    ).toMatchObject([1, 0, [undefined, 9, 'agent', true, {}]]);
  });

  it('neither among all that failed nor told to stop: over before, with success', () => {
    const lost = [announced(0, 2, 0, 5), announced(1, 2, 1, 6), failed(0, 5, 1), summary(failure(0, 0, 'job-0', 1, 5))];
    expect(exits(oneFile(...lost))[1]).toMatchObject([1, 0, [0, undefined, 'agent', false, { line: 4 }]]);
    expect(exits(oneFile(...lost.slice(0, 3)))[1]).toEqual([1, 0, undefined]);
    const told = exits(oneFile(...lost.slice(0, 2), closing(6), ...lost.slice(2)))[1];
    expect(told).toMatchObject([1, 0, [undefined, 15, 'agent', true, {}]]);
  });

  it('without a process id by local rank', () => {
    expect(exits(oneFile(failed(1, 77, -11)))).toMatchObject([
      [0, 0, undefined],
      [1, 0, [undefined, 11, 'agent', false, { line: 1 }]],
    ]);
  });

  it('by local rank, if a wrapper has the process id that the agent knows', () => {
    const found = exits(oneFile(announced(0, 2, 0, 5), announced(1, 2, 1, 6), failed(1, 700, 3)));
    expect(found).toMatchObject([
      [0, 0, undefined],
      [1, 0, [3, undefined, 'agent', false, {}]],
    ]);
  });

  it('by process id against the local rank', () => {
    const found = exits(oneFile(announced(0, 2, 0, 5), announced(1, 2, 1, 6), failed(1, 5, 3)));
    expect(found).toMatchObject([
      [0, 0, [3, undefined, 'agent', false, {}]],
      [1, 0, undefined],
    ]);
  });

  it('of another process with the same local rank in the attempt before', () => {
    const found = exits(oneFile(announced(1, 2, 1, 6), failed(1, 6, 1), announced(1, 2, 1, 9), announced(0, 2, 0, 8)));
    expect(found.filter(([, , exit]) => exit !== undefined)).toMatchObject([
      [1, 0, [1, undefined, 'agent', false, {}]],
    ]);
  });

  it('of the container, where the agent said nothing', () => {
    const pods = [0, 1].map((i) =>
      pod(`job-${i}`, {
        labels: jobSetLabels(i),
        command: torchrun(2, 1),
        phase: 'Failed',
        ended: { exitCode: 137, reason: 'OOMKilled', finishedAt: second(50).ns },
      }),
    );
    const found = lines(incident([file('job-0.log', [announced(0, 2, 0, 5), failed(0, 5, 1)])], { pods }));
    expect(found.map(({ exit }) => exit)).toMatchObject([
      { by: 'agent', code: 1 },
      {
        by: 'pod',
        code: 137,
        signal: 9,
        reason: 'OOMKilled',
        terminatedByAgent: false,
        // The runtime on its node stamps it.
        clock: 'node-of-job-1',
        at: { ns: second(50).ns, resolutionNs: 1_000_000_000 },
      },
    ]);
  });

  it('of the container before, in its own attempt', () => {
    const pods = [
      pod('job-0', {
        labels: jobSetLabels(0),
        command: torchrun(1, 1),
        restarts: 1,
        endedBefore: { exitCode: 137, reason: 'OOMKilled' },
      }),
    ];
    const input = incident(
      [
        file('job-0.previous.log', [announced(0, 1, 0, 5)], { previous: true }),
        file('job-0.log', [announced(0, 1, 0, 5)]),
      ],
      { pods },
    );
    expect(lines(input).map(({ attempt, exit }) => [attempt, exit?.code])).toEqual([
      [0, 137],
      [1, undefined],
    ]);
  });

  it('of ranks whose Pod is not known, by the summary', () => {
    const input = incident([
      file('launcher.log', [summary(failure(1, 1, 'some-host', -7, 6))]),
      file('rank1.log', [progress()], { fileRank: 1 }),
    ]);
    expect(exits(input)).toMatchObject([[1, 0, [undefined, 7, 'agent', false, {}]]]);
  });

  it.each([
    ['To enable traceback see: a page', 1, undefined],
    ['Signal 9 (SIGKILL) received by PID 6', -9, 'SIGKILL'],
    ['ValueError: no', 1, 'ValueError: no'],
  ])('gives as reason only what tells more than the code: %s', (message, exitCode, reason) => {
    const told = { ...failure(1, 1, 'job-0', exitCode, 6), message };
    expect(lines(oneFile(announced(1, 2, 1, 6), summary(told)))[1]?.exit?.reason).toBe(reason);
  });
});
