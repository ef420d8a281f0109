import './evidence-view.css';
import { useMemo } from 'react';
import { type CaseId, entryId } from '#shared/model/ids.ts';
import type { Report, ReportIssue } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { Failure, Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useEntries } from '../../data/entries.ts';
import { type FileChoice, type RawTarget, useNavigation } from '../../stores/navigation.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { type Citation, citationsByEntry } from '../../viewmodels/file-rows.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { FileTree } from './file-tree.tsx';
import { Files, useCoverage, useShownFiles } from './files.tsx';
import { FilterBar } from './filter-bar.tsx';
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
  const coverage = useCoverage(caseId);
  const shown = useShownFiles(entries.rows, files, coverage);
  const entry = target === null ? undefined : entries.rows.find((row) => row.id === target.entryId);
  const choose = (next: FileChoice) => replace({ screen: 'evidence', caseId, files: next, target });
  const openFile = (next: RawTarget | null) => go({ screen: 'evidence', caseId, files, target: next });
  const moveTo = (next: RawTarget | null) => replace({ screen: 'evidence', caseId, files, target: next });
  return (
    <div className="evidence" data-open={target !== null}>
      <FilterBar
        caseId={caseId}
        entries={entries}
        files={files}
        coverage={coverage}
        news={shown.news}
        onChoose={choose}
      />
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
          <Files
            shown={shown}
            total={entries.rows.length}
            citations={citations}
            files={files}
            coverage={coverage}
            selected={target?.entryId ?? null}
            onOpen={(row) => openFile({ entryId: row.id, mode: null, line: null, byte: null, record: null })}
            onChoose={choose}
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
      {report.issues.length > 0 && files.show === 'list' && (
        <Notes issues={report.issues} rows={entries.rows} onOpen={openFile} />
      )}
    </div>
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
