import { describe, expect, it } from 'vitest';
import { markCaught } from '#shared/analysis/caught/index.ts';
import { computeLifeLines } from '#shared/analysis/life-lines/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
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
  ready,
  summary,
  torchrun,
} from '../rank-map/build-incident.ts';

/** For every exception of the bundle, in file order: was it caught? */
function caught(input: IncidentInput): boolean[] {
  const { rankMap, events } = computeRankMap(input);
  const lifeLines = computeLifeLines(input, rankMap, events);
  const marked = markCaught({ rankMap, events, lifeLines, errorFiles: new Set() });
  return marked.events.flatMap(({ event }) => (event.body.kind === 'exception' ? [event.body.handled] : []));
}

const two = [pod('job-0', { labels: jobSetLabels(0), command: torchrun(1, 2) })];
const job = (...lines: Line[]): IncidentInput =>
  incident([file('job-0.log', [announced(0, 2, 0, 5), announced(1, 2, 1, 6), ...lines])], { pods: two });
const begun = [ready(), ready()];
const bare = (): Line => exception('ValueError');
const prefixed = (rank: number): Line => exception('ValueError', rank);
const software: Line = {
  body: { kind: 'software', torch: '2.13.0', nccl: undefined, cuda: undefined, driver: undefined },
};

describe('an exception was caught', () => {
  it('if torch prints prefixes, the group was ready, and the launcher saw no worker end by itself', () => {
    expect(caught(job(software, ...begun, bare()))).toEqual([true]);
  });

  it('if its rank ends later of another that nobody caught', () => {
    const own = { ...bare(), rank: 1, rankBasis: 'app-prefix' } as const;
    expect(caught(job(...begun, own, prefixed(1), failed(1, 6, 1)))).toEqual([true, false]);
  });

  it('if the run ended well after it', () => {
    expect(caught(job(...begun, bare(), finished(), finished()))).toEqual([true]);
  });
});

describe('an exception was not caught', () => {
  it('with the prefix of torch', () => {
    expect(caught(job(software, ...begun, prefixed(1)))).toEqual([false]);
  });

  it('where the launcher reports a worker that ended by itself and printed nothing else', () => {
    const launcher = [
      closing(6),
      failed(0, 5, 1),
      summary(failure(0, 0, 'job-0', 1, 5), failure(1, 1, 'job-0', -15, 6)),
    ];
    expect(caught(job(software, ...begun, bare(), ...launcher))).toEqual([false]);
  });

  it('before the process group: the hook has no rank to print yet', () => {
    expect(caught(job(software, bare()))).toEqual([false]);
  });

  it('where nothing shows the hook at work', () => {
    expect(caught(job(...begun, bare()))).toEqual([false]);
  });
});
