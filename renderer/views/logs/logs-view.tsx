import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Empty } from '../../components/states.tsx';
import type { LogsTarget } from '../../stores/targets/logs.ts';

interface LogsViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: LogsTarget;
}

export function LogsView(_props: LogsViewProps) {
  return <Empty title="Nothing to show yet" text="This screen is being built." />;
}
