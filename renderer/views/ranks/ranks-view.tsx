import './ranks-view.css';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Skeleton } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import type { RanksTarget } from '../../stores/targets/ranks.ts';
import { goToScreen } from '../shell/commands.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { RanksBoard } from './ranks-board.tsx';

interface RanksViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: RanksTarget;
}

export function RanksView({ caseId, report, target }: RanksViewProps) {
  const index = useQuery('ranks.index', { caseId });
  if (index.state === 'loading') return <Skeleton words="Placing the ranks" />;
  if (index.state === 'failed')
    return <ReadFailure title="The ranks of this case cannot be read" error={index.error} method="ranks.index" />;
  if (report.ranks.length === 0)
    return (
      <Empty
        title="0 ranks known"
        text="No file of this bundle names a rank: neither a log line, nor a recorder dump, nor a Pod. Logs with rank prefixes, Pod YAML or nccl_trace_rank_N files would fill this map."
      >
        <Button kind="outlined" onClick={() => goToScreen('evidence')}>
          Show the files
        </Button>
      </Empty>
    );
  return <RanksBoard caseId={caseId} report={report} target={target} index={index.value} />;
}
