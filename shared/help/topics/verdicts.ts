/** How to read a verdict. */
import { OUTCOMES, STAGES, STATUSES } from '../../model/finding.ts';
import { OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '../../text/verdict-text.ts';
import type { HelpPage } from '../types.ts';

const OUTCOME_MEANS: Readonly<Record<(typeof OUTCOMES)[number], string>> = {
  named: 'the first failed or stalled ranks are known.',
  group: 'a pair, a Pod, a node or a link is known; its members cannot be told apart.',
  'no-rank': 'the cause reached the job as a whole from outside; no rank is first.',
  'no-failure': 'the job ended well, or still made progress when the bundle was taken, and nothing contradicts that.',
  'cannot-tell': 'this bundle does not decide it; leads and what is missing are listed.',
};

export const statuses: HelpPage = {
  id: 'topic/statuses',
  kind: 'topic',
  title: 'How sure a verdict is',
  lead: 'Five words, given by the kind of evidence, never by a percentage.',
  sections: [
    {
      title: 'Statuses',
      text: STATUSES.map((status) => `- **${STATUS_WORD[status]}**: ${STATUS_MEANING[status]}`).join('\n'),
    },
    {
      title: 'What "established" asks for',
      text: 'Direct evidence or complete records, nothing against it, and a bundle in which nothing else could hide: every rank left a log or a dump, no earlier attempt is lost, no log was cut, the size of the job is known. If any of these is missing, the reason stands under *Would change*.',
    },
    {
      title: 'Classes of evidence, strongest first',
      text: '- **direct**: the act itself, such as an exception, a kill, an eviction, two unlike fingerprints\n- **witness**: a report made for this purpose about somebody else, such as a monitored barrier, a desync report, NCCL RAS\n- **recorder**: calls compared across ranks\n- **absence**: covered silence, a missing process; only as good as the coverage\n- **context**: consistent, nothing more; never a verdict',
    },
    {
      title: 'Outcomes',
      text: OUTCOMES.map(
        (outcome) => `- **${OUTCOME_WORD[outcome]}** (\`${outcome}\`): ${OUTCOME_MEANS[outcome]}`,
      ).join('\n'),
    },
    { title: 'Stages', text: STAGES.map((stage) => `- \`${stage}\`: ${STAGE_WORD[stage]}`).join('\n') },
  ],
  keywords: [
    'established',
    'supported',
    'hypothesis',
    'ruled out',
    'not determinable',
    'outcome',
    'stage',
    'confidence',
    'sure',
  ],
  seeAlso: ['topic/reading', 'topic/clocks'],
};

export const reading: HelpPage = {
  id: 'topic/reading',
  kind: 'topic',
  title: 'How a verdict is reached',
  lead: 'The earliest and the loudest line are rarely the first failure.',
  sections: [
    {
      title: 'What is taken for granted',
      text: '- A time-out is an observation: every healthy rank prints one when somebody is missing.\n- A line that names another rank is a witness statement: who printed it and whom it accuses are kept apart.\n- Silence counts only where the log of that rank is there and covers the time.\n- Two sides of a disagreement without a majority are both named.\n- A rank that only waited is never named.\n- After a restart, only the first attempt shows how it began.',
    },
    {
      title: 'What explains what',
      text: 'A rank that raised an exception is also missing in the dumps, silent in the log and late at the barrier: those findings support the first and are no rivals. What remains are independent beginnings. One is the verdict; of several, the surely earliest, else the strongest class, else all of them together.',
    },
    {
      title: 'torchrun\'s "Root Cause"',
      text: 'It is the earliest failure that **one** agent saw among its own workers. Each node prints its own; a node whose root cause is exit code -6 with a watchdog line is a victim. Without an error file its time is the moment the agent noticed.',
    },
  ],
  keywords: ['root cause', 'first failure', 'victim', 'symptom', 'consequence', 'attempt', 'witness'],
  seeAlso: ['topic/statuses', 'rule/launcher-names-a-victim'],
};
