import type { JobFailure } from '#shared/model/job.ts';

/** Exit statuses of the terminal command; other programs rely on them. */
export const EXIT = {
  analysed: 0,
  usage: 2,
  nothingReadable: 3,
  refused: 4,
  internal: 5,
  cancelled: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

const BY_FAILURE: Record<JobFailure, ExitStatus> = {
  'path-missing': EXIT.usage,
  'nothing-readable': EXIT.nothingReadable,
  'refused-for-safety': EXIT.refused,
  'disk-full': EXIT.internal,
  interrupted: EXIT.internal,
  internal: EXIT.internal,
};

export const exitStatusOf = (failure: JobFailure): ExitStatus => BY_FAILURE[failure];
