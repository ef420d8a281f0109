import './collectives-view.css';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import { Button } from '../../components/button.tsx';
import { Banner, Empty, Failure, Refreshing, Skeleton } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import { useNavigation } from '../../stores/navigation.ts';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';
import { bannersOf } from '../../viewmodels/collectives/banners.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { goToScreen, runCommand } from '../shell/commands.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { shownGroup } from './choose-start.ts';
import { GroupPane } from './group-pane.tsx';
import { JobPane } from './job-pane.tsx';
import { useKept } from './use-kept.ts';

interface CollectivesViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: CollectivesTarget;
}

/** Calls of all process groups: who waits for whom, and at which call the ranks of a group part. */
export function CollectivesView({ caseId, report, target }: CollectivesViewProps) {
  const split = target.group === null ? (target.split ?? []) : [];
  const job = useKept(useQuery('collectives.job', { caseId, split }), caseId);
  if (job.state === 'loading')
    return (
      <div className="collectives">
        <Skeleton words="Folding ranks into sets" />
      </div>
    );
  if (job.state === 'failed')
    return <ReadFailure title="The calls cannot be read" error={job.error} method="collectives.job" />;
  if (job.value === null || job.value.groupsTotal === 0) return <NothingRecorded report={report} />;
  return <Ready caseId={caseId} answer={job.value} target={target} refreshing={job.refreshing} />;
}

interface ReadyProps {
  readonly caseId: CaseId;
  readonly answer: JobAnswer;
  readonly target: CollectivesTarget;
  readonly refreshing: boolean;
}

function Ready({ caseId, answer, target, refreshing }: ReadyProps) {
  const { go, replace } = useNavigation();
  const group = shownGroup(target, answer);
  const place = (next: CollectivesTarget) => ({ screen: 'collectives', caseId, target: next }) as const;
  const pane = {
    caseId,
    answer,
    target,
    onChange: (patch: Partial<CollectivesTarget>) => replace(place({ ...target, group, ...patch })),
    onGo: (next: CollectivesTarget) => go(place(next)),
  };
  return (
    <div className="collectives">
      {refreshing && <Refreshing />}
      {bannersOf(answer).map((banner) => (
        <Banner key={banner} tone="plain" text={banner} />
      ))}
      {group === null ? <JobPane {...pane} /> : <GroupPane key={group} {...pane} group={group} />}
    </div>
  );
}

function NothingRecorded({ report }: { readonly report: Report }) {
  if (report.incident.dumpsPresent > 0)
    return (
      <div className="collectives-state">
        <Failure
          title="This case does not hold its calls"
          text={`It was made by an earlier version, with ${plural(report.incident.dumpsPresent, 'dump')}. Import the bundle again; the other screens work as they are.`}
        />
      </div>
    );
  const unread = report.ranks.filter((rank) => rank.dump === 'refused' || rank.dump === 'failed').length;
  const gap = report.gaps.find((one) => /dump|recorder/i.test(one.item));
  return (
    <div className="collectives-state">
      <Empty
        title={
          unread > 0
            ? `0 recorder dumps could be read, ${unread} were refused or failed`
            : '0 recorder dumps in this bundle'
        }
        text="Calls come from Flight Recorder dumps (nccl_trace_rank_N), one file a rank, and more weakly from watchdog lines in logs. Neither tells of a process group here."
      >
        {gap !== undefined && <p className="collectives-collect selectable">{escapeText(gap.collect)}</p>}
        <div className="collectives-state-actions">
          <Button kind="primary" onClick={() => runCommand('ask')}>
            Ask for what is missing…
          </Button>
          <Button kind="outlined" onClick={() => goToScreen('overview')}>
            Show the gaps
          </Button>
        </div>
      </Empty>
    </div>
  );
}
