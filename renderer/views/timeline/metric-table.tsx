/** The table twin of the curves: a row where any of them changes. */
import { useMemo } from 'react';
import { formatCount } from '#shared/text/format.ts';
import type { MetricCurve, MetricInfo } from '#shared/views/lanes/index.ts';
import { Button } from '../../components/button.tsx';
import { TextGrid } from '../../components/text-grid.tsx';
import { copyText } from '../../data/clipboard.ts';
import { metricTable } from '../../viewmodels/timeline/metrics.ts';
import { tsvOf } from '../../viewmodels/tsv.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface MetricTableProps {
  readonly curves: readonly { readonly curve: MetricCurve; readonly info: MetricInfo }[];
  readonly columns: number;
  readonly timeOf: (column: number) => string;
  readonly onClose: () => void;
}

export function MetricTable({ curves, columns, timeOf, onClose }: MetricTableProps) {
  const rowPx = useRowHeight('row');
  const { head, rows } = useMemo(() => metricTable(curves, columns, timeOf), [curves, columns, timeOf]);
  return (
    <div className="twin metric-table">
      <div className="twin-bar">
        <span>{`${formatCount(rows.length)} moments at which a curve changes; median, lowest to highest`}</span>
        <Button kind="plain" onClick={() => copyText(tsvOf(head, rows))}>
          Copy as text
        </Button>
        <Button kind="outlined" onClick={onClose}>
          Show the curves
        </Button>
      </div>
      <TextGrid
        label="Metrics"
        head={head}
        rows={rows}
        rowPx={rowPx}
        rowClass="metric-table-row"
        columns={`8rem repeat(${head.length - 1}, minmax(9rem, 1fr))`}
        onClose={onClose}
      />
    </div>
  );
}
