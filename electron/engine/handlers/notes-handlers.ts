import type { HandlerTable } from './handler-table.ts';

export const notesHandlers: HandlerTable<'notes'> = {};
