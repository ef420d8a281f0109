import { describe, expect, it } from 'vitest';
import { findLogCuts } from '#shared/analysis/log-cuts/index.ts';
import type { EntryInfo } from '#shared/model/entry.ts';
import type { LogStream } from '#shared/model/events.ts';
import { entryId } from '#shared/model/ids.ts';
import { file, incident, pod, second } from '../rank-map/build-incident.ts';

type Stream = Partial<LogStream> & { readonly bytes?: number; readonly fileLines?: number };

function cutsOf(streams: readonly Stream[], pods: Parameters<typeof incident>[1] = {}) {
  const input = incident(
    streams.map(({ bytes: _b, fileLines: _f, ...stream }, i) => file(`${i}.log`, [], { pod: `w-${i}`, ...stream })),
    pods,
  );
  const entries = input.entries.map(
    (entry, i): EntryInfo => ({
      ...entry,
      bytes: streams[i]?.bytes ?? 1,
      lines: streams[i]?.fileLines ?? streams[i]?.lines ?? 0,
    }),
  );
  return findLogCuts({ ...input, entries }).map(({ pod: name, how, missing, certain }) => [
    name,
    how,
    missing,
    certain,
  ]);
}

describe('findLogCuts', () => {
  it('knows the ten lines of a selector, if all logs have them', () => {
    expect(cutsOf([{ lines: 10 }, { lines: 10 }])).toEqual([
      ['w-0', 'selector-tail', 'oldest', true],
      ['w-1', 'selector-tail', 'oldest', true],
    ]);
    expect(cutsOf([{ lines: 10 }, { lines: 11 }])).toEqual([]);
    expect(cutsOf([{ lines: 10 }])).toEqual([]);
  });

  it.each([
    ['a tail', { lines: 500 }, ['tail', 'oldest']],
    ['other numbers of lines', { lines: 501 }, undefined],
    ['a share of a common file', { lines: 500, fileLines: 900 }, undefined],
    ['the size of a support bundle’s log', { lines: 7, bytes: 4_998_211 }, ['size', 'newest']],
    ['the size at which files are rotated', { lines: 7, bytes: 10_485_812 }, ['rotation', 'oldest']],
    ['any other size', { lines: 7, bytes: 4_900_000 }, undefined],
  ])('%s', (_, stream, expected) => {
    expect(cutsOf([stream])).toEqual(expected === undefined ? [] : [['w-0', ...expected, false]]);
  });

  describe('a first line long after the container’s start', () => {
    const first = (k: number): LogStream['first'] => ({
      stamp: second(k),
      source: { kind: 'line', entry: entryId(0), line: 1, byte: 0, length: 1 },
    });
    const started = pod('w-0', { endedBefore: { startedAt: second(0).ns, finishedAt: second(500).ns }, restarts: 1 });
    const running = {
      pods: [{ ...started, containers: started.containers.map((item) => ({ ...item, runningSince: second(600).ns })) }],
    };

    it.each([
      ['of the running container', { first: first(661) }, true],
      ['in time', { first: first(660) }, false],
      ['of the container before', { first: first(61), previous: true }, true],
      ['by its number', { first: first(61), restart: 0 }, true],
      ['of an older container, whose start nobody tells', { first: first(61), restart: 5 }, false],
      [
        'by a stamp of the program, which may be of another zone',
        {
          first: { ...first(900), stamp: { ...second(900), kind: 'local' } } as LogStream['first'],
        },
        false,
      ],
    ])('%s', (_, stream, isCut) => {
      expect(cutsOf([{ lines: 5, container: 'main', ...stream }], running)).toEqual(
        isCut ? [['w-0', 'late-start', 'oldest', false]] : [],
      );
    });

    it('is none if a rotated file of the container holds the start', () => {
      expect(
        cutsOf(
          [
            { lines: 5, container: 'main', restart: 1, first: first(900) },
            { lines: 5, pod: 'w-0', container: 'main', restart: 1, first: first(601) },
          ],
          running,
        ),
      ).toEqual([]);
    });
  });
});
