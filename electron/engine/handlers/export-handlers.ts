import type { HandlerTable } from './handler-table.ts';

export const exportHandlers: HandlerTable<'export'> = {};
