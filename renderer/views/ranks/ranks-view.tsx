import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { RanksTarget } from '../../stores/targets/ranks.ts';

interface RanksViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: RanksTarget;
}

export function RanksView(_props: RanksViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
