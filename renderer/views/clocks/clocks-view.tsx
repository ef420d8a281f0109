import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { ClocksTarget } from '../../stores/targets/clocks.ts';

interface ClocksViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: ClocksTarget;
}

export function ClocksView(_props: ClocksViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
