import { describe, expect, it } from 'vitest';
import { type DraftInput, draft } from '#shared/analysis/rules/support/draft.ts';
import { chooseVerdict } from '#shared/analysis/verdict/index.ts';
import { surelyBefore } from '#shared/analysis/verdict/moments.ts';
import type { ClockDomain } from '#shared/model/facts.ts';
import type { Facts, Finding } from '#shared/model/finding.ts';
import { entryId } from '#shared/model/ids.ts';
import { epochNs } from '#shared/model/time.ts';
import { buildFacts, type ShortFacts } from '../../../rules/build-facts.ts';

const SEEN = {
  text: 'seen',
  source: { kind: 'entry', entry: entryId(0) },
  rank: undefined,
  rawNs: undefined,
  clock: undefined,
} as const;

function finding(rule: string, ranks: readonly number[], more: Partial<DraftInput> = {}): Finding {
  return {
    rule,
    ...draft({
      outcome: ranks.length === 1 ? 'named' : 'group',
      status: 'established',
      stage: 'exited-rank',
      cause: 'python-exception',
      strength: 'direct',
      summary: `${rule} ${ranks.join()}.`,
      because: [SEEN],
      attempt: 0,
      firstRanks: ranks,
      ...more,
    }),
  };
}

/** Four ranks on two nodes, all of them heard. */
const HEARD: ShortFacts = {
  world: 4,
  pods: [
    { pod: 'p0', node: 'n1', ranks: [0, 1] },
    { pod: 'p1', node: 'n2', ranks: [2, 3] },
  ],
  events: [0, 1, 2, 3].map((rank) => ({ kind: 'rank-announced', rank, at: 10 })),
};

function verdict(
  findings: readonly Finding[],
  short: ShortFacts = HEARD,
  change: (facts: Facts) => Facts = (facts) => facts,
): Finding {
  return chooseVerdict(change(buildFacts(short)), findings)[0];
}

const withoutSize = ({ world: _world, ...rest }: ShortFacts): ShortFacts => rest;

const at = (clock: string, ms: number) => ({ clock, rawNs: epochNs(BigInt(1_700_000_000_000 + ms) * 1_000_000n) });

