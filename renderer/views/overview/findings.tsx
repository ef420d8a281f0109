import './findings.css';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/text/format.ts';
import { StatusWord } from '../../components/glyphs.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import type { FindingRow } from '../../viewmodels/overview.ts';
import { RuleLink } from '../help/rule-link.tsx';
import { EvidenceSection, StatementText } from './evidence-section.tsx';
import type { EvidenceOpener } from './open-evidence.ts';

interface FindingsProps {
  readonly rows: readonly FindingRow[];
  readonly opener: EvidenceOpener;
}

/** All findings besides the verdict; each folds out to its own evidence. */
export function Findings({ rows, opener }: FindingsProps) {
  if (rows.length === 0) return null;
  return (
    <section className="overview-section" aria-label="Other findings">
      <div className="section-head">
        <h2>Other findings</h2>
        <span className="quiet">{formatCount(rows.length)}</span>
      </div>
      {rows.map((row) => (
        <Finding key={row.key} row={row} opener={opener} />
      ))}
    </section>
  );
}

function Finding({ row, opener }: { readonly row: FindingRow; readonly opener: EvidenceOpener }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="finding-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <StatusWord status={row.status} size={10} />
        <span className="finding-text">
          {row.statement.chip !== null && (
            <RankChip
              look={row.status === 'ruled-out' ? 'bystander' : 'first-outlined'}
              label={row.statement.chip.toLowerCase()}
            />
          )}
          {row.statement.chip !== null && ' '}
          <StatementText text={row.statement.text} />
        </span>
        <span className="finding-counts">{row.counts}</span>
        <ChevronRight className="icon-12" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open && (
        <div className="finding-body">
          <p className="quiet">
            By <RuleLink rule={row.rule} />
          </p>
          <EvidenceSection
            title="For"
            rows={row.because}
            marks="numbers"
            none="The rule names no evidence."
            opener={opener}
          />
          <EvidenceSection
            title="Against"
            rows={row.against}
            marks="dashes"
            none="Nothing that was read contradicts it."
            opener={opener}
          />
        </div>
      )}
    </>
  );
}
