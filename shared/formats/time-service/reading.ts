import type { TimeReport } from '../../model/time-service.ts';

/** What a reader of one tool's output found. */
export type Reading = Omit<TimeReport, 'source'>;
