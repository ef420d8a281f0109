import { describe, expect, it } from 'vitest';
import { buildCollectivesView } from '#shared/views/collectives/index.ts';
import { buildLanes, type LanesView } from '#shared/views/lanes/index.ts';
import {
  buildRanks,
  momentOf,
  type RanksIndex,
  ranksIndex,
  STANDING,
  STANDINGS,
  type StoredRanks,
  waitingCurve,
} from '#shared/views/ranks/index.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { TWO_NODE_STALL } from '../../../../support/two-node-stall.ts';

interface Case {
  readonly lanes: LanesView;
  readonly stored: StoredRanks | undefined;
  readonly index: RanksIndex;
}

function caseOf(files: ReadonlyMap<string, Uint8Array>): Case {
  const source = analyseFiles(files);
  const lanes = buildLanes(source);
  if (lanes === undefined) throw new Error('nothing with a time');
  const stored = buildRanks(source);
  return { lanes, stored, index: ranksIndex({ lanes, stored, collectives: buildCollectivesView(source) }) };
}

/** Rank 2 of four stops after 30 calls; the others wait in the 31st. The dump of rank 3 is not there. */
function stalled(): Case {
  const job = sameProgram(4, times(40, call('all_reduce', 64)));
  job.programs[2]?.splice(30, Number.POSITIVE_INFINITY, 'stall');
  const dumps = dumpFiles(simulate(job)).filter(({ path }) => !path.endsWith('3'));
  return caseOf(new Map(dumps.map(({ path, bytes }) => [`fr/${path}`, bytes])));
}

const SPEC: IncidentSpec = {
  ...TWO_NODE_STALL,
  seed: 5,
  ranksPerNode: 4,
  clocks: 'skewed',
  loop: { ...TWO_NODE_STALL.loop, steps: 40 },
  fault: { kind: 'stall', rank: 5, step: 31, where: 'data' },
};

const words = ({ lanes, stored }: Case, at: number, basis: 'raw' | 'corrected' = 'corrected'): string[] =>
  [...momentOf(lanes, stored, { basis, at, colour: 'state', group: null }).standing].map((one) => STANDINGS[one] ?? '');

describe('where ranks stand at a moment', () => {
  it('names each rank once, in every column, and the curve counts the same waiting ones', () => {
    for (const basis of ['raw', 'corrected'] as const) {
      const one = caseOf(buildIncident(SPEC).files);
      const span = one.index.time?.spans[basis] ?? { from: 0, to: 1 };
      const curve = waitingCurve(one.lanes, one.stored, { basis, ...span, columns: 97 });
      expect(Math.max(...curve)).toBe(7);
      for (let x = 0; x < 97; x++) {
        const at = span.from + (x / 97) * (span.to - span.from);
        const standing = words(one, at, basis);
        expect(standing).toHaveLength(8);
        expect(
          standing.filter((word) => word === 'waiting'),
          `column ${x}, ${basis}`,
        ).toHaveLength(curve[x] ?? -1);
      }
    }
  });

  it('shows what a rank did before the fault, who is first after it, and what has no file', () => {
    const one = stalled();
    const span = one.index.time?.spans.corrected ?? { from: 0, to: 1 };
    expect(words(one, span.from - 1e9)).toEqual(['before', 'before', 'before', 'no-file']);
    expect(words(one, span.to)).toEqual(['waiting', 'waiting', 'first', 'no-file']);
    const middle = words(one, (span.from + span.to) / 2);
    for (const word of middle.slice(0, 3)) expect(['in-call', 'between']).toContain(word);
    expect(middle[3]).toBe('no-file');
  });

  it('gives the call that a rank waits in, since when, and whom the group waits for', () => {
    const one = stalled();
    const { time } = one.index;
    const end = time?.spans.corrected.to ?? 0;
    const moment = momentOf(one.lanes, one.stored, { basis: 'corrected', at: end, colour: 'sequence', group: null });
    expect(moment.standing[0]).toBe(STANDING.waiting);
    expect(moment.seq[0]).toBe(31);
    expect(moment.texts[moment.op[0] ?? -1]).toContain('all_reduce');
    expect(moment.sinceNs[0]).toBeGreaterThan(0);
    // Two calls more were enqueued behind the one that does not end.
    expect([...(moment.values ?? [])].slice(0, 3)).toEqual([33, 33, 30]);
    expect(moment.values?.[3]).toBeNaN();
    expect(time?.links[time.groups[moment.group[0] ?? -1]?.link ?? -1]?.awaited).toEqual([2]);
  });

  it('ends with the exit of each process, and counts errors up to the moment', () => {
    const one = caseOf(
      buildIncident({ ...SPEC, fault: { kind: 'exception', rank: 1, step: 20, what: 'python' } }).files,
    );
    const span = one.index.time?.spans.corrected ?? { from: 0, to: 1 };
    const errors = (at: number): number => {
      const { values } = momentOf(one.lanes, one.stored, { basis: 'corrected', at, colour: 'errors', group: null });
      return [...(values ?? new Float64Array(0))].reduce((sum, value) => sum + value, 0);
    };
    expect(errors(span.from - 1)).toBe(0);
    expect(errors(span.to + 1)).toBe([...(one.index.time?.errors ?? [])].reduce((sum, value) => sum + value, 0));
    expect(errors(span.to + 1)).toBeGreaterThan(0);
    expect(words(one, span.to + 1)[1]).toBe('first');
  });

  it('keeps when a node was lost', () => {
    const node = ['apiVersion: v1', 'kind: Node', 'metadata:', '  name: gpu-b14', 'status:', '  conditions:'];
    const ready = (status: string) => [
      `  - type: Ready`,
      `    status: "${status}"`,
      `    lastTransitionTime: "2026-03-14T09:00:20Z"`,
    ];
    const files = buildIncident(SPEC).files;
    const lost = caseOf(new Map([...files, ['node.yaml', Buffer.from([...node, ...ready('Unknown')].join('\n'))]]));
    const well = caseOf(new Map([...files, ['node.yaml', Buffer.from([...node, ...ready('True')].join('\n'))]]));
    expect(lost.stored?.lost.map((one) => one.node)).toEqual(['gpu-b14']);
    expect(well.stored).toBeUndefined();
  });
});
