import { load as loadYaml } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '#shared/model/events.ts';
import { entryId } from '#shared/model/ids.ts';
import type { EnvVar, PodObject, WorkloadObject } from '#shared/model/kubernetes.ts';
import { reviewSettings, type SettingsReview } from '#shared/review/index.ts';
import { buildFacts, type ShortEvent } from '../../../rules/build-facts.ts';

interface ShortSpec {
  readonly env?: Readonly<Record<string, string | null>>;
  readonly more?: Partial<PodObject>;
}
const envOf = (env: Readonly<Record<string, string | null>> = {}): EnvVar[] =>
  Object.entries(env).map(([name, value]) => ({ name, value: value ?? undefined, masked: value === null }));

function review(
  specs: readonly ShortSpec[],
  more: { events?: readonly ShortEvent[]; torch?: string; workloads?: readonly WorkloadObject[] } = {},
): SettingsReview {
  const facts = buildFacts({
    world: specs.length,
    pods: specs.map((spec, i) => ({
      pod: `t-${i}`,
      ranks: [i],
      object: { from: 'object', env: envOf(spec.env), ...spec.more },
    })),
    events: [
      ...(more.torch === undefined ? [] : [{ kind: 'software' as EventBody['kind'], torch: more.torch }]),
      ...(more.events ?? []),
    ],
  });
  return reviewSettings({ ...facts, input: { ...facts.input, workloads: more.workloads ?? [] } });
}
const stateOf = (found: SettingsReview, name: string): string | undefined =>
  found.items.find((item) => item.name === name)?.state;
const timeout = (rank: number, timeoutMs: number): ShortEvent => ({
  kind: 'collective-timeout',
  rank,
  seq: 3,
  op: 'ALLREDUCE',
  timeoutMs,
});

describe('names by release', () => {
  it('asks for the old name before 2.14, for the new one from then on, for both where it is not known', () => {
    const names = (torch?: string) =>
      review([{}], torch === undefined ? {} : { torch })
        .patch?.variables.map(({ name }) => name)
        .filter((name) => /TEMP_FILE$/.test(name));
    expect(names('2.6.0+cu124')).toEqual(['TORCH_NCCL_DEBUG_INFO_TEMP_FILE']);
    expect(names('2.14.1')).toEqual(['TORCH_FR_DUMP_TEMP_FILE']);
    expect(names()).toEqual(['TORCH_NCCL_DEBUG_INFO_TEMP_FILE', 'TORCH_FR_DUMP_TEMP_FILE']);
  });

  it('takes either name as set', () => {
    expect(
      stateOf(
        review([{ env: { TORCH_NCCL_TRACE_BUFFER_SIZE: '2000' } }], { torch: '2.14.0' }),
        'TORCH_NCCL_TRACE_BUFFER_SIZE',
      ),
    ).toBe('good');
    expect(stateOf(review([{ env: { TORCH_FR_BUFFER_SIZE: '0' } }]), 'TORCH_FR_BUFFER_SIZE')).toBe('unfit');
  });

  it('does not count a name that the release does not read, and says that it is set', () => {
    const found = review([{ env: { TORCH_FR_BUFFER_SIZE: '2000' } }], { torch: '2.5.1' });
    const item = found.items.find(({ name }) => name === 'TORCH_NCCL_TRACE_BUFFER_SIZE');
    expect(item?.state).toBe('missing');
    expect(item?.found).toBe('not set; TORCH_FR_BUFFER_SIZE is set, which torch 2.5 does not read');
    expect(found.patch?.variables.map(({ name }) => name)).toContain('TORCH_NCCL_TRACE_BUFFER_SIZE');
    expect(stateOf(review([{ env: { TORCH_FR_BUFFER_SIZE: '2000' } }]), 'TORCH_FR_BUFFER_SIZE')).toBe('good');
  });

  it('names the variable that the command sets', () => {
    const command = ['sh', '-c', 'export TORCH_NCCL_TRACE_BUFFER_SIZE=0; torchrun train.py'];
    const item = review([{ more: { command } }]).items.find(({ name }) => name === 'TORCH_NCCL_TRACE_BUFFER_SIZE');
    expect(item?.sources[0]?.text).toBe('Pod t-0: TORCH_NCCL_TRACE_BUFFER_SIZE=0');
  });

  it('knows that the recorder is on by default in 2.14 and off before', () => {
    expect(stateOf(review([{}], { torch: '2.14.0' }), 'TORCH_FR_BUFFER_SIZE')).toBe('good');
    expect(stateOf(review([{}], { torch: '2.5.1' }), 'TORCH_NCCL_TRACE_BUFFER_SIZE')).toBe('missing');
  });
});

describe('what is not told is not unset', () => {
  it('masked values and environments from elsewhere are unknown', () => {
    expect(stateOf(review([{ env: { NCCL_DEBUG: null } }]), 'NCCL_DEBUG')).toBe('unknown');
    expect(stateOf(review([{ more: { envFromElsewhere: true } }]), 'NCCL_DEBUG')).toBe('unknown');
    expect(stateOf(review([{}]), 'NCCL_DEBUG')).toBe('missing');
  });

  it('without a Pod everything is unknown, and the patch is there all the same', () => {
    const found = review([]);
    expect(found.pods).toBe(0);
    expect(new Set(found.items.map((item) => item.state))).toEqual(new Set(['unknown']));
    expect(found.patch?.variables.length).toBeGreaterThan(5);
  });

  it('reads a variable that the command sets', () => {
    const more = { command: ['sh', '-c', 'export NCCL_DEBUG=INFO; torchrun train.py'] };
    expect(stateOf(review([{ more }]), 'NCCL_DEBUG')).toBe('good');
  });
});

