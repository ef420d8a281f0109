import type { Handlers } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { caseHandlers } from './case-handlers.ts';
import { entryHandlers } from './entry-handlers.ts';
import { jobHandlers } from './job-handlers.ts';

/** Every method of the contract; one that is missing does not compile. */
export const handlers: Handlers<EngineContext> = { ...caseHandlers, ...entryHandlers, ...jobHandlers };
