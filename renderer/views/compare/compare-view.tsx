import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { CompareTarget } from '../../stores/targets/compare.ts';

interface CompareViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: CompareTarget;
}

export function CompareView(_props: CompareViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