describe('contradictions', () => {
  it('tells values that differ between Pods, with one of each', () => {
    const found = review([{ env: { NCCL_SOCKET_IFNAME: 'eth0' } }, { env: { NCCL_SOCKET_IFNAME: 'docker0' } }]);
    const item = found.items.find(({ name }) => name === 'NCCL_SOCKET_IFNAME');
    expect(item).toMatchObject({ state: 'differs', found: '"eth0" in t-0; "docker0" in t-1' });
    expect(item?.sources).toHaveLength(2);
  });

  it("does not compare what is a Pod's own", () => {
    const found = review([{ env: { NCCL_HOSTID: 'a', RANK: '0' } }, { env: { NCCL_HOSTID: 'b', RANK: '1' } }]);
    expect(found.items.filter(({ state }) => state === 'differs')).toEqual([]);
  });

  it('tells unlike time limits with their ranks', () => {
    const found = review([{}, {}, {}], { events: [timeout(0, 600_000), timeout(1, 600_000), timeout(2, 60_000)] });
    expect(found.items.find(({ name }) => name.startsWith('timeout'))?.found).toBe(
      '60000 ms (rank 2), 600000 ms (ranks 0 and 1)',
    );
  });
});

describe('the patch', () => {
  const workload = (kind: string, name: string, roles: readonly string[]): WorkloadObject => ({
    source: { kind: 'entry', entry: entryId(1) },
    kind,
    name,
    namespace: 'ml',
    replicas: roles.map((role) => ({ role, count: 1 })),
    nprocPerNode: undefined,
    conditions: [],
    restarts: undefined,
  });
  const load = (found: SettingsReview, kind: string): Record<string, unknown> =>
    loadYaml(found.patch?.forms.find((form) => form.kind === kind)?.text ?? '') as Record<string, unknown>;

  it('is a manifest of the job at hand, with its roles and its container', () => {
    const found = review([{ more: { trainingContainer: 'trainer', sharedMemory: { kind: 'default' } } }], {
      workloads: [workload('PyTorchJob', 'bert', ['master', 'worker'])],
    });
    expect(found.patch?.forms.find(({ fits }) => fits)?.kind).toBe('pytorchjob');
    const spec = load(found, 'pytorchjob')['spec'] as {
      pytorchReplicaSpecs: Record<
        string,
        { template: { spec: { containers: { name: string; env: EnvVar[] }[]; volumes: { name: string }[] } } }
      >;
    };
    expect(Object.keys(spec.pytorchReplicaSpecs)).toEqual(['Master', 'Worker']);
    const pod = spec.pytorchReplicaSpecs['Worker']?.template.spec;
    expect(pod?.containers[0]?.name).toBe('trainer');
    expect(pod?.containers[0]?.env.map(({ name }) => name)).toContain('NCCL_DEBUG');
    expect(pod?.volumes.map(({ name }) => name)).toEqual(['diagnostics', 'shared-memory']);
  });

  it.each(['pytorchjob', 'jobset', 'polyaxon'])('%s is YAML whatever the names of the bundle are', (kind) => {
    const evil = 'a"\n  hostPID: true\n#: {{x}} & *';
    const found = review([{ more: { trainingContainer: evil } }], {
      workloads: [workload('PyTorchJob', evil, [evil]), workload('JobSet', evil, [evil])],
    });
    const text = JSON.stringify(load(found, kind));
    expect(text).not.toContain('"hostPID"');
    expect(text).toContain('NCCL_DEBUG');
  });

  it('holds only what is missing', () => {
    const env = {
      TORCH_FR_BUFFER_SIZE: '2000',
      TORCH_FR_DUMP_ON_TIMEOUT: '1',
      TORCH_FR_DUMP_TEMP_FILE: '/keep/fr_',
      NCCL_DEBUG: 'WARN',

      PYTHONUNBUFFERED: '1',
      PYTHONFAULTHANDLER: '1',
    };
    expect(review([{ env, more: { sharedMemory: { kind: 'volume', limit: '8Gi' } } }]).patch).toBeUndefined();
    const { PYTHONUNBUFFERED: _left, ...rest } = env;
    expect(review([{ env: rest }]).patch?.variables.map(({ name }) => name)).toEqual(['PYTHONUNBUFFERED']);
  });
});

describe('what was switched on against an earlier trouble', () => {
  it('is shown with the value that is set, also where only some Pods have it', () => {
    const env = { CUDA_LAUNCH_BLOCKING: 'true' };
    const found = (specs: Parameters<typeof review>[0]) =>
      review(specs).items.find(({ name }) => name === 'CUDA_LAUNCH_BLOCKING')?.found;
    expect(found([{ env }, { env }])).toBe('"true"');
    expect(found([{ env }, {}])).toBe('"true" in t-0; not set in t-1');
    expect(found([{ env: { CUDA_LAUNCH_BLOCKING: '0' } }])).toBeUndefined();
  });

  it('is told once where it differs', () => {
    const items = review([{ env: { NCCL_P2P_DISABLE: '1' } }, {}]).items;
    expect(items.filter(({ name }) => name === 'NCCL_P2P_DISABLE').map(({ state }) => state)).toEqual(['differs']);
  });
});
