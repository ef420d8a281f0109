/** One page a cause code. */
import { CAUSES } from '../model/finding.ts';
import { CAUSE_WORD } from '../text/verdict-text.ts';
import { CAUSES_HELP } from './causes.ts';
import type { HelpPage } from './types.ts';

export function causePages(): HelpPage[] {
  return CAUSES.map((cause): HelpPage => {
    const { means, beware, rules } = CAUSES_HELP[cause];
    const word = CAUSE_WORD[cause];
    return {
      id: `cause/${cause}`,
      kind: 'cause',
      title: `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
      lead: means,
      sections: [
        { title: 'What it means', text: means },
        { title: 'Beware', text: beware },
        { title: 'Rules that can say it', text: rules.map((id) => `- \`${id}\``).join('\n') },
      ],
      keywords: [cause],
      seeAlso: rules.map((id) => `rule/${id}`),
    };
  });
}
