import { describe, expect, it } from 'vitest';
import { EntryOutputs } from '#engine/import/entry-outputs.ts';
import type { EntryRecord } from '#engine/import/entry-record.ts';
import { type ReadSoFar, SoFarTeller } from '#engine/import/so-far.ts';
import { analyseIncident } from '#shared/analysis/index.ts';
import { lowerIfPartial, soFarOf } from '#shared/analysis/so-far/index.ts';
import type { Finding } from '#shared/model/finding.ts';
import { entryId } from '#shared/model/ids.ts';
import type { NodeObject } from '#shared/model/kubernetes.ts';

/** A record of one node object, which is all that the teller looks at. */
function recordOf(slot: number): EntryRecord {
  const outputs = new EntryOutputs();
  const source = { kind: 'byte', entry: entryId(slot), byte: 0, length: 1 } as const;
  outputs.nodes.push({ name: `n${slot}`, source } as NodeObject);
  const unknown = { sha256: null, format: null, lines: null, firstNs: null, lastNs: null };
  const said = { kind: 'Nodes', why: '', status: 'read', detail: '', recognised: true, mayRepeat: false } as const;
  return { slot, path: `nodes/${slot}.yaml`, bytes: 1, ...unknown, ...said, outputs };
}

/** A record that is neither object nor dump. */
const logOf = (slot: number): EntryRecord => ({ ...recordOf(slot), path: `${slot}.log`, outputs: new EntryOutputs() });

function teller(costMs = 0) {
  let now = 0;
  let runs = 0;
  const told = new SoFarTeller(
    (input) => {
      runs += 1;
      now += costMs;
      return analyseIncident({ ...input, nodes: [] });
    },
    () => now,
  );
  const records: EntryRecord[] = [];
  const read = (more: Partial<ReadSoFar> = {}): ReadSoFar => ({
    records,
    containerIssues: [],
    filesTotal: null,
    hasReadValuable: false,
    isListed: false,
    fraction: 0.01,
    ...more,
  });
  return {
    advance: (ms: number) => {
      now += ms;
    },
    take: (record = recordOf(records.length)) => {
      records.push(record);
      told.add(record);
    },
    consider: (more?: Partial<ReadSoFar>) => told.consider(read(more)) !== undefined,
    runs: () => runs,
  };
}

describe('a provisional finding', () => {
  it('of a folder comes once all that names promise was read, not before', () => {
    const { advance, take, consider } = teller();
    take();
    advance(60_000);
    expect(consider({ isListed: true })).toBe(false);
    expect(consider({ isListed: true, hasReadValuable: true })).toBe(true);
    expect(consider({ isListed: true, hasReadValuable: true })).toBe(false);
  });

  it('of a tar comes when nothing of the kind has come for a while, or every few seconds', () => {
    const { advance, take, consider } = teller();
    advance(1500);
    take();
    expect(consider()).toBe(false);
    advance(600);
    expect(consider()).toBe(true);
    expect(consider()).toBe(false);
    take();
    advance(400);
    expect(consider()).toBe(false);
    advance(2700);
    take();
    expect(consider()).toBe(true);
  });

  it('of a tar of logs alone comes while they are read, every few seconds at most', () => {
    const { advance, take, consider } = teller();
    advance(1500);
    expect(consider()).toBe(false);
    take(logOf(0));
    expect(consider()).toBe(false);
    advance(1600);
    expect(consider()).toBe(true);
    advance(2000);
    take(logOf(1));
    expect(consider()).toBe(false);
    advance(1100);
    expect(consider()).toBe(true);
    advance(60_000);
    expect(consider()).toBe(false);
  });

  it('of a folder of logs alone rests on their ends first', () => {
    const { advance, consider } = teller();
    const folder = { isListed: true, hasReadValuable: true };
    advance(1500);
    expect(consider(folder)).toBe(false);
    expect(consider({ ...folder, ends: [logOf(0), logOf(1)] })).toBe(true);
    expect(consider({ ...folder, ends: [logOf(0), logOf(1)] })).toBe(false);
  });

  it('stays within its share of the time, whatever an analysis costs', () => {
    const { advance, take, consider, runs } = teller(1000);
    for (let i = 0; i < 200; i += 1) {
      take();
      advance(1000);
      consider({ fraction: (i + 1) / 200 });
    }
    // 200 s of reading: at most 5 % of it, and the run that passes the limit.
    expect(runs()).toBeGreaterThan(3);
    expect(runs()).toBeLessThanOrEqual(11);
  });
});

const finding = (more: Partial<Finding>): Finding => ({
  ...analyseIncident({
    entries: [],
    issues: [],
    events: [],
    streams: [],
    pods: [],
    kubeEvents: [],
    leases: [],
    nodes: [],
    workloads: [],
    dumps: [],
    timeReports: [],
  }).verdict,
  ...more,
});

describe('what may be said of a part', () => {
  it.each([
    ['established', 'direct', 'supported'],
    ['established', 'recorder', 'hypothesis'],
    ['supported', 'witness', 'hypothesis'],
    ['hypothesis', 'absence', 'hypothesis'],
  ] as const)('%s by %s evidence is at most %s', (status, strength, expected) => {
    const said = finding({ outcome: 'named', status, strength, firstRanks: [3] });
    expect(soFarOf(said).status).toBe(expected);
  });

  it('never is that the job ended well', () => {
    const well = finding({ outcome: 'no-failure', status: 'established' });
    expect(soFarOf(well)).toMatchObject({ outcome: 'cannot-tell', status: 'not-determinable' });
    const facts = { input: { issues: [{ code: 'import-stopped' }] } };
    const result = { facts, verdict: well, findings: [well], gaps: [] } as unknown as Parameters<
      typeof lowerIfPartial
    >[0];
    const { verdict, findings } = lowerIfPartial(result);
    expect(verdict).toMatchObject({
      outcome: 'cannot-tell',
      status: 'not-determinable',
      cause: 'none',
      stage: 'unknown',
    });
    expect(findings[0]).toBe(verdict);
  });
});
