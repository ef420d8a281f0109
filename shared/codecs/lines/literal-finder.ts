/**
 * Finds which of many literals a line contains, in one pass: the filter in front of the regular expressions.
 *
 * Each literal is known by its rarest run of four characters (its anchor). A table of 65 536 cells, indexed by a rolling
 * hash of the last four characters, tells in one look whether any anchor may end here; only then are literals compared.
 * Most lines of a log contain none of them and cost one pass of shifts and looks.
 *
 *   finder = createLiteralFinder([['Traceback (most'], ['NCCL WARN', 'NCCL INFO']])
 *   finder.find('x:1:2 [0] NCCL WARN Cuda failure')  → [1]
 *
 * Cost: O(line) plus the comparisons of candidates. Case matters. Literals are at least four characters.
 */

export interface LiteralFinder {
  /** Positions of the groups that have a literal in `text` at or after `from`, ascending; often the same empty array. */
  find(text: string, from?: number): readonly number[];
}

interface Anchored {
  readonly group: number;
  readonly literal: string;
  /** Characters of the literal up to and including its anchor's last one. */
  readonly end: number;
}

const CELLS = 65_536;
const NOTHING: readonly number[] = [];

const step = (hash: number, code: number): number => ((hash << 4) ^ code) & (CELLS - 1);

/** How common a character is in log text, roughly; higher = more common. Only used to choose anchors. */
function commonness(code: number): number {
  if (code === 32) return 6;
  if (code >= 97 && code <= 122) return 'eatoinrsl'.includes(String.fromCharCode(code)) ? 5 : 3;
  if (code >= 48 && code <= 57) return 3;
  return code >= 65 && code <= 90 ? 1 : 0;
}

function anchorEnd(literal: string): number {
  let best = 4;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let end = 4; end <= literal.length; end++) {
    let cost = 0;
    for (let i = end - 4; i < end; i++) cost += commonness(literal.charCodeAt(i));
    if (cost < bestCost) {
      best = end;
      bestCost = cost;
    }
  }
  return best;
}

/** `groups[i]` are the literals any of which makes `find` return `i`. Throws for a literal under four characters. */
export function createLiteralFinder(groups: readonly (readonly string[])[]): LiteralFinder {
  const present = new Uint8Array(CELLS);
  const cells = new Map<number, Anchored[]>();
  groups.forEach((literals, group) => {
    for (const literal of literals) {
      if (literal.length < 4) throw new Error(`literal too short: ${JSON.stringify(literal)}`);
      const end = anchorEnd(literal);
      let hash = 0;
      for (let i = end - 4; i < end; i++) hash = step(hash, literal.charCodeAt(i));
      present[hash] = 1;
      const cell = cells.get(hash);
      if (cell === undefined) cells.set(hash, [{ group, literal, end }]);
      else cell.push({ group, literal, end });
    }
  });

  return {
    find(text, from = 0) {
      let hash = 0;
      let found: number[] | undefined;
      const length = text.length;
      for (let i = from; i < length; i++) {
        hash = ((hash << 4) ^ text.charCodeAt(i)) & (CELLS - 1);
        if (present[hash] === 0) continue;
        for (const { group, literal, end } of cells.get(hash) ?? []) {
          const start = i + 1 - end;
          if (start < from || found?.includes(group) || !text.startsWith(literal, start)) continue;
          found ??= [];
          found.push(group);
        }
      }
      return found === undefined ? NOTHING : found.sort((a, b) => a - b);
    },
  };
}
