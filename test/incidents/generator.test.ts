import { describe, expect, test } from 'vitest';
import { buildIncident, type Incident, type IncidentSpec } from '../support/incidents/index.ts';
import { formatTar } from '../support/incidents/tar.ts';
import { picklePython2 } from '../support/incidents/writers/cpp-pickle.ts';

const BASE: IncidentSpec = {
  seed: 11,
  nodes: 3,
  ranksPerNode: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: [{ offsetMs: 0 }, { offsetMs: 40_000 }, { offsetMs: -70_000 }],
  loop: { steps: 20, stepMs: 100, buckets: [85_002, 20_000], logEvery: 5, evaluateEvery: 7, checkpointEvery: 10 },
  timeoutS: 30,
  fault: { kind: 'stall', rank: 3, step: 12, where: 'data' },
};

const text = (incident: Incident, path: string): string => new TextDecoder().decode(incident.files.get(path));
const logOf = (incident: Incident, rank: number): string => {
  const [pod] = Object.entries(incident.truth.ranksOfPods).find(([, ranks]) => ranks.includes(rank)) ?? [];
  return text(incident, `logs/${pod}.log`);
};
const allText = (incident: Incident): string =>
  [...incident.files]
    .filter(([path]) => path.endsWith('.log'))
    .map(([, bytes]) => new TextDecoder().decode(bytes))
    .join('\n');

describe('reproducible', () => {
  test('the same spec gives the same bytes', () => {
    expect(formatTar(buildIncident(BASE).files, 'x')).toEqual(formatTar(buildIncident(BASE).files, 'x'));
  });

  test('another seed gives other bytes and the same truth about the rank', () => {
    const other = buildIncident({ ...BASE, seed: 12 });
    expect(allText(other)).not.toBe(allText(buildIncident(BASE)));
    expect(other.truth.firstRanks).toEqual([3]);
  });

  test('leaving something out does not change the rest', () => {
    const whole = buildIncident(BASE);
    const part = buildIncident({ ...BASE, missing: { dumpsOfRanks: [3], events: true } });
    expect([...whole.files.keys()].filter((path) => !part.files.has(path))).toEqual([
      'flight-recorder/nccl_trace_rank_3',
      'events.json',
    ]);
    for (const [path, bytes] of part.files) expect(bytes, path).toEqual(whole.files.get(path));
  });
});

describe('clocks', () => {
  test('each log runs on the clock of its node', () => {
    const incident = buildIncident(BASE);
    const first = (rank: number): number => Date.parse(logOf(incident, rank).slice(0, 30));
    // Containers start within seconds of each other; the clocks are 40 s ahead and 70 s behind.
    expect(first(2) - first(0)).toBeGreaterThan(30_000);
    expect(first(4) - first(0)).toBeLessThan(-60_000);
  });

  test('the lease shows the offset between its two stamps', () => {
    const incident = buildIncident(BASE);
    const leases = text(incident, 'leases.yaml').split('- apiVersion: coordination.k8s.io/v1\n  kind').slice(1);
    const offsets = leases.map((lease) => {
      const stored = /\n {6}time: "([^"]+)"/.exec(lease)?.[1] ?? '';
      const renewed = /renewTime: "([^"]+)"/.exec(lease)?.[1] ?? '';
      return Date.parse(renewed) - Date.parse(stored);
    });
    for (const [i, expected] of [0, 40_000, -70_000].entries())
      expect(Math.abs((offsets[i] ?? NaN) - expected)).toBeLessThan(1200);
  });

  test('Pod stamps: creation on the API clock, container start on the node clock', () => {
    const pods = text(buildIncident(BASE), 'pods.yaml').split('- apiVersion: v1\n  kind: Pod').slice(1);
    const seconds = (pod: string, key: string): number =>
      Date.parse(new RegExp(`${key}: "([^"]+)"`).exec(pod)?.[1] ?? '') / 1000;
    const created = pods.map((pod) => seconds(pod, 'creationTimestamp'));
    const started = pods.map((pod) => seconds(pod, 'startedAt'));
    expect(new Set(created).size).toBe(1);
    expect((started[1] ?? NaN) - (created[1] ?? NaN)).toBeGreaterThan(40);
    expect((started[2] ?? NaN) - (created[2] ?? NaN)).toBeLessThan(-60);
  });

  test("torch's C++ logger carries the monotonic fraction, not the wall clock's", () => {
    const line = /T(\d\d:\d\d:\d\d\.\d{6})\d+Z \[rank2\]:\[E\d+ (\d\d:\d\d:\d\d\.\d{6})/.exec(
      logOf(buildIncident(BASE), 2),
    );
    expect(line?.[1]?.slice(0, 8)).toBe(line?.[2]?.slice(0, 8));
    expect(line?.[1]).not.toBe(line?.[2]);
  });
});

