import '../../components/twin-table.css';
/** The table twin: the same lanes as rows, for the same span, and as text for elsewhere. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex, TimelineRows } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { latestOf } from '../../data/timeline.ts';
import { LANE_COLUMNS, laneCells, tableText } from '../../viewmodels/timeline/lane-table.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface LaneTableProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly lanes: readonly number[];
  readonly onClose: () => void;
}

export function LaneTable({ caseId, index, basis, span, lanes, onClose }: LaneTableProps) {
  const [answer, setAnswer] = useState<TimelineRows | null>(null);
  const ask = useMemo(() => latestOf('timeline.rows'), []);
  const host = useRef<HTMLDivElement>(null);
  const keys = useLocalKeys('timeline');
  const rowPx = useRowHeight('row');
  useEffect(() => {
    void ask({ caseId, basis, ...span, lanes: [...lanes] }).then((got) => got?.ok === true && setAnswer(got.value));
  }, [ask, caseId, basis, span, lanes]);
  const shown = answer !== null;
  useEffect(() => {
    if (shown) host.current?.focus();
  }, [shown]);
  const rows = useMemo(
    () => (answer?.rows ?? []).map((row) => laneCells(index, row, basis, span)),
    [answer, index, basis, span],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  return (
    <div className="twin lane-table">
      <div className="twin-bar">
        <span>{`${rows.length} lanes as a table, for the span that is drawn`}</span>
        <Button kind="plain" onClick={() => copyText(tableText(rows))}>
          Copy as text
        </Button>
        <Button kind="outlined" keys={keys.shown('twin')} onClick={onClose}>
          Show the drawing
        </Button>
      </div>
      {answer === null ? (
        <Skeleton words="Counting" />
      ) : (
        <div
          ref={host}
          className="twin-scroll"
          role="grid"
          aria-label="Lanes"
          aria-rowcount={rows.length + 1}
          tabIndex={0}
          onKeyDown={(event) => {
            if (keys.actionOf(event) !== 'twin' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            onClose();
          }}
        >
          <div className="twin-row twin-head lane-table-row" role="row" aria-rowindex={1}>
            {LANE_COLUMNS.map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
          </div>
          <div style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }} role="presentation">
            {virtual.getVirtualItems().map((item) => (
              <div
                key={item.key}
                className="twin-row lane-table-row"
                role="row"
                aria-rowindex={item.index + 2}
                data-first={rows[item.index]?.[1] === 'first'}
                style={{
                  position: 'absolute',
                  top: 0,
                  width: '100%',
                  height: `${rowPx}px`,
                  transform: `translateY(${item.start}px)`,
                }}
              >
                {rows[item.index]?.map((cell, column) => (
                  <span key={LANE_COLUMNS[column]} role="gridcell" className="cut" title={cell}>
                    {cell}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
