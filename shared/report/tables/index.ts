export { COLLECTIVES_TABLE, dumpRows, EVENTS_TABLE, eventRow } from './record-tables.ts';
export { REPORT_TABLES, type ReportTableName, reportRows, VERDICT_FINDING } from './report-tables.ts';
export type { CaseTable, Cell, ColumnType, Row, TableColumn } from './types.ts';
