/**
 * Views as a case gives them back; undefined = there is none of that shape. This program's own import wrote them, and the schema version of
 * the case stands for the rest of their shape: looked at is only what tells another version, or another program's file.
 */
import type { ClocksView } from './clocks/types.ts';
import type { CollectivesView } from './collectives/types.ts';
import type { CoverageView } from './coverage/types.ts';
import type { LanesView } from './lanes/types.ts';
import type { StoredRanks } from './ranks/types.ts';

export const asLanesView = (value: unknown): LanesView | undefined => (isLanes(value) ? value : undefined);
export const asCollectivesView = (value: unknown): CollectivesView | undefined =>
  isCollectives(value) ? value : undefined;
export const asRanksView = (value: unknown): StoredRanks | undefined => (isRanks(value) ? value : undefined);
export const asCoverageView = (value: unknown): CoverageView | undefined => (isCoverage(value) ? value : undefined);
export const asClocksView = (value: unknown): ClocksView | undefined => (isClocks(value) ? value : undefined);

const isLanes = (value: unknown): value is LanesView =>
  isObject(value) && 'version' in value && value.version === 1 && 'lanes' in value && 'marks' in value;

const isCollectives = (value: unknown): value is CollectivesView =>
  isObject(value) && 'shape' in value && value.shape === 2 && 'groups' in value && 'job' in value;

const isRanks = (value: unknown): value is StoredRanks =>
  isObject(value) && 'version' in value && value.version === 1 && 'lost' in value;

const isCoverage = (value: unknown): value is CoverageView =>
  isObject(value) && 'version' in value && value.version === 1 && 'files' in value && 'pods' in value;

const isClocks = (value: unknown): value is ClocksView => isObject(value) && 'bands' in value && 'momentsNs' in value;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
