/** What is said once: to a screen reader, and beside the foot of the window where something can be taken back. */
import { create } from 'zustand';

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** What the button does; null = only said, e.g. that a locator was copied. */
  readonly undo: (() => void) | null;
}

interface NoticeState {
  /** Spoken politely; the same text twice is spoken twice. */
  readonly spoken: { readonly id: number; readonly text: string };
  readonly toast: Toast | null;
  readonly speak: (text: string) => void;
  /** Shown for a while, and spoken. */
  readonly show: (text: string, undo?: () => void) => void;
  readonly dismiss: (id: number) => void;
}

let next = 1;

export const useNotices = create<NoticeState>()((set) => ({
  spoken: { id: 0, text: '' },
  toast: null,
  speak: (text) => set({ spoken: { id: next++, text } }),
  show: (text, undo) => {
    const id = next++;
    set({ spoken: { id, text }, toast: { id, text, undo: undo ?? null } });
  },
  dismiss: (id) => set((state) => (state.toast?.id === id ? { toast: null } : state)),
}));
