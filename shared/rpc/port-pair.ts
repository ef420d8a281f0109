/** Two connected ports in one thread: the terminal and tests talk to the engine exactly as a window does. */
import type { Port, WireMessage } from './contract.ts';

/** Messages arrive later, in order, and are not copied: both ends treat them as read-only. */
export function createPortPair(): readonly [Port, Port] {
  const inboxes: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  let open = true;
  const end = (own: 0 | 1, other: 0 | 1): Port => ({
    post(message: WireMessage) {
      void Promise.resolve().then(() => {
        if (open) for (const listener of inboxes[other]) listener(message);
      });
    },
    onMessage: (listener) => {
      inboxes[own].push(listener);
    },
    close: () => {
      open = false;
    },
  });
  return [end(0, 1), end(1, 0)];
}
