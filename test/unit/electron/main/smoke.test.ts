import { describe, expect, it } from 'vitest';
import { jobId } from '#shared/model/ids.ts';
import type { EngineLink } from '../../../../electron/main/engine-link.ts';
import { runSmoke } from '../../../../electron/main/smoke.ts';
import { groupReport } from '../../../e2e/support/outcome-reports.ts';

type Answers = Readonly<Record<string, readonly unknown[]>>;

/** Answers of an engine by method; the last one of a method stays. */
function engine(answers: Answers): EngineLink<never> {
  const asked = new Map<string, number>();
  return {
    request: (method: string) => {
      const at = asked.get(method) ?? 0;
      asked.set(method, at + 1);
      const list = answers[method] ?? [];
      return Promise.resolve(list[Math.min(at, list.length - 1)] as never);
    },
    connectWindow: () => undefined,
    state: () => 'running',
    stop: () => undefined,
  };
}
const ok = (value: unknown) => ({ ok: true, value });

describe('runSmoke', () => {
  it('imports, waits, opens the case and prints one line', async () => {
    const job = { jobId: jobId('j'), title: 't' };
    const result = await runSmoke(
      engine({
        'bundle.import': [ok({ jobId: 'j' })],
        'job.get': [ok({ ...job, kind: 'queued' }), ok({ ...job, kind: 'done', caseId: 'c', files: [], progress: {} })],
        'case.open': [ok({ summary: {}, report: groupReport() })],
      }),
      '/bundle',
      [],
    );
    expect(result).toEqual({ line: '{"smoke":"ok","outcome":"group","firstRanks":[4,5,6,7]}', exitCode: 0 });
  });

  it('fails when the package has no window', async () => {
    expect(await runSmoke(engine({}), '/x', ['.vite/renderer/index.html'])).toEqual({
      line: '{"smoke":"failed","error":"the package lacks .vite/renderer/index.html"}',
      exitCode: 1,
    });
  });

  it('says why it failed', async () => {
    const failed = { jobId: 'j', title: 't', kind: 'failed', code: 'nothing-readable', detail: '' };
    expect(
      await runSmoke(engine({ 'bundle.import': [ok({ jobId: 'j' })], 'job.get': [ok(failed)] }), '/x', []),
    ).toEqual({
      line: '{"smoke":"failed","error":"import ended as failed: nothing-readable"}',
      exitCode: 1,
    });
    expect(
      await runSmoke(
        engine({ 'bundle.import': [{ ok: false, error: { code: 'disconnected', detail: 'gone' } }] }),
        '/x',
        [],
      ),
    ).toMatchObject({ exitCode: 1, line: expect.stringContaining('disconnected: gone') });
  });
});
