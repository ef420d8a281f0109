/** Blocks unpacked by two threads: the same bytes, whatever the other one does or leaves undone. */
import { describe, expect, it } from 'vitest';
import { BlockHelper, helpUnpack, type UnpackJob } from '#engine/search/block-helper.ts';

const COUNT = 12;
const IDS = Array.from({ length: COUNT }, (_, i) => 100 + i);
const DAMAGED = 105;
const MISSING = 107;

const contentOf = (id: number): Buffer => Buffer.alloc(id * 10, `block ${id} `);
const EXPECTED = IDS.map((id) => (id === DAMAGED || id === MISSING ? undefined : contentOf(id).toString()));

/** Counts what it is asked for. */
function makeStore(onBlock: (id: number) => void = () => undefined) {
  const asked: number[] = [];
  return {
    asked,
    block(id: number): Buffer | undefined {
      asked.push(id);
      onBlock(id);
      if (id === DAMAGED) throw Object.assign(new Error('it does not unpack'), { name: 'UnreadableBlockError' });
      return id === MISSING ? undefined : contentOf(id);
    },
  };
}

const room = () => Buffer.allocUnsafeSlow(65_536);
const shown = (found: readonly (Buffer | undefined)[]) => found.map((bytes) => bytes?.toString());

describe('blocks unpacked together', () => {
  it('all come from here if nobody helps', () => {
    const own = makeStore();
    expect(shown(new BlockHelper(own, () => false).unpack(IDS, room))).toEqual(EXPECTED);
    expect(own.asked).toEqual([...IDS].reverse());
  });

  it('come from the helper if it is quick, those apart that it cannot read', () => {
    const own = makeStore();
    const theirs = makeStore();
    const helper = new BlockHelper(own, (job) => {
      helpUnpack(job, theirs);
      return true;
    });
    for (let round = 0; round < 3; round += 1) expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect([...new Set(own.asked)].sort()).toEqual([DAMAGED, MISSING]);
    expect(theirs.asked).toHaveLength(3 * COUNT);
  });

  it('come from both if both are at it', () => {
    const theirs = makeStore();
    let job: UnpackJob | undefined;
    // Once half of them are unpacked here, the other side does all that is left.
    const own = makeStore((id) => {
      if (id === 106 && job !== undefined) helpUnpack(job, theirs);
    });
    const helper = new BlockHelper(own, (one) => {
      job = one;
      return true;
    });
    expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect(theirs.asked).toEqual([100, 101, 102, 103, 104, DAMAGED]);
    expect(own.asked).toEqual([111, 110, 109, 108, MISSING, 106, DAMAGED]);
  });

  it('are waited for by nobody: one who comes late finds nothing to do, and gets no other list before', () => {
    const own = makeStore();
    const theirs = makeStore();
    const jobs: UnpackJob[] = [];
    const helper = new BlockHelper(own, (job) => {
      jobs.push(job);
      return true;
    });
    expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect(jobs).toHaveLength(1);
    for (const job of jobs) helpUnpack(job, theirs);
    expect(theirs.asked).toEqual([]);
    expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect(jobs).toHaveLength(2);
  });

  it('are given to a new thread in other memory when the old one never came back', () => {
    const jobs: UnpackJob[] = [];
    const helper = new BlockHelper(makeStore(), (job) => {
      jobs.push(job);
      return true;
    });
    for (let round = 0; round < 30; round += 1) expect(shown(helper.unpack(IDS, room))).toEqual(EXPECTED);
    expect(jobs).toHaveLength(2);
    expect(jobs[1]?.places).not.toBe(jobs[0]?.places);
  });
});
