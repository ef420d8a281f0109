import { ChevronRight, Copy } from 'lucide-react';
import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { GapGlyph } from '../../components/glyphs.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useSelection } from '../../stores/selection.ts';
import type { GapRow, LeadRow } from '../../viewmodels/overview.ts';
import { showRank } from '../shell/links.ts';
import { EvidenceSection, StatementText } from './evidence-section.tsx';
import type { EvidenceOpener } from './open-evidence.ts';

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

interface LeadsProps {
  readonly caseId: CaseId;
  readonly rows: readonly LeadRow[];
  readonly undecided: boolean;
  readonly opener: EvidenceOpener;
}

/** Ranks that could be it, without a status of their own; each folds out to what speaks for and against it. */
export function Leads({ caseId, rows, undecided, opener }: LeadsProps) {
  return (
    <section className="overview-section" aria-label="Leads">
      <div className="section-head">
        <h2>{undecided ? 'Leads, none of them a verdict' : 'Candidates inside the group'}</h2>
        <span className="quiet">{formatCount(rows.length)}</span>
      </div>
      {rows.map((row) => (
        <Lead key={row.key} caseId={caseId} row={row} opener={opener} />
      ))}
    </section>
  );
}

function Lead({ caseId, row, opener }: Pick<LeadsProps, 'caseId' | 'opener'> & { readonly row: LeadRow }) {
  const [open, setOpen] = useState(false);
  const [first] = row.ranks;
  return (
    <>
      <button type="button" className="lead-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span>
          <RankChip look="unknown" label={row.label} />
        </span>
        <span>
          <StatementText text={row.why} />
        </span>
        <span className="finding-counts">{row.counts}</span>
        <ChevronRight className="icon-12" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open && (
        <div className="finding-body">
          {first !== undefined && (
            <Button
              kind="link"
              onClick={() => {
                if (row.ranks.length > 1) useSelection.getState().setRanks([...row.ranks]);
                showRank(caseId, first);
              }}
            >
              {row.ranks.length > 1 ? 'Show them on Ranks' : 'Show it on Ranks'}
            </Button>
          )}
          <EvidenceSection
            title="For"
            rows={row.because}
            marks="numbers"
            none="The report keeps no record of its own for it."
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
