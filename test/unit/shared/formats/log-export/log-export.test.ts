/** Records of log services: each message is read as a line of its Pod, in the order of time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolderName } from '#shared/formats/log/path-facts.ts';
import { toStamp } from '#shared/formats/log/stamp.ts';
import { readServiceStamp } from '#shared/formats/log-export/fields.ts';
import logExport from '#shared/formats/log-export/index.ts';
import { isNewestFirst } from '#shared/formats/log-export/records.ts';
import { formatEpochNs } from '#shared/model/time.ts';
import { eventsOf, readEntry, streamsOf } from '../read-entry.ts';

const read = (name: string) => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../../fixtures/formats/log-export', name));
  return readEntry(logExport, new Uint8Array(bytes), name);
};

describe('an export with its newest record first', () => {
  const outputs = read('explore-newest-first.in.json');

  it('is read in the order of time: the traceback is whole, though another Pod speaks in between', () => {
    const [exception] = eventsOf(outputs).filter(({ body }) => body.kind === 'exception');
    expect(exception?.body).toMatchObject({
      type: 'RuntimeError',
      message: 'CUDA error: unspecified launch failure',
      frames: [{ file: '/workspace/train.py', line: 402, name: 'train_step' }],
    });
    expect(exception).toMatchObject({ pod: 'borealis-pt-worker-1', container: 'pytorch', host: 'gpu-node-03' });
    expect(exception?.source).toMatchObject({ kind: 'line', line: 21 });
  });

  it('says so of its streams, whose last line is the first record', () => {
    const stream = streamsOf(outputs).find(({ pod }) => pod === 'borealis-pt-worker-1');
    expect(stream).toMatchObject({ newestFirst: true, lines: 3, namespace: 'ml-train', host: 'gpu-node-03' });
    expect(stream?.lastLine).toMatchObject({ text: 'RuntimeError: CUDA error: unspecified launch failure' });
    expect(stream?.first?.stamp.ns).toBe(1773483457998000000n);
    expect(stream?.last?.stamp.ns).toBe(1773483458000000200n);
  });
});

it('takes labels that all lines of logcli share from the line in front', () => {
  expect(streamsOf(read('logcli-default.in.txt'))).toMatchObject([
    { pod: 'borealis-pt-worker-1', container: 'pytorch', namespace: 'ml-train', lines: 2 },
  ]);
});

it('reads structured payloads by their own rank, and counts what holds no message', () => {
  const outputs = read('gcp-lines-payloads.in.jsonl');
  expect(eventsOf(outputs).map(({ rank, pod, host, body }) => [rank, pod, host, body.kind])).toEqual([
    [9, 'borealis-pt-worker-0', undefined, 'progress'],
    [undefined, 'borealis-pt-worker-1', 'gpu-node-03', 'nccl-warning'],
  ]);
  expect(outputs.find(({ kind }) => kind === 'summary')).toMatchObject({
    text: '2 lines, rank 9, 2 Pods; 1 without a message',
  });
});

it('reads several lines of one cell, and tells of a row that breaks the rules', () => {
  const outputs = read('datadog-lines-inside-cells.in.csv');
  expect(eventsOf(outputs).map(({ body }) => body.kind)).toEqual(['nccl-warning', 'exception']);
  expect(outputs.find(({ kind }) => kind === 'issue')).toMatchObject({ code: 'export-invalid' });
});

it.each([
  ['1773483457951004118', '2026-03-14T10:17:37.951004118Z', 'runtime', 1],
  ['1773483457951', '2026-03-14T10:17:37.951000000Z', 'epoch', 1e6],
  ['1773483457', '2026-03-14T10:17:37.000000000Z', 'epoch', 1e9],
  ['2026-03-14T10:17:37.951Z', '2026-03-14T10:17:37.951000000Z', 'zoned', 1e6],
  ['2026-03-14T11:17:37.951004118+01:00', '2026-03-14T10:17:37.951004118Z', 'runtime', 1],
  ['2026-03-14 10:17:37.951', '2026-03-14T10:17:37.951000000Z', 'local', 1e6],
])('reads the stamp %s', (text, expected, kind, resolutionNs) => {
  const raw = readServiceStamp(text);
  const stamp = raw && toStamp(raw);
  expect(stamp && [formatEpochNs(stamp.ns, 9), stamp.kind, stamp.resolutionNs]).toEqual([expected, kind, resolutionNs]);
});

it.each([
  [
    'borealis-pt-worker-1_ml-train_pytorch',
    { pod: 'borealis-pt-worker-1', namespace: 'ml-train', container: 'pytorch' },
  ],
  [
    `from-fluent-bit-kube.var.log.containers.w-0_ml_main-${'a1'.repeat(32)}.log`,
    { pod: 'w-0', namespace: 'ml', container: 'main' },
  ],
  ['kube-apiserver-audit', undefined],
])('reads the stream name %s', (name, expected) => {
  expect(readFolderName(name)).toEqual(expected);
});

it('calls a file newest first only if its stamps fall more often than they rise', () => {
  const at = (...seconds: number[]) => seconds.map((s) => ({ stamp: readServiceStamp(String(1773483000 + s)) }));
  expect(isNewestFirst(at(1, 2, 2, 3))).toBe(false);
  expect(isNewestFirst(at(3, 2, 2, 1))).toBe(true);
  expect(isNewestFirst(at(1, 5, 4, 6))).toBe(false);
  expect(isNewestFirst(at(1))).toBe(false);
});
