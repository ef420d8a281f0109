import type { Handlers } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { caseHandlers } from './case-handlers.ts';
import { clocksHandlers } from './clocks-handlers.ts';
import { collectivesHandlers } from './collectives-handlers.ts';
import { compareHandlers } from './compare-handlers.ts';
import { entryHandlers } from './entry-handlers.ts';
import { evidenceHandlers } from './evidence-handlers.ts';
import { exportHandlers } from './export-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { logsHandlers } from './logs-handlers.ts';
import { notesHandlers } from './notes-handlers.ts';
import { ranksHandlers } from './ranks-handlers.ts';
import { timelineHandlers } from './timeline-handlers.ts';

/** Every method of the contract; one that is missing does not compile. */
export const handlers: Handlers<EngineContext> = {
  ...caseHandlers,
  ...entryHandlers,
  ...jobHandlers,
  ...timelineHandlers,
  ...collectivesHandlers,
  ...logsHandlers,
  ...ranksHandlers,
  ...clocksHandlers,
  ...evidenceHandlers,
  ...notesHandlers,
  ...exportHandlers,
  ...compareHandlers,
};
