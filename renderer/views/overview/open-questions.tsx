import { Copy } from 'lucide-react';
import { formatCount } from '#shared/text/format.ts';
import { IconButton } from '../../components/button.tsx';
import { GapGlyph } from '../../components/glyphs.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { copyText } from '../../data/clipboard.ts';
import type { GapRow, LeadRow } from '../../viewmodels/overview.ts';

/** Nothing could be told: what would decide it comes before everything else. */
export function Decide({ rows }: { readonly rows: readonly GapRow[] }) {
  return (
    <section className="overview-section" aria-label="What would decide it">
      <div className="section-head">
        <h2>What would decide it</h2>
        <span className="quiet">
          {rows.length === 0 ? 'nothing that a bundle could hold' : `${formatCount(rows.length)}, most telling first`}
        </span>
      </div>
      {rows.map((row) => (
        <div key={row.key} className="decide-row">
          <GapGlyph state={row.state} />
          <strong>{row.item}</strong>
          <span>{row.word}</span>
          <span>{row.matters}</span>
          <span className="mono-11">{row.collect}</span>
          {row.collect !== '' && (
            <Tooltip text={`Copy: ${row.collect}`}>
              <IconButton label={`Copy how to collect: ${row.item}`} onClick={() => copyText(row.collect)}>
                <Copy className="icon-14" strokeWidth={1.75} />
              </IconButton>
            </Tooltip>
          )}
        </div>
      ))}
    </section>
  );
}

/** Ranks that could be it, without a status of their own. */
export function Leads({ rows, undecided }: { readonly rows: readonly LeadRow[]; readonly undecided: boolean }) {
  return (
    <section className="overview-section" aria-label="Leads">
      <div className="section-head">
        <h2>{undecided ? 'Leads, none of them a verdict' : 'Candidates inside the group'}</h2>
        <span className="quiet">{formatCount(rows.length)}</span>
      </div>
      {rows.map((row) => (
        <div key={row.key} className="lead-row">
          <span>
            <RankChip look="unknown" label={row.label} />
          </span>
          <span>{row.why}</span>
        </div>
      ))}
    </section>
  );
}

export function NextChecks({ checks }: { readonly checks: readonly string[] }) {
  return (
    <section className="overview-section" aria-label="Next checks">
      <div className="section-head">
        <h2>Next checks</h2>
        <span className="quiet">most telling first</span>
      </div>
      <ol className="plain-list">
        {checks.map((check) => (
          <li key={check}>{check}</li>
        ))}
      </ol>
    </section>
  );
}
