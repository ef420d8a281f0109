/** A divergence as the view keeps it: bounded, without the calls that the tables show anyway. */
import type { Divergence } from '../../model/facts.ts';
import type { DivergenceView } from './types.ts';

/** Call texts of hostile length are cut. */
const MAX_TEXT = 400;
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

export const isTransfer = (one: Divergence): boolean => /^(?:send|recv) /.test(one.expected);

export const divergenceView = (one: Divergence): DivergenceView => ({
  seq: one.seq,
  kind: one.kind,
  ranks: one.ranks,
  sides: one.sides,
  expected: cut(one.expected),
  actual: cut(one.actual),
  basis: one.basis,
  why: cut(one.why),
  p2p: isTransfer(one),
});
