/** The table twin: the same lanes as rows, for the same span, and as text for elsewhere. */
import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex, TimelineRows } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/states.tsx';
import { TextGrid } from '../../components/text-grid.tsx';
import { copyText } from '../../data/clipboard.ts';
import { latestOf } from '../../data/timeline.ts';
import { LANE_COLUMNS, laneCells } from '../../viewmodels/timeline/lane-table.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { tsvOf } from '../../viewmodels/tsv.ts';
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
  const keys = useLocalKeys('timeline');
  const rowPx = useRowHeight('row');
  useEffect(() => {
    void ask({ caseId, basis, ...span, lanes: [...lanes] }).then((got) => got?.ok === true && setAnswer(got.value));
  }, [ask, caseId, basis, span, lanes]);
  const rows = useMemo(
    () => (answer?.rows ?? []).map((row) => laneCells(index, row, basis, span)),
    [answer, index, basis, span],
  );
  return (
    <div className="twin lane-table">
      <div className="twin-bar">
        <span>{`${rows.length} lanes as a table, for the span that is drawn`}</span>
        <Button kind="plain" onClick={() => copyText(tsvOf(LANE_COLUMNS, rows))}>
          Copy as text
        </Button>
        <Button kind="outlined" keys={keys.shown('twin')} onClick={onClose}>
          Show the drawing
        </Button>
      </div>
      {answer === null ? (
        <Skeleton words="Counting" />
      ) : (
        <TextGrid
          label="Lanes"
          head={LANE_COLUMNS}
          rows={rows}
          rowPx={rowPx}
          rowClass="lane-table-row"
          isFirst={(row) => row[1] === 'first'}
          closes={(event) => keys.actionOf(event) === 'twin'}
          onClose={onClose}
        />
      )}
    </div>
  );
}
