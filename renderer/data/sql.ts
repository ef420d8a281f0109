import type { CaseId } from '#shared/model/ids.ts';
import type { LogsMethods } from '#shared/rpc/areas/logs.ts';
import { bridge } from './bridge.ts';

/** One read-only statement over a case. Every failure is an answer. */
export async function askSql(caseId: CaseId, sql: string, maxRows: number): Promise<LogsMethods['logs.sql']['result']> {
  const answer = await bridge.request('logs.sql', { caseId, sql, maxRows });
  return answer.ok ? answer.value : { ok: false, error: answer.error.detail };
}
