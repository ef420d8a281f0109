import type { HelpPage } from '../types.ts';

/** A key combination as the window shows it, and what it does. */
export interface KeyRow {
  readonly keys: string;
  readonly does: string;
}

/** The window has the keys; it gives them in, so that the page can never differ from what they do. Without them: how to find them. */
export function keyboard(rows: readonly KeyRow[]): HelpPage {
  return {
    id: 'topic/keyboard',
    kind: 'topic',
    title: 'Keyboard',
    lead: 'Everything can be reached without a mouse.',
    sections: [
      {
        title: 'Keys',
        text:
          rows.length === 0
            ? 'The window lists its keys in the command palette, beside each command.'
            : rows.map(({ keys, does }) => `- \`${keys}\`: ${does}`).join('\n'),
      },
      {
        title: 'Everywhere',
        text: 'Tab goes to the next part, arrows move inside it, Enter opens, Escape closes what was opened last. A screen reader hears the same words that are shown.',
      },
    ],
    keywords: ['shortcut', 'key', 'palette', 'accessibility'],
    seeAlso: [],
  };
}
