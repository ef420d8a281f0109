import { describe, expect, it } from 'vitest';
import { EntryOutputs } from '#engine/import/entry-outputs.ts';
import type { EntryRecord } from '#engine/import/entry-record.ts';
import { settleIncident } from '#engine/import/settle-incident.ts';
import { UNTOLD_PLACE } from '#shared/formats/log/path-facts.ts';
import objectsYaml from '#shared/formats/objects-yaml.ts';
import { type LogEvent, type LogStream, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import { entryId } from '#shared/model/ids.ts';
import { epochNs, type StampKind } from '#shared/model/time.ts';

function record(slot: number, path: string, sha256: string, change: Partial<EntryRecord> = {}): EntryRecord {
  return {
    slot,
    path,
    sha256,
    bytes: 10,
    format: 'log',
    kind: 'Log',
    why: '',
    status: 'read',
    detail: '',
    lines: 1,
    firstNs: null,
    lastNs: null,
    recognised: true,
    mayRepeat: true,
    outputs: new EntryOutputs(),
    ...change,
  };
}

function event(slot: number): LogEvent {
  return {
    body: { kind: 'teardown' },
    ...UNTOLD_ORIGIN,
    text: '',
    lastLine: 1,
    source: { kind: 'line', entry: entryId(slot), line: 1, byte: 0, length: 1 },
  };
}

function stream(slot: number, place: Partial<LogStream>, stampKind: StampKind | undefined): LogStream {
  const source = { kind: 'entry', entry: entryId(slot) } as const;
  return {
    ...UNTOLD_PLACE,
    lines: 1,
    last: undefined,
    lastLine: undefined,
    ranks: [],
    first:
      stampKind === undefined
        ? undefined
        : { stamp: { ns: epochNs(1n), kind: stampKind, resolutionNs: 1, zoneAssumed: false }, source },
    ...place,
  };
}

function withStream(slot: number, path: string, place: Partial<LogStream>, stampKind?: StampKind): EntryRecord {
  const made = record(slot, path, 'same');
  made.outputs.streams.push(stream(slot, place, stampKind));
  made.outputs.events.push(event(slot));
  return made;
}

describe('public ids', () => {
  it('follow the paths, and every source ref with them', () => {
    const late = record(0, 'z.log', 'a');
    late.outputs.events.push(event(0));
    late.outputs.issue({
      code: 'nul-bytes',
      severity: 'warning',
      source: { kind: 'byte', entry: entryId(0), byte: 4, length: 1 },
      detail: '',
    });
    const { input, settlements } = settleIncident([late, record(1, 'a.log', 'b')], []);
    expect(input.entries.map((entry) => [entry.id, entry.path])).toEqual([
      [0, 'a.log'],
      [1, 'z.log'],
    ]);
    expect(input.events.map((one) => one.source.entry)).toEqual([1]);
    expect(input.issues).toMatchObject([{ code: 'nul-bytes', entry: 1, source: { entry: 1, byte: 4 } }]);
    expect(settlements.map(({ slot, id }) => [slot, id])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('also where a Pod names the places of its ends and conditions', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: w-0}\nstatus:\n  conditions:\n  - {type: Ready, status: "False"}\n  containerStatuses:\n  - name: main\n    state: {terminated: {exitCode: 1}}\n    lastState: {terminated: {exitCode: 137}}\n';
    const pods = record(0, 'z.yaml', 'pods');
    const context = { entry: entryId(0), path: 'z.yaml' };
    for (const output of objectsYaml.parse(new TextEncoder().encode(text), context, false)) pods.outputs.add(output);
    const { input } = settleIncident([pods, record(1, 'a.log', 'log')], []);
    const [pod] = input.pods;
    const [main] = pod?.containers ?? [];
    expect([pod?.source, pod?.conditions[0]?.source, main?.terminated?.source, main?.lastTerminated?.source]).toEqual([
      { kind: 'line', entry: 1, line: 1, byte: 0, length: 14 },
      expect.objectContaining({ entry: 1, line: 6 }),
      expect.objectContaining({ entry: 1, line: 9 }),
      expect.objectContaining({ entry: 1, line: 10 }),
    ]);
  });

  it('do not depend on the order of reading', () => {
    const names = ['c', 'a', 'b'];
    const make = (order: readonly string[]) =>
      settleIncident(
        order.map((name, slot) => record(slot, name, `sha-${name}`)),
        [],
      ).input;
    expect(make(names)).toEqual(make([...names].reverse()));
  });
});

describe('the same bytes twice', () => {
  it('are used once; the first path is the original, whatever was read first', () => {
    const { input, settlements } = settleIncident([withStream(0, 'z/pod.log', {}), withStream(1, 'a/pod.log', {})], []);
    expect(input.entries.map(({ path, status, duplicateOf }) => [path, status, duplicateOf])).toEqual([
      ['a/pod.log', 'read', null],
      ['z/pod.log', 'duplicate', 0],
    ]);
    expect(input.events).toHaveLength(1);
    expect(input.streams).toHaveLength(1);
    expect(input.issues.map((issue) => [issue.code, issue.path, issue.detail])).toEqual([
      ['duplicate-content', 'z/pod.log', 'a/pod.log'],
    ]);
    // The bytes stay where they were stored first: slot 0.
    expect(settlements.map(({ slot, contentSlot }) => [slot, contentSlot])).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it.each<[string, Partial<LogStream>, Partial<LogStream>, StampKind | undefined, boolean]>([
    ['two ranks that printed the same', { fileRank: 1 }, { fileRank: 2 }, undefined, false],
    ['two local ranks of torchrun', { localRank: 0, attempt: 0 }, { localRank: 1, attempt: 0 }, undefined, false],
    ['two Pods without stamps', { pod: 'w-0' }, { pod: 'w-1' }, 'local', false],
    ['a log and its previous one', { pod: 'w-0' }, { pod: 'w-0', previous: true }, undefined, false],
    ['a known and an unknown place', { pod: 'w-0' }, {}, undefined, true],
    ['stamps of the runtime, even under two names', { pod: 'w-0' }, { pod: 'w-1' }, 'runtime', true],
  ])('%s', (_name, first, second, stampKind, same) => {
    const { input } = settleIncident([withStream(0, 'a', first, stampKind), withStream(1, 'b', second, stampKind)], []);
    expect(input.entries[1]?.status).toBe(same ? 'duplicate' : 'read');
    expect(input.events).toHaveLength(same ? 1 : 2);
  });

  it('are two when they may not repeat: equal dumps of two ranks', () => {
    const { input } = settleIncident(
      [record(0, 'a', 'same', { mayRepeat: false }), record(1, 'b', 'same', { mayRepeat: false })],
      [],
    );
    expect(input.entries.map((entry) => entry.status)).toEqual(['read', 'read']);
  });
});

describe('issues', () => {
  it('tells of logs that were cut, which shows only when they are held together', () => {
    const logs = [0, 1].map((i) => withStream(i, `${i}.log`, { pod: `w-${i}`, lines: 10 }, 'runtime'));
    const { input } = settleIncident(
      logs.map((log, i) => ({ ...log, sha256: `${i}` })),
      [],
    );
    expect(input.issues.map(({ code, severity, entry, path }) => [code, severity, entry, path])).toEqual([
      ['log-tail-only', 'warning', 0, '0.log'],
      ['log-tail-only', 'warning', 1, '1.log'],
    ]);
  });

  it('flags the second member of one path', () => {
    const { input } = settleIncident([record(0, 'x', 'a'), record(1, 'x', 'b')], []);
    expect(input.issues.map((issue) => [issue.code, issue.entry])).toEqual([['duplicate-path', 1]]);
  });

  it('counts equal ones of a container', () => {
    const issue = { kind: 'issue', code: 'archive-damaged', severity: 'error', path: 'a.zip', detail: 'x' } as const;
    expect(settleIncident([], [issue, issue]).input.issues).toMatchObject([
      { code: 'archive-damaged', count: 2, entry: undefined, path: 'a.zip' },
    ]);
  });
});

describe('one log in two layouts', () => {
  const log = (slot: number, path: string, place: Partial<LogStream>, text = 'boom', from = 10n) => {
    const outputs = new EntryOutputs();
    const stamp = (ns: bigint) => ({ ns: epochNs(ns), kind: 'runtime', resolutionNs: 1, zoneAssumed: false }) as const;
    const source = { kind: 'entry', entry: entryId(slot) } as const;
    const ends = { first: { stamp: stamp(from), source }, last: { stamp: stamp(20n), source } };
    outputs.streams.push({ ...stream(slot, place, undefined), ...ends });
    outputs.events.push({ ...event(slot), stamp: stamp(15n), text });
    return record(slot, path, `sha-${slot}`, { outputs });
  };

  it('counts once, keeps the file that knows more, and its bytes apart', () => {
    const records = [log(0, 'a/pod.log', { pod: 'w' }), log(1, 'b/0.log', { pod: 'w', podUid: 'u', restart: 0 })];
    for (const given of [records, [...records].reverse()]) {
      const { input, settlements } = settleIncident(given, []);
      expect(input.events).toHaveLength(1);
      expect(input.entries.map(({ status, detail }) => [status, detail])).toEqual([
        ['duplicate', 'the same log in another layout as b/0.log'],
        ['read', ''],
      ]);
      expect(settlements.map(({ slot, contentSlot }) => [slot, contentSlot])).toEqual([
        [0, 0],
        [1, 1],
      ]);
    }
  });

  it('counts a line once that a tail of the log repeats, and keeps that of the file that knows more', () => {
    const records = [
      log(0, 'a/tail.log', { pod: 'w' }, 'boom', 14n),
      log(1, 'b/0.log', { pod: 'w', podUid: 'u', restart: 0 }),
      log(2, 'c/other.log', { pod: 'v' }, 'boom', 12n),
    ];
    for (const given of [records, [...records].reverse()]) {
      const { input } = settleIncident(given, []);
      expect(input.entries.map(({ status }) => status)).toEqual(['read', 'read', 'read']);
      expect(input.events.map(({ source }) => source.entry)).toEqual([1, 2]);
    }
  });

  it('are two if an event or the place differs', () => {
    const other = [log(0, 'a', { pod: 'w' }), log(1, 'b', { pod: 'w' }, 'other')];
    expect(settleIncident(other, []).input.events).toHaveLength(2);
    const places = [log(0, 'a', { pod: 'w' }), log(1, 'b', { pod: 'v' })];
    expect(settleIncident(places, []).input.events).toHaveLength(2);
  });
});
