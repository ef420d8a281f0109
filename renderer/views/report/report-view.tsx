import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { ReportTarget } from '../../stores/targets/report.ts';

interface ReportViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: ReportTarget;
}

export function ReportView(_props: ReportViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
