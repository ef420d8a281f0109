/**
 * axe-core in the real window: what a wide, well-kept set of rules finds. `audit.ts` keeps what axe does not check (targets with room
 * around them, focus rings, text that is cut off, colours over pictures).
 */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Serious and critical ones fail; the rest is for those who read. */
const HARD: ReadonlySet<string> = new Set(['serious', 'critical']);

export interface AxeFinding {
  readonly rule: string;
  readonly impact: string;
  readonly target: string;
  readonly why: string;
}

interface RawFinding {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary?: string;
    readonly html: string;
  }[];
}

/**
 * Runs every rule of WCAG 2.2 A and AA and axe's own best practices on the page as it stands. `only` narrows it to some rules: another
 * theme of the same page differs in its colours alone. The page's content policy forbids injected scripts, so axe is evaluated by the debugger.
 */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<readonly AxeFinding[]> {
  const cdp = await page.context().newCDPSession(page);
  try {
    const known = await cdp.send('Runtime.evaluate', { expression: 'typeof axe', returnByValue: true });
    if (known.result.value !== 'object') await cdp.send('Runtime.evaluate', { expression: axe.source });
    const runOnly =
      only === undefined
        ? { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
        : { type: 'rule', values: only };
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'], elementRef: false });
    const run = await cdp.send('Runtime.evaluate', {
      expression: `axe.run(document, ${options}).then(({ violations }) => violations)`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (run.exceptionDetails !== undefined)
      throw new Error(`axe did not run: ${run.exceptionDetails.exception?.description ?? run.exceptionDetails.text}`);
    return (run.result.value as readonly RawFinding[]).flatMap(({ id, impact, nodes }) =>
      nodes.map((node) => ({
        rule: id,
        impact: impact ?? 'minor',
        target: node.target.join(' '),
        why: `${(node.failureSummary ?? '').split('\n').slice(1, 3).join(' ').trim()} ${node.html.slice(0, 120)}`,
      })),
    );
  } finally {
    await cdp.detach();
  }
}

/** One line for each serious or critical finding; empty = none. */
export async function auditAxe(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  return (await axeFindings(page, only))
    .filter(({ impact }) => HARD.has(impact))
    .map(({ rule, impact, target, why }) => `${impact} ${rule}: ${target} – ${why}`)
    .sort();
}

/** What a theme can change of a page. */
export const COLOUR_RULES = ['color-contrast'] as const;
