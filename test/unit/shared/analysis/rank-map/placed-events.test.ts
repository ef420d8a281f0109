import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import {
  announced,
  exception,
  failed,
  file,
  incident,
  jobSetLabels,
  pod,
  progress,
  ready,
  torchrun,
} from './build-incident.ts';

const ranksOf = (input: IncidentInput): string[] =>
  computeRankMap(input).events.map(({ rank, event, attempt }) => `${event.body.kind} ${rank ?? '-'}@${attempt}`);

describe('whose line it is', () => {
  const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));
  const one = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 1) }));

  it.each([
    [
      'an unmarked line of a Pod with two processes is nobody’s',
      pods,
      [announced(0, 4, 0, 5), progress(0), exception('KeyError')],
      'exception -@0',
    ],
    [
      'of a Pod with one process it is that one’s',
      one,
      [announced(0, 2, 0, 5), exception('KeyError')],
      'exception 0@0',
    ],
    ['also if that one never says its rank', one, [exception('KeyError')], 'exception 0@0'],
    [
      'a process id that was announced',
      pods,
      [announced(0, 4, 0, 5), announced(1, 4, 1, 6), { ...exception('KeyError'), pid: 6 }],
      'exception 1@0',
    ],
    [
      'a local rank counts from the first rank of the Pod',
      pods,
      [announced(1, 4, 1, 6), { ...exception('KeyError'), localRank: 0 }],
      'exception 0@0',
    ],
    ['the agent’s own lines are nobody’s', one, [announced(0, 2, 0, 5), failed(0, 5, 1)], 'worker-failed -@0'],
    [
      'nor is its traceback',
      one,
      [
        announced(0, 2, 0, 5),
        {
          body: {
            kind: 'exception',
            type: 'ChildFailedError',
            message: '',
            class: 'wrapper',
            frames: [],
            handled: false,
          },
        },
      ],
      'exception -@0',
    ],
    [
      'nor one that ran through the agent',
      one,
      [
        announced(0, 2, 0, 5),
        {
          body: {
            kind: 'exception',
            type: 'DistNetworkError',
            message: '',
            class: 'distributed',
            frames: [{ file: '/x/torch/distributed/elastic/agent/server/api.py', line: 1, name: 'run' }],
            handled: false,
          },
        },
      ],
      'exception -@0',
    ],
    [
      '[Rank r] of a work object, if no line has a better mark',
      pods,
      [{ ...exception('X'), rank: 3, rankBasis: 'work-prefix' }],
      'exception 3@0',
    ],
    [
      "[Rank r] of a work object behind a launcher's local mark",
      [],
      [{ ...exception('X'), rank: 3, rankBasis: 'work-prefix', localRank: 3 }],
      'exception 3@0',
    ],
    [
      '[Rank r] below the local rank is of a group inside the job',
      [],
      [{ ...exception('X'), rank: 1, rankBasis: 'work-prefix', localRank: 3 }],
      'exception -@0',
    ],
    [
      '[Rank r] of a work object is no rank beside [rankN]',
      pods,
      [progress(1), { ...exception('X'), rank: 3, rankBasis: 'work-prefix' }],
      'exception -@0',
    ],
  ] as const)('%s', (_name, jobPods, lines, expected) => {
    expect(ranksOf(incident([file('job-0.log', lines)], { pods: jobPods })).at(-1)).toBe(expected);
  });

  it('a member of a group that a marked line has named', () => {
    const status = (text: string, parts = {}) => ({ ...exception('X'), text, ...parts });
    const input = incident([
      file('all.txt', [
        status('[PG ID 4 PG GUID 10 Rank 1] Process group watchdog', { rank: 13, rankBasis: 'rank-prefix' as const }),
        status('what(): [PG ID 2 PG GUID 10(dp) Rank 1] Process group watchdog'),
        status('what(): [PG ID 4 PG GUID 11 Rank 1] Process group watchdog'),
      ]),
    ]);
    expect(ranksOf(input)).toEqual(['exception 13@0', 'exception 13@0', 'exception -@0']);
  });

  it('a member of a gloo group of all ranks', () => {
    const connect = (text: string) => ({
      body: { kind: 'gloo-connect-failed' as const, peer: undefined, error: '' },
      text,
    });
    const input = incident([
      file('x.txt', [
        announced(0, 4, 0, 5),
        announced(1, 4, 1, 6),
        connect('ERROR failed, rank=3, size=4, local='),
        connect('rank=1, size=2,'),
      ]),
    ]);
    expect(ranksOf(input).slice(2)).toEqual(['gloo-connect-failed 3@0', 'gloo-connect-failed -@0']);
  });

  it('workers of one folder of torchrun, whose Pod is not known', () => {
    const own = (local: number, lines: Parameters<typeof file>[1]) =>
      file(`attempt_0/${local}/stderr.log`, lines, { attempt: 0, localRank: local });
    expect(ranksOf(incident([own(0, [exception('E')]), own(1, [exception('E', 5)])]))).toEqual([
      'exception 4@0',
      'exception 5@0',
    ]);
    expect(ranksOf(incident([own(0, [exception('E')]), own(1, [exception('E')])]))).toEqual([
      'exception -@0',
      'exception -@0',
    ]);
  });

  it('unmarked lines of a nameless file are of the Pod that all its ranks are in', () => {
    const input = incident(
      [
        file('x.txt', [announced(2, 4, 0, 5), ready()]),
        file('y.txt', [announced(1, 4, 1, 5), announced(2, 4, 0, 5), ready()]),
      ],
      { pods },
    );
    expect(computeRankMap(input).events.map(({ event, pod: name }) => [event.body.kind, name])).toEqual([
      ['rank-announced', 'job-1'],
      ['group-ready', 'job-1'],
      ['rank-announced', 'job-0'],
      ['rank-announced', 'job-1'],
      ['group-ready', undefined],
    ]);
  });

  it.each([
    ['logs/job-1.log', 'job-1'],
    ['logs/job-1-previous.log', 'job-1'],
    ['logs/job-1-main.log', 'job-1'],
    ['logs/ml_job-1_main.txt', 'job-1'],
    ['job-1/x/y', 'job-1'],
    ['a.job-1.log', 'job-1'],
    ['logs/job-10.log', undefined],
    ['logs/job-1-abcde.log', undefined],
    ['logs/my-job-1.log', undefined],
    [`${'job-1-.'.repeat(2000)}x`, undefined],
  ])('the Pod of %s', (path, expected) => {
    expect(computeRankMap(incident([file(path, [ready()])], { pods })).events[0]?.pod).toBe(expected);
  });

  it('a file name that only looks like a Pod is none', () => {
    const { events, rankMap } = computeRankMap(incident([file('launcher.log', [ready()], { pod: 'launcher' })]));
    expect([events[0]?.pod, events[0]?.clock, rankMap.pods]).toEqual([undefined, 'launcher.log', []]);
    const named = computeRankMap(incident([file('job-worker-1.log', [ready()], { pod: 'job-worker-1' })]));
    expect(named.events[0]?.pod).toBe('job-worker-1');
  });

  it('a Pod of another job has no ranks of this one', () => {
    const other = pod('other-0', { labels: { 'training.kubeflow.org/job-name': 'other' } });
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 5), progress(0), progress(0)]),
        file('other-0.log', [announced(0, 1, 0, 5)]),
      ],
      { pods: [...pods, other] },
    );
    const { events, rankMap } = computeRankMap(input);
    expect(events.at(-1)).toMatchObject({ rank: undefined, rankWhy: 'of another job (other-0)', pod: 'other-0' });
    expect(rankMap.pods.map((item) => item.pod)).toEqual(['job-0', 'job-1']);
  });

  it('a file that is named by its rank', () => {
    const input = incident([file('rank-3.log', [exception('KeyError')], { fileRank: 3 })]);
    expect(computeRankMap(input).events[0]).toMatchObject({
      rank: 3,
      rankWhy: 'name of the file',
      clock: 'rank-3.log',
    });
  });

  it('the clock is the node’s, else the Pod’s, else the file’s', () => {
    const input = incident([file('job-0.log', [ready()]), file('job-1.log', [ready()]), file('x.txt', [ready()])], {
      pods: [pods[0] ?? pod('x'), pod('job-1', { node: undefined as unknown as string, labels: jobSetLabels(1) })],
    });
    expect(computeRankMap(input).events.map(({ clock }) => clock)).toEqual(['node-of-job-0', 'job-1', 'x.txt']);
  });
});
