/** Why an import that has read everything has nothing to analyse. */
import type { ContainerIssueItem } from '../bundle/bundle-item.ts';
import type { EntryRecord } from './entry-record.ts';
import type { ImportError } from './run-import.ts';

/** Undefined as soon as one entry is of a known kind. `stopped`: the limit of the bundle as a whole that ended the reading. */
export function failureOf(
  records: readonly EntryRecord[],
  issues: readonly ContainerIssueItem[],
  stopped: string | undefined,
): ImportError | undefined {
  if (records.some((record) => record.recognised)) return undefined;
  if (stopped !== undefined) return { code: 'refused-for-safety', detail: stopped };
  const refused = records.filter((record) => record.status === 'refused');
  if (refused.length > 0 && refused.length === records.length)
    return { code: 'refused-for-safety', detail: listReasons(refused, issues) };
  return { code: 'nothing-readable', detail: listReasons(records, issues) };
}

const MAX_REASONS = 8;

/** One line a file: what was found in place of evidence. */
function listReasons(records: readonly EntryRecord[], issues: readonly ContainerIssueItem[]): string {
  const lines = [
    ...issues.map((issue) => `${issue.path}: ${issue.detail}`),
    ...records.map(
      (record) =>
        `${record.path}: ${record.kind.toLowerCase()}, ${record.status}${record.detail === '' ? '' : ` (${record.detail})`}`,
    ),
  ];
  if (lines.length === 0) return 'it holds no files';
  const more = lines.length - MAX_REASONS;
  return [...lines.slice(0, MAX_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
