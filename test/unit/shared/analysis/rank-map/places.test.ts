import { describe, expect, it } from 'vitest';
import { busIdText } from '#shared/analysis/rank-map/evidence.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import {
  announced,
  dump,
  exception,
  failed,
  failure,
  file,
  incident,
  jobSetLabels,
  ncclInit,
  pod,
  progress,
  ready,
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

describe('where ranks are placed', () => {
  const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));

  it('by what they announce, also in a file without a name', () => {
    const input = incident(
      [
        file('a/x.log', [announced(2, 4, 0, 20), announced(3, 4, 1, 21), summary(failure(3, 1, 'job-1', 1, 21))]),
        file('logs/job-0.log', [announced(0, 4, 0, 10)]),
      ],
      { pods },
    );
    expect(drawn(input)).toEqual([
      '0@0 job-0 0 node-of-job-0',
      '1@0 job-0 1 node-of-job-0',
      '2@0 job-1 0 node-of-job-1',
      '3@0 job-1 1 node-of-job-1',
    ]);
    const { rankMap } = computeRankMap(input);
    expect(rankMap).toMatchObject({
      worldSize: 4,
      worldSizeBasis: 'rank r of 4 in 3 lines',
      specWorldSize: 4,
      nprocPerNode: 2,
      nnodes: 2,
      attempts: 1,
    });
    expect(
      rankMap.pods.map(({ pod: name, ranks, expectedRanks, nodeRank, nodeRankBasis }) => [
        name,
        ranks,
        expectedRanks,
        nodeRank,
        nodeRankBasis,
      ]),
    ).toEqual([
      ['job-0', [0], [0, 1], 0, 'pod-label'],
      ['job-1', [2, 3], [2, 3], 1, 'pod-label'],
    ]);
  });

  it('by logs against labels, and the conflict is told', () => {
    const input = incident([file('job-0.log', [announced(2, 4, 0, 20)]), file('job-1.log', [announced(0, 4, 0, 20)])], {
      pods,
    });
    expect(drawn(input)).toEqual([
      '0@0 job-1 0 node-of-job-1',
      '1@0 job-1 1 node-of-job-1',
      '2@0 job-0 0 node-of-job-0',
      '3@0 job-0 1 node-of-job-0',
    ]);
    expect(computeRankMap(input).rankMap.places[0]?.conflicts).toEqual([
      'the logs put rank 0 in job-1 (announced); by its labels that Pod should hold ranks 2–3; the logs were taken',
    ]);
  });

  it('not by labels of silent Pods, once one Pod shows that ranks were given in another order', () => {
    const three = [0, 1, 2].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(3, 1) }));
    expect(drawn(incident([file('job-0.log', [announced(1, 3, 0, 20)])], { pods: three }))).toEqual([
      '0@0 - - -',
      '1@0 job-0 0 node-of-job-0',
      '2@0 - - -',
    ]);
  });

  it('by Pods that only Events name', () => {
    const scheduled = (name: string, node: string) => ({
      source: { kind: 'entry' as const, entry: 9 as never },
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ml/${name} to ${node}`,
      object: { kind: 'Pod', name, namespace: 'ml' },
      component: undefined,
      host: undefined,
      first: undefined,
      last: undefined,
      created: undefined,
      count: 1,
      age: undefined,
    });
    const input = incident([file('logs/w-0.txt', [announced(0, 2, 0, 20)])], {
      kubeEvents: [scheduled('w-0', 'n0'), scheduled('w-1', 'n1')],
    });
    expect(drawn(input)).toEqual(['0@0 w-0 0 n0', '1@0 w-1 0 n1']);
    expect(computeRankMap(input).rankMap.pods.map(({ object }) => object)).toEqual([undefined, undefined]);
  });

  it('by labels where the logs are silent', () => {
    expect(drawn(incident([file('job-0.log', [ready()])], { pods }))).toEqual([
      '0@0 job-0 0 node-of-job-0',
      '1@0 job-0 1 node-of-job-0',
      '2@0 job-1 0 node-of-job-1',
      '3@0 job-1 1 node-of-job-1',
    ]);
  });

  it('with fewer ranks than the Pods ask for', () => {
    const three = [0, 1, 2].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(3, 2) }));
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 1), announced(1, 4, 1, 2)]),
        file('job-1.log', [announced(2, 4, 0, 1), announced(3, 4, 1, 2)]),
        file('job-2.log', [exception('DistNetworkError')]),
      ],
      { pods: three },
    );
    const { rankMap } = computeRankMap(input);
    expect([rankMap.worldSize, rankMap.specWorldSize, rankMap.places.length]).toEqual([4, 6, 4]);
    expect(rankMap.pods[2]).toMatchObject({ ranks: [], expectedRanks: [4, 5] });
  });

  it('in nobody’s Pod where two Pods claim one node rank', () => {
    const twins = ['job-a-0', 'job-b-0'].map((name) => pod(name, { labels: jobSetLabels(0), command: torchrun(2, 1) }));
    expect(drawn(incident([], { pods: twins }))).toEqual(['0@0 - - -', '1@0 - - -']);
    expect(computeRankMap(incident([], { pods: twins })).rankMap.pods.map(({ nodeRank }) => nodeRank)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('by the same rank in two Pods: the better sign, and the conflict is told', () => {
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 1)]),
        file('job-1.log', [announced(2, 4, 0, 1), summary(failure(0, 0, 'job-1', 1, 7))]),
      ],
      { pods },
    );
    const [first] = computeRankMap(input).rankMap.places;
    expect(first).toMatchObject({
      rank: 0,
      pod: 'job-0',
      conflicts: ['rank 0 shows in the logs of job-0 and of job-1; job-0 was taken (announced)'],
    });
  });

  it('by torchrun folders and the first rank of the Pod', () => {
    const path = (name: string, local: number) => `torchrun/${name}/job_x1/attempt_0/${local}/stderr.log`;
    const input = incident(
      [
        file('logs/job-1.log', [summary(failure(3, 1, 'job-1', -9, 21))]),
        file(path('job-1', 0), [exception('KeyError')], { attempt: 0, localRank: 0, pod: 'job_x1' }),
      ],
      { pods: pods.map((item) => ({ ...item, labels: {}, command: [] })) },
    );
    expect(ranksOf(input)).toEqual(['failure-summary -@0', 'exception 2@0']);
    const { rankMap } = computeRankMap(input);
    expect(rankMap.places.find(({ rank }) => rank === 2)).toMatchObject({
      pod: 'job-1',
      localRank: 0,
      basis: ['torchrun-path'],
    });
  });

  it('by NCCL: the communicator of the whole job gives rank, device and process', () => {
    const input = incident(
      [
        file('job-1.log', [
          ncclInit(2, 4, 0, '18000', 'job-1', 57),
          ncclInit(3, 4, 1, '10000009d000', 'job-1', 58),
          ncclInit(0, 2, 1, '9d000', 'job-1', 58),
          {
            body: {
              kind: 'nccl-warning',
              class: 'cuda',
              text: 'x',
              peer: undefined,
              status: undefined,
              device: undefined,
              host: 'job-1',
              pid: 58,
              ranks: [],
            },
            host: 'job-1',
            pid: 58,
          },
        ]),
      ],
      { pods },
    );
    expect(ranksOf(input)).toEqual(['nccl-init 2@0', 'nccl-init 3@0', 'nccl-init 3@0', 'nccl-warning 3@0']);
    const { rankMap } = computeRankMap(input);
    expect(rankMap.places.map(({ rank, gpu }) => [rank, gpu])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, '0 (0000:18:00.0)'],
      [3, '1 (0000:9d:00.0)'],
    ]);
    expect([rankMap.worldSize, rankMap.worldSizeBasis]).toEqual([4, 'the largest NCCL communicator has 4 ranks']);
  });

  it('by work objects, where no line has a better mark', () => {
    const timeout = { ...exception('E'), rank: 2, rankBasis: 'work-prefix' as const };
    expect(computeRankMap(incident([file('all.txt', [timeout])])).rankMap.places).toMatchObject([
      { rank: 2, pod: undefined, basis: ['work-prefix'] },
    ]);
    expect(
      computeRankMap(incident([file('all.txt', [timeout, progress(13)])])).rankMap.places.map(({ rank }) => rank),
    ).toEqual([13]);
  });

  it('by the groups of a dump where its name contradicts them, and by neither where several ranks fit', () => {
    const group = (name: string, ...ranks: number[]) => ({ key: name, name, desc: '', ranks });
    const all = group('0', 0, 1, 2, 3);
    const byDump = (input: IncidentInput): number[] =>
      computeRankMap(input).rankMap.places.flatMap(({ rank, basis }) => (basis.includes('dump-file') ? [rank] : []));
    const swapped = incident([], { dumps: [dump(5, 0, [all, group('1', 1, 3), group('2', 2, 3)]), dump(6, 1, [all])] });
    expect(byDump(swapped)).toEqual([1, 3]);
    const open = incident([], { dumps: [dump(5, 0, [all, group('1', 2, 3)]), dump(6, 1, [all])] });
    expect(byDump(open)).toEqual([1]);
    const unnamed = incident([], { dumps: [dump(5, undefined, [all, group('1', 1, 3), group('2', 2, 3)])] });
    expect(byDump(unnamed)).toEqual([3]);
  });

  it('by dumps alone, without inventing a Pod', () => {
    const members = { key: '0', name: '0', desc: 'default_pg', ranks: [0, 1, 2] };
    const input = incident([], { dumps: [dump(5, 0, [members]), dump(6, 2, [members])] });
    expect(drawn(input)).toEqual(['0@0 - - -', '1@0 - - -', '2@0 - - -']);
    expect(computeRankMap(input).rankMap).toMatchObject({
      worldSize: 3,
      worldSizeBasis: 'the default group in the dumps has 3 members',
      places: [{ basis: ['dump-file'] }, { basis: [] }, { basis: ['dump-file'] }],
    });
  });

  it('nowhere in an empty bundle', () => {
    expect(computeRankMap(incident([]))).toEqual({
      events: [],
      rankMap: {
        worldSize: undefined,
        worldSizeBasis: undefined,
        specWorldSize: undefined,
        nprocPerNode: undefined,
        nnodes: undefined,
        attempts: 1,
        places: [],
        pods: [],
      },
    });
  });

  it('without following a definition that asks for absurdly many', () => {
    const input = incident([], {
      pods: [pod('job-0', { labels: jobSetLabels(0), command: torchrun(999_999, 99_999) })],
    });
    expect(computeRankMap(input).rankMap.places.length).toBeLessThanOrEqual(16_384);
  });
});

describe('bus ids', () => {
  it.each([
    ['9d000', '0000:9d:00.0'],
    ['1b0', '0000:00:1b.0'],
    ['100000004d000', '0000:4d:00.0'],
    ['2004d001', '0200:4d:00.1'],
    ['00000000:9D:00.0', '0000:9d:00.0'],
    ['0000:9d:00', '0000:9d:00.0'],
    ['GPU-1', undefined],
  ])('%s', (text, expected) => {
    expect(busIdText(text)).toBe(expected);
  });
});

describe('order of files', () => {
  it('does not matter', () => {
    const files = [
      file('job-0.log', [announced(0, 4, 0, 5), announced(1, 4, 1, 6), exception('E', 1)]),
      file('job-1.log', [announced(3, 4, 1, 6), failed(1, 6, -9)]),
      file('x.log', [announced(3, 4, 0, 7)]),
    ];
    const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));
    const forwards = incident(files, { pods });
    const paths = new Map(forwards.entries.map((entry) => [entry.id, entry.path]));
    const view = (input: IncidentInput, names: ReadonlyMap<number, string>) => {
      const { rankMap, events } = computeRankMap(input);
      return {
        ...rankMap,
        places: rankMap.places.map((place) => ({
          ...place,
          entries: place.entries.map((entry) => names.get(entry)).sort(),
        })),
        events: events.map(({ rank, attempt, pod: name, event }) => [
          rank,
          attempt,
          name,
          names.get(event.source.entry),
          event.body.kind,
        ]),
      };
    };
    const backwards = incident([...files].reverse(), { pods: [...pods].reverse() });
    const shuffled = {
      ...backwards,
      events: [...backwards.events].reverse(),
      streams: [...backwards.streams].reverse(),
    };
    expect(view(shuffled, new Map(backwards.entries.map((entry) => [entry.id, entry.path])))).toEqual(
      view(forwards, paths),
    );
  });
});
