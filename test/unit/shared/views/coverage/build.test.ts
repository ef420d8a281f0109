import { describe, expect, it } from 'vitest';
import { buildCoverage, type CoverageView, type FileCoverage } from '#shared/views/coverage/index.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { TWO_NODE_STALL } from '../../../../support/two-node-stall.ts';

const SPEC: IncidentSpec = { ...TWO_NODE_STALL };
type Files = Map<string, Uint8Array>;

function coverageOf(files: ReadonlyMap<string, Uint8Array>) {
  const source = analyseFiles(files);
  const view = buildCoverage(source);
  if (view === undefined) throw new Error('nothing with a time');
  const entries = new Map(source.input.entries.map(({ path, id }) => [path, id]));
  const file = (part: string): FileCoverage => {
    const path = [...entries.keys()].find((one) => one.includes(part)) ?? '';
    const found = view.files.find(({ entry }) => entry === entries.get(path));
    if (found === undefined) throw new Error(`nothing of ${part}`);
    return found;
  };
  return { view, file, source };
}

const pathsOf = (files: ReadonlyMap<string, Uint8Array>, part: string): string =>
  [...files.keys()].find((path) => path.includes(part)) ?? '';

/** Raw epoch ns of a time of the view. */
const epoch = (view: CoverageView, at: number | null): bigint => BigInt(view.originNs) + BigInt(at ?? Number.NaN);

describe('the stored view of coverage', () => {
  it('gives of each log its first and last stamp, its node, Pod and ranks', () => {
    const { files } = buildIncident(SPEC);
    const { view, source } = coverageOf(files);
    const logs = view.files.filter(({ of }) => of === 'log');
    expect(logs.length).toBeGreaterThan(1);
    for (const log of logs) {
      const stream = source.input.streams.find(({ first }) => first?.source.entry === log.entry);
      expect(epoch(view, log.fromNs)).toBe(stream?.first?.stamp.ns);
      expect(epoch(view, log.toNs)).toBe(stream?.last?.stamp.ns);
      expect(log.nodes).toHaveLength(1);
      expect(log.pods).toHaveLength(1);
      expect(view.clocks[log.clock]?.id).toBe(log.nodes[0]);
    }
    expect(logs.flatMap(({ ranks }) => ranks).sort((a, b) => a - b)).toEqual(
      source.report.ranks.map(({ rank }) => rank),
    );
  });

  it('gives of a dump the span of its records on the clock of its rank', () => {
    const { files } = buildIncident(SPEC);
    const { view, source } = coverageOf(files);
    const [dump] = source.input.dumps;
    const found = view.files.find(({ entry }) => entry === dump?.source.entry);
    const times = [...(dump?.columns.createdNs ?? []), ...(dump?.columns.completedNs ?? [])].filter((ns) => ns > 0n);
    times.sort((a, b) => Number(a - b));
    expect(found?.of).toBe('dump');
    expect(epoch(view, found?.fromNs ?? null)).toBe(times[0]);
    expect(epoch(view, found?.toNs ?? null)).toBe(times.at(-1));
    expect(found?.ranks).toHaveLength(1);
    expect(view.clocks[found?.clock ?? -1]?.id).toBe(found?.nodes[0]);
  });

  it('names the Pod whose log is not there, and the ranks without a dump', () => {
    const { files } = buildIncident(SPEC);
    const whole = coverageOf(files).view;
    expect(whole.pods.every(({ log }) => log)).toBe(true);
    const lost = whole.pods[1];
    const less: Files = new Map(files);
    less.delete(pathsOf(less, `${lost?.pod}.log`));
    const dump = pathsOf(less, 'nccl_trace_rank_0');
    less.delete(dump);
    expect(less.size).toBe(files.size - 2);
    const { view } = coverageOf(less);
    expect(view.pods.filter(({ log }) => !log).map(({ pod }) => pod)).toEqual([lost?.pod]);
    const gone = view.pods.flatMap(({ withoutDump }) => withoutDump).sort((a, b) => a - b);
    expect(gone).toContain(0);
    expect(gone).toEqual(
      [...new Set([0, ...whole.pods.flatMap(({ withoutDump }) => withoutDump)])].sort((a, b) => a - b),
    );
  });

  it('does not depend on the order of files', () => {
    const { files } = buildIncident(SPEC);
    const back = coverageOf(new Map([...files].reverse()));
    const there = coverageOf(files);
    const byPath = ({ view, source }: typeof there) =>
      view.files
        .map((file) => ({ ...file, entry: source.input.entries.find(({ id }) => id === file.entry)?.path ?? '' }))
        .sort((a, b) => (a.entry < b.entry ? -1 : 1));
    expect(byPath(back)).toEqual(byPath(there));
    expect(back.view.pods).toEqual(there.view.pods);
  });

  it('is nothing where nothing carries a time', () => {
    expect(buildCoverage(analyseFiles(new Map([['notes.txt', Buffer.from('nothing here\n')]])))).toBeUndefined();
  });
});
