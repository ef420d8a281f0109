import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRanks, writeRanks } from '#shared/lib/rank-text.ts';
import { caseId, entryId } from '#shared/model/ids.ts';
import { type LocatedView, readLocator, writeLocator } from '../../../../renderer/stores/locator.ts';
import { startOf } from '../../../../renderer/stores/navigation.ts';

const ID = caseId('vit-large-hang-1f0c99aa');
const PLAIN = { basis: 'corrected', range: null, ranks: [], selected: null } as const;

describe('a locator', () => {
  const views: readonly LocatedView[] = [
    { place: { screen: 'overview', caseId: ID }, view: PLAIN },
    {
      place: { screen: 'logs', caseId: ID, target: { query: 'level:error "a & b" #1 %', at: null, time: null } },
      view: {
        basis: 'raw',
        range: { from: -5, to: 2_400_000_000.5 },
        ranks: [37, 40, 41, 42],
        selected: { kind: 'rank', rank: 0 },
      },
    },
    {
      place: {
        screen: 'evidence',
        caseId: ID,
        files: { find: 'ünïcode/‮', kind: 'all', status: 'warned', node: 'gpu-a17', show: 'coverage' },
        target: { entryId: entryId(3), mode: 'hex', line: null, byte: 4096, record: null },
      },
      view: {
        ...PLAIN,
        selected: {
          kind: 'call',
          group: 'default_pg',
          seq: 4812,
          rank: 11,
          record: { entryId: entryId(4), record: 0 },
        },
      },
    },
    { place: { screen: 'collectives', caseId: ID, target: { group: 'dp_0', seq: 4812 } }, view: PLAIN },
  ];

  it.each(views.map((view) => [view.place.screen, view] as const))('restores %s exactly', (_screen, located) => {
    const text = writeLocator(located);
    expect(text).toMatch(/^firstfault:[!-~]+$/);
    const read = readLocator(`  ${text}\n`);
    expect(read?.view).toEqual(located.view);
    expect(read?.place).toMatchObject(located.place);
  });

  it('fills what a later version left out', () => {
    expect(readLocator(`firstfault:timeline/${ID}`)?.place).toEqual(startOf('timeline', ID));
    expect(readLocator(`firstfault:logs/${ID}?target={"query":"x"}`)?.place).toMatchObject({
      target: { query: 'x', at: null, time: null },
    });
  });

  it.each([
    '',
    'firstfault:',
    'firstfault:cases/x',
    `firstfault:logs/../../etc?target={}`,
    `firstfault:logs/${ID}?target={"query":1,"at":null,"time":null}`,
    `firstfault:logs/${ID}?target={"query":"","__proto__":{}}`,
    `firstfault:logs/${ID}?target=not-json`,
    `firstfault:logs/${ID}?range=5~1`,
    `firstfault:logs/${ID}?range=a~b`,
    `firstfault:logs/${ID}?ranks=1-`,
    `firstfault:logs/${ID}?ranks=0-999999999`,
    `firstfault:logs/${ID}?target=%E0%A4%A`,
    `http://firstfault:logs/${ID}`,
  ])('is not %j', (text) => {
    expect(readLocator(text)).toBeNull();
  });

  it('takes no selection that has not its form', () => {
    const of = (selected: string) =>
      readLocator(`firstfault:logs/${ID}?selected=${encodeURIComponent(selected)}`)?.view.selected;
    expect(of('{"kind":"rank","rank":"0"}')).toBeNull();
    expect(of('{"kind":"rank","rank":-1}')).toBeNull();
    expect(of('{"kind":"script"}')).toBeNull();
    expect(of('{"kind":"line","entryId":1,"line":2}')).toEqual({ kind: 'line', entryId: 1, line: 2 });
  });

  it('never throws, whatever is pasted', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readLocator(text);
        readLocator(`firstfault:evidence/a?target=${text}&files=${text}&selected=${text}`);
      }),
    );
  });
});

describe('sets of ranks as typed', () => {
  it.each([
    ['37, 40-47', [37, 40, 41, 42, 43, 44, 45, 46, 47]],
    ['40 – 42 37', [37, 40, 41, 42]],
    ['5,5 5', [5]],
    ['', []],
  ])('%j', (text, ranks) => {
    expect(parseRanks(text)).toEqual(ranks);
  });

  it.each(['a', '1-', '7-3', '-1', '1.5'])('not %j', (text) => {
    expect(parseRanks(text)).toBeNull();
  });

  it('come back as they were written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500)), (ranks) => {
        const sorted = [...ranks].sort((a, b) => a - b);
        expect(parseRanks(writeRanks(sorted))).toEqual(sorted);
      }),
    );
  });
});
