import { useMemo } from 'react';
import type { Report } from '#shared/report/schema.ts';
import { StatusWord } from '../../components/glyphs.tsx';
import { RankMap } from '../../components/rank-map.tsx';
import { type Fact, isMoment, type VerdictHeader } from '../../viewmodels/overview.ts';
import { rankMapModel } from '../../viewmodels/rank-map.ts';
import { RuleLink } from '../help/rule-link.tsx';

/** Three lines: how sure, what happened, when and where. The chip of the first rank is the loudest thing on the screen. */
export function VerdictHeaderView({
  header,
  report,
  stall,
}: {
  readonly header: VerdictHeader;
  readonly report: Report;
  /** Stands in place of the moment: both of its ends are seen in the bundle. */
  readonly stall: readonly Fact[] | null;
}) {
  const map = useMemo(() => rankMapModel(report), [report]);
  const facts = stall === null ? header.facts : [...stall, ...header.facts.filter((fact) => !isMoment(fact))];
  return (
    <section aria-label="Verdict">
      <div className="verdict-line">
        <StatusWord status={header.glyph} />
        <span className="quiet">{header.meaning}</span>
        {header.rule !== null && (
          <span className="verdict-rule">
            <RuleLink rule={header.rule} />
          </span>
        )}
      </div>
      <h1 className="verdict-statement">
        {header.statement.before}
        {header.statement.chip !== null && <span className="verdict-chip">{header.statement.chip}</span>}
        {header.statement.after}
      </h1>
      <div className="verdict-facts">
        <dl className="fact-list">
          {facts.map((fact) => (
            <div key={fact.label} className="fact">
              <dt>{fact.label}</dt>
              <dd className="fact-value">
                {fact.value} {fact.note !== '' && <span className="quiet">{fact.note}</span>}
              </dd>
              <dd className="fact-detail">{fact.detail}</dd>
              {fact.more !== undefined && <dd className="fact-detail">{fact.more}</dd>}
            </div>
          ))}
        </dl>
        {map !== null && <RankMap {...map} />}
      </div>
    </section>
  );
}
