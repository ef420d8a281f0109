import './side-column.css';
import { useMemo } from 'react';
import type { Report } from '#shared/report/schema.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { GapGlyph } from '../../components/glyphs.tsx';
import { type ClockRow, clocksModel, type GapRow, scopeRows } from '../../viewmodels/overview.ts';
import { whiskerScale, whiskerShape } from '../../viewmodels/whisker.ts';
import { runCommand } from '../shell/commands.ts';

/** What the case is about, how far its times can be trusted, and what is missing. */
export function SideColumn({ report, gaps }: { readonly report: Report; readonly gaps: readonly GapRow[] }) {
  const scope = useMemo(() => scopeRows(report), [report]);
  return (
    <aside className="overview-side" aria-label="Scope, clocks and gaps" data-pane="side">
      <section className="side-section">
        <div className="side-head">
          <h2>Scope</h2>
        </div>
        <dl>
          {scope.map((row) => (
            <div key={row.label} className="scope-row">
              <dt>{row.label}</dt>
              <dd>{row.value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Clocks report={report} />
      <Gaps gaps={gaps} />
    </aside>
  );
}

const MAX_CLOCKS = 8;

function Clocks({ report }: { readonly report: Report }) {
  const model = useMemo(() => clocksModel(report), [report]);
  const scale = useMemo(() => whiskerScale(model.rows), [model]);
  const shown = model.rows.slice(0, MAX_CLOCKS);
  return (
    <section className="side-section" aria-label="Clocks">
      <div className="side-head">
        <h2>Clocks</h2>
        <span className="quiet">{model.quality}</span>
      </div>
      {model.sentence !== '' && <p className="side-text">{model.sentence}</p>}
      {model.rows.length > 1 &&
        shown.map((row) => (
          <div key={row.id} className="clock-row">
            <span className="cut" title={row.id}>
              {row.id}
            </span>
            {row.offset === null || scale === null ? (
              <span className="quiet">{row.reference ? 'reference' : 'offset unknown'}</span>
            ) : (
              <Whisker row={row} scale={scale} />
            )}
          </div>
        ))}
      {model.rows.length > MAX_CLOCKS && (
        <p className="side-text">{`${formatCount(model.rows.length - MAX_CLOCKS)} more clocks`}</p>
      )}
    </section>
  );
}

function Whisker({ row, scale }: { readonly row: ClockRow; readonly scale: number }) {
  const shape = whiskerShape(row, scale, 132);
  if (shape === null) return null;
  return (
    <svg width="132" height="14" viewBox="0 0 132 14" role="img" aria-label={shape.title}>
      <title>{shape.title}</title>
      <path
        className="whisker"
        d={`M${shape.low} 7H${shape.high}M${shape.low} 3.5v7M${shape.high} 3.5v7`}
        strokeWidth="1"
        fill="none"
      />
      <rect
        className="whisker-core"
        x={shape.likelyLow}
        y="5"
        width={Math.max(1, shape.likelyHigh - shape.likelyLow)}
        height="4"
      />
    </svg>
  );
}

function Gaps({ gaps }: { readonly gaps: readonly GapRow[] }) {
  return (
    <section className="side-section" aria-label="Gaps">
      <div className="side-head">
        <h2>Gaps</h2>
        <span className="quiet">{formatCount(gaps.length)}</span>
      </div>
      {gaps.length === 0 && <p className="side-text">Everything a complete bundle holds is here.</p>}
      {gaps.map((gap) => (
        <div key={gap.key} className="gap-row">
          <GapGlyph state={gap.state} />
          <span>{gap.item}</span>
          <span className="gap-word">{gap.word}</span>
          <span className="gap-matters">{gap.matters}</span>
        </div>
      ))}
      {gaps.length > 0 && (
        <div className="side-actions">
          <Button kind="outlined" onClick={() => runCommand('ask')}>
            Ask for these…
          </Button>
        </div>
      )}
    </section>
  );
}
