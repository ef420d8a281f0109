/** Rows of the log search of files whose stamps name no zone: the zone that the case proved, as the events have it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LogSession } from '#engine/search/log-session.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { LineRow, ListChoice } from '#shared/rpc/areas/logs.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const ZONES = [330, -480, 60, 765];
const spec = (seed: number): IncidentSpec => {
  const base = randomSpec(seed);
  const zoneOf = (i: number): number => ZONES[(seed + i) % ZONES.length] ?? 0;
  return {
    ...base,
    layout: 'plain',
    clocks: Array.from({ length: base.nodes }, (_, i) => ({ offsetMs: i * 700, zoneMinutes: zoneOf(i) })),
  };
};

const folder = scratchFolder().path;
const sessions: LogSession[] = [];
afterAll(() => {
  for (const session of sessions) session.close();
});

/** Epoch ns of lines by `ENTRY:LINE`, out of what the analysis was given. */
function eventTimes({ events }: IncidentInput): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { source, stamp } of events)
    if (source.kind === 'line' && stamp !== undefined && stamp.kind !== 'boot')
      found.set(`${source.entry}:${source.line}`, stamp.ns);
  return found;
}

async function rowsOf(session: LogSession, basis: 'raw' | 'corrected'): Promise<readonly LineRow[]> {
  const list: ListChoice = { basis, fold: false, open: [] };
  const request = { query: '', regex: false, matchCase: false, basis, ranks: [], range: null, marks: [] };
  const run = session.search(request, null, null);
  if (!run.ok) throw new Error(run.error.expected);
  while (run.value.status === 'searching') await run.value.changed();
  return session
    .view(run.value, list)
    .rows(0, 200_000)
    .filter((row) => row.kind === 'line');
}

it('stand at the moments of the events of the same lines, and among those of other files', async () => {
  let moved = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const bundle = join(folder, `bundle-${seed}`);
    for (const [path, bytes] of buildIncident(spec(seed)).files) {
      mkdirSync(dirname(join(bundle, path)), { recursive: true });
      writeFileSync(join(bundle, path), bytes);
    }
    const caseFile = join(folder, `case-${seed}.db`);
    const { input, report } = await importIncident([bundle], caseFile);
    const zoned = new Set(
      (report.clock.zones ?? []).filter(({ minutes }) => minutes !== null && minutes !== 0).map(({ file }) => file),
    );
    if (zoned.size === 0) continue;
    const session = new LogSession({ caseFile, entry: undefined, threads: 1, keep: new Set([1]) });
    sessions.push(session);
    const info = session.describe();
    const times = eventTimes(input);
    const rows = await rowsOf(session, 'raw');
    for (const row of rows) {
      const path = info.files[row.file]?.path ?? '';
      const known = times.get(row.key);
      if (!zoned.has(path) || known === undefined || row.rawNs === null) continue;
      expect(BigInt(info.originNs) + BigInt(Math.round(row.rawNs)), `${seed} ${path}:${row.line}`).toBe(known);
      expect(row.zoneAssumed).toBe(false);
      // Corrected by the clock only: the zone is in both.
      moved += 1;
    }
    for (const [i, row] of rows.entries()) expect(row.keyNs).toBeGreaterThanOrEqual(rows[i - 1]?.keyNs ?? row.keyNs);
    const corrected = await rowsOf(session, 'corrected');
    const offsets = new Map(report.clock.domains.map(({ id, offsetMs }) => [id, offsetMs]));
    for (const row of corrected.filter((one) => zoned.has(info.files[one.file]?.path ?? '')).slice(0, 200)) {
      const offset = offsets.get(info.files[row.file]?.clock ?? '')?.estimate;
      if (row.timeNs === null || row.rawNs === null) continue;
      expect(row.corrected).toBe(offset !== undefined);
      expect((row.rawNs - row.timeNs) / 1e6).toBeCloseTo(offset ?? 0, 3);
    }
  }
  expect(moved).toBeGreaterThan(20);
}, 120_000);
