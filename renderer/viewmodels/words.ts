/** The window's own words for codes that only it shows; all others are in `shared/text`. A test checks that each code has one. */
import type { JobFailure, JobPhase } from '#shared/model/job.ts';
import type { ReportRank } from '#shared/report/schema.ts';
import type { RpcErrorCode } from '#shared/rpc/contract.ts';

export const ROLE_WORDS: Readonly<Record<ReportRank['role'], string>> = {
  first: 'first',
  victim: 'waits or follows',
  bystander: 'fine',
  unknown: 'unknown',
};

export const DUMP_WORDS: Readonly<Record<ReportRank['dump'], string>> = {
  present: 'read',
  absent: 'no file',
  empty: '0 bytes',
  truncated: 'truncated',
  failed: 'failed',
  refused: 'refused',
};

export const PHASE_WORDS: Readonly<Record<JobPhase, string>> = {
  inventory: 'Inventory',
  reading: 'Files',
  analysing: 'Findings',
  finishing: 'Case file',
};

/** What an import without a case means, and what can be done. */
export const JOB_FAILURE_WORDS: Readonly<Record<JobFailure, { readonly title: string; readonly next: string }>> = {
  'path-missing': {
    title: 'The bundle is not there',
    next: 'It was moved, renamed or its disk is not mounted. Open it from its present place.',
  },
  'nothing-readable': {
    title: 'Nothing in this bundle could be read',
    next: 'Expected are Pod logs, Pod and event lists, or recorder dumps (nccl_trace_rank_N), as files, a folder, .zip or .tar (also .gz, .zst, .xz, .bz2).',
  },
  'refused-for-safety': {
    title: 'The bundle was refused for safety',
    next: 'Nothing of it ran and nothing was kept. Ask the sender to pack the files again, without links and without paths that leave the bundle.',
  },
  'disk-full': {
    title: 'The disk of the case folder is full',
    next: 'Nothing was kept. Free some space, then open the bundle again.',
  },
  interrupted: {
    title: 'The import ended before its time',
    next: 'Finished files are kept: the case list offers to go on where it stopped. The details below help to report it.',
  },
  internal: {
    title: 'The import stopped on a fault of Firstfault',
    next: 'Nothing was kept. The details below help to report it; they hold no text of the bundle beyond names.',
  },
};

export const RPC_ERROR_WORDS: Readonly<Record<RpcErrorCode, string>> = {
  'invalid-params': 'The window asked for something that does not exist.',
  'unknown-method': 'The window asked for something that this version cannot do.',
  'case-not-found': 'The case is not in the case folder any more.',
  'case-damaged': 'The case file is damaged. Import the bundle again.',
  'case-version': 'The case was written by another version. Import the bundle again.',
  'entry-not-found': 'The file is not in this case.',
  'bytes-not-stored': 'The case does not keep these bytes; only the first 64 KiB, the size and the hash.',
  'record-not-found': 'The dump has no such record.',
  'job-not-found': 'The import is not known any more.',
  'disk-full': 'The disk is full.',
  'analysis-stopped': 'The analysis was stopped; everything is as it was before.',
  'export-stopped': 'A section could not be scanned, so nothing is exported.',
  'nothing-to-export': 'There is nothing of this kind in the case.',
  'write-failed': 'The file could not be written.',
  internal: 'A fault of Firstfault.',
  disconnected: 'The reading process stopped and was restarted.',
};
