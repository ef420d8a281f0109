import './evidence-section.css';
import { ChevronRight } from 'lucide-react';
import { entryId } from '#shared/model/ids.ts';
import { formatCount } from '#shared/text/format.ts';
import { MiddleCut } from '../../components/middle-cut.tsx';
import type { Selected } from '../../stores/selection.ts';
import { type EvidenceRow, timeColumnHead } from '../../viewmodels/evidence-rows.ts';
import { clockName, momentNote } from '../../viewmodels/moment.ts';
import { preview } from '../shell/links.ts';
import type { EvidenceOpener } from './open-evidence.ts';

interface EvidenceSectionProps {
  readonly title: string;
  readonly rows: readonly EvidenceRow[];
  readonly marks: 'numbers' | 'dashes';
  /** Said where there are no rows. */
  readonly none: string;
  readonly opener: EvidenceOpener;
}

/** Evidence, one row an item; the whole row is the button that opens its source. */
export function EvidenceSection({ title, rows, marks, none, opener }: EvidenceSectionProps) {
  return (
    <section className="overview-section evidence-grid" aria-label={title} data-times={timesOf(rows)}>
      <div className="evidence-head">
        <h2>
          {title}
          <span className="quiet">{formatCount(rows.length)}</span>
        </h2>
        <span>{timeColumnHead(rows)}</span>
        <span>{rows.length > 0 ? 'source' : ''}</span>
        <span className="evidence-place-head">{rows.length > 0 ? 'place in it' : ''}</span>
        <span />
      </div>
      {rows.length === 0 && <div className="section-none">{none}</div>}
      {rows.map((row, index) => (
        <EvidenceButton key={row.key} row={row} mark={marks === 'numbers' ? String(index + 1) : '–'} opener={opener} />
      ))}
    </section>
  );
}

/** What the column of times has to hold. */
function timesOf(rows: readonly EvidenceRow[]): 'none' | 'raw' | 'corrected' {
  const moments = rows.flatMap(({ moment }) => moment ?? []);
  if (moments.length === 0) return 'none';
  return moments.some(({ basis }) => basis === 'raw') ? 'raw' : 'corrected';
}

function previewOf({ entryId: id, target, rank }: EvidenceRow): Selected {
  if (target.kind === 'line') return { kind: 'line', entryId: entryId(id), line: target.line };
  return rank === null ? { kind: 'entry', entryId: entryId(id) } : { kind: 'rank', rank };
}

function EvidenceButton({
  row,
  mark,
  opener,
}: {
  readonly row: EvidenceRow;
  readonly mark: string;
  readonly opener: EvidenceOpener;
}) {
  return (
    <button
      type="button"
      className="evidence-row"
      data-evidence={row.key}
      aria-keyshortcuts="Enter Space Control+Enter"
      onClick={(event) => (event.ctrlKey || event.metaKey ? opener.bytes(row) : opener.best(row))}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          opener.bytes(row);
        }
        if (event.key !== ' ') return;
        // Space looks without leaving; Enter opens.
        event.preventDefault();
        preview(previewOf(row));
      }}
    >
      <span className="evidence-number">{mark}</span>
      <span className="evidence-text">
        <StatementText text={row.text} />
      </span>
      <span className="evidence-time">
        {row.moment && (
          <>
            <span className="mono">{row.moment.time}</span>
            <span className="evidence-clock">
              {row.moment.basis === 'raw' && <span>raw, </span>}
              <MiddleCut text={row.moment.basis === 'raw' ? clockName(row.moment) : momentNote(row.moment)} />
            </span>
          </>
        )}
      </span>
      <span className="evidence-source" title={`${row.path}\nWith Ctrl: its bytes in Evidence`}>
        <MiddleCut text={row.source} />
      </span>
      <span className="evidence-place mono-11">{row.place}</span>
      <ChevronRight className="icon-12" strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

/** Names of code stand between backticks in the statements of rules; they are set in the mono face. */
export function StatementText({ text }: { readonly text: string }) {
  const parts = text.split('`');
  if (parts.length < 3 || parts.length % 2 === 0) return text;
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one immutable text, in their order
      <code key={index} className="mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
