import { describe, expect, it } from 'vitest';
import { caseId, jobId } from '#shared/model/ids.ts';
import { createEngineLink, type EngineChild } from '../../../../electron/main/engine-link.ts';

class FakeChild implements EngineChild<string> {
  readonly sent: { message: unknown; ports: readonly string[] }[] = [];
  killed = false;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (code: number) => void = () => undefined;
  postMessage(message: unknown, transfer: string[] = []) {
    this.sent.push({ message, ports: transfer });
  }
  on(_event: 'message', listener: (message: unknown) => void) {
    this.#onMessage = listener;
  }
  once(_event: 'exit', listener: (code: number) => void) {
    this.#onExit = listener;
  }
  kill() {
    this.killed = true;
    return true;
  }
  answer(message: unknown) {
    this.#onMessage(message);
  }
  exit() {
    this.#onExit(1);
  }
}

function setUp() {
  const children: FakeChild[] = [];
  const states: string[] = [];
  const clock = { ms: 0 };
  const link = createEngineLink<string>({
    now: () => clock.ms,
    onState: (state) => states.push(state),
    start: () => {
      const child = new FakeChild();
      children.push(child);
      return child;
    },
  });
  const last = () => {
    const child = children.at(-1);
    if (!child) throw new Error('no child');
    return child;
  };
  return { link, children, states, clock, last };
}

describe('engine link', () => {
  it('pairs answers with requests, in any order', async () => {
    const { link, last } = setUp();
    const first = link.request('bundle.import', { paths: ['/a'], keep: true });
    const second = link.request('job.get', { jobId: jobId('x') });
    last().answer({ t: 'res', id: 2, ok: false, error: { code: 'job-not-found', detail: 'x' } });
    last().answer({ t: 'res', id: 1, ok: true, value: { jobId: 'j' } });
    expect(await first).toEqual({ ok: true, value: { jobId: 'j' } });
    expect(await second).toEqual({ ok: false, error: { code: 'job-not-found', detail: 'x' } });
    expect(last().sent.map((item) => item.message)).toEqual([
      { t: 'req', id: 1, method: 'bundle.import', params: { paths: ['/a'], keep: true } },
      { t: 'req', id: 2, method: 'job.get', params: { jobId: 'x' } },
    ]);
  });

  it('hands the port of a window to the engine', () => {
    const { link, last } = setUp();
    link.connectWindow('port');
    expect(last().sent).toEqual([{ message: { t: 'window' }, ports: ['port'] }]);
  });

  it('passes over what is no answer', async () => {
    const { link, last } = setUp();
    const waiting = link.request('case.open', { caseId: caseId('a') });
    for (const message of [null, 7, {}, { t: 'top' }, { t: 'res', id: 'x' }, { t: 'res', id: 99, ok: true }])
      last().answer(message);
    last().answer({ t: 'res', id: 1, ok: true, value: 'here' });
    expect(await waiting).toEqual({ ok: true, value: 'here' });
  });

  it('starts a new engine when one ends, and ends what waited', async () => {
    const { link, children, states, last } = setUp();
    const waiting = link.request('case.list', {});
    last().exit();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'disconnected' } });
    expect(children).toHaveLength(2);
    expect(states).toEqual(['restarting', 'running']);
  });

  it('gives up after six ends within a minute, not after six in an hour', async () => {
    const quick = setUp();
    for (let i = 0; i < 6; i++) quick.last().exit();
    expect(quick.states.at(-1)).toBe('stopped');
    expect(await quick.link.request('case.list', {})).toMatchObject({ ok: false, error: { code: 'disconnected' } });
    const slow = setUp();
    for (let i = 0; i < 6; i++) {
      slow.clock.ms += 600_000;
      slow.last().exit();
    }
    expect(slow.link.state()).toBe('running');
  });

  it('stays down when it was stopped', () => {
    const { link, children, states, last } = setUp();
    link.stop();
    last().exit();
    expect(last().killed).toBe(true);
    expect(children).toHaveLength(1);
    expect(states).toEqual([]);
  });
});
