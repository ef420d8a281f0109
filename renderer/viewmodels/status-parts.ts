/** The status bar of a case. */
import type { EntryStatus } from '#shared/model/entry.ts';
import type { Report } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { outOfText } from '#shared/text/partial-text.ts';
import { type ClockStatus, clockStatus } from './clocks/status.ts';

export interface StatusParts {
  readonly read: string;
  readonly statuses: readonly { readonly status: EntryStatus; readonly text: string }[];
  /** Null until all files are listed. */
  readonly hashes: string | null;
  readonly gaps: string;
  readonly clocks: ClockStatus;
}

const SHOWN = ['refused', 'failed', 'empty', 'truncated', 'warned', 'skipped'] as const;

export function statusParts(report: Report, entries: readonly EntryRow[] | null): StatusParts {
  const { files } = report.bundle;
  const gaps = report.gaps.filter((gap) => gap.state !== 'present').length;
  return {
    read: `${formatCount(files.read + files.warned)} of ${outOfText(report.bundle)} files read`,
    statuses: SHOWN.filter((status) => files[status] > 0).map((status) => ({
      status,
      text: `${formatCount(files[status])} ${status === 'warned' ? 'with warnings' : status}`,
    })),
    hashes:
      entries === null ? null : `${formatCount(entries.filter((entry) => entry.sha256 !== null).length)} hashes taken`,
    gaps: plural(gaps, 'gap'),
    clocks: clockStatus(report),
  };
}
