import './anchor-column.css';
import type { Ref } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { formatCount } from '#shared/text/format.ts';
import type { AnchorRow, OpenPlace } from '../../viewmodels/clocks/anchors.ts';
import type { ClockTableRow } from '../../viewmodels/clocks/table.ts';
import { placeText } from '../../viewmodels/evidence-rows.ts';
import { showSource } from '../shell/links.ts';

interface AnchorColumnProps {
  readonly paneRef: Ref<HTMLElement>;
  readonly caseId: CaseId;
  readonly title: string;
  readonly row: ClockTableRow | undefined;
  readonly anchors: readonly AnchorRow[];
  readonly point: string | null;
  readonly onPoint: (key: string) => void;
}

/** The evidence of one clock: what fixes each side with both of its stamps, the tightest of the rest, and what was left out. */
export function AnchorColumn({ paneRef, caseId, title, row, anchors, point, onPoint }: AnchorColumnProps) {
  const kept = anchors.filter(({ rejected }) => !rejected);
  const rejected = anchors.filter((one) => one.rejected);
  const shown = anchors.find(({ key }) => key === point) ?? kept[0];
  const note = `${row?.anchors ?? '0'} anchors${rejected.length > 0 ? `, ${formatCount(rejected.length)} rejected` : ''}`;
  return (
    <aside ref={paneRef} className="anchor-column" aria-label={`Evidence for ${title}`} data-pane="anchors">
      <header>
        <h2 className="cut" title={title}>
          {title}
        </h2>
        <span className="quiet">{note}</span>
      </header>
      {shown === undefined ? <p className="anchor-none">{noneWords(row)}</p> : <Shown caseId={caseId} anchor={shown} />}
      {kept.length > 0 && <List title="Tightest anchors" rows={kept} shown={shown} onPoint={onPoint} caseId={caseId} />}
      {rejected.length > 0 && (
        <List
          title="Rejected"
          count={rejected.length}
          rows={rejected}
          shown={shown}
          onPoint={onPoint}
          caseId={caseId}
        />
      )}
    </aside>
  );
}

function noneWords(row: ClockTableRow | undefined): string {
  if (row?.isReference === true)
    return 'The other clocks are compared with this one: choose one of them to see the evidence.';
  return 'Nothing in the bundle relates this clock to another one.';
}

function Shown({ caseId, anchor }: { readonly caseId: CaseId; readonly anchor: AnchorRow }) {
  const head = anchor.rejected ? 'What was left out' : `What fixes the ${anchor.side} side`;
  const open = (place: OpenPlace) => showSource(caseId, place.entryId, place.target);
  return (
    <section className="anchor-shown" aria-label={head} aria-live="polite">
      <h3>{head}</h3>
      <p className="selectable">{anchor.title}</p>
      {anchor.why !== '' && <p className="anchor-why selectable">{anchor.why}</p>}
      <div className="anchor-stamps selectable">
        <dl>
          {anchor.sides.map((side) => (
            <div key={side.word}>
              <dt>{side.word}</dt>
              <dd>{side.time}</dd>
              <dd className="anchor-clock">{side.clock}</dd>
            </div>
          ))}
        </dl>
        <p className="anchor-result">{anchor.sentence}</p>
      </div>
      <div className="anchor-links">
        {anchor.sides.map(
          (side) =>
            side.open !== null && (
              <button
                key={side.word}
                type="button"
                className="anchor-link"
                onClick={() => side.open && open(side.open)}
              >
                <span>{`${side.word}: ${side.clock}`}</span>
                <span className="mono-11">{placeText(side.open.target)}</span>
              </button>
            ),
        )}
        {anchor.whole !== null && anchor.sides.every((side) => side.open === null) && (
          <button type="button" className="anchor-link" onClick={() => anchor.whole && open(anchor.whole)}>
            <span>open the evidence</span>
            <span className="mono-11">{placeText(anchor.whole.target)}</span>
          </button>
        )}
      </div>
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly count?: number;
  readonly rows: readonly AnchorRow[];
  readonly shown: AnchorRow | undefined;
  readonly caseId: CaseId;
  readonly onPoint: (key: string) => void;
}

/** A click shows both sides; Enter on the one that is shown opens it. */
function List({ title, count, rows, shown, caseId, onPoint }: ListProps) {
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const active = document.activeElement;
    const at = active instanceof HTMLButtonElement ? buttons.indexOf(active) : -1;
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + by))];
    next?.focus();
    const key = next?.dataset['key'];
    if (key !== undefined) onPoint(key);
  };
  const openRow = (row: AnchorRow) => {
    const place = row.sides.find((side) => side.open !== null)?.open ?? row.whole;
    if (row.key === shown?.key && place !== null && place !== undefined)
      showSource(caseId, place.entryId, place.target);
    else onPoint(row.key);
  };
  return (
    <section className="anchor-list" aria-label={title} onKeyDown={onKeyDown}>
      <h3>
        {title}
        {count !== undefined && <span className="quiet">{formatCount(count)}</span>}
      </h3>
      {rows.map((row) => (
        <button
          key={row.key}
          type="button"
          className="anchor-row"
          data-key={row.key}
          aria-current={row.key === shown?.key}
          title={`${row.title}. ${row.sentence}`}
          onClick={() => openRow(row)}
        >
          <span className="anchor-mark" role="img" aria-label={row.rejected ? 'rejected' : `${row.side} anchor`}>
            {row.rejected ? '○' : row.side === 'upper' ? '▼' : '▲'}
          </span>
          <span className="anchor-title">{row.title}</span>
          <span className="number">{row.value}</span>
        </button>
      ))}
    </section>
  );
}
