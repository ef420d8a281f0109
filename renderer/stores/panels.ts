/** Which layer lies over the screen; at most one at a time. */
import { create } from 'zustand';
import type { CaseId, JobId } from '#shared/model/ids.ts';
import type { CaseNote, NoteSubject } from '#shared/model/note.ts';

export type Panel =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'go-to' }
  /** `note` null = a new one. */
  | { readonly kind: 'note'; readonly caseId: CaseId; readonly subject: NoteSubject; readonly note: CaseNote | null }
  /** The analyst's own status of the verdict. */
  | { readonly kind: 'dissent'; readonly caseId: CaseId }
  /** Page of the help to begin with; null = its first. */
  | { readonly kind: 'help'; readonly page: string | null }
  | { readonly kind: 'about' }
  | { readonly kind: 'close-import'; readonly jobId: JobId }
  | { readonly kind: 'settings'; readonly text: string }
  | { readonly kind: 'rename-case'; readonly caseId: CaseId; readonly name: string }
  | { readonly kind: 'delete-case'; readonly caseId: CaseId; readonly name: string };

interface PanelState {
  readonly panel: Panel | null;
  readonly open: (panel: Panel) => void;
  readonly close: () => void;
}

export const usePanels = create<PanelState>()((set) => ({
  panel: null,
  open: (panel) => set({ panel }),
  close: () => set({ panel: null }),
}));
