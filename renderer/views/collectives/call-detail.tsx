import './call-detail.css';
import { X } from 'lucide-react';
import { type CSSProperties, useEffect, useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CallAnswer, CallSide } from '#shared/views/collectives/answers.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { Failure, Refreshing, Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useQuery } from '../../data/query.ts';
import { useSelection } from '../../stores/selection.ts';
import { type DetailRow, detailModel, detailText } from '../../viewmodels/collectives/detail.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { OrderGlyph } from './call-glyph.tsx';
import { type CallPlace, placeOfCall, selectCall, showSource } from './open-record.ts';
import { useKept } from './use-kept.ts';

export interface DetailSide {
  readonly rank: number;
  readonly look: 'first' | 'victim' | 'bystander' | 'unknown';
  /** `A, 12 ranks` */
  readonly set: string;
}

interface CallDetailProps {
  readonly caseId: CaseId;
  readonly call: CallPlace;
  readonly label: string;
  readonly sides: readonly DetailSide[];
  /** What the analysis says of a side in this call; empty = nothing. */
  readonly reason: string;
  readonly hideEqual: boolean;
  /** The rank whose record is the selected thing. */
  readonly selectedRank: number;
  readonly onClose: () => void;
  readonly onSplit: (() => void) | undefined;
}

/** One call of a few ranks side by side, and the frames from which on they part. */
export function CallDetail(props: CallDetailProps) {
  const { caseId, call, sides, hideEqual, label, selectedRank } = props;
  const basis = useSelection((state) => state.basis);
  const asked = useQuery('collectives.call', {
    caseId,
    ...placeOfCall(call),
    ranks: sides.map((side) => side.rank),
  });
  // The picture of another call stays until the new one is there; that of other ranks would be in the wrong columns.
  const query = useKept(asked, `${caseId} ${call.group} ${sides.map((side) => side.rank).join()}`);
  const answer = query.state === 'ready' ? query.value : null;
  const { shown } = useLocalKeys('collectives');
  const model = useMemo(
    () => (answer === null ? null : detailModel(answer, basis, hideEqual)),
    [answer, basis, hideEqual],
  );
  useFollowSelection(call, answer, selectedRank);
  const title = `Call ${label}`;
  return (
    <section className="call-detail" aria-label={title} data-pane="detail">
      {query.state === 'ready' && query.refreshing && <Refreshing />}
      <div className="call-detail-head">
        <h2>{title}</h2>
        <span className="quiet cut">{introOf(sides, model?.hidden ?? 0, props.reason)}</span>
        <span className="call-detail-actions">
          {props.onSplit !== undefined && (
            <Button kind="plain" keys={shown('split')} onClick={props.onSplit}>
              {`Split ${sides[0]?.set.split(',')[0] ?? 'A'} to ranks`}
            </Button>
          )}
          <Button
            kind="outlined"
            onClick={() => answer !== null && model !== null && copyText(detailText(answer, model, title))}
          >
            {sides.length > 1 ? 'Copy both' : 'Copy'}
          </Button>
          <IconButton label="Close the detail" onClick={props.onClose}>
            <X className="icon-14" strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {query.state === 'loading' && <Skeleton words="Reading the dumps" rows={3} />}
      {query.state === 'failed' && (
        <Failure
          title="The records cannot be read"
          text={RPC_ERROR_WORDS[query.error.code]}
          onCopy={() => copyText(`${query.error.code}: ${query.error.detail}`)}
        />
      )}
      {answer !== null && model !== null && (
        <div
          className="call-detail-grid"
          role="table"
          aria-label={title}
          style={{ '--sides': String(sides.length) } as CSSProperties}
        >
          <SideHeads sides={sides} />
          {model.rows.map((row) => (
            <Row key={row.key} row={row} sides={sides} />
          ))}
          <RawRow caseId={caseId} sides={answer.sides} />
        </div>
      )}
    </section>
  );
}

/** The selected thing learns its record as soon as the dump was read. */
function useFollowSelection(call: CallPlace, answer: CallAnswer | null, rank: number): void {
  useEffect(() => {
    const side = answer?.sides.find((one) => one.rank === rank);
    if (answer?.seq === call.seq && side?.found === true && side.entry !== undefined && side.record !== undefined)
      selectCall(call, rank, { entry: side.entry, record: side.record });
  }, [call, answer, rank]);
}

function introOf(sides: readonly DetailSide[], hidden: number, reason: string): string {
  const stand = sides
    .filter((side) => side.set.includes('ranks'))
    .map((side) => `rank ${side.rank} stands for ${side.set.split(',')[0]}`);
  const parts = [
    sides.length === 1 ? 'one rank' : `${sides.length} ranks side by side`,
    ...stand,
    hidden > 0 ? `${hidden} equal rows hidden` : '',
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  return reason === '' ? text : `${text}; ${reason}`;
}

function SideHeads({ sides }: { readonly sides: readonly DetailSide[] }) {
  return (
    <div className="detail-row detail-heads" role="row">
      <span role="columnheader" />
      {sides.map((side) => (
        <span key={side.rank} role="columnheader" className="detail-side">
          <RankChip look={side.look} label={`rank ${side.rank}`} />
          <span className="quiet cut">{side.set}</span>
        </span>
      ))}
      <span role="columnheader" />
    </div>
  );
}

function Row({ row, sides }: { readonly row: DetailRow; readonly sides: readonly DetailSide[] }) {
  return (
    <div className="detail-row" role="row" data-mark={row.mark} data-frame={row.frame}>
      <span role="rowheader" className="detail-label">
        {row.label}
      </span>
      {row.values.map((value, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: sides in their order
          key={i}
          role="cell"
          className={row.frame ? 'detail-value selectable mono-11' : 'detail-value selectable'}
          data-quiet={value.quiet}
          data-look={sides[i]?.look}
        >
          {value.text}
          {value.note !== '' && <span className="quiet"> {value.note}</span>}
        </span>
      ))}
      <span role="cell" className="detail-mark" title={row.markWhole === '' ? undefined : row.markWhole}>
        <Mark row={row} />
      </span>
    </div>
  );
}

function Mark({ row }: { readonly row: DetailRow }) {
  switch (row.mark) {
    case 'certain':
    case 'undecided':
      return (
        <>
          <OrderGlyph order={row.mark} />
          {row.mark === 'undecided' ? `≈ ${row.markText}` : row.markText}
        </>
      );
    case 'differs':
    case 'first':
      return `≠ ${row.markText}`;
    case 'same':
      return 'same';
    case 'none':
      return '';
  }
}

function RawRow({ caseId, sides }: { readonly caseId: CaseId; readonly sides: readonly CallSide[] }) {
  return (
    <div className="detail-row" role="row">
      <span role="rowheader" className="detail-label">
        raw
      </span>
      {sides.map((side) => (
        <span key={side.rank} role="cell" className="detail-value">
          {side.entry === undefined || side.path === undefined ? (
            <span className="quiet">no dump</span>
          ) : (
            <button type="button" className="detail-raw" onClick={() => showSource(caseId, side)}>
              <MiddleCut text={escapeText(side.path)} tail={22} />
              <span className="quiet">{placeText(side)}</span>
            </button>
          )}
        </span>
      ))}
      <span role="cell" />
    </div>
  );
}

function placeText({ found, record, line }: CallSide): string {
  if (record !== undefined) return found ? `record ${record}` : `newest: record ${record}`;
  return line === undefined ? '' : `line ${line}`;
}
