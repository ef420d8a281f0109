export type HelpKind = 'rule' | 'cause' | 'topic';

export interface HelpSection {
  readonly title: string;
  /** Paragraphs, `- ` lists, `**bold**`, `code`, fenced blocks. */
  readonly text: string;
}

export interface HelpPage {
  /** `rule/gpu-xid`, `cause/killed`, `topic/statuses`. Stable: views link to it. */
  readonly id: string;
  readonly kind: HelpKind;
  readonly title: string;
  /** One sentence, shown in lists. */
  readonly lead: string;
  readonly sections: readonly HelpSection[];
  readonly keywords: readonly string[];
  /** Ids of pages. */
  readonly seeAlso: readonly string[];
}