describe('what is said first', () => {
  it('says that it cannot tell when there is nothing', () => {
    expect(verdict([], {})).toMatchObject({
      outcome: 'cannot-tell',
      status: 'not-determinable',
      stage: 'unknown',
      cause: 'none',
      firstRanks: [],
    });
  });

  it('keeps all findings, the verdict first, each once', () => {
    const all = [
      finding('rank-raised', [1]),
      finding('silent-rank', [1], { strength: 'absence', status: 'supported' }),
      finding('launcher-names-a-victim', [3], { status: 'ruled-out', strength: 'context' }),
    ];
    const ordered = chooseVerdict(buildFacts(HEARD), all);
    expect(ordered.map((one) => one.rule)).toEqual(['rank-raised', 'silent-rank', 'launcher-names-a-victim']);
  });

  it.each([
    [
      'an OOM kill explains the signal',
      [
        finding('rank-killed', [0], { cause: 'killed' }),
        finding('host-out-of-memory', [0], { stage: 'host', cause: 'host-out-of-memory' }),
      ],
      'host-out-of-memory',
    ],
    [
      'an eviction explains the signal to the launcher',
      [
        finding('external-signal', [2, 3], { pod: 'p1' }),
        finding('pod-removed', [2, 3], { pod: 'p1', cause: 'evicted' }),
      ],
      'pod-removed',
    ],
    [
      'an exception explains that its rank is missing in the dumps',
      [finding('rank-never-enqueued', [1], { strength: 'recorder' }), finding('rank-raised', [1])],
      'rank-raised',
    ],
    [
      'and that a victim of it is missing',
      [
        finding('rank-never-enqueued', [2], { strength: 'recorder' }),
        finding('rank-raised', [1], { symptomRanks: [2] }),
      ],
      'rank-raised',
    ],
    [
      'dumps narrow the size check of a ring',
      [
        finding('gloo-size-check', [0, 1, 2], { status: 'supported' }),
        finding('sequences-diverge', [0], { strength: 'recorder' }),
      ],
      'sequences-diverge',
    ],
    [
      'of two that name one absent rank the one that knows why',
      [
        finding('silent-rank', [3], { strength: 'absence', status: 'supported', cause: 'stalled-unknown' }),
        finding('operation-never-ended', [3], { strength: 'absence', status: 'supported', cause: 'slow-checkpoint' }),
      ],
      'operation-never-ended',
    ],
    [
      'a kernel line about one rank narrows the status of its Pod',
      [finding('host-out-of-memory', [0, 1], { status: 'supported' }), finding('host-out-of-memory', [0])],
      'host-out-of-memory',
    ],
  ])('%s', (_name, findings, rule) => {
    for (const order of [findings, [...findings].reverse()]) expect(verdict(order).rule).toBe(rule);
  });

  it('takes the narrower of two findings of one rule', () => {
    expect(
      verdict([finding('host-out-of-memory', [0, 1], { status: 'supported' }), finding('host-out-of-memory', [0])])
        .firstRanks,
    ).toEqual([0]);
  });

  it('prefers the first attempt, even against stronger evidence of a later one', () => {
    const echo = finding('rank-raised', [2], { attempt: 1 });
    const first = finding('silent-rank', [3], { attempt: 0, strength: 'absence', status: 'supported' });
    expect(verdict([echo, first])).toMatchObject({ firstRanks: [3], attempt: 0 });
  });

  it('does not name a rank on a mere hypothesis, but lists it', () => {
    const guess = finding('ras-counts', [3], { strength: 'witness', status: 'hypothesis' });
    expect(verdict([guess])).toMatchObject({ outcome: 'cannot-tell', firstRanks: [], candidates: [{ ranks: [3] }] });
  });

  it('may offer a group as a hypothesis', () => {
    const guess = finding('all-joined-no-progress', [0, 1, 2, 3], {
      strength: 'recorder',
      status: 'hypothesis',
      stage: 'fabric',
      cause: 'transport',
    });
    expect(verdict([guess])).toMatchObject({ outcome: 'group', status: 'hypothesis' });
  });

  it('lets a mere note explain nothing', () => {
    const note = finding('gpu-xid', [0, 1], {
      strength: 'context',
      status: 'hypothesis',
      stage: 'host',
      cause: 'gpu-hardware',
    });
    expect(verdict([note, finding('rank-raised', [1])])).toMatchObject({
      rule: 'rank-raised',
      firstRanks: [1],
      status: 'established',
    });
  });

  it('says that nothing failed where only context speaks against it', () => {
    const note = finding('gpu-xid', [1], { strength: 'context', status: 'hypothesis' });
    const healthy = finding('job-ended-well', [], { outcome: 'no-failure', stage: 'unknown', cause: 'none' });
    expect(verdict([note, healthy])).toMatchObject({ outcome: 'no-failure', symptomRanks: [] });
    expect(verdict([finding('rank-raised', [1]), healthy]).outcome).toBe('named');
  });
});

describe('a good end of every Pod', () => {
  const dumps = finding('rank-never-enqueued', [1], { strength: 'recorder', status: 'supported', stage: 'straggler' });
  const healthy = finding('job-ended-well', [], {
    outcome: 'no-failure',
    status: 'supported',
    stage: 'unknown',
    cause: 'none',
  });
  const ended = (...codes: (number | undefined)[]): ShortFacts => ({
    ...HEARD,
    pods: (HEARD.pods ?? []).map((pod, index) =>
      codes[index] === 0 ? { ...pod, object: { phase: 'Succeeded' } } : pod,
    ),
  });

  it('was past every moment that dumps show', () => {
    expect(verdict([dumps, healthy], ended(0, 0))).toMatchObject({ outcome: 'no-failure', status: 'supported' });
  });

  it('is not known where the end of one Pod is not told', () => {
    expect(verdict([dumps, healthy], ended(0))).toMatchObject({ outcome: 'named', firstRanks: [1] });
  });

  it('does not outweigh an act', () => {
    expect(verdict([finding('rank-raised', [1]), healthy], ended(0, 0))).toMatchObject({ outcome: 'named' });
  });
});

