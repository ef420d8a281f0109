/** Which layer lies over the screen; at most one at a time. */
import { create } from 'zustand';
import type { CaseId } from '#shared/model/ids.ts';

export type Panel =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'go-to' }
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
