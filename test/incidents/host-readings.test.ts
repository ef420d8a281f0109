/** What readings of hosts and containers prove beside whole incidents, and that they prove nothing more. */
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { analyseFiles, type BundleFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const counter = (kills: number): Uint8Array =>
  bytes(`low 0\nhigh 0\nmax ${9 * kills}\noom ${kills}\noom_kill ${kills}\noom_group_kill 0\n`);

const SPEC: IncidentSpec = {
  seed: 5,
  nodes: 2,
  ranksPerNode: 2,
  backend: 'gloo',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: 'close',
  loop: { steps: 20, stepMs: 100, buckets: [85_002], logEvery: 1, evaluateEvery: 0, checkpointEvery: 5 },
  timeoutS: 60,
  fault: { kind: 'sigkill', rank: 3, step: 12 },
  missing: { kernelLog: true },
};

describe('a worker that ended by SIGKILL, and the counter of memory kills', () => {
  const { files } = buildIncident(SPEC);
  const base = analyseFiles(files);
  const pods = base.result.facts.rankMap.pods;
  const podOf = (rank: number): string => pods.find(({ ranks }) => ranks.includes(rank))?.pod ?? '';
  const verdictWith = (path: string, content: Uint8Array) => {
    const { report, input } = analyseFiles(new Map([...files, [path, content]]));
    assertSound(report, input);
    const { outcome, status, firstRanks, cause } = report.verdict;
    return [outcome, status, firstRanks, cause];
  };
  const killed = ['named', base.report.verdict.status, [3], 'killed'];

  test('without any: killed, by nobody knows whom', () => {
    const { outcome, status, firstRanks, cause } = base.report.verdict;
    expect([outcome, status, firstRanks, cause]).toEqual(killed);
  });

  test('above 0 in its own container: memory ran out', () => {
    expect(verdictWith(`cgroup/${podOf(3)}/memory.events`, counter(1))).toEqual([
      'named',
      base.report.verdict.status,
      [3],
      'host-out-of-memory',
    ]);
  });

  test.each([
    ['0 in its own container', `cgroup/${podOf(3)}/memory.events`, counter(0)],
    ['above 0 in the container of others', `cgroup/${podOf(0)}/memory.events`, counter(1)],
    ['above 0 of nobody', 'cgroup/memory.events', counter(1)],
    [
      'only its limit was met',
      `cgroup/${podOf(3)}/memory.events`,
      bytes('low 0\nhigh 0\nmax 812\noom 0\noom_kill 0\n'),
    ],
  ])('%s changes nothing', (_, path, content) => {
    expect(verdictWith(path, content)).toEqual(killed);
  });
});

/** Everything looks alarming, was asked at an unknown time, and of every Pod and node alike. */
function alarming(files: BundleFiles, pods: readonly string[], nodes: readonly string[]): BundleFiles {
  const state = [
    ...[...pods, ...nodes].flatMap((name) => [
      `=== ${name} ===`,
      '--- df -h ---',
      'Filesystem Size Used Avail Use% Mounted on',
      'overlay 1.8T 1.8T 0 100% /',
      'shm 64M 64M 0 100% /dev/shm',
      '--- cpu.stat ---',
      'nr_periods 9000',
      'nr_throttled 8123',
      'throttled_usec 812000000',
      '--- /proc/pressure/io ---',
      'some avg10=91.20 avg60=94.80 avg300=91.00 total=8812345678',
      'full avg10=91.20 avg60=94.80 avg300=91.00 total=8812345678',
      '--- free -h ---',
      '               total        used        free      shared  buff/cache   available',
      'Mem:           503Gi       502Gi       0.2Gi       1.1Gi       0.9Gi       0.9Gi',
      '',
    ]),
  ];
  return new Map([...files, ['state.txt', bytes(`${state.join('\n')}\n`)]]);
}

describe('alarming states of every host', () => {
  test.each(CATALOGUE.map((spec) => [`${spec.fault.kind} ${spec.backend} ${spec.seed}`, spec] as const))(
    '%s keeps its verdict',
    (_, spec) => {
      const { files } = buildIncident(spec);
      const { report, result } = analyseFiles(files);
      const { pods } = result.facts.rankMap;
      const changed = analyseFiles(
        alarming(
          files,
          pods.map(({ pod }) => pod),
          [...new Set(pods.flatMap(({ node }) => node ?? []))],
        ),
      );
      assertSound(changed.report, changed.input);
      const said = ({ verdict }: typeof report) => [
        verdict.outcome,
        verdict.status,
        verdict.firstRanks,
        verdict.stage,
        verdict.cause,
      ];
      expect(said(changed.report)).toEqual(said(report));
      expect(changed.report.findings.some(({ rule }) => rule === 'host-pressure')).toBe(true);
    },
  );
});