describe('the moment of a stall', () => {
  const stall = finding('silent-rank', [1], { strength: 'absence', status: 'supported', stage: 'straggler' });
  const told: ShortFacts = {
    ...HEARD,
    events: [
      ...(HEARD.events ?? []),
      { kind: 'progress', rank: 1, step: 1, at: 1000 },
      { kind: 'progress', rank: 1, step: 2, at: 4000 },
      { kind: 'gloo-timeout', rank: 0, ms: 10_000, at: 15_500 },
      { kind: 'gloo-timeout', rank: 2, ms: 10_000, at: 1 },
    ],
  };

  it('lies between its last sign of life and a step after the first wait for it, on one clock', () => {
    // Rank 0 began to wait at 5.5 s; steps are 3 s apart. Rank 2 is on a clock that nothing relates to that.
    expect(verdict([stall], told).at).toEqual({ ...at('n1', 4000), spanNs: 4_500_000_000 });
    expect(verdict([stall], told).between).toMatchObject({
      from: { ...at('n1', 4000), rank: 1, text: 'step 2' },
      until: { ...at('n1', 5500), rank: 0, text: 'the wait that ran out after 10000 ms' },
      latenessMs: 3000,
    });
  });

  it('is unknown where nobody tells when the wait began, and left alone where it is told', () => {
    const without = { ...told, events: (told.events ?? []).filter(({ kind }) => kind !== 'gloo-timeout') };
    expect(verdict([stall], without).at).toBeUndefined();
    expect(verdict([stall], without).between).toBeUndefined();
    expect(verdict([{ ...stall, at: at('n1', 7) }], told).between).toBeUndefined();
    expect(verdict([{ ...stall, at: at('n1', 7) }], told).at).toEqual(at('n1', 7));
  });
});

describe('what a stall lies between', () => {
  const stall = finding('silent-rank', [1], { strength: 'absence', status: 'supported', stage: 'straggler' });
  const timeout = { kind: 'gloo-timeout', rank: 0, ms: 10_000, at: 15_500 } as const;

  it('has one end where nothing that the rank did has a time', () => {
    const told = { ...HEARD, events: [timeout] };
    expect(verdict([stall], told)).toMatchObject({
      at: undefined,
      between: { from: undefined, until: at('n1', 5500) },
    });
  });

  it('is not told where the rank surely went on after all that', () => {
    const events = [...(HEARD.events ?? []), timeout, { kind: 'progress', rank: 1, step: 9, at: 60_000 } as const];
    expect(verdict([stall], { ...HEARD, events }).between).toBeUndefined();
  });
});

describe('several causes', () => {
  const early = finding('rank-raised', [1], { at: at('n1', 1000) });
  const late = finding('cuda-failed-in-watchdog', [0], { at: at('n1', 9000), cause: 'cuda-error' });

  it('takes the surely earlier one on one clock', () => {
    expect(verdict([late, early])).toMatchObject({ firstRanks: [1], status: 'established' });
  });

  it('names all where two clocks cannot be compared, and never establishes it', () => {
    const other = finding('cuda-failed-in-watchdog', [2], { at: at('n2', 9_000_000), cause: 'cuda-error' });
    expect(verdict([other, early])).toMatchObject({
      outcome: 'group',
      firstRanks: [1, 2],
      status: 'supported',
      at: undefined,
    });
  });

  it('keeps a contradicting weaker finding under against and lowers the status', () => {
    const recorder = finding('sequences-diverge', [3], {
      strength: 'recorder',
      stage: 'mismatched-collective',
      cause: 'collective-type',
    });
    const said = verdict([early, recorder]);
    expect(said).toMatchObject({ firstRanks: [1], status: 'supported' });
    expect(said.against.length).toBe(1);
  });
});

