import type { HandlerTable } from './handler-table.ts';

export const compareHandlers: HandlerTable<'compare'> = {};
