import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventBudget } from '#engine/import/event-budget.ts';
import { type EventBody, type LogEvent, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import { entryId } from '#shared/model/ids.ts';

const progress = (step: number): EventBody => ({ kind: 'progress', step, epoch: undefined });
const ready: EventBody = { kind: 'group-ready' };
const network: EventBody = {
  kind: 'nccl-network',
  text: 'Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read',
  interface: undefined,
  host: 'w0',
  pid: 110,
};

const event = (body: EventBody, line: number, rank: number | undefined = 0): LogEvent => ({
  body,
  ...UNTOLD_ORIGIN,
  rank,
  rankBasis: rank === undefined ? undefined : 'rank-prefix',
  text: '',
  source: { kind: 'line', entry: entryId(0), line, byte: line * 10, length: 9 },
  lastLine: line,
});

const fileOf = (bodies: readonly EventBody[]): LogEvent[] => bodies.map((body, i) => event(body, i + 1));
const lineOf = ({ source }: LogEvent): number => (source.kind === 'line' ? source.line : 0);

/** Lines that are kept of each file. */
function linesKept(files: readonly (readonly LogEvent[])[], max: number): number[][] {
  const budget = new EventBudget(max);
  const all = files.map((events) => {
    const outputs = budget.open();
    for (const one of events) outputs.add({ kind: 'event', event: one });
    return outputs;
  });
  budget.settle();
  return all.map(({ events }) => events.map(lineOf));
}

describe('the bound of all events together', () => {
  it('leaves everything below it', () => {
    const file = fileOf(Array.from({ length: 50 }, (_, i) => progress(i)));
    expect(linesKept([file, file], 100)).toEqual([file.map(lineOf), file.map(lineOf)]);
  });

  it('keeps of progress every second, then every fourth, and the last', () => {
    const file = fileOf(Array.from({ length: 12 }, (_, i) => progress(i)));
    expect(linesKept([file], 7)).toEqual([[1, 3, 5, 7, 9, 11, 12]]);
    expect(linesKept([file], 4)).toEqual([[1, 5, 9, 12]]);
  });

  it('keeps the progress before whatever else its printer says', () => {
    const file = fileOf(Array.from({ length: 40 }, (_, i) => (i === 21 ? ready : progress(i))));
    const [kept] = linesKept([file], 8);
    expect(kept).toEqual(expect.arrayContaining([1, 21, 22, 40]));
    expect(kept?.length).toBeLessThanOrEqual(8);
  });

  it('keeps the last progress of every rank of a file', () => {
    const file = Array.from({ length: 400 }, (_, i) => event(progress(Math.floor(i / 4)), i + 1, i % 4));
    expect(linesKept([file], 20)[0]).toEqual(expect.arrayContaining([397, 398, 399, 400]));
  });

  it('never drops the first 64 of another kind, and keeps eight lines of set-up', () => {
    const failures = fileOf(Array.from({ length: 64 }, () => ready));
    const setup = fileOf(Array.from({ length: 500 }, () => network));
    const [kept, few] = linesKept([failures, setup], 10);
    expect(kept).toHaveLength(64);
    expect(few).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 500]);
  });

  it('starts again for an entry that forgets what it said', () => {
    const budget = new EventBudget(10);
    const outputs = budget.open();
    for (const one of fileOf(Array.from({ length: 40 }, (_, i) => progress(i))))
      outputs.add({ kind: 'event', event: one });
    outputs.forgetContent();
    for (const one of fileOf([ready, ready])) outputs.add({ kind: 'event', event: one });
    budget.settle();
    expect(outputs.events.map(lineOf)).toEqual([1, 2]);
  });

  it('gives the same for any order of files', () => {
    const body = fc.oneof(
      { weight: 20, arbitrary: fc.nat(9).map(progress) },
      { weight: 1, arbitrary: fc.constant(network) },
      { weight: 1, arbitrary: fc.constant(ready) },
    );
    const file = fc.array(fc.tuple(body, fc.nat(1)), { minLength: 40, maxLength: 120 });
    fc.assert(
      fc.property(fc.array(file, { minLength: 2, maxLength: 6 }), fc.integer({ min: 30, max: 300 }), (made, max) => {
        const files = made.map((lines) => lines.map(([one, rank], i) => event(one, i + 1, rank)));
        const forwards = linesKept(files, max);
        const backwards = linesKept([...files].reverse(), max).reverse();
        expect(backwards).toEqual(forwards);
      }),
    );
  });
});
