import type { HandlerTable } from './handler-table.ts';

export const ranksHandlers: HandlerTable<'ranks'> = {};
