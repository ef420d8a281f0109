import type { HandlerTable } from './handler-table.ts';

export const collectivesHandlers: HandlerTable<'collectives'> = {};
