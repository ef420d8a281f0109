import { describe, expect, it } from 'vitest';
import { markEchoes } from '#shared/analysis/echoes/index.ts';
import { beginningOf } from '#shared/analysis/rules/support/chain.ts';
import { consequenceOf, eventsOf } from '#shared/analysis/rules/support/events.ts';
import { buildFacts, type ShortEvent } from '../../../rules/build-facts.ts';

const raised = (text: string, errorClass = 'python'): ShortEvent => {
  const [head = ''] = text.split(' [with ');
  const [type = '', message = ''] = head.split(/: (.*)/s);
  const frames = [{ file: '/w/t.py', line: 1, name: 'f' }];
  return { kind: 'exception', type, message, class: errorClass, text, rank: 1, at: 0, frames };
};
const marked = (text: string, errorClass?: string) =>
  eventsOf(markEchoes(buildFacts({ world: 2, events: [raised(text, errorClass)] }).events), 'exception')[0]?.event.body;

const CLOSED = 'RuntimeError: [/x/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.7]:4242';
const WAITED =
  'RuntimeError: [/x/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 30000ms for recv operation to complete';

describe('an exception that came out of a failure of others', () => {
  it('is classed with it, keeps its words and loses its frames', () => {
    const body = marked(`AttributeError: no attribute 'writer' [with ${CLOSED}]`);
    expect(body).toMatchObject({ type: 'AttributeError', class: 'distributed', frames: [] });
    expect(body?.message).toContain("no attribute 'writer' (while handling RuntimeError: [/x/gloo");
  });

  it.each([
    [WAITED, 'timeout'],
    [CLOSED, 'closed'],
    ['torch.distributed.DistBackendError: NCCL error in: x.cpp:94, unhandled system error', 'abort'],
    ['torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection has failed.', 'store'],
  ])('is the consequence that it came out of: %s', (beginning, how) => {
    const body = marked(`KeyError: 'x' [with ${beginning} | ValueError: second]`);
    expect(body === undefined ? undefined : consequenceOf(body)).toBe(how);
  });

  it('is told where the chain was cut off at its end', () => {
    expect(marked(`KeyError: 'x' [with ${CLOSED.slice(0, 60)}`)?.class).toBe('distributed');
  });
});

describe('an exception is left alone', () => {
  it.each([
    "KeyError: 'x'",
    "KeyError: 'x' [with FileNotFoundError: cache.bin]",
    "KeyError: 'x' [with TimeoutError: shard-0001.bin: no answer, timed out]",
    'OSError: no space [with (rank 3) RuntimeError: Connection closed by peer [10.0.0.7]:4242]',
    "KeyError: 'x' [with RuntimeError: Caught RuntimeError in DataLoader worker process 0.]",
  ])('%s', (text) => {
    expect(marked(text)).toMatchObject({ class: 'python', frames: [{ line: 1 }] });
  });

  it('if it is about others itself', () => {
    expect(marked(`${WAITED} [with ${CLOSED}]`, 'distributed')?.frames).toHaveLength(1);
  });

  it('and the list stays the same one', () => {
    const { events } = buildFacts({ world: 2, events: [raised("KeyError: 'x'")] });
    expect(markEchoes(events)).toBe(events);
  });
});

describe('the beginning of a chain', () => {
  const of = (text: string) => {
    const [placed] = eventsOf(buildFacts({ events: [raised(text)] }).events, 'exception');
    return placed && beginningOf(placed);
  };

  it('is its first link', () => {
    expect(of("E: a [with KeyError: 'x' | OSError: y]")).toEqual({ type: 'KeyError', message: "'x'" });
  });

  it('may have no message, a dotted type, an inner type', () => {
    expect(of('E: a [with StopIteration]')).toEqual({ type: 'StopIteration', message: '' });
    expect(of('E: a [with ray.exceptions.RayTaskError(ValueError): z]')).toEqual({
      type: 'ray.exceptions.RayTaskError',
      message: 'z',
    });
  });

  it('is not there without a chain', () => {
    expect(of('E: a')).toBeUndefined();
  });
});