describe('how sure', () => {
  const raised = finding('rank-raised', [1], { at: at('n1', 5000) });

  it('is established when everything is covered', () => expect(verdict([raised]).status).toBe('established'));

  it.each<[string, ShortFacts]>([
    ['the number of ranks is not known', withoutSize(HEARD)],
    ['a rank left nothing', { ...HEARD, world: 5 }],
  ])('is supported when %s', (_name, short) => {
    const said = verdict([raised], short);
    expect(said.status).toBe('supported');
    expect(said.wouldChange.length).toBeGreaterThan(0);
  });

  describe('of a job whose first attempt is lost', () => {
    const container = {
      name: 'trainer',
      init: false,
      containerId: undefined,
      restartCount: 1,
      ready: undefined,
      runningSince: undefined,
      waiting: undefined,
      terminated: undefined,
      lastTerminated: undefined,
    };
    const lost: ShortFacts = {
      ...HEARD,
      pods: [
        { pod: 'p0', node: 'n1', ranks: [0, 1], object: { containers: [container] } },
        { pod: 'p1', node: 'n2', ranks: [2, 3] },
      ],
    };
    const again: Finding = { ...raised, attempt: 1 };
    const startedAt = { kind: 'rank-announced', rank: 0, at: 20, attempt: 1 } as const;
    const progressAt = (at: number, attempt = 1) => ({ kind: 'progress', rank: 0, at, attempt }) as const;
    /** Its first line in attempt 1 is the rank's start there. */
    const withLife = (facts: Facts): Facts => {
      const started = facts.events.find(({ attempt, rank }) => attempt === 1 && rank === 0);
      const [life] = facts.lifeLines;
      return { ...facts, lifeLines: [...facts.lifeLines, ...(life ? [{ ...life, attempt: 1, started }] : [])] };
    };
    const withEvents = (...events: NonNullable<ShortFacts['events']>): ShortFacts => ({
      ...lost,
      events: [...(lost.events ?? []), ...events],
    });

    it.each<[string, ShortFacts]>([
      ['at its start', lost],
      ['after ten minutes to the second', withEvents(startedAt, progressAt(600_020))],
      ['after steps whose time since the start is not known', withEvents(progressAt(2_000_000))],
    ])('names nobody when a later one failed %s: who was first there is a lead', (_, facts) => {
      const said = verdict([again], facts, withLife);
      expect(said).toMatchObject({ outcome: 'cannot-tell', candidates: [{ ranks: raised.firstRanks }] });
      expect(said.summary).toMatch(/^The first failure of the job cannot be told: of Pod p0, .* What attempt 1 shows/);
      expect(said.wouldChange.join()).toContain('the log before the restart of Pod p0');
      expect(said.nextChecks[0]).toContain('kubectl logs --previous');
    });

    it('names the first rank of one that ran longer than the kubelet remembers a crash, not for sure', () => {
      const facts = withEvents(startedAt, progressAt(600_021));
      expect(verdict([again], facts, withLife)).toMatchObject({ outcome: 'named', status: 'supported', attempt: 1 });
    });

    it('names the ranks that were first in two attempts which made steps, not for sure', () => {
      const third: Finding = { ...raised, attempt: 2 };
      const both = withEvents(progressAt(30), progressAt(90, 2));
      expect(verdict([again, third], both)).toMatchObject({ outcome: 'named', status: 'supported', attempt: 1 });
      expect(verdict([again, { ...third, firstRanks: [3] }], both).outcome).toBe('cannot-tell');
      expect(verdict([again, third], withEvents(progressAt(30))).outcome).toBe('cannot-tell');
    });

    it('says so where nothing was found', () => {
      expect(verdict([], lost).summary).toMatch(/earlier attempt/);
    });
  });

  it('does not mind the restarts of a Pod of another job', () => {
    const facts = (base: Facts): Facts => {
      const [first] = buildFacts({
        pods: [
          {
            pod: 'redis-0',
            object: {
              containers: [
                {
                  name: 'redis',
                  init: false,
                  containerId: undefined,
                  restartCount: 4,
                  ready: undefined,
                  runningSince: undefined,
                  waiting: undefined,
                  terminated: undefined,
                  lastTerminated: undefined,
                },
              ],
            },
          },
        ],
      }).input.pods;
      return { ...base, input: { ...base.input, pods: first ? [first] : [] } };
    };
    expect(verdict([raised], HEARD, facts).status).toBe('established');
  });

  it('is supported when a peer felt it before it happened, on the same clock', () => {
    const short: ShortFacts = {
      ...HEARD,
      events: [...(HEARD.events ?? []), { kind: 'gloo-timeout', rank: 0, at: 3000 }],
    };
    const said = verdict([raised], short);
    expect(said.status).toBe('supported');
    expect(said.against[0]?.text).toMatch(/before that/);
  });

  it('is not disturbed by what came after it, or on another clock', () => {
    const short: ShortFacts = {
      ...HEARD,
      events: [
        ...(HEARD.events ?? []),
        { kind: 'gloo-timeout', rank: 0, at: 6000 },
        { kind: 'gloo-timeout', rank: 2, at: 1 },
      ],
    };
    expect(verdict([raised], short)).toMatchObject({ status: 'established', symptomRanks: [0, 2] });
  });
});

