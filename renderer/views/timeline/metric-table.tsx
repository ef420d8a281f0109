import '../../components/twin-table.css';
/** The table twin of the curves: a row where any of them changes. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { formatCount } from '#shared/text/format.ts';
import type { MetricCurve, MetricInfo } from '#shared/views/lanes/index.ts';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../data/clipboard.ts';
import { metricTable } from '../../viewmodels/timeline/metrics.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface MetricTableProps {
  readonly curves: readonly { readonly curve: MetricCurve; readonly info: MetricInfo }[];
  readonly columns: number;
  readonly timeOf: (column: number) => string;
  readonly onClose: () => void;
}

export function MetricTable({ curves, columns, timeOf, onClose }: MetricTableProps) {
  const host = useRef<HTMLDivElement>(null);
  const rowPx = useRowHeight('row');
  const { head, rows } = useMemo(() => metricTable(curves, columns, timeOf), [curves, columns, timeOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  useEffect(() => host.current?.focus(), []);
  const template = { gridTemplateColumns: `8rem repeat(${head.length - 1}, minmax(9rem, 1fr))` };
  return (
    <div className="twin metric-table">
      <div className="twin-bar">
        <span>{`${formatCount(rows.length)} moments at which a curve changes; median, lowest to highest`}</span>
        <Button kind="plain" onClick={() => copyText([head, ...rows].map((row) => row.join('\t')).join('\n'))}>
          Copy as text
        </Button>
        <Button kind="outlined" onClick={onClose}>
          Show the curves
        </Button>
      </div>
      <div
        ref={host}
        className="twin-scroll"
        role="grid"
        aria-label="Metrics"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      >
        <div className="twin-row twin-head metric-table-row" role="row" aria-rowindex={1} style={template}>
          {head.map((name) => (
            <span key={name} role="columnheader" className="cut" title={name}>
              {name}
            </span>
          ))}
        </div>
        <div style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map((item) => (
            <div
              key={item.key}
              className="twin-row metric-table-row"
              role="row"
              aria-rowindex={item.index + 2}
              style={{ ...template, position: 'absolute', width: '100%', height: `${rowPx}px`, top: `${item.start}px` }}
            >
              {rows[item.index]?.map((cell, column) => (
                <span key={head[column]} role="gridcell" className="cut" title={cell}>
                  {cell}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
