import './side-column.css';
import { type ReactNode, useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { formatBytes, formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { FileStatusGlyph, GapGlyph, StatusGlyph } from '../../components/glyphs.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { useEntries } from '../../data/entries.ts';
import { ALL_FILES, useNavigation } from '../../stores/navigation.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import {
  type ClockRow,
  clocksModel,
  type FindingRow,
  type GapRow,
  type OverviewModel,
  scopeRows,
} from '../../viewmodels/overview.ts';
import { axisLabel, whiskerScale, whiskerShape } from '../../viewmodels/whisker.ts';
import { runCommand } from '../shell/commands.ts';
import { SideNotes } from './side-notes.tsx';

interface SideColumnProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly model: OverviewModel;
}

/** What the case is about, how far its times can be trusted, and what is missing (or, if nothing could be told, what came). */
export function SideColumn({ caseId, report, model }: SideColumnProps) {
  const undecided = model.outcome === 'cannot-tell';
  const ruledOut = model.findings.filter((finding) => finding.status === 'ruled-out');
  return (
    <aside className="overview-side" aria-label="Scope, clocks and gaps" data-pane="side">
      <Scope report={report} />
      <Clocks report={report} />
      {undecided ? <Received caseId={caseId} /> : <Gaps gaps={model.gaps} />}
      {undecided && ruledOut.length > 0 && <RuledOut rows={ruledOut} />}
      <SideNotes caseId={caseId} />
    </aside>
  );
}

function Section({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="side-section" aria-label={title}>
      <div className="side-head">
        <h2>{title}</h2>
        {note !== undefined && <span className="quiet">{note}</span>}
      </div>
      {children}
    </section>
  );
}

function Scope({ report }: { readonly report: Report }) {
  const rows = useMemo(() => scopeRows(report), [report]);
  return (
    <Section title="Scope">
      <dl>
        {rows.map((row) => (
          <div key={row.label} className="scope-row">
            <dt>{row.label}</dt>
            <dd>{row.value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const MAX_CLOCKS = 8;
/** Names alone say little: fewer of them while no offset is known. */
const MAX_UNKNOWN_CLOCKS = 4;

function Clocks({ report }: { readonly report: Report }) {
  const model = useMemo(() => clocksModel(report), [report]);
  const scale = useMemo(() => whiskerScale(model.rows), [model]);
  const limit = scale === null ? MAX_UNKNOWN_CLOCKS : MAX_CLOCKS;
  const shown = model.rows.length === limit + 1 ? model.rows : model.rows.slice(0, limit);
  const hidden = model.rows.length - shown.length;
  return (
    <Section title="Clocks" note={model.quality}>
      {model.sentence !== '' && <p className="side-text">{model.sentence}</p>}
      {model.rows.length > 1 &&
        shown.map((row) => (
          <div key={row.id} className="clock-row">
            <MiddleCut text={row.id} />
            {row.offset === null || scale === null ? (
              <span className="quiet">{row.reference ? 'reference' : 'offset unknown'}</span>
            ) : (
              <Whisker row={row} scale={scale} />
            )}
          </div>
        ))}
      {scale !== null && model.rows.length > 1 && (
        <div className="clock-row" aria-hidden="true">
          <span />
          <span className="clock-axis">
            <span>{axisLabel(-scale)}</span>
            <span>0</span>
            <span>{axisLabel(scale)}</span>
          </span>
        </div>
      )}
      {hidden > 0 && <p className="side-text">{plural(hidden, 'more clock')}</p>}
    </Section>
  );
}

const WHISKER_PX = 132;

function Whisker({ row, scale }: { readonly row: ClockRow; readonly scale: number }) {
  const shape = whiskerShape(row, scale, WHISKER_PX);
  if (shape === null) return null;
  return (
    <svg width={WHISKER_PX} height="14" viewBox={`0 0 ${WHISKER_PX} 14`} role="img" aria-label={shape.title}>
      <title>{shape.title}</title>
      <path className="whisker-zero" d={`M${WHISKER_PX / 2} 0v14`} />
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
    <Section title="Gaps" note={formatCount(gaps.length)}>
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
    </Section>
  );
}

const MAX_RECEIVED = 8;

/** What came with the bundle, where the gaps already stand in the middle. */
function Received({ caseId }: { readonly caseId: CaseId }) {
  const entries = useEntries(caseId);
  const go = useNavigation((state) => state.go);
  if (entries.total === null) return null;
  const bytes = entries.rows.reduce((sum, row) => sum + row.bytes, 0);
  return (
    <Section title="Received" note={`${plural(entries.total, 'file')}, ${formatBytes(bytes)}`}>
      {entries.rows.slice(0, MAX_RECEIVED).map((row) => (
        <button
          key={row.id}
          type="button"
          className="received-row"
          onClick={() =>
            go({
              screen: 'evidence',
              caseId,
              files: ALL_FILES,
              target: { entryId: row.id, mode: null, line: null, byte: null, record: null },
            })
          }
        >
          <FileStatusGlyph status={row.status} />
          <MiddleCut text={escapeText(row.path)} tail={14} />
          <span className="gap-word">{formatBytes(row.bytes)}</span>
        </button>
      ))}
      {entries.total > MAX_RECEIVED && (
        <p className="side-text">{plural(entries.total - MAX_RECEIVED, 'more file')} in Evidence</p>
      )}
    </Section>
  );
}

function RuledOut({ rows }: { readonly rows: readonly FindingRow[] }) {
  return (
    <Section title="Ruled out" note={formatCount(rows.length)}>
      {rows.map((row) => (
        <div key={row.key} className="ruled-row">
          <StatusGlyph status="ruled-out" />
          <span>{`${row.statement.chip ?? ''} ${row.statement.text}`.trim()}</span>
        </div>
      ))}
    </Section>
  );
}
