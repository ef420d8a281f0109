import './timeline-view.css';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Skeleton } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import type { TimelineTarget } from '../../stores/targets/timeline.ts';
import { goToScreen } from '../shell/commands.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { TimelineBoard } from './timeline-board.tsx';

interface TimelineViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: TimelineTarget;
}

export function TimelineView({ caseId, target }: TimelineViewProps) {
  const index = useQuery('timeline.index', { caseId });
  if (index.state === 'loading') return <Skeleton words="Reading the lanes" />;
  if (index.state === 'failed') {
    return <ReadFailure title="The lanes of this case cannot be read" error={index.error} method="timeline.index" />;
  }
  if (index.value === null) {
    return (
      <Empty
        title="0 records with a time"
        text="No log line, event or recorder dump of this bundle carries a time that could be read. Recorder dumps, or logs taken with timestamps, would fill this view."
      >
        <Button kind="outlined" onClick={() => goToScreen('evidence')}>
          Show the files
        </Button>
      </Empty>
    );
  }
  return <TimelineBoard caseId={caseId} index={index.value} target={target} />;
}
