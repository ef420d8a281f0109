/** Replies that were edited, by case, until the program ends. What was generated is not kept: it is made anew. */
import { create } from 'zustand';

interface ReplyDrafts {
  readonly drafts: ReadonlyMap<string, string>;
  /** Null takes the edit away. */
  readonly edit: (caseId: string, text: string | null) => void;
}

export const useReplyDrafts = create<ReplyDrafts>()((set) => ({
  drafts: new Map(),
  edit: (caseId, text) =>
    set(({ drafts }) => {
      const next = new Map(drafts);
      if (text === null) next.delete(caseId);
      else next.set(caseId, text);
      return { drafts: next };
    }),
}));
