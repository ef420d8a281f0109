/** All logs, dumps and events against the time of the incident, place by place: what begins late, ends early or is not there. */
import './coverage-list.css';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { FileStatus } from '../../components/glyphs.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { usePreferences } from '../../stores/preferences.ts';
import type { CoverageModel, CoverageRow } from '../../viewmodels/coverage.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import { useHeadedRows } from '../shell/use-headed-rows.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { CoverageBar } from './coverage-bar.tsx';
import { useRowFocus } from './use-row-focus.ts';

interface CoverageListProps {
  readonly model: CoverageModel;
  readonly rows: readonly CoverageRow[];
  readonly selected: number | null;
  readonly onOpen: (row: EntryRow) => void;
  /** Shows the dumps of a node as a list. */
  readonly onDumps: (node: string | null) => void;
  readonly none: ReactNode;
}

export function CoverageList({ model, rows, selected, onOpen, onDumps, none }: CoverageListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight('row');
  const at = selected === null ? -1 : rows.findIndex((row) => entryOf(row)?.id === selected);
  const list = useHeadedRows({ scroller, count: rows.length, height, at });
  const open = (row: CoverageRow | undefined): void => {
    const entry = row === undefined ? null : entryOf(row);
    if (entry !== null) onOpen(entry);
    else if (row?.kind === 'dumps') onDumps(row.node);
  };
  const { focused, keys } = useRowFocus({
    ...{ scroller, count: rows.length, height, start: at },
    scrollTo: (index) => list.scrollToIndex(index, { align: 'auto' }),
    onEnter: (index) => open(rows[index]),
  });
  return (
    <div
      ref={scroller}
      className="file-table coverage-list"
      role="grid"
      tabIndex={0}
      aria-label="Coverage over time"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={focused === null ? undefined : `coverage-${focused}`}
      data-pane="files"
      {...keys}
    >
      <Head model={model} />
      {rows.length === 0 && none}
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid holds the focus and handles the keys
            <div
              key={row.key}
              id={`coverage-${item.index}`}
              className="coverage-row"
              role="row"
              tabIndex={-1}
              aria-rowindex={item.index + 2}
              aria-selected={item.index === at}
              data-kind={row.kind}
              data-focused={item.index === focused}
              style={{ transform: `translateY(${item.start - height}px)` }}
              onClick={() => open(row)}
            >
              <Cells row={row} fault={model.fault} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const entryOf = (row: CoverageRow): EntryRow | null => (row.kind === 'file' || row.kind === 'dumps' ? row.entry : null);

/** Room of a label, px at normal text. */
const LABEL_PX = 84;

/** A label of the axis gives way to that of the fault, and to the edge of the axis. `widthPx` at normal text. */
function collides(share: number, fault: number | null, widthPx: number): boolean {
  const x = share * widthPx;
  if (x < 18 || widthPx - x < 18) return true;
  return fault !== null && Math.abs(x - fault * widthPx) < LABEL_PX * 0.75;
}

function Head({ model }: { readonly model: CoverageModel }) {
  const axis = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = axis.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { span, view, fault } = model;
  const scale = usePreferences((state) => state.textScale);
  const ticks = useMemo(
    () =>
      axisTicks(span, BigInt(view.originNs), width, LABEL_PX * scale).filter(
        ({ major, at }) => major && !collides((at - span.from) / (span.to - span.from), fault, width / scale),
      ),
    [span, view, width, fault, scale],
  );
  return (
    <div className="file-columns coverage-columns" role="row">
      <span role="columnheader">Place and file</span>
      <span role="columnheader" className="coverage-axis" ref={axis}>
        <span className="sr-only">Covered time</span>
        {ticks.map(({ at, label }) => (
          <span
            key={at}
            className="coverage-tick"
            aria-hidden="true"
            style={{ left: `${((at - span.from) / (span.to - span.from)) * 100}%` }}
          >
            {label}
          </span>
        ))}
        {fault !== null && (
          <span
            className="coverage-fault-mark"
            data-side={
              fault * width < (LABEL_PX * scale) / 2
                ? 'left'
                : (1 - fault) * width < (LABEL_PX * scale) / 2
                  ? 'right'
                  : 'middle'
            }
            style={{ left: `${fault * 100}%` }}
          >
            first fault
          </span>
        )}
      </span>
      <span role="columnheader">{`From and to, ${model.basis}`}</span>
      <span role="columnheader">Stands out</span>
    </div>
  );
}

function Cells({ row, fault }: { readonly row: CoverageRow; readonly fault: number | null }) {
  switch (row.kind) {
    case 'place':
      return (
        <span role="gridcell" className="coverage-place">
          <strong>{row.title}</strong> <span className="quiet">{row.detail}</span>
        </span>
      );
    case 'file':
      return (
        <>
          <span role="gridcell" className="coverage-name mono" title={row.entry.path}>
            <MiddleCut text={row.name} tail={14} />
          </span>
          <span role="gridcell">
            <CoverageBar
              bar={row.span.bar}
              fault={fault}
              look={row.span.bar === null ? 'none' : 'covers'}
              {...(row.span.bar === null ? { reason: 'no stamp that can be placed' } : {})}
            />
          </span>
          <Times times={row.span.times} basis={row.span.basis} />
          <span role="gridcell" className="coverage-notes">
            {row.entry.status !== 'read' && <FileStatus status={row.entry.status} word={row.entry.status} />}
            {row.span.notes.map((note) => (
              <span key={note}>{note}</span>
            ))}
          </span>
        </>
      );
    case 'dumps':
      return (
        <>
          <span role="gridcell" className="coverage-name">
            {row.label}
          </span>
          <span role="gridcell">
            <CoverageBar
              bar={row.bar}
              fault={fault}
              look={row.bar === null ? 'none' : 'covers'}
              {...(row.bar === null ? { reason: 'no record with a time' } : {})}
            />
          </span>
          <Times times={row.times} basis={row.basis} />
          <span role="gridcell" />
        </>
      );
    case 'missing':
      return (
        <>
          <span role="gridcell" className="coverage-name">
            {row.label}
          </span>
          <span role="gridcell">
            <CoverageBar bar={null} fault={null} look="missing" reason={row.reason} />
          </span>
          <span role="gridcell" />
          <span role="gridcell" className="coverage-notes">
            missing
          </span>
        </>
      );
  }
}

function Times({ times, basis }: { readonly times: string; readonly basis: string }) {
  return (
    <span role="gridcell" className="tabular cut" title={basis === '' ? undefined : basis}>
      {times}
      {basis.startsWith('raw') && <span className="quiet"> raw</span>}
    </span>
  );
}
