import { describe, expect, it } from 'vitest';
import { createMatcher } from '#shared/formats/log/matcher.ts';
import { bareMessage, type Message } from '#shared/formats/log/signatures/define.ts';
import { RECORDS, SIGNATURES } from '#shared/formats/log/signatures/index.ts';

const matcher = createMatcher(RECORDS, SIGNATURES);

const toMessage = (text: string, more: Partial<Message> = {}): Message => ({ ...bareMessage(text), ...more });
const find = (message: Message) => matcher.match(message, matcher.candidates(message.text), '');
const list = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

describe('the list of shapes', () => {
  it('has no id twice, and samples and near misses for each', () => {
    const shapes = [...RECORDS, ...SIGNATURES];
    expect(new Set(shapes.map(({ id }) => id)).size).toBe(shapes.length);
    for (const shape of shapes) expect(shape.samples.length, shape.id).toBeGreaterThan(0);
    expect(shapes.filter(({ nearMisses }) => nearMisses.length === 0).map(({ id }) => id)).toEqual([
      'rendezvous-result',
    ]);
  });

  it('is claimed by one shape only, whichever is asked first', () => {
    for (const signature of SIGNATURES) {
      for (const sample of signature.samples) {
        const message = toMessage(sample.text, { host: sample.host, pid: sample.pid, header: sample.header });
        const claimants = SIGNATURES.filter(
          (other) => other.match(toMessage(message.text, { ...message, notes: {} })) !== undefined,
        );
        const candidates = matcher.candidates(message.text).map((index) => SIGNATURES[index - RECORDS.length]?.id);
        const rivals = claimants.map(({ id }) => id).filter((id) => candidates.includes(id));
        expect(rivals, sample.text).toEqual([signature.id]);
      }
    }
  });
});

describe.each(SIGNATURES.map((signature) => [signature.id, signature] as const))('signature %s', (_, signature) => {
  it.each(signature.samples.map((sample) => [sample.text, sample] as const))('reads %s', (_text, sample) => {
    const found = find(toMessage(sample.text, { host: sample.host, pid: sample.pid, header: sample.header }));
    expect(found?.id).toBe(signature.id);
    if (found?.kind !== 'hit') throw new Error('expected a hit');
    expect([found.hit.body, ...(found.hit.also ?? [])]).toEqual(list(sample.expect));
    expect(found.hit.printer ?? {}).toEqual(sample.printer ?? {});
  });

  it.each(signature.nearMisses.map((text) => [text]))('leaves alone %s', (text) => {
    expect(find(toMessage(text))?.id).not.toBe(signature.id);
  });
});

describe.each(RECORDS.map((record) => [record.id, record] as const))('record %s', (_, record) => {
  it.each(record.samples.map((sample) => [sample.lines.join(' / ').slice(0, 100), sample] as const))(
    'reads %s',
    (_text, sample) => {
      const [first = '', ...rest] = sample.lines;
      const found = find(toMessage(first, { header: sample.header }));
      expect(found?.id).toBe(record.id);
      if (found?.kind !== 'record') throw new Error('expected a record');
      for (const text of rest) expect(['more', 'last'], text).toContain(found.record.take(toMessage(text)));
      expect(found.record.close().hits.map((hit) => hit.body)).toEqual(sample.expect);
    },
  );

  it.each(record.nearMisses.map((text) => [text]))('leaves alone %s', (text) => {
    expect(find(toMessage(text))?.id).not.toBe(record.id);
  });
});

describe('hostile lines', () => {
  const fragments = [
    'Rank 1 is running collective: CollectiveFingerPrint(',
    'WorkNCCL(',
    '[PG ID 0 PG GUID 0(',
    'step ',
    'epoch: [',
    '[rank1]:',
    'rank 1 of ',
    'Traceback (most recent call last):',
    'NCCL WARN ',
    'Connection closed by peer [',
    'File "',
    'ranks [1, 2, ',
    '((((((((',
    '%|',
    'a.a.a.a.',
    'failed to connect, willRetry=1, ',
    '"should dump" flag on TCPStore,',
    'Saving model ',
    ' INFO - ',
    '::::',
    '\u001b[',
    '{"time":"',
    'NaN loss ',
    'Gloo connectFullMesh failed with ',
    'RuntimeError: ',
    '1,1,1,1,',
    'oom-kill:constraint=CONSTRAINT_MEMCG,',
    'terminate called ',
  ];

  /** Far above what linear work needs on a slow machine, far below what a square of the length would take. */
  const LIMIT_MS = 1_500;

  it.each(fragments)('of 64 KiB of %j are looked at in bounded steps', (fragment) => {
    const text = fragment.repeat(Math.ceil(65_536 / fragment.length)).slice(0, 65_536);
    const started = performance.now();
    const message = toMessage(text);
    for (const record of RECORDS) {
      const open = record.open(message, text);
      open?.take(message);
      open?.close();
    }
    for (const signature of SIGNATURES) signature.match(message);
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
  });
});
