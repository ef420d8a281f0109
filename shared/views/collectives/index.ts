/** The view of all collectives: built once when a case is made (`build.ts`), read by the questions of the Collectives screen. */
export { buildCollectivesView } from './build.ts';
export type * from './types.ts';
export const COLLECTIVES_VIEW = 'collectives';
