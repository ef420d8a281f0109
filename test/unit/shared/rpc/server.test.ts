import { describe, expect, it } from 'vitest';
import { ok } from '#shared/lib/result.ts';
import { CASE_ID, caseId, jobId } from '#shared/model/ids.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Handlers } from '#shared/rpc/contract.ts';
import { isTopic } from '#shared/rpc/names.ts';
import { createPortPair } from '#shared/rpc/port-pair.ts';
import { serve } from '#shared/rpc/server.ts';
import { ALL_METHODS, VALIDATORS, WINDOW_METHODS } from '#shared/rpc/validators.ts';

interface Ctx {
  readonly calls: string[];
}

const noted = (name: string) => async (_params: unknown, ctx: Ctx) => {
  ctx.calls.push(name);
  return ok(null as never);
};
// Every method of the contract, whatever its name: what is called is what counts here.
const handlers = {
  ...Object.fromEntries([...ALL_METHODS].map((name) => [name, noted(name)])),
  'job.get': async () => {
    throw new Error('a bug');
  },
} as unknown as Handlers<Ctx>;

function connect(methods: ReadonlySet<string>) {
  const [ours, theirs] = createPortPair();
  const ctx: Ctx = { calls: [] };
  const bugs: string[] = [];
  const served = serve(theirs, { handlers, ctx, methods, onBug: (_error, method) => bugs.push(method) });
  return { client: createClient(ours), port: ours, ctx, bugs, served };
}

describe('a served port', () => {
  it('calls the handler once the params fit', async () => {
    const { client, ctx } = connect(ALL_METHODS);
    expect(await client.request('case.open', { caseId: caseId('a-1') })).toEqual({ ok: true, value: null });
    expect(await client.request('case.open', { caseId: caseId('../x') })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    expect(ctx.calls).toEqual(['case.open']);
  });

  it('hides methods that the port may not reach', async () => {
    const { client, ctx } = connect(WINDOW_METHODS);
    expect(await client.request('bundle.import', { paths: ['/'], keep: true })).toMatchObject({
      error: { code: 'unknown-method' },
    });
    expect(ctx.calls).toEqual([]);
  });

  it('reports a bug without telling the caller its particulars', async () => {
    const { client, bugs } = connect(ALL_METHODS);
    expect(await client.request('job.get', { jobId: jobId('x') })).toEqual({
      ok: false,
      error: { code: 'internal', detail: 'job.get' },
    });
    expect(bugs).toEqual(['job.get']);
  });

  it.each([
    null,
    7,
    'req',
    {},
    { t: 'req' },
    { t: 'req', id: 'x', method: 'case.list' },
    { t: 'res', id: 1, ok: true },
  ])('ignores %j', async (message) => {
    const { client, port, ctx } = connect(ALL_METHODS);
    port.post(message as never);
    await client.request('case.list', {});
    expect(ctx.calls).toEqual(['case.list']);
  });
});

describe('a client', () => {
  it('hears topics until it unsubscribes', async () => {
    const { client, served } = connect(ALL_METHODS);
    let heard = 0;
    const stop = client.subscribe('cases.changed', () => {
      heard += 1;
    });
    served.publish('cases.changed', null);
    await client.request('case.list', {});
    stop();
    served.publish('cases.changed', null);
    await client.request('case.list', {});
    expect(heard).toBe(1);
  });

  it('answers what waits, and everything later, as disconnected when it closes', async () => {
    const { client } = connect(ALL_METHODS);
    const waiting = client.request('case.list', {});
    client.close();
    expect(await waiting).toMatchObject({ error: { code: 'disconnected' } });
    expect(await client.request('case.list', {})).toMatchObject({ error: { code: 'disconnected' } });
  });
});

describe('the tables of names', () => {
  it('agree with the handlers', () => {
    expect([...ALL_METHODS].sort()).toEqual(Object.keys(handlers).sort());
    expect([...WINDOW_METHODS].filter((name) => !ALL_METHODS.has(name))).toEqual([]);
    expect([...ALL_METHODS].filter((name) => !WINDOW_METHODS.has(name)).sort()).toEqual([
      'bundle.import',
      'case.adopt',
      'export.package',
      'export.packageName',
      'export.record',
      'export.render',
      'export.tables',
    ]);
    expect([isTopic('job.changed'), isTopic('constructor')]).toEqual([true, false]);
    expect(Object.hasOwn(VALIDATORS, 'constructor')).toBe(false);
  });

  it.each([
    ['as long as Windows takes', ['C:\\'.padEnd(32_767, 'x')], true],
    ['longer', ['x'.repeat(32_768)], false],
    ['empty', [''], false],
    ['none', [], false],
    ['as many as are dropped at once', Array.from({ length: 1000 }, (_, i) => `/${i}`), true],
    ['more', Array.from({ length: 1001 }, (_, i) => `/${i}`), false],
  ])('paths to import, %s', (_name, paths, fits) => {
    expect(VALIDATORS['bundle.import'].safeParse({ paths, keep: true }).success).toBe(fits);
  });

  it.each([
    ['a', true],
    ['vit-large-1a2b3c4d-2', true],
    ['', false],
    ['-a', false],
    ['.', false],
    ['..', false],
    ['a/b', false],
    ['A', false],
    ['a'.repeat(121), false],
  ])('case id %s: %s', (id, fits) => {
    expect(CASE_ID.test(id)).toBe(fits);
  });
});
