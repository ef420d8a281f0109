import { defineSignature } from './define.ts';

const RANKS = '\\[([\\d, ]{1,4000})\\]';
const NEVER = new RegExp(
  `ranks ${RANKS} are the lagging ranks that caused this timeout\\. They never joined any collectives`,
);
const NOT_FINISHED = new RegExp(`${RANKS} joined but didn't finish collective #(\\d{1,15})`);
const NOT_JOINED = new RegExp(`${RANKS} finished collective #\\d{1,15}, but didn't join collective #(\\d{1,15})`);
/** A line of the snapshot of all ranks' states: last call of these ranks, begun or done. */
const SNAPSHOT = new RegExp(`^\\s{1,40}${RANKS} (?:started|finished) [A-Z_\\d]{3,40}$`);

export const rankList = (text: string): readonly number[] =>
  [
    ...new Set(
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => /^\d{1,7}$/.test(part))
        .map(Number),
    ),
  ].sort((a, b) => a - b);

/**
 * The desync report (NCCL_DESYNC_DEBUG or DETAIL): from starts and ends kept in the store, each of its lines names ranks.
 * Collectives are counted from 1.
 */
export default defineSignature({
  id: 'desync-report',
  literals: [
    'They never joined any collectives',
    "joined but didn't finish collective #",
    "but didn't join collective #",
    '] started ',
    '] finished ',
  ],
  match({ text }) {
    const never = NEVER.exec(text);
    if (never !== null) {
      return { body: { kind: 'desync', lagging: rankList(never[1] ?? ''), everJoined: false, seq: undefined } };
    }
    const match = NOT_JOINED.exec(text) ?? NOT_FINISHED.exec(text);
    if (match === null) {
      const seen = SNAPSHOT.exec(text.trimEnd());
      if (seen === null) return undefined;
      return {
        body: { kind: 'desync', lagging: [], everJoined: true, seq: undefined, seen: rankList(seen[1] ?? '') },
      };
    }
    return { body: { kind: 'desync', lagging: rankList(match[1] ?? ''), everJoined: true, seq: Number(match[2]) } };
  },
  samples: [
    {
      text: '\t - To our best knowledge, ranks [2, 5] are the lagging ranks that caused this timeout. They never joined any collectives',
      expect: { kind: 'desync', lagging: [2, 5], everJoined: false, seq: undefined },
    },
    {
      text: "\t   - [3] joined but didn't finish collective #12 (count from 1)",
      expect: { kind: 'desync', lagging: [3], everJoined: true, seq: 12 },
    },
    {
      text: "\t     [0, 1] finished collective #11, but didn't join collective #12 (count from 1)",
      expect: { kind: 'desync', lagging: [0, 1], everJoined: true, seq: 12 },
    },
    {
      text: '\t     [0, 1, 4] started _ALLGATHER_BASE',
      expect: { kind: 'desync', lagging: [], everJoined: true, seq: undefined, seen: [0, 1, 4] },
    },
  ],
  nearMisses: ['  [2] started training', '[0, 1] finished ALLREDUCE', "worker joined but didn't finish collective #x"],
});
