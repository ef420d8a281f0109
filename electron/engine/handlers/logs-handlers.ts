import type { HandlerTable } from './handler-table.ts';

export const logsHandlers: HandlerTable<'logs'> = {};
