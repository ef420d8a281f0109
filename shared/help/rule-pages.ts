/** One page a rule: its argument and its remedy as they stand in the rule itself. */
import { RULES } from '../analysis/rules/index.ts';
import { CAUSES } from '../model/finding.ts';
import { CAUSE_WORD } from '../text/verdict-text.ts';
import { CAUSES_HELP } from './causes.ts';
import type { HelpPage } from './types.ts';

export function rulePages(): HelpPage[] {
  return RULES.map((rule): HelpPage => {
    const causes = CAUSES.filter((cause) => CAUSES_HELP[cause].rules.includes(rule.id));
    const explain = unwrap(rule.explain);
    return {
      id: `rule/${rule.id}`,
      kind: 'rule',
      title: rule.title,
      lead: firstSentence(explain),
      sections: [
        { title: 'What it means, how sure it is, when it can be wrong', text: explain },
        { title: 'What to do', text: unwrap(rule.remedy) },
        {
          title: 'Causes it can name',
          text: causes.map((cause) => `- ${CAUSE_WORD[cause]} (\`${cause}\`)`).join('\n'),
        },
      ],
      keywords: [rule.id, ...causes],
      seeAlso: [...causes.map((cause) => `cause/${cause}`), 'topic/statuses'],
    };
  });
}

/** Lines of one paragraph or list item are one line: the source breaks them for its own width. */
function unwrap(markdown: string): string {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map(unwrapBlock)
    .join('\n\n');
}

function unwrapBlock(block: string): string {
  const lines: string[] = [];
  for (const raw of block.split('\n')) {
    const line = raw.trim();
    const last = lines.length - 1;
    if (last < 0 || /^(?:- |\d+\. )/.test(line)) lines.push(line);
    else lines[last] = `${lines[last] ?? ''} ${line}`;
  }
  return lines.join('\n');
}

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n');
  const plain = line.replace(/[*`]/g, '');
  const end = /[.:](?= [A-Z])/.exec(plain);
  return end === null ? plain : plain.slice(0, end.index + 1).replace(/:$/, '.');
}