describe('consequences', () => {
  test('a stalled rank prints no timeout, takes part in the dump and is ended by its agent', () => {
    const incident = buildIncident(BASE);
    const log = logOf(incident, 3);
    expect(log).not.toMatch(/\[rank3\].*Watchdog caught/);
    expect(log).toMatch(/\[rank3\].*Observed flight recorder dump signal from another rank/);
    expect(log).toMatch(/exitcode {2}: -15 \(pid: \d+\) {2}\(SIGTERM\)/);
    expect(incident.truth.dumps).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('every waiting rank times out a poll after its limit', () => {
    const lines = [
      ...allText(buildIncident(BASE)).matchAll(/\]:\[E.*\[Rank (\d)\] Watchdog caught .* ran for (\d+) milliseconds/g),
    ];
    const headlines = lines.filter((match) => !match[0].includes('terminated with exception'));
    expect(new Set(headlines.map((match) => match[1]))).toEqual(new Set(['0', '1', '2', '4', '5']));
    for (const match of headlines) {
      expect(Number(match[2])).toBeGreaterThanOrEqual(30_000);
      expect(Number(match[2])).toBeLessThan(30_101);
    }
  });

  test('each node blames one of its own ranks', () => {
    const incident = buildIncident(BASE);
    for (const [pod, ranks] of Object.entries(incident.truth.ranksOfPods)) {
      const block = /Root Cause[\s\S]*?rank {6}: (\d+)/.exec(text(incident, `logs/${pod}.log`));
      expect(ranks).toContain(Number(block?.[1]));
    }
  });

  test('a rank that raised leaves no dump under NCCL, and its node is killed before it can dump', () => {
    const incident = buildIncident({ ...BASE, fault: { kind: 'cuda-oom', rank: 3, step: 12 } });
    expect(logOf(incident, 3)).toContain('[rank3]: torch.OutOfMemoryError: CUDA out of memory.');
    expect(incident.truth.dumps).not.toContain(3);
    expect(incident.truth.dumps).not.toContain(2);
  });

  test('a killed process says nothing; the agent tells the signal', () => {
    const incident = buildIncident({ ...BASE, backend: 'gloo', fault: { kind: 'sigkill', rank: 3, step: 12 } });
    expect(logOf(incident, 3)).not.toContain('[rank3]: Traceback');
    expect(logOf(incident, 3)).toContain('failed (exitcode: -9) local_rank: 1');
  });

  test('the kernel log names the container; its pid is not one of the log', () => {
    const incident = buildIncident({ ...BASE, backend: 'gloo', fault: { kind: 'host-oom', rank: 3, step: 12 } });
    const kernel = text(incident, `nodes/${incident.truth.node}/dmesg.txt`);
    const pid = /Killed process (\d+)/.exec(kernel)?.[1] ?? '';
    const uid =
      new RegExp(`name: ${incident.truth.pod}[\\s\\S]*?uid: (\\S+)`).exec(text(incident, 'pods.yaml'))?.[1] ?? '?';
    expect(kernel).toContain(`pod${uid.replace(/-/g, '_')}`);
    expect(logOf(incident, 3)).not.toContain(pid);
    expect(text(incident, 'pods.yaml')).toContain('reason: OOMKilled');
  });

  test('a job that is still running has no end anywhere', () => {
    const incident = buildIncident({ ...BASE, fault: { kind: 'still-running' } });
    expect(allText(incident)).not.toMatch(/finished after|FAILED|Traceback/);
    expect(text(incident, 'pods.yaml')).not.toContain('terminated');
    expect(incident.truth.dumps).toEqual([]);
  });

  test('a missing worker leaves the others waiting at the rendezvous', () => {
    const incident = buildIncident({ ...BASE, fault: { kind: 'missing-worker', node: 1 } });
    expect(incident.files.has(`logs/${incident.truth.pod}.log`)).toBe(false);
    expect(allText(incident)).toContain('RendezvousTimeoutError');
    expect(text(incident, 'events.json')).toContain('FailedScheduling');
  });

  test('an evicted Pod: the signal reaches the agent, Kubernetes says why', () => {
    const incident = buildIncident({ ...BASE, fault: { kind: 'evicted', node: 1, step: 12 } });
    expect(logOf(incident, 2)).toContain('Received 15 death signal, shutting down workers');
    expect(text(incident, 'events.json')).toContain('TaintManagerEviction');
    expect(text(incident, 'pods.yaml')).toContain('DisruptionTarget');
  });
});

describe('layouts', () => {
  const paths = (layout: IncidentSpec['layout']): string[] => [...buildIncident({ ...BASE, layout }).files.keys()];
  test('one file a Pod, one file for all, CRI paths, a log folder of torchrun', () => {
    expect(paths('plain').filter((path) => path.startsWith('logs/'))).toHaveLength(3);
    expect(paths('prefixed')).toContain('all-pods.log');
    expect(
      paths('cri').filter((path) => /^var\/log\/pods\/[^_/]+_[^_/]+_[0-9a-f-]{36}\/pytorch\/0\.log$/.test(path)),
    ).toHaveLength(3);
    expect(paths('torchrun').filter((path) => /attempt_0\/[01]\/stderr\.log$/.test(path))).toHaveLength(6);
  });

  test('plain logs carry no runtime stamps, CRI records carry stream and tag', () => {
    const plain = buildIncident({ ...BASE, layout: 'plain' });
    expect(allText(plain)).not.toMatch(/^2026-03-14T/m);
    const cri = buildIncident({ ...BASE, layout: 'cri' });
    const lines = allText(cri)
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z stderr F /);
  });
});

describe('pickles', () => {
  const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

  test('a dict as the C++ writer writes it, its root in the memo', () => {
    expect(hex(picklePython2(new Map([['a', 7]])))).toBe('80 02 7d 28 58 01 00 00 00 61 71 00 4b 07 75 71 01 2e');
  });

  test('strings are written once; a dict that occurs twice is fetched the second time, one that occurs once has no memo', () => {
    const twice = new Map([['n', 'n']]);
    const once = new Map([['n', null]]);
    const bytes = picklePython2([{ shared: twice }, { shared: twice }, { shared: once }]);
    expect(hex(bytes)).toBe(
      '80 02 5d 28 7d 28 58 01 00 00 00 6e 71 00 68 00 75 71 01 68 01 7d 28 68 00 4e 75 65 71 02 2e',
    );
  });

  test('integers by size, always little endian', () => {
    expect(hex(picklePython2([255, 256, 65_536, -1, 1_773_478_800_000_000_000n]))).toBe(
      '80 02 5d 28 4b ff 4d 00 01 4a 00 00 01 00 4a ff ff ff ff 8a 08 00 a0 af 82 92 a9 9c 18 65 71 00 2e',
    );
  });
});
