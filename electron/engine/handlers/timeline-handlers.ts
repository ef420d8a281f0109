import type { HandlerTable } from './handler-table.ts';

export const timelineHandlers: HandlerTable<'timeline'> = {};
