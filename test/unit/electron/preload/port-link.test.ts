import { describe, expect, it } from 'vitest';
import type { MethodName, Port, WireMessage } from '#shared/rpc/contract.ts';
import { createPortLink } from '../../../../electron/preload/port-link.ts';

class FakePort implements Port {
  readonly sent: WireMessage[] = [];
  closed = false;
  #listener: (message: unknown) => void = () => undefined;
  post(message: WireMessage) {
    this.sent.push(message);
  }
  onMessage(listener: (message: unknown) => void) {
    this.#listener = listener;
  }
  close() {
    this.closed = true;
  }
  say(message: unknown) {
    this.#listener(message);
  }
}

const create = () =>
  createPortLink({ isMethod: (name) => name === 'case.list', isTopic: (name) => name === 'cases.changed' });

describe('port link of the window', () => {
  it('keeps requests until the port is there', async () => {
    const link = create();
    const waiting = link.request('case.list', {});
    const port = new FakePort();
    link.attach(port);
    expect(port.sent).toEqual([{ t: 'req', id: 1, method: 'case.list', params: {} }]);
    port.say({ t: 'res', id: 1, ok: true, value: { cases: [], skipped: 0 } });
    expect(await waiting).toEqual({ ok: true, value: { cases: [], skipped: 0 } });
  });

  it('forwards only names of the contract', async () => {
    const link = create();
    const port = new FakePort();
    link.attach(port);
    for (const name of ['bundle.import', 'constructor', '__proto__', '']) {
      expect(await link.request(name as MethodName, {} as never)).toMatchObject({
        ok: false,
        error: { code: 'unknown-method' },
      });
    }
    expect(port.sent).toEqual([]);
  });

  it('ends what waits when the engine goes, and takes the next port', async () => {
    const link = create();
    const first = new FakePort();
    link.attach(first);
    const lost = link.request('case.list', {});
    link.detach();
    expect(await lost).toMatchObject({ ok: false, error: { code: 'disconnected' } });
    const meanwhile = link.request('case.list', {});
    const second = new FakePort();
    link.attach(second);
    first.say({ t: 'res', id: 2, ok: true, value: 'from the old one' });
    second.say({ t: 'res', id: 2, ok: true, value: 'from the new one' });
    expect(await meanwhile).toEqual({ ok: true, value: 'from the new one' });
    expect(first.closed).toBe(true);
  });

  it('hands topics to their listeners until they leave', () => {
    const link = create();
    const port = new FakePort();
    link.attach(port);
    const heard: unknown[] = [];
    const leave = link.subscribe('cases.changed', (value) => heard.push(value));
    port.say({ t: 'top', topic: 'cases.changed', value: null });
    port.say({ t: 'top', topic: 'secret', value: 1 });
    leave();
    port.say({ t: 'top', topic: 'cases.changed', value: null });
    expect(heard).toEqual([null]);
  });

  it('passes over what is no message', () => {
    const link = create();
    const port = new FakePort();
    link.attach(port);
    for (const message of [undefined, null, 'x', {}, { t: 'res', id: 5, ok: true }, { t: 'top', topic: 7 }])
      expect(() => port.say(message)).not.toThrow();
  });
});
