/** Keys that the user put in the place of those that commands and local actions came with; kept on this machine. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface KeyBindings {
  /** By id of a command or of a local action; what is not in it has its own keys. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Null brings the command's own keys back. */
  readonly bind: (id: string, keys: readonly string[] | null) => void;
  /** All keys as delivered. */
  readonly reset: () => void;
}

export const useKeyBindings = create<KeyBindings>()(
  persist(
    (set) => ({
      keys: {},
      bind: (id, keys) =>
        set((state) => {
          const { [id]: _old, ...others } = state.keys;
          return { keys: keys === null ? others : { ...others, [id]: keys } };
        }),
      reset: () => set({ keys: {} }),
    }),
    { name: 'firstfault-keys', version: 1 },
  ),
);

interface Bound {
  readonly id: string;
  readonly keys: readonly string[];
}

/** The keys that answer to a command now. */
export const keysOf = (
  { id, keys }: Bound,
  bound: KeyBindings['keys'] = useKeyBindings.getState().keys,
): readonly string[] => (Object.hasOwn(bound, id) ? (bound[id] ?? keys) : keys);
