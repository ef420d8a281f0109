import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { TimelineTarget } from '../../stores/targets/timeline.ts';

interface TimelineViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: TimelineTarget;
}

export function TimelineView(_props: TimelineViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
