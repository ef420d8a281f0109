import type { CaseSummary } from '#shared/model/case.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { bridge } from '../../data/bridge.ts';
import { requestAnalysis } from '../../data/cases.ts';
import { useNotices } from '../../stores/notices.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';

const running = new Set<CaseId>();

/** Applies the rules of this version to a case of an older one, and says how it ended. Asked for twice it runs once. */
export async function analyseAgain(caseId: CaseId): Promise<void> {
  if (running.has(caseId)) return;
  running.add(caseId);
  const { show } = useNotices.getState();
  try {
    const before = await summaryOf(caseId);
    show('Analysing again; what is shown stays until it is done');
    const answer = await requestAnalysis(caseId);
    show(
      answer.ok
        ? whatChanged(before, await summaryOf(caseId))
        : `Not analysed again, the case is as it was. ${RPC_ERROR_WORDS[answer.error.code]}`,
    );
  } finally {
    running.delete(caseId);
  }
}

async function summaryOf(caseId: CaseId): Promise<CaseSummary | undefined> {
  const list = await bridge.request('case.list', {});
  return list.ok ? list.value.cases.find((one) => one.caseId === caseId) : undefined;
}

function whatChanged(before: CaseSummary | undefined, after: CaseSummary | undefined): string {
  if (before === undefined || after === undefined) return 'Analysed again with the present rules';
  const said = ({ status, outcome, summary }: CaseSummary) => JSON.stringify([status, outcome, summary]);
  return said(before) === said(after)
    ? 'Analysed again: the verdict is as before'
    : `Analysed again: the verdict changed. ${STATUS_WORD[after.status]}: ${escapeText(after.summary)}`;
}
