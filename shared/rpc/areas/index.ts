/** Every area of the window's questions: one file each, methods and their schemas together. */
import { CLOCKS_VALIDATORS, type ClocksMethods } from './clocks.ts';
import { COLLECTIVES_VALIDATORS, type CollectivesMethods } from './collectives.ts';
import { COMPARE_VALIDATORS, type CompareMethods } from './compare.ts';
import { EVIDENCE_VALIDATORS, type EvidenceMethods } from './evidence.ts';
import { EXPORT_VALIDATORS, type ExportMethods } from './export.ts';
import { IMPORT_VALIDATORS, type ImportMethods } from './imports.ts';
import { LOGS_VALIDATORS, type LogsMethods } from './logs.ts';
import { NOTES_VALIDATORS, type NotesMethods } from './notes.ts';
import { RANKS_VALIDATORS, type RanksMethods } from './ranks.ts';
import { TIMELINE_VALIDATORS, type TimelineMethods } from './timeline.ts';

export interface AreaMethods
  extends TimelineMethods,
    CollectivesMethods,
    LogsMethods,
    RanksMethods,
    ClocksMethods,
    EvidenceMethods,
    NotesMethods,
    ExportMethods,
    CompareMethods,
    ImportMethods {}

export const AREA_VALIDATORS = {
  ...TIMELINE_VALIDATORS,
  ...COLLECTIVES_VALIDATORS,
  ...LOGS_VALIDATORS,
  ...RANKS_VALIDATORS,
  ...CLOCKS_VALIDATORS,
  ...EVIDENCE_VALIDATORS,
  ...NOTES_VALIDATORS,
  ...EXPORT_VALIDATORS,
  ...COMPARE_VALIDATORS,
  ...IMPORT_VALIDATORS,
};
