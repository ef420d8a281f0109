import './rank-card.css';
import { X } from 'lucide-react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import type { RanksIndex } from '#shared/views/ranks/types.ts';
import { IconButton } from '../../components/button.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { ALL_FILES, startOf, useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import { rankInspector } from '../../viewmodels/inspector.ts';
import type { AttemptBar } from '../../viewmodels/ranks/attempts.ts';
import { type CardField, type RankCardModel, rankCard } from '../../viewmodels/ranks/card.ts';
import type { RankRow } from '../../viewmodels/ranks/rows.ts';
import { nsToIso } from '../../viewmodels/times.ts';
import { EvidenceLinks } from '../inspector/link-rows.tsx';
import { showCollective, showLogs } from '../shell/links.ts';
import { LastStack, LogTail } from './rank-evidence.tsx';
import type { useRanksModel } from './use-ranks-model.ts';

interface RankCardProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly index: RanksIndex;
  readonly row: RankRow;
  readonly model: ReturnType<typeof useRanksModel>;
  readonly onClose: () => void;
}

/** One rank: place, state at the moment, end, evidence, and how each is known. */
export function RankCard({ caseId, report, index, row, model, onClose }: RankCardProps) {
  const { moment, timeText, basis } = model;
  const card = rankCard({ report, index, moment, row, timeText, basisRaw: basis === 'raw' });
  const at =
    index.time === null || moment === null
      ? null
      : nsToIso(BigInt(index.time.originNs) + BigInt(Math.round(moment.at)));
  return (
    <aside className="rank-card" aria-label={`Rank ${row.rank}`} data-pane="rank">
      <div className="rank-card-head">
        <strong>Rank</strong>
        <IconButton label="Close the card" onClick={onClose}>
          <X className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="rank-card-body">
        <section className="rank-card-section">
          <div className="rank-card-title">
            <RankChip look={row.role} label={`rank ${row.rank}`} />
            <span className="selectable">{card.title}</span>
          </div>
          <dl className="rank-card-fields">
            {card.fields.map((field) => (
              <Field key={field.name} field={field} />
            ))}
          </dl>
          <Links caseId={caseId} rank={row.rank} at={at} card={card} />
        </section>
        {card.conflicts.length > 0 && (
          <section className="rank-card-section" aria-label="Conflicts">
            <h3>Conflicting claims</h3>
            {card.conflicts.map((text) => (
              <p key={text} className="rank-card-conflict selectable">
                {text}
              </p>
            ))}
          </section>
        )}
        {card.attempts.length > 0 && (
          <section className="rank-card-section" aria-label="Attempts">
            <h3>
              Attempts <span className="quiet">{plural(card.attempts.length - 1, 'restart')}</span>
            </h3>
            {card.attempts.map((attempt) => (
              <Attempt key={attempt.attempt} bar={attempt} />
            ))}
          </section>
        )}
        {row.row !== null && <LogTail key={row.rank} caseId={caseId} rank={row.rank} />}
        {card.call !== null && card.call.seq !== null && (
          <LastStack caseId={caseId} rank={row.rank} group={card.call.group} seq={card.call.seq} />
        )}
        {card.basis.length > 0 && (
          <section className="rank-card-section" aria-label="Basis of its place">
            <h3>Place known by</h3>
            {card.basis.map((text) => (
              <p key={text} className="quiet selectable">
                {text}
              </p>
            ))}
          </section>
        )}
        <EvidenceLinks caseId={caseId} rows={rankInspector(report, row.rank).evidence} files={card.files} />
      </div>
    </aside>
  );
}

/** One life of the rank; an edge that is not known is dashed. */
function Attempt({ bar }: { readonly bar: AttemptBar }) {
  return (
    <div className="rank-card-attempt" data-shown={bar.shown} title={bar.span}>
      <span className="tabular">{bar.attempt}</span>
      <span>{bar.text}</span>
      <span className="attempt-axis" aria-hidden="true">
        {bar.from !== null && bar.to !== null && (
          <span
            className="attempt-bar"
            data-first={bar.first}
            data-open-from={bar.openFrom}
            data-open-to={bar.openTo}
            style={{ left: `${bar.from * 100}%`, right: `${(1 - bar.to) * 100}%` }}
          />
        )}
      </span>
      <span className="attempt-span quiet">{bar.span}</span>
    </div>
  );
}

function Field({ field }: { readonly field: CardField }) {
  return (
    <div className="rank-card-field">
      <dt>{field.name}</dt>
      <dd data-tone={field.tone} className="selectable">
        {field.value}
        {field.note !== '' && <span className="quiet"> {field.note}</span>}
      </dd>
    </div>
  );
}

function Links({
  caseId,
  rank,
  at,
  card,
}: {
  readonly caseId: CaseId;
  readonly rank: number;
  readonly at: string | null;
  readonly card: RankCardModel;
}) {
  const timeline = (): void => {
    const place = startOf('timeline', caseId);
    if (place.screen !== 'timeline') return;
    useSelection.getState().select({ kind: 'rank', rank });
    useNavigation.getState().go({ ...place, target: { ...place.target, lane: `rank-${rank}`, at } });
  };
  const files = (): void =>
    useNavigation.getState().go({
      screen: 'evidence',
      caseId,
      files: { ...ALL_FILES, find: card.files.length === 1 ? (card.files[0] ?? '') : '' },
      target: null,
    });
  const { call } = card;
  return (
    <div className="rank-card-links">
      {at !== null && <LinkButton label="Timeline" act={timeline} />}
      <LinkButton label="Logs" act={() => showLogs(caseId, { query: `rank:${rank}` })} />
      {call !== null && <LinkButton label="Calls" act={() => showCollective(caseId, call.group, call.seq)} />}
      {card.files.length > 0 && <LinkButton label={`Files ${card.files.length}`} act={files} />}
    </div>
  );
}

const LinkButton = ({ label, act }: { readonly label: string; readonly act: () => void }) => (
  <button type="button" className="rank-card-link" onClick={act}>
    {label}
  </button>
);
