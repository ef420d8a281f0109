/**
 * Members whose call is known from a time-out line only, as votes beside the calls that dumps show:
 *
 *   rank 1 (dump)  #12  _all_gather_base [[40]] → [[160]]
 *   rank 3 (dump)  #12  all_reduce [[1]]
 *   rank 0 (line)  SeqNum=12, OpType=ALLREDUCE, NumelIn=1, NumelOut=1       → on the side of rank 3
 *
 * A line tells number, operation and element counts, no types and no stack: it can join a side, and it is weaker than a dump. A line that
 * spells an operation in a way that no dump does is not comparable and is no vote.
 */
import { elementCounts, inputsMustAgree, isSpelledAlike, outputsMustAgree, plainName } from './calls.ts';
import type { LoggedTimeout } from './from-logs.ts';

/** What one side of a disagreement called, by its dump. */
export interface SideCall {
  readonly op: string;
  readonly inputSizes: string | undefined;
  readonly outputSizes: string | undefined;
}

/** The side that a line speaks for, `'other'` for a call unlike all of them; undefined if that cannot be said. */
export function sideOfLine(sides: readonly SideCall[], line: LoggedTimeout): number | 'other' | undefined {
  const alike = sides.flatMap((side, index) => (plainName(side.op) === plainName(line.op) ? [index] : []));
  if (alike.length === 0)
    return isSpelledAlike(line.op) && sides.every((side) => isSpelledAlike(side.op)) ? 'other' : undefined;
  const fits = alike.map((index) => sizesFit(sides[index], line));
  const fitting = alike.filter((_side, i) => fits[i] === true);
  if (fitting.length === 1 && fits.every((fit) => fit !== undefined)) return fitting[0];
  if (fits.every((fit) => fit === false)) return 'other';
  // The sizes cannot be compared, but no other side runs this operation.
  return alike.length === 1 ? alike[0] : undefined;
}

/** Undefined: of several tensors a line prints a number that the dump's shapes do not give. */
function sizesFit(side: SideCall | undefined, line: LoggedTimeout): boolean | undefined {
  if (side === undefined) return undefined;
  const compared: (boolean | undefined)[] = [];
  if (inputsMustAgree(side.op)) compared.push(countFits(side.inputSizes, line.numelIn));
  if (outputsMustAgree(side.op)) compared.push(countFits(side.outputSizes, line.numelOut));
  if (compared.includes(false)) return false;
  return compared.includes(undefined) ? undefined : true;
}

function countFits(shapes: string | undefined, numel: number | undefined): boolean | undefined {
  const counts = elementCounts(shapes);
  return counts.length !== 1 || numel === undefined ? undefined : counts[0] === numel;
}
