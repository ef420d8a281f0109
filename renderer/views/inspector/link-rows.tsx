import type { CaseId } from '#shared/model/ids.ts';
import { entryId } from '#shared/model/ids.ts';
import { useEntries } from '../../data/entries.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import type { EvidenceRow } from '../../viewmodels/evidence-rows.ts';
import { momentNote } from '../../viewmodels/moment.ts';
import { StatementText } from '../overview/evidence-section.tsx';
import { showSource } from '../shell/links.ts';

interface LinkItem {
  readonly label: string;
  readonly note?: string;
  readonly act: () => void;
}

/** Where the thing can be seen. */
export function Links({ items }: { readonly items: readonly LinkItem[] }) {
  return (
    <section className="inspector-section" aria-label="Show">
      {items.map((item) => (
        <button key={item.label} type="button" className="inspector-link" onClick={item.act}>
          <span>{item.label}</span>
          {item.note !== undefined && <span className="mono-11 quiet">{item.note}</span>}
        </button>
      ))}
    </section>
  );
}

const MAX_FILES = 6;

/** What speaks of the thing: statements of the findings, then its files. */
export function EvidenceLinks({
  caseId,
  rows,
  files,
}: {
  readonly caseId: CaseId;
  readonly rows: readonly EvidenceRow[];
  readonly files: readonly string[];
}) {
  const entries = useEntries(caseId);
  const known = files.flatMap((path) => entries.rows.find((row) => row.path === path) ?? []);
  if (rows.length === 0 && known.length === 0) return null;
  return (
    <section className="inspector-section" aria-label="Evidence">
      <h3>Evidence</h3>
      {rows.map((row) => (
        <button
          key={row.key}
          type="button"
          className="inspector-evidence"
          title={row.path}
          onClick={() => showSource(caseId, entryId(row.entryId), row.target)}
        >
          <span className="inspector-evidence-text">
            <StatementText text={row.text} />
          </span>
          {row.moment !== null && (
            <span className="mono-11 quiet">{`${row.moment.time} ${momentNote(row.moment)}`}</span>
          )}
          <span className="inspector-source">
            <span className="inspector-path cut">{row.source}</span>
            <span className="mono-11 quiet">{row.place}</span>
          </span>
        </button>
      ))}
      {known.slice(0, MAX_FILES).map((entry) => (
        <button
          key={entry.id}
          type="button"
          className="inspector-link"
          title={escapeText(entry.path)}
          onClick={() => showSource(caseId, entryId(entry.id), { kind: 'whole' })}
        >
          <span className="cut">{escapeText(entry.path)}</span>
          <span className="mono-11 quiet">{entry.status}</span>
        </button>
      ))}
      {known.length > MAX_FILES && <p className="quiet">{`and ${known.length - MAX_FILES} more files`}</p>}
    </section>
  );
}
