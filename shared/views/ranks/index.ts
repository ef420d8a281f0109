/** The map of ranks: where each stands at a moment, and what is known of it at all. */
export { buildRanks } from './build.ts';
export { type MomentQuestion, momentOf, waitingCurve } from './moment.ts';
export { type RanksSources, ranksIndex } from './table.ts';
export * from './types.ts';
