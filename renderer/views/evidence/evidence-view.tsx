import './evidence-view.css';
import { useEffect, useMemo, useRef } from 'react';
import { ENTRY_STATUSES } from '#shared/model/entry.ts';
import { type CaseId, entryId } from '#shared/model/ids.ts';
import type { Report, ReportIssue } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Choice, SearchField } from '../../components/fields.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useEntries } from '../../data/entries.ts';
import { ALL_FILES, type FileChoice, type RawTarget, useNavigation } from '../../stores/navigation.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { type Citation, citationsByEntry, fileKinds, fileSummary } from '../../viewmodels/file-rows.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { overrideCommand } from '../shell/commands.ts';
import { CustodyButton } from './custody-log.tsx';
import { FileTable } from './file-table.tsx';
import { FileTree } from './file-tree.tsx';
import { RawViewer } from './raw-viewer.tsx';

interface EvidenceViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly files: FileChoice;
  readonly target: RawTarget | null;
}

const NO_CITATIONS: readonly Citation[] = [];

/** All files of the bundle with what became of each, and the bytes of the chosen one. */
export function EvidenceView({ caseId, report, files, target }: EvidenceViewProps) {
  const entries = useEntries(caseId);
  const citations = useMemo(() => citationsByEntry(report), [report]);
  const { go, replace } = useNavigation();
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => overrideCommand('find', () => find.current?.focus()), []);
  const entry = target === null ? undefined : entries.rows.find((row) => row.id === target.entryId);
  const choose = (next: FileChoice) => replace({ screen: 'evidence', caseId, files: next, target });
  const openFile = (next: RawTarget | null) => go({ screen: 'evidence', caseId, files, target: next });
  const moveTo = (next: RawTarget | null) => replace({ screen: 'evidence', caseId, files, target: next });
  return (
    <div className="evidence">
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
        <Summary rows={entries.rows} total={entries.total} />
        <CustodyButton caseId={caseId} />
      </div>
      {entries.error === null && (
        <FileTree
          rows={entries.rows}
          find={files.find}
          selected={target?.entryId ?? null}
          onFolder={(path) => choose({ ...files, find: path })}
          onOpen={(row) => openFile({ entryId: row.id, mode: null, line: null, byte: null, record: null })}
        />
      )}
      <div className="evidence-panes" data-open={target !== null}>
        {entries.error !== null ? (
          <Failure
            title="The file list cannot be read"
            text={`${RPC_ERROR_WORDS[entries.error.code]} The other screens still work.`}
            onCopy={() => copyText(`${entries.error?.code}: ${entries.error?.detail}`)}
          />
        ) : entries.total === null ? (
          <Skeleton words="Reading the file list" />
        ) : (
          <FileTable
            rows={entries.rows}
            citations={citations}
            choice={files}
            selected={target?.entryId ?? null}
            onOpen={(row) => openFile({ entryId: row.id, mode: null, line: null, byte: null, record: null })}
            none={<NoFiles files={files} total={entries.rows.length} onClear={() => choose(ALL_FILES)} />}
          />
        )}
        {target !== null && entry && (
          <RawViewer
            key={entry.id}
            caseId={caseId}
            entry={entry}
            target={target}
            citations={citations.get(entry.id) ?? NO_CITATIONS}
            onMove={moveTo}
            onGo={openFile}
            onClose={() => openFile(null)}
          />
        )}
      </div>
      {report.issues.length > 0 && <Notes issues={report.issues} rows={entries.rows} onOpen={openFile} />}
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

function NoFiles({
  files,
  total,
  onClear,
}: {
  readonly files: FileChoice;
  readonly total: number;
  readonly onClear: () => void;
}) {
  const parts = [
    files.find === '' ? '' : `“${files.find}”`,
    files.kind === 'all' ? '' : files.kind,
    files.status === 'all' ? '' : files.status,
  ].filter((part) => part !== '');
  if (total === 0)
    return (
      <Empty
        title="No file"
        text="The list of files of this case is empty: nothing that it says leads back to bytes. Import the bundle again."
      />
    );
  return (
    <Empty title={`0 of ${plural(total, 'file')} match`} text={`The filter ${parts.join(', ')} leaves nothing.`}>
      <Button kind="outlined" onClick={onClear}>
        Show all files
      </Button>
    </Empty>
  );
}

const LETTERS: Readonly<Record<ReportIssue['severity'], string>> = {
  refused: 'R',
  error: 'E',
  warning: 'W',
  info: 'I',
};
const ORDER: readonly ReportIssue['severity'][] = ['refused', 'error', 'warning', 'info'];

/** Everything that was refused, guessed or passed over while reading. */
function Notes({
  issues,
  rows,
  onOpen,
}: {
  readonly issues: readonly ReportIssue[];
  readonly rows: readonly EntryRow[];
  readonly onOpen: (target: RawTarget) => void;
}) {
  const sorted = useMemo(
    () => [...issues].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)),
    [issues],
  );
  return (
    <aside className="evidence-notes" aria-label="Notes on reading" data-pane="notes">
      <div className="notes-head">
        <h2>Notes on reading</h2>
        <span className="quiet">{formatCount(issues.length)}</span>
      </div>
      {sorted.map((issue) => {
        const row = rows.find((known) => known.path === issue.file);
        const key = `${issue.code} ${issue.file ?? ''} ${issue.where ?? ''}`;
        const body = (
          <>
            <span className="note-letter" data-severity={issue.severity} title={issue.severity}>
              {LETTERS[issue.severity]}
            </span>
            <span className="note-text">
              {escapeText(issue.text)}
              {issue.count > 1 && <span className="quiet">{` ×${formatCount(issue.count)}`}</span>}
            </span>
            <span className="note-where">
              {[issue.file ?? 'the bundle', issue.where]
                .filter((part) => part !== null)
                .map(escapeText)
                .join(', ')}
            </span>
          </>
        );
        return row ? (
          <button
            key={key}
            type="button"
            className="note-row"
            onClick={() => onOpen({ entryId: entryId(row.id), mode: null, line: null, byte: null, record: null })}
          >
            {body}
          </button>
        ) : (
          <div key={key} className="note-row">
            {body}
          </div>
        );
      })}
    </aside>
  );
}
