/** What is listed: by words, kind, status and node; as a list or over time. */
import { useEffect, useMemo, useRef } from 'react';
import { ENTRY_STATUSES } from '#shared/model/entry.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Choice, SearchField, Segmented } from '../../components/fields.tsx';
import type { EntryList } from '../../data/entries.ts';
import type { FileChoice } from '../../stores/navigation.ts';
import type { CoverageModel } from '../../viewmodels/coverage.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { fileKinds, fileSummary } from '../../viewmodels/file-rows.ts';
import { overrideCommand } from '../shell/commands.ts';
import { CustodyButton } from './custody-log.tsx';

interface FilterBarProps {
  readonly caseId: CaseId;
  readonly entries: EntryList;
  readonly files: FileChoice;
  readonly coverage: CoverageModel | null;
  /** Of the coverage; in place of the counts of files where it says something. */
  readonly news: readonly string[];
  readonly onChoose: (files: FileChoice) => void;
}

const SHOWN_AS = [
  { value: 'list', label: 'List' },
  { value: 'coverage', label: 'Coverage' },
] as const;

export function FilterBar({ caseId, entries, files, coverage, news, onChoose: choose }: FilterBarProps) {
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => overrideCommand('find', () => find.current?.focus()), []);
  return (
    <div className="evidence-bar" data-pane="filters">
      <SearchField
        label="Find file"
        value={files.find}
        inputRef={find}
        onChange={(text) => choose({ ...files, find: text })}
      />
      <Choice
        label="kind"
        value={files.kind}
        options={[
          { value: 'all', label: 'all' },
          ...fileKinds(entries.rows).map((kind) => ({ value: kind, label: kind })),
        ]}
        onChoose={(kind) => choose({ ...files, kind })}
      />
      <Choice
        label="status"
        value={files.status}
        options={[
          { value: 'all', label: 'all' },
          ...ENTRY_STATUSES.map((status) => ({ value: status, label: status })),
        ]}
        onChoose={(status) => choose({ ...files, status: status as FileChoice['status'] })}
      />
      {coverage !== null && coverage.nodes.length > 1 && (
        <Choice
          label="node"
          value={files.node}
          options={[
            { value: 'all', label: 'all' },
            ...coverage.nodes.map((name) => ({ value: name, label: escapeText(name) })),
          ]}
          onChoose={(node) => choose({ ...files, node })}
        />
      )}
      {coverage !== null && (
        <Segmented
          label="Show files as"
          value={files.show}
          options={SHOWN_AS}
          onChoose={(show) => choose({ ...files, show })}
        />
      )}
      {news.length > 0 ? (
        <span className="evidence-summary" data-news="true">
          {news.join(', ')}
        </span>
      ) : (
        <Summary rows={entries.rows} total={entries.total} />
      )}
      <CustodyButton caseId={caseId} />
    </div>
  );
}

function Summary({ rows, total }: { readonly rows: readonly EntryRow[]; readonly total: number | null }) {
  const parts = useMemo(() => fileSummary(rows), [rows]);
  if (total === null) return null;
  const loading = rows.length < total;
  return (
    <span className="evidence-summary">
      {loading ? `≥ ${formatCount(rows.length)} of ${plural(total, 'file')}: ` : `${plural(total, 'file')}: `}
      {parts.map((part, index) => (
        <span key={part.status} data-bad={part.status === 'refused' || part.status === 'failed'}>
          {`${formatCount(part.count)} ${part.status}${index < parts.length - 1 ? ', ' : ''}`}
        </span>
      ))}
    </span>
  );
}
