import { describe, expect, it } from 'vitest';
import { ENVELOPES, peelCarriers, peelEnvelopes } from '#shared/formats/log/envelopes/index.ts';
import { EntryMemory, LogLine } from '#shared/formats/log/log-line.ts';
import { toStamp } from '#shared/formats/log/stamp.ts';
import { formatEpochNs } from '#shared/model/time.ts';

describe.each(ENVELOPES.map((envelope) => [envelope.id, envelope] as const))('envelope %s', (_, envelope) => {
  it.each(envelope.samples.map((sample) => [sample.text, sample] as const))('%s', (text, sample) => {
    const line = new LogLine();
    const memory = new EntryMemory();
    memory.lines = 1;
    line.reset(text);
    const taken = envelope.first.includes(text.charAt(0)) && envelope.peel(line, memory);
    expect(taken).toBe(sample.expect !== undefined);
    expect(line).toMatchObject(sample.expect ?? { text });
  });
});

function peel(...texts: readonly string[]): LogLine {
  const memory = new EntryMemory();
  const line = new LogLine();
  for (const text of texts) {
    memory.lines += 1;
    line.reset(text);
    peelCarriers(line, memory);
    peelEnvelopes(line, memory);
  }
  return line;
}

const iso = (line: LogLine): (string | undefined)[] =>
  [line.outer, line.inner].map((raw) => raw && formatEpochNs(toStamp(raw).ns, raw.resolutionNs >= 1e9 ? 0 : 3));

describe('stacked envelopes', () => {
  const rows: readonly (readonly [string, Partial<LogLine>, readonly (string | undefined)[]])[] = [
    [
      '[pod/w-1/trainer] 2026-11-29T18:33:01.722129538+08:00 [default3]:[rank11]:[E1129 18:33:01.722129538 ProcessGroupNCCL.cpp:616] [Rank 1] x',
      {
        pod: 'w-1',
        container: 'trainer',
        localRank: 3,
        rank: 11,
        rankBasis: 'rank-prefix',
        header: 'ProcessGroupNCCL.cpp:616',
        text: '[Rank 1] x',
      },
      ['2026-11-29T10:33:01.722Z', '1972-11-29T18:33:01Z'],
    ],
    [
      '2026-11-29T18:33:16.782279168Z W1129 18:33:16.781000 3163 torch/distributed/elastic/multiprocessing/api.py:1028] Sending',
      { pid: 3163, rank: undefined, text: 'Sending' },
      ['2026-11-29T18:33:16.782Z', '1972-11-29T18:33:16.781Z'],
    ],
    [
      '2026-11-29T18:33:01.7Z stderr F 2026-11-29 18:54:47,842 | 1 | train.py:176 | go',
      { output: 'err', text: '| 1 | train.py:176 | go' },
      ['2026-11-29T18:33:01.700Z', '2026-11-29T18:54:47.842Z'],
    ],
    [
      ' 2025-02-18 12:54 [rank13]:[E218 04:54:22.864467604 ProcessGroupNCCL.cpp:616] x',
      { rank: 13, text: 'x' },
      ['2025-02-18T12:54:00Z', '1972-02-18T04:54:22Z'],
    ],
    [
      '[2026-04-21 14:19:05] node-204:71213:73302 [7] transport/net_ib.cc:2458 NCCL WARN x',
      { host: 'node-204', pid: 71_213, text: 'transport/net_ib.cc:2458 NCCL WARN x' },
      ['2026-04-21T14:19:05Z', undefined],
    ],
    [
      '[1,12]<stderr>:[rank12]: Traceback (most recent call last):',
      { rank: 12, rankBasis: 'rank-prefix', text: 'Traceback (most recent call last):' },
      [undefined, undefined],
    ],
    [
      '(RayTrainWorker pid=123, ip=10.0.0.4) [rank2] INFO step 4',
      { pid: 123, host: '10.0.0.4', rank: 2, rankBasis: 'app-prefix', text: 'INFO step 4' },
      [undefined, undefined],
    ],
    [
      'just words: nothing to peel',
      { text: 'just words: nothing to peel', rank: undefined, host: undefined },
      [undefined, undefined],
    ],
  ];
  it.each(rows)('%s', (text, expected, stamps) => {
    const line = peel(text);
    expect(line).toMatchObject(expected);
    expect(iso(line)).toEqual(stamps);
  });

  it('believes a label once the entry is labelled, and a host once it was proved', () => {
    expect(peel(' 9: loading', '12: loading').rank).toBe(12);
    expect(peel('12: loading').rank).toBeUndefined();
    expect(peel('worker-3: loading').host).toBeUndefined();
    expect(peel('worker-3: [rank3] INFO up', 'worker-3: loading')).toMatchObject({ host: 'worker-3', text: 'loading' });
  });

  it('drops the nine digits of c10, which belong to another clock, and keeps the six of glog', () => {
    expect(peel('[E1129 17:15:19.759853123 a.cpp:1] x').outer).toMatchObject({ nanos: 0, resolutionNs: 1e9 });
    expect(peel('[E1129 17:15:19.759853 4045 a.cpp:1] x').outer).toMatchObject({
      nanos: 759_853_000,
      resolutionNs: 1000,
    });
  });
});