describe('cannot tell', () => {
  it('says that everybody waited', () => {
    const events = [0, 1, 2, 3].map((rank) => ({ kind: 'collective-timeout' as const, rank, seq: 7, op: 'ALLREDUCE' }));
    expect(verdict([], { ...HEARD, events })).toMatchObject({ outcome: 'cannot-tell', symptomRanks: [0, 1, 2, 3] });
    expect(verdict([], { ...HEARD, events }).summary).toMatch(/All 4 ranks waited/);
  });

  it('lists ranks that must exist below one that is seen, where no size is known', () => {
    const events = [2, 3].map((rank) => ({
      kind: 'collective-timeout' as const,
      rank,
      op: 'ALLREDUCE',
      seq: 3,
      at: 10,
    }));
    expect(verdict([], { events })).toMatchObject({ outcome: 'cannot-tell', candidates: [{ ranks: [0, 1] }] });
  });

  describe('where all that are heard only lost a peer', () => {
    const lost = (...ranks: readonly number[]) =>
      ranks.map((rank) => ({ kind: 'gloo-closed' as const, rank, how: 'closed', peer: '10.0.0.9', at: 900 }));
    const announced = [0, 1].map((rank) => ({ kind: 'rank-announced' as const, rank, at: 10 }));

    it('leaves those whose log is not here', () => {
      const short = { ...HEARD, quiet: [2, 3], events: [...announced, ...lost(0, 1)] };
      expect(verdict([], short)).toMatchObject({
        outcome: 'cannot-tell',
        candidates: [{ ranks: [2, 3], why: expect.stringContaining('the only ones left') }],
        summary: expect.stringContaining('The log of ranks 2 and 3 is not in the bundle'),
      });
    });

    it('leaves nobody where one that is heard tells of nothing', () => {
      const short = { ...HEARD, quiet: [3], events: [...(HEARD.events ?? []), ...lost(0, 1)] };
      expect(verdict([], short).summary).toBe(
        'The bundle shows no act that began the failure, only its consequences or its surroundings.',
      );
    });
  });

  it('does not speak of a failure where none is told', () => {
    expect(verdict([]).summary).toMatch(/^Nothing in this bundle tells of a failure/);
  });

  it('names what is missing', () => {
    expect(verdict([], HEARD).wouldChange.join(' ')).toMatch(/Flight Recorder dumps/);
  });
});

describe('order across clocks', () => {
  const domain = (id: string, low: number, high: number, component = 0): ClockDomain => ({
    id,
    kind: 'node',
    offset: { estimate: (low + high) / 2, low, high, likelyLow: undefined, likelyHigh: undefined },
    driftPpm: undefined,
    quality: 'good',
    anchors: 2,
    basis: [],
    component,
  });
  const clocks = { reference: 'n1', domains: [domain('n1', 0, 0), domain('n2', 900, 1100), domain('n3', 0, 0, 1)] };
  it.each([
    ['one clock', at('n1', 0), at('n1', 100), true],
    ['one clock, same moment', at('n1', 0), at('n1', 10), false],
    ['corrected: 1.5 s raw is 0.4 s at least', at('n1', 0), at('n2', 1500), true],
    ['corrected: 1.05 s raw may be nothing', at('n1', 0), at('n2', 1050), false],
    ['the other way round never', at('n2', 1500), at('n1', 0), false],
    ['another component', at('n1', 0), at('n3', 99_000), false],
    ['a clock that is not known', at('n1', 0), at('n9', 99_000), false],
  ])('%s', (_name, a, b, expected) => expect(surelyBefore(a, b, clocks)).toBe(expected));
});
