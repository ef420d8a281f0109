import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';

interface CollectivesViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: CollectivesTarget;
}

export function CollectivesView(_props: CollectivesViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
