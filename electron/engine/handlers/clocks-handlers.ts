import type { HandlerTable } from './handler-table.ts';

export const clocksHandlers: HandlerTable<'clocks'> = {};
