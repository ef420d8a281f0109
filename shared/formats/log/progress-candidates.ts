/** Which literals make a line a candidate of the shape `progress`, and which make it one of any other shape. */
import { RECORDS, SIGNATURES } from './signatures/index.ts';
import progress from './signatures/progress.ts';

export const MATCHER_OF_PROGRESS: readonly string[] = progress.literals;
export const MATCHER_LITERALS: readonly string[] = [
  ...RECORDS,
  ...SIGNATURES.filter(({ id }) => id !== progress.id),
].flatMap(({ literals }) => literals);
