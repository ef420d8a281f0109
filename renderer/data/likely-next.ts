/** Asks for what the other screens of a case begin with, while nothing else is to be done, so that they open with content. */
import { useEffect } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { prefetchEntries } from './entries.ts';
import { prefetch } from './query.ts';

/** The screen that is shown asks first, and its drawing is not disturbed. ms. */
const AFTER_MS = 400;
/** An idle moment is waited for no longer: an answer costs the page little. ms. */
const IDLE_WITHIN_MS = 1500;

/** In the order of the rail. */
const QUESTIONS: readonly ((caseId: CaseId) => Promise<void>)[] = [
  (caseId) => prefetch('timeline.index', { caseId }),
  (caseId) => prefetch('collectives.job', { caseId, split: [] }),
  (caseId) => prefetch('logs.open', { caseId }),
  (caseId) => prefetch('ranks.index', { caseId }),
  (caseId) => prefetch('clocks.view', { caseId }),
  prefetchEntries,
  (caseId) => prefetch('export.preview', { caseId }),
];

/** One question at a time, and none any more once the case is left. `caseId` null = the case is not open yet. */
export function useLikelyNext(caseId: CaseId | null): void {
  useEffect(() => {
    if (caseId === null) return;
    let current = true;
    const timer = setTimeout(async () => {
      for (const ask of QUESTIONS) {
        await idle();
        if (!current) return;
        await ask(caseId);
      }
    }, AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [caseId]);
}

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestIdleCallback(resolve, { timeout: IDLE_WITHIN_MS });
  });
