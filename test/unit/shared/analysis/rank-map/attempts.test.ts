import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import {
  announced,
  closing,
  exception,
  failed,
  failure,
  file,
  incident,
  jobSetLabels,
  pod,
  progress,
  summary,
  torchrun,
} from './build-incident.ts';

/** "rank@attempt → pod/local/node" */
function drawn(input: IncidentInput): string[] {
  return computeRankMap(input).rankMap.places.map(
    ({ rank, attempt, pod: name, localRank, node }) =>
      `${rank}@${attempt} ${name ?? '-'} ${localRank ?? '-'} ${node ?? '-'}`,
  );
}
const ranksOf = (input: IncidentInput): string[] =>
  computeRankMap(input).events.map(({ rank, event, attempt }) => `${event.body.kind} ${rank ?? '-'}@${attempt}`);

describe('attempts', () => {
  const pods = (parts: Parameters<typeof pod>[1] = {}) =>
    [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 1), ...parts }));

  it('inside one stream: the same rank with another process begins the next', () => {
    const lines = [
      announced(0, 2, 0, 5),
      progress(0),
      closing(5),
      failed(0, 5, 1),
      undefined,
      exception('E', 0),
      announced(0, 2, 0, 9),
      progress(0),
      failed(0, 9, 1),
      summary(failure(0, 0, 'job-0', 1, 9)),
    ];
    const input = incident([file('job-0.log', lines)], { pods: pods() });
    expect(ranksOf(input)).toEqual([
      'rank-announced 0@0',
      'progress 0@0',
      'closing-signal -@0',
      'worker-failed -@0',
      'exception 0@1',
      'rank-announced 0@1',
      'progress 0@1',
      'worker-failed -@1',
      'failure-summary -@1',
    ]);
    expect(computeRankMap(input).rankMap.attempts).toBe(2);
  });

  it('inside one stream whose first attempt was cut off', () => {
    const input = incident([file('job-0.log', [failed(0, 5, 1), announced(0, 2, 0, 9)])], { pods: pods() });
    expect(ranksOf(input)).toEqual(['worker-failed -@0', 'rank-announced 0@1']);
  });

  it('in a file that several agents write: only a rank that announces itself again begins one', () => {
    const lines = [
      announced(0, 4, 0, 5),
      failed(0, 5, 1),
      announced(2, 4, 0, 5),
      failed(0, 6, 1),
      closing(9),
      failed(1, 7, 1),
      announced(0, 4, 0, 8),
    ];
    expect(ranksOf(incident([file('all.txt', lines)]))).toEqual([
      'rank-announced 0@0',
      'worker-failed -@0',
      'rank-announced 2@0',
      'worker-failed -@0',
      'closing-signal -@0',
      'worker-failed -@0',
      'rank-announced 0@1',
    ]);
  });

  it('inside an agent’s log without announcements: one failure line each', () => {
    const input = incident([file('job-0.log', [closing(5), failed(0, 6, 1), closing(7), failed(0, 8, 1)])], {
      pods: pods(),
    });
    expect(ranksOf(input)).toEqual([
      'closing-signal -@0',
      'worker-failed -@0',
      'closing-signal -@1',
      'worker-failed -@1',
    ]);
  });

  it('the agent’s own count wins over the part of the stream that is left', () => {
    const rendezvous = {
      body: { kind: 'rendezvous-result', restartCount: 2, groupRank: 0, globalRanks: [0] },
    } as const;
    expect(ranksOf(incident([file('job-0.log', [rendezvous, announced(0, 2, 0, 9)])], { pods: pods() }))).toEqual([
      'rendezvous-result -@2',
      'rank-announced 0@2',
    ]);
  });

  it('a container that was started again: the previous log is the attempt before', () => {
    const input = incident(
      [
        file('job-0.previous.log', [announced(0, 2, 0, 5)], { previous: true }),
        file('job-0.log', [announced(0, 2, 0, 5)]),
        file('job-1.log', [announced(1, 2, 0, 5)]),
      ],
      { pods: pods({ restarts: 1 }) },
    );
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 0@0', 'rank-announced 1@1']);
    expect(computeRankMap(input).rankMap.pods[0]?.containerAttempts).toEqual({ current: 1, previous: undefined });
  });

  it('a previous log without any Pod object', () => {
    const input = incident([
      file('w-0.previous.log', [announced(0, 1, 0, 5)], { previous: true, pod: 'w-0' }),
      file('w-0.log', [announced(0, 1, 0, 5)], { pod: 'w-0' }),
    ]);
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 0@0']);
  });

  it('node logs carry the number', () => {
    const stream = (restart: number) => ({
      restart,
      pod: 'job-0',
      podUid: 'uid-job-0',
      namespace: 'ml',
      container: 'main',
    });
    const input = incident(
      [file('p/0.log', [announced(0, 2, 0, 5)], stream(0)), file('p/1.log', [announced(0, 2, 0, 5)], stream(1))],
      { pods: pods({ restarts: 1 }) },
    );
    expect(ranksOf(input)).toEqual(['rank-announced 0@0', 'rank-announced 0@1']);
  });

  it('a Pod that was created again runs with the others’ restarted containers', () => {
    const old = pod('job-1', { labels: jobSetLabels(1), uid: 'old', created: 1n as never, node: 'n-old' });
    const young = pod('job-1', { labels: jobSetLabels(1), uid: 'young', created: 2n as never, node: 'n-new' });
    const first = pod('job-0', { labels: jobSetLabels(0), restarts: 1 });
    const stream = (uid: string) => ({ restart: 0, pod: 'job-1', podUid: uid, namespace: 'ml', container: 'main' });
    const input = incident(
      [
        file('a/old/0.log', [announced(1, 2, 0, 5)], stream('old')),
        file('a/young/0.log', [announced(1, 2, 0, 6)], stream('young')),
        file('job-0.log', [announced(0, 2, 0, 5)]),
      ],
      { pods: [old, young, first] },
    );
    expect(drawn(input).slice(1)).toEqual(['0@1 job-0 0 node-of-job-0', '1@0 job-1 0 n-old', '1@1 job-1 0 n-new']);
  });

  it('a Pod that ended for good stays in its own attempt when the others go on', () => {
    const gone = pod('job-1', { labels: jobSetLabels(1), phase: 'Failed', ended: { exitCode: 1 } });
    const input = incident([file('job-1.log', [announced(1, 2, 0, 5)]), file('job-0.log', [announced(0, 1, 0, 5)])], {
      pods: [pod('job-0', { labels: jobSetLabels(0), restarts: 1 }), gone],
    });
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 1@0']);
  });

  it('of a job that is over, the last containers of all Pods ran together', () => {
    const over = [0, 1].map((i) =>
      pod(`job-${i}`, { labels: jobSetLabels(i), phase: 'Failed', restarts: i, ended: { exitCode: 1 } }),
    );
    const input = incident([file('job-0.log', [announced(0, 2, 0, 5)]), file('job-1.log', [announced(1, 2, 0, 5)])], {
      pods: over,
    });
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 1@1']);
  });

  it('torchrun folders carry it', () => {
    const path = (attempt: number) =>
      file(`t/job-0/run_1/attempt_${attempt}/0/stderr.log`, [announced(0, 2, 0, 5)], { attempt, localRank: 0 });
    expect(ranksOf(incident([path(0), path(1)], { pods: pods() }))).toEqual([
      'rank-announced 0@0',
      'rank-announced 0@1',
    ]);
  });
});
