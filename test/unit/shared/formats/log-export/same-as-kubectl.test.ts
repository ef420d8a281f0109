/** The same log as kubectl prints it and as a log service exports it, newest first: one content, one place in the job. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { importFiles } from '../../../../support/in-memory-import.ts';

const POD = 'job-worker-0';
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z (?:std(?:out|err) F )?(.*)$/;

function toExport(log: string): string {
  const records = log.split('\n').flatMap((line) => {
    const match = LINE.exec(line);
    if (match === null) return [];
    const seconds = Date.parse(`${match[1]}Z`) / 1000;
    const labels = { pod: POD, namespace: 'ml', container: 'main' };
    return [{ line: match[3], timestamp: `${seconds}${match[2]}`, fields: labels }];
  });
  return JSON.stringify(records.reverse(), null, 1);
}

function placed(path: string, text: string) {
  const input = importFiles(new Map([[path, new TextEncoder().encode(text)]]));
  const events = computeRankMap(input).events.map(({ event, rank, attempt, pod }) =>
    JSON.stringify([event.body, event.stamp?.ns, rank, attempt, pod, event.text], (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  );
  return { events, lines: input.streams.map(({ lines }) => lines), last: input.streams.map((s) => s.lastLine?.text) };
}

/** Two starts in one container: the order of lines decides which attempt a line is of. */
const RESTARTED = [
  '[rank0]: rank 0 of 2 (local 0) pid 11 up',
  '[rank1]: rank 1 of 2 (local 1) pid 12 up',
  '[rank1]: Traceback (most recent call last):',
  '[rank1]:   File "/w/train.py", line 3, in main',
  '[rank1]: ValueError: loss is nan',
  'E0314 09:58:12.882000 1 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: 1) local_rank: 1 (pid: 12) of binary: /usr/bin/python3',
  '[rank0]: rank 0 of 2 (local 0) pid 21 up',
  '[rank1]: rank 1 of 2 (local 1) pid 22 up',
  '[rank0]: step 7 loss 1.5',
]
  .map((line, i) => `2026-03-14T09:58:${String(10 + i).padStart(2, '0')}.000000000Z ${line}\n`)
  .join('');
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../fixtures/formats/pod-log', `${name}.in.log`), 'utf8');

describe.each([
  ['a log with two attempts', RESTARTED],
  ['kubectl-timestamps', fixture('kubectl-timestamps')],
  ['second-attempt-refused', fixture('second-attempt-refused')],
])('%s', (_, log) => {
  const plain = placed(`${POD}.log`, log);
  const exported = placed('export.json', toExport(log));

  it('tells the same, of the same ranks and attempts', () => {
    expect(plain.events.length).toBeGreaterThan(0);
    expect(exported.events.toSorted()).toEqual(plain.events.toSorted());
  });

  it('has the same lines and the same last one', () => {
    expect([exported.lines, exported.last]).toEqual([plain.lines, plain.last]);
  });
});

it('the log with two attempts has two', () => {
  expect(new Set(placed('x.json', toExport(RESTARTED)).events.map((event) => JSON.parse(event)[3]))).toEqual(
    new Set([0, 1]),
  );
});
